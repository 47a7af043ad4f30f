-- The same as in SQLite: a stream is the log of one session, project or user; a row is one message or call.
CREATE TABLE streams (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind TEXT NOT NULL,
    name TEXT NOT NULL COLLATE "C",
    pack TEXT NOT NULL,
    owner TEXT,
    project TEXT,
    created DOUBLE PRECISION NOT NULL,
    UNIQUE (kind, name)
);
CREATE INDEX streams_by_owner ON streams (owner) WHERE owner IS NOT NULL;
CREATE TABLE log (
    stream BIGINT NOT NULL REFERENCES streams (id) ON DELETE CASCADE,
    version INTEGER NOT NULL,
    at DOUBLE PRECISION NOT NULL,
    role TEXT NOT NULL,
    text TEXT,
    body BYTEA NOT NULL,
    format INTEGER NOT NULL,
    words TSVECTOR,
    PRIMARY KEY (stream, version)
);
CREATE INDEX log_words ON log USING GIN (words);
CREATE TABLE snapshots (
    stream BIGINT PRIMARY KEY REFERENCES streams (id) ON DELETE CASCADE,
    version INTEGER NOT NULL,
    body BYTEA NOT NULL,
    shape TEXT NOT NULL
);
