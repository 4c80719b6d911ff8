-- +goose Up

-- Nobody ever wrote one.
ALTER TABLE decision DROP COLUMN note;
