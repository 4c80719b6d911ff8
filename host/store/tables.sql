-- The schema of the state. PostgreSQL reads it too, with BYTEA for BLOB. A text is its
-- bytes: PostgreSQL's TEXT has no NUL and no invalid UTF-8, and another order.

-- Texts of servers, each once, by the SHA-256 of its bytes.
CREATE TABLE content (
    digest BLOB PRIMARY KEY,
    bytes  BLOB NOT NULL
);

-- Places at which servers are reached, with the number and the sum of the last
-- decision about each.
CREATE TABLE place (
    entry      BLOB   NOT NULL,
    credential BLOB   NOT NULL,
    seq        BIGINT NOT NULL,
    sum        BLOB   NOT NULL,
    PRIMARY KEY (entry, credential)
);

-- Decisions of people. Rows are added and never changed. Each sum covers its row
-- and the previous sum of the same place.
CREATE TABLE decision (
    seq          BIGINT PRIMARY KEY,
    entry        BLOB   NOT NULL,
    credential   BLOB   NOT NULL,
    server       BLOB   NOT NULL,
    tool         BLOB   NOT NULL,
    state        BLOB   NOT NULL,
    reviewed     BLOB   NOT NULL,
    meaning      BLOB   NOT NULL,
    raw          BLOB   NOT NULL,
    instructions BLOB   NOT NULL,
    review       BLOB   NOT NULL,
    effect       BLOB   NOT NULL,
    decided_by   BLOB   NOT NULL,
    how          BLOB   NOT NULL,
    at           BIGINT NOT NULL,
    sum          BLOB   NOT NULL
);
CREATE INDEX decision_place ON decision (entry, credential, seq);

-- Pending tools: found by the last listing of a server, and not decided.
CREATE TABLE seen (
    entry        BLOB   NOT NULL,
    credential   BLOB   NOT NULL,
    tool         BLOB   NOT NULL,
    code         BLOB   NOT NULL,
    why          BLOB   NOT NULL,
    raw          BLOB   NOT NULL,
    instructions BLOB   NOT NULL,
    at           BIGINT NOT NULL,
    sum          BLOB   NOT NULL,
    PRIMARY KEY (entry, credential, tool)
);

-- The health of a server, a row for each change.
CREATE TABLE health (
    entry      BLOB   NOT NULL,
    credential BLOB   NOT NULL,
    seq        BIGINT NOT NULL,
    code       BLOB   NOT NULL,
    at         BIGINT NOT NULL,
    PRIMARY KEY (entry, credential, seq)
);

-- Withheld results, by their run.
CREATE TABLE kept (
    run         BLOB   PRIMARY KEY,
    trace       BLOB   NOT NULL,
    server      BLOB   NOT NULL,
    tool        BLOB   NOT NULL,
    rules       BLOB   NOT NULL,
    digest      BLOB   NOT NULL,
    size        BIGINT NOT NULL,
    body        BLOB   NOT NULL,
    created     BIGINT NOT NULL,
    released_by BLOB   NOT NULL,
    released_at BIGINT NOT NULL,
    sum         BLOB   NOT NULL
);
CREATE INDEX kept_created ON kept (created);

-- Approvals of calls, by the run that asked. A row moves from pending to
-- approved or denied, and from approved to spent, once each; each sum covers its
-- row. The column call has one key for the same call in every run of a conversation;
-- deciding is the digest of the rules, the allowlist and the settings when the
-- approval was asked for, and call_digest that of the call alone.
CREATE TABLE approval (
    run         BLOB   PRIMARY KEY,
    digest      BLOB   NOT NULL,
    trace       BLOB   NOT NULL,
    call        BLOB   NOT NULL,
    client      BIGINT NOT NULL,
    state       BLOB   NOT NULL,
    decided_by  BLOB   NOT NULL,
    how         BLOB   NOT NULL,
    held        BIGINT NOT NULL,
    created     BIGINT NOT NULL,
    expires     BIGINT NOT NULL,
    deciding    BLOB   NOT NULL,
    call_digest BLOB   NOT NULL,
    sum         BLOB   NOT NULL
);
CREATE INDEX approval_call ON approval (call, created);
CREATE INDEX approval_at ON approval (created);

