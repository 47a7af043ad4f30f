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

-- One row of a log, if it follows the newest one and nothing was erased that it was decided on; else an error that is a
-- lost race. The lock on the stream makes writers take turns. A mark is id << 24 | erased; 0 is a log that was not there.
CREATE FUNCTION put_row(
    p_kind TEXT, p_name TEXT, p_pack TEXT, p_owner TEXT, p_project TEXT, p_version INTEGER, p_at DOUBLE PRECISION,
    p_role TEXT, p_text TEXT, p_body BYTEA, p_format INTEGER, p_words TEXT, p_mark BIGINT, p_known BIGINT[], p_once TEXT,
    p_job BYTEA
) RETURNS BIGINT LANGUAGE plpgsql AS $$
DECLARE
    v_id BIGINT;
    v_mark BIGINT;
BEGIN
    IF p_version = 1 OR p_kind = 'staged' THEN
        INSERT INTO streams (kind, name, pack, owner, project, created, head)
        VALUES (p_kind, p_name, p_pack, p_owner, p_project, p_at, p_version - 1) ON CONFLICT DO NOTHING;
    END IF;
    UPDATE streams SET head = p_version, changed = CASE kind WHEN 'session' THEN p_at ELSE changed END
    WHERE kind = p_kind AND name = p_name AND head = p_version - 1
        AND (p_mark = 0 OR (id = p_mark >> 24 AND erased = (p_mark & 16777215)))
    RETURNING id INTO v_id;
    IF v_id IS NULL THEN
        RAISE EXCEPTION 'lost' USING ERRCODE = 'serialization_failure';
    END IF;
    FOREACH v_mark IN ARRAY p_known LOOP
        PERFORM 1 FROM streams WHERE id = v_mark >> 24 AND erased = (v_mark & 16777215) FOR KEY SHARE;
        IF NOT FOUND THEN
            RAISE EXCEPTION 'erased' USING ERRCODE = 'serialization_failure';
        END IF;
    END LOOP;
    INSERT INTO log VALUES (
        v_id, p_version, p_at, p_role, p_text, p_body, p_format, to_tsvector('simple', p_words)
    );
    IF p_once IS NOT NULL THEN
        INSERT INTO once VALUES (v_id, p_once, p_version);
    END IF;
    IF p_job IS NOT NULL THEN
        INSERT INTO jobs (body) VALUES (p_job);
    END IF;
    RETURN v_id;
END $$;

-- What goes with a row, in the same statement.
CREATE FUNCTION put_snapshot(p_kind TEXT, p_name TEXT, p_version INTEGER, p_body BYTEA, p_shape TEXT) RETURNS void
LANGUAGE sql AS $$
    INSERT INTO snapshots SELECT id, p_version, p_body, p_shape FROM streams WHERE kind = p_kind AND name = p_name
    ON CONFLICT (stream) DO UPDATE SET version = excluded.version, body = excluded.body, shape = excluded.shape
$$;
CREATE FUNCTION put_note(
    p_kind TEXT, p_name TEXT, p_id TEXT, p_text TEXT, p_live BOOLEAN, p_body BYTEA, p_words TEXT
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF length(p_body) = 0 THEN
        DELETE FROM notes WHERE id = p_id AND stream = (SELECT s.id FROM streams s WHERE kind = p_kind AND name = p_name);
    ELSE
        INSERT INTO notes SELECT s.id, p_id, p_text, p_live, p_body, to_tsvector('simple', p_words)
        FROM streams s WHERE kind = p_kind AND name = p_name
        ON CONFLICT (stream, id) DO UPDATE SET text = excluded.text, live = excluded.live, body = excluded.body,
            words = excluded.words;
    END IF;
END $$;
