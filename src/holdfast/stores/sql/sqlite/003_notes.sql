-- What is remembered, one row per item, and its words. The truth is in the log; this is an index of it.
CREATE TABLE notes (
    rowid INTEGER PRIMARY KEY,
    stream INTEGER NOT NULL REFERENCES streams (id),
    home TEXT GENERATED ALWAYS AS ('s' || stream) VIRTUAL,
    id TEXT NOT NULL,
    text TEXT NOT NULL,
    live INTEGER NOT NULL,
    body BLOB NOT NULL,
    UNIQUE (stream, id)
);
CREATE VIRTUAL TABLE note_words USING fts5 (text, home, content = 'notes', content_rowid = 'rowid', tokenize = 'porter unicode61 remove_diacritics 2');
