-- The same as in SQLite: the newest version and the number of erasures stand with the log, lists are read off indexes,
-- and what is to be finished is written down. A log whose kind is 'doomed' is being erased: its name is gone already.
ALTER TABLE streams ADD COLUMN head INTEGER NOT NULL DEFAULT 0;
ALTER TABLE streams ADD COLUMN erased INTEGER NOT NULL DEFAULT 0;
UPDATE streams SET head = coalesce((SELECT max(version) FROM log WHERE log.stream = streams.id), 0);
DROP INDEX streams_by_owner;
CREATE INDEX streams_by_owner ON streams (owner, changed, name) WHERE owner IS NOT NULL AND kind = 'session';
CREATE INDEX streams_of_owner ON streams (owner, name) WHERE owner IS NOT NULL AND kind = 'session';
CREATE INDEX streams_of_project ON streams (project, name) WHERE project IS NOT NULL AND kind = 'session';
CREATE TABLE once (
    stream BIGINT NOT NULL REFERENCES streams (id) ON DELETE CASCADE,
    key TEXT NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (stream, key)
);
CREATE INDEX once_claims ON once (key) WHERE version = 0; -- something outside that belongs to the log
CREATE TABLE jobs (id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, body BYTEA NOT NULL);
CREATE TABLE sweeping (swept INTEGER NOT NULL);
INSERT INTO sweeping SELECT done FROM erasures;

-- A process of an older release writes no head; this does it for it.
CREATE FUNCTION follow() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE streams SET head = new.version WHERE id = new.stream AND head < new.version;
    RETURN NULL;
END $$;
CREATE TRIGGER log_moves_head AFTER INSERT ON log FOR EACH ROW EXECUTE FUNCTION follow();