-- Grants: approvals of more than one call, of one subject, conversation, tool and
-- resource. A row is added, and revoked at most once; each sum covers its row.
CREATE TABLE granted (
    id           BLOB   PRIMARY KEY,
    subject      BLOB   NOT NULL,
    conversation BLOB   NOT NULL,
    server       BLOB   NOT NULL,
    tool         BLOB   NOT NULL,
    resource     BLOB   NOT NULL,
    body         BLOB   NOT NULL,
    created      BIGINT NOT NULL,
    until        BIGINT NOT NULL,
    revoked      BIGINT NOT NULL,
    revoked_by   BLOB   NOT NULL,
    sum          BLOB   NOT NULL
);
CREATE INDEX granted_key ON granted (conversation, subject, server, tool, resource);
CREATE INDEX granted_at ON granted (created);

-- Labels of conversations, and which of them ended. Rows are added, and never
-- changed or removed.
CREATE TABLE conversation (
    id   BLOB   NOT NULL,
    mark BLOB   NOT NULL,
    run  BLOB   NOT NULL,
    at   BIGINT NOT NULL,
    sum  BLOB   NOT NULL,
    PRIMARY KEY (id, mark)
);
CREATE INDEX conversation_at ON conversation (at);

-- Token buckets of the limits of the policy, by the text of the limit. A bucket is the
-- time at which it is full again, in microseconds; the sum covers its row.
CREATE TABLE bucket (
    rate    BLOB   PRIMARY KEY,
    full_at BIGINT NOT NULL,
    sum     BLOB   NOT NULL
);

-- Sessions of clients over HTTP, by the SHA-256 of their id; the sum covers the row
-- but for its expiry.
CREATE TABLE session (
    id           BLOB   PRIMARY KEY,
    token        BLOB   NOT NULL,
    conversation BLOB   NOT NULL,
    client       BLOB   NOT NULL,
    version      BLOB   NOT NULL,
    expires      BIGINT NOT NULL,
    sum          BLOB   NOT NULL
);
CREATE INDEX session_token ON session (token, expires);
CREATE INDEX session_expires ON session (expires);

-- What a person is shown of a call that waits, by the run that asked. It is sealed
-- under the key with this id, or not, with no id. The sum covers the row.
CREATE TABLE request (
    run     BLOB   PRIMARY KEY,
    digest  BLOB   NOT NULL,
    sealed  BLOB   NOT NULL,
    nonce   BLOB   NOT NULL,
    body    BLOB   NOT NULL,
    expires BIGINT NOT NULL,
    sum     BLOB   NOT NULL
);
CREATE INDEX request_expires ON request (expires);

-- Lines of the traces of runs, by the run and the number of the part. Rows are added and
-- never changed; the trace has its own chain.
CREATE TABLE run (
    run   BLOB   NOT NULL,
    part  BIGINT NOT NULL,
    lines BLOB   NOT NULL,
    at    BIGINT NOT NULL,
    PRIMARY KEY (run, part)
);
CREATE INDEX run_at ON run (at);

-- Values that traces share, by their SHA-256.
CREATE TABLE object (
    digest BLOB   PRIMARY KEY,
    bytes  BLOB   NOT NULL
);

-- Sealed records of logins, by their owner. Sealing covers the owner and the name.
CREATE TABLE login (
    owner BLOB NOT NULL,
    name  BLOB NOT NULL,
    body  BLOB NOT NULL,
    PRIMARY KEY (owner, name)
);

-- Leases: the holder alone changes a record, until the lease ends or expires.
CREATE TABLE lease (
    owner   BLOB   NOT NULL,
    name    BLOB   NOT NULL,
    holder  BLOB   NOT NULL,
    expires BIGINT NOT NULL,
    PRIMARY KEY (owner, name)
);

-- Rows of a service, such as its agents, by their kind and name. The sum covers the row.
CREATE TABLE record (
    kind BLOB NOT NULL,
    name BLOB NOT NULL,
    body BLOB NOT NULL,
    sum  BLOB NOT NULL,
    PRIMARY KEY (kind, name)
);

-- The audit of a service, in order. Rows are added, and never changed or removed; the
-- sum of each covers the one before.
CREATE TABLE event (
    seq  BIGINT PRIMARY KEY,
    body BLOB   NOT NULL,
    sum  BLOB   NOT NULL
);
