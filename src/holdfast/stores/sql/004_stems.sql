-- Words are found in their other forms too ("researching" by "research"); the index is filled again at the next search.
DROP TABLE words;
CREATE VIRTUAL TABLE words USING fts5 (text, content = 'log', content_rowid = 'id', tokenize = 'porter unicode61 remove_diacritics 2');
UPDATE indexed SET upto = 0;
