-- Words of all messages, indexed up to log.id = indexed.upto; the text itself stays in the log.
CREATE VIRTUAL TABLE words USING fts5 (text, content = 'log', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2');
CREATE TABLE indexed (upto INTEGER NOT NULL);
INSERT INTO indexed VALUES (0);
