-- What the database does for us, each defined here and nowhere else. They are put in place after the numbered steps;
-- whoever changes one adds a step, so that every database gets it.

-- The words of a message for the index. The tenant is one of them, so that a search within a tenant reads only its part.
CREATE OR REPLACE FUNCTION listed(p_words TEXT, p_tenant TEXT) RETURNS TSVECTOR LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE p_tenant WHEN '' THEN to_tsvector('simple', p_words)
        ELSE to_tsvector('simple', p_words) || array_to_tsvector(ARRAY[p_tenant]) END
$$;

-- A process of an older release (it does not say `holdfast.release`) writes neither tenant nor head; these do it for it.
CREATE OR REPLACE FUNCTION own() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    SELECT tenant, CASE tenant WHEN '' THEN new.words ELSE new.words || array_to_tsvector(ARRAY[tenant]) END
    INTO new.tenant, new.words FROM streams WHERE id = new.stream;
    RETURN new;
END $$;
CREATE OR REPLACE FUNCTION follow() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE streams SET head = new.version WHERE id = new.stream AND head < new.version;
    RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER log_has_tenant BEFORE INSERT ON log FOR EACH ROW
    WHEN (new.tenant IS NULL) EXECUTE FUNCTION own();
CREATE OR REPLACE TRIGGER log_moves_head AFTER INSERT ON log FOR EACH ROW
    WHEN (current_setting('holdfast.release', true) IS NULL) EXECUTE FUNCTION follow();

-- One row of a log, if it follows the newest one and nothing was erased that it was decided on; else an error that is a
-- lost race. The lock on the stream makes writers take turns. A mark is id << 24 | erased; 0 is a log that was not there.
CREATE OR REPLACE FUNCTION put_row(
    p_kind TEXT, p_name TEXT, p_pack TEXT, p_owner TEXT, p_project TEXT, p_version INTEGER, p_at DOUBLE PRECISION,
    p_role TEXT, p_text TEXT, p_body BYTEA, p_format INTEGER, p_words TEXT, p_mark BIGINT, p_known BIGINT[], p_once TEXT,
    p_job BYTEA
) RETURNS BIGINT LANGUAGE plpgsql AS $$
DECLARE
    v_id BIGINT;
    v_tenant TEXT;
    v_mark BIGINT;
BEGIN
    IF p_version = 1 OR p_kind = 'staged' THEN
        INSERT INTO streams (kind, name, pack, owner, project, created, head)
        VALUES (p_kind, p_name, p_pack, p_owner, p_project, p_at, p_version - 1) ON CONFLICT DO NOTHING;
    END IF;
    UPDATE streams SET head = p_version, changed = CASE kind WHEN 'session' THEN p_at ELSE changed END
    WHERE kind = p_kind AND name = p_name AND head = p_version - 1
        AND (p_mark = 0 OR (id = p_mark >> 24 AND erased = (p_mark & 16777215)))
    RETURNING id, tenant INTO v_id, v_tenant;
    IF v_id IS NULL THEN
        RAISE EXCEPTION 'lost' USING ERRCODE = 'serialization_failure';
    END IF;
    FOREACH v_mark IN ARRAY p_known LOOP
        PERFORM 1 FROM streams WHERE id = v_mark >> 24 AND erased = (v_mark & 16777215) AND kind <> 'doomed'
        FOR KEY SHARE;
        IF NOT FOUND THEN
            RAISE EXCEPTION 'erased' USING ERRCODE = 'serialization_failure';
        END IF;
    END LOOP;
    INSERT INTO log VALUES (
        v_id, p_version, p_at, p_role, p_text, p_body, p_format, listed(p_words, v_tenant), v_tenant
    );
    IF p_once IS NOT NULL THEN
        INSERT INTO once VALUES (v_id, p_once, p_version, v_tenant);
    END IF;
    IF p_job IS NOT NULL THEN
        INSERT INTO jobs (body) VALUES (p_job);
    END IF;
    RETURN v_id;
END $$;

-- Whether logs that a row was decided on, and that it does not change, stand where they stood; else it is a lost race.
CREATE OR REPLACE FUNCTION as_known(p_kinds TEXT[], p_names TEXT[], p_heads INTEGER[]) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    FOR n IN 1 .. array_length(p_kinds, 1) LOOP
        IF p_heads[n] <> coalesce((SELECT head FROM streams WHERE kind = p_kinds[n] AND name = p_names[n]), 0) THEN
            RAISE EXCEPTION 'moved on' USING ERRCODE = 'serialization_failure';
        END IF;
    END LOOP;
END $$;

