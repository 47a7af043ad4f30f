-- What is remembered, one row per item, and its words. The truth is in the log; this is an index of it.
CREATE TABLE notes (
    stream BIGINT NOT NULL REFERENCES streams (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    text TEXT NOT NULL,
    live BOOLEAN NOT NULL,
    body BYTEA NOT NULL,
    words TSVECTOR NOT NULL,
    PRIMARY KEY (stream, id)
);
CREATE INDEX notes_words ON notes USING GIN (words);
