-- A stream is the log of one session, project or user. A row of the log is one message or call with all it did; its id
-- is stream << 32 | version.
CREATE TABLE streams (
    id INTEGER PRIMARY KEY AUTOINCREMENT, -- never given twice: nobody who held an erased log may write into another
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    pack TEXT NOT NULL,
    user TEXT,
    project TEXT,
    created REAL NOT NULL,
    UNIQUE (kind, name)
);
CREATE INDEX streams_by_user ON streams (user) WHERE user IS NOT NULL;
CREATE TABLE log (
    id INTEGER PRIMARY KEY,
    at REAL NOT NULL,
    role TEXT NOT NULL,
    text TEXT,
    body BLOB NOT NULL,
    format INTEGER NOT NULL
);
CREATE TABLE snapshots (
    stream INTEGER PRIMARY KEY REFERENCES streams (id),
    version INTEGER NOT NULL,
    body BLOB NOT NULL,
    shape TEXT NOT NULL
);
