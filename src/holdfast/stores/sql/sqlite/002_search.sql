-- Words of all messages, in their other forms too ("researching" by "research"); streams.indexed says up to which version a stream is in. The text itself stays in the log.
CREATE VIRTUAL TABLE words USING fts5 (
    text, content = 'log', content_rowid = 'id', tokenize = 'porter unicode61 remove_diacritics 2'
);
ALTER TABLE streams ADD COLUMN indexed INTEGER NOT NULL DEFAULT 0;
