-- +goose Up

-- The digest of the rules, the allowlist and the settings that decided when an
-- approval was asked for, and that of the call alone; both are '' of an approval that
-- an earlier version asked for.
ALTER TABLE approval ADD COLUMN deciding TEXT NOT NULL DEFAULT '';
ALTER TABLE approval ADD COLUMN call_digest TEXT NOT NULL DEFAULT '';
