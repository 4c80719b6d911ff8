-- +goose Up

-- Token buckets of the limits of the policy, by what a limit says. A bucket is the
-- time at which it is full again, in microseconds; the sum covers its row.
CREATE TABLE bucket (
    rate    TEXT   PRIMARY KEY,
    full_at BIGINT NOT NULL,
    sum     TEXT   NOT NULL
);
