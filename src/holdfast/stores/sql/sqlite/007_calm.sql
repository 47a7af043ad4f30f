-- The newest version and the number of erasures stand with the log, so that a turn needs one look at one row; what is
-- listed is read off an index; what is to be indexed, erased or finished is written down, so that it can be gone on with.
ALTER TABLE streams ADD COLUMN head INTEGER NOT NULL DEFAULT 0;
ALTER TABLE streams ADD COLUMN erased INTEGER NOT NULL DEFAULT 0;
UPDATE streams SET head = coalesce(
    (SELECT max(log.id) FROM log WHERE log.id BETWEEN streams.id << 32 AND (streams.id << 32 | 4294967295)), 0
) & 4294967295;
DROP TRIGGER log_changes_stream;
CREATE TRIGGER log_changes_stream AFTER INSERT ON log BEGIN
    UPDATE streams SET head = new.id & 4294967295, changed = CASE kind WHEN 'session' THEN new.at ELSE changed END
    WHERE id = new.id >> 32; END;
CREATE INDEX streams_to_index ON streams (id) WHERE kind = 'session' AND indexed < head;
DROP INDEX streams_by_user;
CREATE INDEX streams_by_user ON streams (user, changed, name) WHERE user IS NOT NULL AND kind = 'session';
CREATE INDEX streams_of_user ON streams (user, name) WHERE user IS NOT NULL AND kind = 'session';
CREATE INDEX streams_of_project ON streams (project, name) WHERE project IS NOT NULL AND kind = 'session';
-- How many messages the word index holds, about.
CREATE TABLE indexed (rows INTEGER NOT NULL);
INSERT INTO indexed SELECT coalesce(sum(indexed), 0) FROM streams;
-- Keys of callers that make a retry safe, each with the version that was written under it.
CREATE TABLE once (stream INTEGER NOT NULL, key TEXT NOT NULL, version INTEGER NOT NULL, PRIMARY KEY (stream, key)) WITHOUT ROWID;
-- With version 0: something outside that belongs to the log.
CREATE INDEX once_claims ON once (key) WHERE version = 0;
-- Logs whose rows are being erased (their names are gone already), up to which version they are in the word index.
CREATE TABLE doomed (stream INTEGER PRIMARY KEY, indexed INTEGER NOT NULL);
-- Of how many erasures no byte is left; `page` is how far the file was swept for the next. A file of an older release is
-- not `wiped`: deleted rows left their bytes anywhere in it, and it is written anew, once, with the first erasure.
CREATE TABLE sweeping (swept INTEGER NOT NULL, page INTEGER NOT NULL, wiped INTEGER NOT NULL);
INSERT INTO sweeping SELECT done, 0, NOT EXISTS (SELECT 1 FROM streams) FROM erasures;
-- Work of the engine that was begun and must be finished, whoever opens the store next.
CREATE TABLE jobs (id INTEGER PRIMARY KEY AUTOINCREMENT, body BLOB NOT NULL);
