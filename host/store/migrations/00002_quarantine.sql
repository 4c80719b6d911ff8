-- +goose Up

-- Results that are withheld, by the run that had them.
CREATE TABLE kept (
    run         TEXT   PRIMARY KEY,
    trace       TEXT   NOT NULL,
    server      TEXT   NOT NULL,
    tool        TEXT   NOT NULL,
    rules       TEXT   NOT NULL,
    digest      TEXT   NOT NULL,
    size        BIGINT NOT NULL,
    body        BLOB   NOT NULL,
    created     BIGINT NOT NULL,
    released_by TEXT   NOT NULL,
    released_at BIGINT NOT NULL,
    sum         TEXT   NOT NULL
);
CREATE INDEX kept_created ON kept (created);
