-- +goose Up

-- What servers said, once, by the SHA-256 of its bytes.
CREATE TABLE content (
    digest TEXT PRIMARY KEY,
    bytes  BLOB NOT NULL
);

-- Where servers are reached: the number and the sum of the last decision there.
CREATE TABLE place (
    entry      TEXT   NOT NULL,
    credential TEXT   NOT NULL,
    seq        BIGINT NOT NULL,
    sum        TEXT   NOT NULL,
    PRIMARY KEY (entry, credential)
);

-- What people decided. Rows are added, and never changed; each sum covers its
-- row and the sum before it of the same place.
CREATE TABLE decision (
    seq          BIGINT PRIMARY KEY,
    entry        TEXT   NOT NULL,
    credential   TEXT   NOT NULL,
    server       TEXT   NOT NULL,
    tool         TEXT   NOT NULL,
    state        TEXT   NOT NULL,
    reviewed     TEXT   NOT NULL,
    meaning      TEXT   NOT NULL,
    raw          TEXT   NOT NULL,
    instructions TEXT   NOT NULL,
    review       TEXT   NOT NULL,
    effect       TEXT   NOT NULL,
    decided_by   TEXT   NOT NULL,
    how          TEXT   NOT NULL,
    note         TEXT   NOT NULL,
    at           BIGINT NOT NULL,
    sum          TEXT   NOT NULL
);
CREATE INDEX decision_place ON decision (entry, credential, seq);

-- What is pending: found by the last look at a server, and not decided.
CREATE TABLE seen (
    entry        TEXT   NOT NULL,
    credential   TEXT   NOT NULL,
    tool         TEXT   NOT NULL,
    code         TEXT   NOT NULL,
    why          TEXT   NOT NULL,
    raw          BLOB   NOT NULL,
    instructions TEXT   NOT NULL,
    at           BIGINT NOT NULL,
    sum          TEXT   NOT NULL,
    PRIMARY KEY (entry, credential, tool)
);

-- How a server fared, each time that this changed.
CREATE TABLE health (
    entry      TEXT   NOT NULL,
    credential TEXT   NOT NULL,
    seq        BIGINT NOT NULL,
    code       TEXT   NOT NULL,
    at         BIGINT NOT NULL,
    PRIMARY KEY (entry, credential, seq)
);
