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
        PERFORM 1 FROM streams WHERE id = v_mark >> 24 AND erased = (v_mark & 16777215) FOR KEY SHARE;
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
-- would keep the index of words from being used; so it looks at the tenant itself. Of few sessions (`p_few`) their own
-- rows are looked through: the index of all words could leave some of them out.
CREATE OR REPLACE FUNCTION find_messages(
    p_query TSQUERY, p_sessions TEXT[], p_few BOOLEAN, p_tenant TEXT, p_limit INTEGER
) RETURNS TABLE (name TEXT, version INTEGER, at DOUBLE PRECISION, role TEXT, text TEXT, score REAL)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path FROM CURRENT SET plan_cache_mode = force_custom_plan AS $$
DECLARE
    v_only TEXT := coalesce(nullif(p_tenant, ''), nullif(current_setting('holdfast.tenant', true), '*'));
    v_match TSQUERY := CASE WHEN v_only <> '' THEN p_query && quote_literal(v_only)::tsquery ELSE p_query END;
BEGIN
    IF p_few THEN
        RETURN QUERY SELECT s.name, l.version, l.at, l.role, l.text, ts_rank(l.words, p_query)
        FROM streams s JOIN log l ON l.stream = s.id
        WHERE s.kind = 'session' AND s.name = ANY (p_sessions) AND (l.words || ''::tsvector) @@ v_match
            AND (v_only IS NULL OR s.tenant = v_only)
        ORDER BY 6 DESC LIMIT p_limit;
    ELSE
        RETURN QUERY SELECT s.name, l.version, l.at, l.role, l.text, ts_rank(l.words, p_query)
        FROM log l JOIN streams s ON s.id = l.stream
        WHERE s.kind = 'session' AND (p_sessions IS NULL OR s.name = ANY (p_sessions)) AND l.words @@ v_match
            AND (v_only IS NULL OR l.tenant = v_only)
        ORDER BY 6 DESC LIMIT p_limit;
    END IF;
END $$;