-- Wait in line for some logs; then where they stand, and what was written to them since the versions that the caller
-- knows. An advisory lock is given in the order in which it was asked for, while a row that changes sends all who wait
-- for it into a new race; the rows are locked too, for those who do not stand in line. One call, for everybody waits.
CREATE OR REPLACE FUNCTION take_turn(p_places BIGINT[], p_kinds TEXT[], p_names TEXT[], p_known INTEGER[])
RETURNS TABLE (
    kind TEXT, name TEXT, head INTEGER, mark BIGINT,
    version INTEGER, at DOUBLE PRECISION, role TEXT, text TEXT, body BYTEA, format INTEGER
) LANGUAGE plpgsql AS $$
DECLARE
    v_id BIGINT;
BEGIN
    FOR n IN 1 .. array_length(p_places, 1) LOOP
        PERFORM pg_advisory_xact_lock(p_places[n]);
    END LOOP;
    FOR n IN 1 .. array_length(p_places, 1) LOOP
        SELECT s.id, s.kind, s.name, s.head, s.id << 24 | s.erased INTO v_id, kind, name, head, mark
        FROM streams s WHERE s.kind = p_kinds[n] AND s.name = p_names[n] FOR NO KEY UPDATE;
        CONTINUE WHEN NOT FOUND;
        version := NULL;
        RETURN NEXT;
        IF p_known[n] > 0 AND p_known[n] < head THEN
            RETURN QUERY SELECT p_kinds[n], p_names[n], NULL::integer, NULL::bigint,
                l.version, l.at, l.role, l.text, l.body, l.format
            FROM log l WHERE l.stream = v_id AND l.version > p_known[n] ORDER BY l.version LIMIT 500;
        END IF;
    END LOOP;
END $$;

-- What goes with a row, in the same statement.
CREATE OR REPLACE FUNCTION put_snapshot(
    p_kind TEXT, p_name TEXT, p_version INTEGER, p_body BYTEA, p_shape TEXT
) RETURNS void LANGUAGE sql AS $$
    INSERT INTO snapshots SELECT id, p_version, p_body, p_shape, tenant FROM streams
    WHERE kind = p_kind AND name = p_name
    ON CONFLICT (stream, tenant) DO UPDATE SET version = excluded.version, body = excluded.body, shape = excluded.shape
