-- The schema of the state, in SQL that PostgreSQL reads too but for BLOB (BYTEA there).

-- Texts of servers, each once, by the SHA-256 of its bytes.
CREATE TABLE content (
    digest TEXT PRIMARY KEY,
    bytes  BLOB NOT NULL
);

-- Places at which servers are reached, with the number and the sum of the last
-- decision about each.
CREATE TABLE place (
    entry      TEXT   NOT NULL,
    credential TEXT   NOT NULL,
    seq        BIGINT NOT NULL,
    sum        TEXT   NOT NULL,
    PRIMARY KEY (entry, credential)
);

-- Decisions of people. Rows are added and never changed. Each sum covers its row
-- and the previous sum of the same place.
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
    at           BIGINT NOT NULL,
    sum          TEXT   NOT NULL
);
CREATE INDEX decision_place ON decision (entry, credential, seq);

-- Pending tools: found by the last listing of a server, and not decided.
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

-- The health of a server, a row for each change.
CREATE TABLE health (
    entry      TEXT   NOT NULL,
    credential TEXT   NOT NULL,
    seq        BIGINT NOT NULL,
    code       TEXT   NOT NULL,
    at         BIGINT NOT NULL,
    PRIMARY KEY (entry, credential, seq)
);

-- Withheld results, by their run.
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

-- Approvals of calls, by the run that asked. A row moves from pending to
-- approved or denied, and from approved to spent, once each; each sum covers its
-- row. The column call has one key for the same call in every run of a conversation;
-- deciding is the digest of the rules, the allowlist and the settings when the
-- approval was asked for, and call_digest that of the call alone.
CREATE TABLE approval (
    run         TEXT   PRIMARY KEY,
    digest      TEXT   NOT NULL,
    trace       TEXT   NOT NULL,
    call        TEXT   NOT NULL,
    client      BIGINT NOT NULL,
    state       TEXT   NOT NULL,
    decided_by  TEXT   NOT NULL,
    how         TEXT   NOT NULL,
    held        BIGINT NOT NULL,
    created     BIGINT NOT NULL,
    expires     BIGINT NOT NULL,
    deciding    TEXT   NOT NULL,
    call_digest TEXT   NOT NULL,
    sum         TEXT   NOT NULL
);
CREATE INDEX approval_call ON approval (call, created);
CREATE INDEX approval_at ON approval (created);

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

-- Labels of conversations, and which of them ended. Rows are added, and never
-- changed or removed.
CREATE TABLE conversation (
    id   TEXT   NOT NULL,
    mark TEXT   NOT NULL,
    run  TEXT   NOT NULL,
    at   BIGINT NOT NULL,
    sum  TEXT   NOT NULL,
    PRIMARY KEY (id, mark)
);
CREATE INDEX conversation_at ON conversation (at);

-- Token buckets of the limits of the policy, by the text of the limit. A bucket is the
-- time at which it is full again, in microseconds; the sum covers its row.
CREATE TABLE bucket (
    rate    TEXT   PRIMARY KEY,
    full_at BIGINT NOT NULL,
    sum     TEXT   NOT NULL
);
