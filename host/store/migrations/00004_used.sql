-- +goose Up

-- Approvals that were used. Rows are added, and never changed or removed; each
-- sum covers its row and the sum before it.
CREATE TABLE used (
    run    TEXT   PRIMARY KEY,
    digest TEXT   NOT NULL UNIQUE,
    seq    BIGINT NOT NULL UNIQUE,
    at     BIGINT NOT NULL,
    sum    TEXT   NOT NULL
);
