-- +goose Up

-- Grants: approvals of more than one call, of one subject, conversation, tool and
-- resource. A row is added, and revoked at most once; each sum covers its row.
CREATE TABLE granted (
    id           TEXT   PRIMARY KEY,
    subject      TEXT   NOT NULL,
    conversation TEXT   NOT NULL,
    server       TEXT   NOT NULL,
    tool         TEXT   NOT NULL,
    resource     TEXT   NOT NULL,
    body         TEXT   NOT NULL,
    created      BIGINT NOT NULL,
    until        BIGINT NOT NULL,
    revoked      BIGINT NOT NULL,
    revoked_by   TEXT   NOT NULL,
    sum          TEXT   NOT NULL
);
CREATE INDEX granted_key ON granted (conversation, subject, server, tool, resource);
CREATE INDEX granted_at ON granted (created);

-- What happened in a conversation: its labels, and that it ended. Rows are added,
-- and never changed or removed.
CREATE TABLE conversation (
    id   TEXT   NOT NULL,
    mark TEXT   NOT NULL,
    run  TEXT   NOT NULL,
    at   BIGINT NOT NULL,
    sum  TEXT   NOT NULL,
    PRIMARY KEY (id, mark)
);
CREATE INDEX conversation_at ON conversation (at);
CREATE INDEX approval_at ON approval (created);
