-- +goose Up

-- A pending approval was a file, and this its memory of use. Those files are
-- read no more.
DROP TABLE used;

-- Approvals of calls, by the run that asked. A row moves from pending to
-- approved or denied, and from approved to spent, once each; each sum covers its
-- row. The call names the same call in another run of the same conversation.
CREATE TABLE approval (
    run        TEXT   PRIMARY KEY,
    digest     TEXT   NOT NULL,
    trace      TEXT   NOT NULL,
    call       TEXT   NOT NULL,
    client     BIGINT NOT NULL,
    state      TEXT   NOT NULL,
    decided_by TEXT   NOT NULL,
    how        TEXT   NOT NULL,
    held       BIGINT NOT NULL,
    created    BIGINT NOT NULL,
    expires    BIGINT NOT NULL,
    sum        TEXT   NOT NULL
);
CREATE INDEX approval_call ON approval (call, created);