$$;
CREATE OR REPLACE FUNCTION put_note(
    p_kind TEXT, p_name TEXT, p_id TEXT, p_text TEXT, p_live BOOLEAN, p_body BYTEA, p_words TEXT
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF length(p_body) = 0 THEN
        DELETE FROM notes WHERE id = p_id AND stream = (SELECT s.id FROM streams s WHERE kind = p_kind AND name = p_name);
    ELSE
        INSERT INTO notes SELECT s.id, p_id, p_text, p_live, p_body, to_tsvector('simple', p_words), s.tenant
        FROM streams s WHERE kind = p_kind AND name = p_name
        ON CONFLICT (stream, id, tenant) DO UPDATE SET text = excluded.text, live = excluded.live,
            body = excluded.body, words = excluded.words;
    END IF;
END $$;

-- Messages that hold words, best first. It runs with the rights of whoever owns the tables, because row-level security
-- would keep the index of words from being used; so it looks at the tenant itself. Words that many messages hold (as the
-- database counted when it last looked) choose nothing: rare ones do, and where they find too few, or within some sessions,
-- the newest messages of the newest sessions are looked through. So it takes no longer than that in a store of any size.
CREATE OR REPLACE FUNCTION search_messages(
    p_words TEXT[], p_sessions TEXT[], p_owner TEXT, p_tenant TEXT, p_limit INTEGER
) RETURNS TABLE (name TEXT, version INTEGER, at DOUBLE PRECISION, role TEXT, text TEXT, score REAL)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path FROM CURRENT SET plan_cache_mode = force_custom_plan
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET max_parallel_workers_per_gather = 0
SET jit = off AS $$
DECLARE
    c_common CONSTANT INTEGER := 2000;
    c_sessions CONSTANT INTEGER := 200;
    c_rows CONSTANT INTEGER := 4000;
    v_only TEXT := coalesce(nullif(p_tenant, ''), nullif(current_setting('holdfast.tenant', true), '*'));
    v_query TSQUERY := to_tsquery('simple', array_to_string(p_words, ' | '));
    v_tenant TSQUERY := CASE WHEN v_only <> '' THEN quote_literal(v_only)::tsquery END;
    v_rare TEXT[];
    v_match TSQUERY;
    v_each INTEGER := greatest(20, c_rows / least(c_sessions, coalesce(array_length(p_sessions, 1), c_sessions)));
BEGIN
    SELECT array_agg(w.word) INTO v_rare FROM unnest(p_words) AS w (word)
    LEFT JOIN (
        SELECT e.word, e.share * c.reltuples * 8 AS messages
        FROM pg_stats t JOIN pg_class c ON c.oid = to_regclass('log_0'),
            unnest(t.most_common_elems::text::text[], t.most_common_elem_freqs) AS e (word, share)
        WHERE t.schemaname = current_schema() AND t.tablename = 'log_0' AND t.attname = 'words'
    ) k ON k.word = w.word WHERE coalesce(k.messages, 0) <= c_common;
    v_match := to_tsquery('simple', coalesce(array_to_string(v_rare, ' | '), ''));
    RETURN QUERY WITH chosen AS MATERIALIZED (
        SELECT s.name, l.version, l.at, l.role, l.text, ts_rank(l.words, v_query) AS score
        FROM log l JOIN streams s ON s.id = l.stream
        WHERE v_rare IS NOT NULL AND l.words @@ coalesce(v_match && v_tenant, v_match) AND s.kind = 'session'
            AND (v_only IS NULL OR s.tenant = v_only) AND (p_sessions IS NULL OR s.name = ANY (p_sessions))
            AND (p_owner IS NULL OR s.owner = p_owner)
        ORDER BY 6 DESC, l.at DESC LIMIT p_limit
    )
    SELECT m.* FROM (
        SELECT * FROM chosen
        UNION
        SELECT n.name, r.version, r.at, r.role, r.text, ts_rank(r.words, v_query)
        FROM (
            SELECT s.id, s.name FROM streams s
            WHERE s.kind = 'session' AND (p_sessions IS NULL OR s.name = ANY (p_sessions))
                AND (p_owner IS NULL OR s.owner = p_owner)
                AND (v_only IS NULL OR (s.tenant = v_only AND (v_only = '' OR s.tenant <> '')))
                AND cardinality(v_rare) IS DISTINCT FROM cardinality(p_words)
                AND (p_sessions IS NOT NULL OR p_owner IS NOT NULL OR (SELECT count(*) FROM chosen) < p_limit)
            ORDER BY s.changed DESC, s.name DESC LIMIT c_sessions
        ) n, LATERAL (SELECT * FROM log l WHERE l.stream = n.id ORDER BY l.version DESC LIMIT v_each) r
        WHERE r.words @@ v_query
    ) m ORDER BY m.score DESC, m.at DESC LIMIT p_limit;
END $$;

-- Let go of the names of logs, all at once, in the order in which everybody locks them; their rows follow. Gives the
-- number of their rows.
CREATE OR REPLACE FUNCTION doom(p_kinds TEXT[], p_names TEXT[]) RETURNS BIGINT LANGUAGE plpgsql AS $$
DECLARE
    v_ids BIGINT[];
    v_rows BIGINT;
BEGIN
    SELECT array_agg(f.id), coalesce(sum(f.head), 0) INTO v_ids, v_rows FROM (
        SELECT s.id, s.head FROM unnest(p_kinds, p_names) WITH ORDINALITY AS k (kind, name, place)
        JOIN streams s ON s.kind = k.kind AND s.name = k.name ORDER BY k.place FOR UPDATE OF s
    ) f;
    v_ids := v_ids || ARRAY(
        SELECT id FROM streams WHERE kind = 'staged' AND substr(name, 18) = ANY (
            SELECT k.kind || '/' || k.name FROM unnest(p_kinds, p_names) AS k (kind, name)
        )
    );
    UPDATE streams SET kind = 'doomed', name = id::text, owner = NULL, project = NULL, pack = '' WHERE id = ANY (v_ids);
    RETURN v_rows;
END $$;

-- Take out some rows of logs whose names are gone: how many, or nothing where none is left. Whoever else is at it is
-- passed by.
CREATE OR REPLACE FUNCTION erase_some(p_rows INTEGER) RETURNS INTEGER LANGUAGE plpgsql AS $$
DECLARE
    v_id BIGINT;
    v_done INTEGER := 0;
    v_some INTEGER;
BEGIN
    FOR v_id IN SELECT id FROM streams WHERE kind = 'doomed' ORDER BY id LIMIT p_rows FOR UPDATE SKIP LOCKED LOOP
        DELETE FROM log WHERE stream = v_id
            AND version IN (SELECT l.version FROM log l WHERE l.stream = v_id LIMIT p_rows - v_done);
        GET DIAGNOSTICS v_some = ROW_COUNT;
        v_done := v_done + v_some;
        EXIT WHEN v_done >= p_rows;
        DELETE FROM notes WHERE stream = v_id;
        DELETE FROM snapshots WHERE stream = v_id;
        DELETE FROM once WHERE stream = v_id;
        DELETE FROM streams WHERE id = v_id;
        v_done := v_done + 1;
    END LOOP;
    RETURN CASE WHEN v_done > 0 OR EXISTS (SELECT FROM streams WHERE kind = 'doomed') THEN v_done END;
END $$;
