-- Every row says whose it is: the beginning of a name up to its first slash ("@acme/"), and nothing where there are no
-- tenants. A role that does not own the tables sees only what belongs to the tenant of `holdfast.tenant` ('*', or none
-- set, is everybody's). The log is in parts by session, so that an index stays small and is looked after part by part.
ALTER TABLE streams ADD COLUMN tenant TEXT COLLATE "C" GENERATED ALWAYS AS (
    coalesce(substring(name FROM CASE kind WHEN 'staged' THEN '^.{16}/[a-z]+/(@[^/]*/)' ELSE '^@[^/]*/' END), '')
) STORED;
DROP INDEX streams_of_tenant;
CREATE INDEX streams_of_tenant ON streams (tenant, changed, name) WHERE kind = 'session' AND tenant <> '';
CREATE INDEX streams_doomed ON streams (id) WHERE kind = 'doomed';
CREATE INDEX streams_staged ON streams (substr(name, 18)) WHERE kind = 'staged';

DROP TRIGGER log_moves_head ON log;
ALTER TABLE log RENAME TO log_whole;
CREATE TABLE log (
    stream BIGINT NOT NULL,
    version INTEGER NOT NULL,
    at DOUBLE PRECISION NOT NULL,
    role TEXT NOT NULL,
    text TEXT,
    body BYTEA NOT NULL,
    format INTEGER NOT NULL,
    words TSVECTOR,
    tenant TEXT NOT NULL COLLATE "C",
    PRIMARY KEY (stream, version, tenant)
) PARTITION BY HASH (stream);
CREATE TABLE log_0 PARTITION OF log FOR VALUES WITH (MODULUS 8, REMAINDER 0);
CREATE TABLE log_1 PARTITION OF log FOR VALUES WITH (MODULUS 8, REMAINDER 1);
CREATE TABLE log_2 PARTITION OF log FOR VALUES WITH (MODULUS 8, REMAINDER 2);
CREATE TABLE log_3 PARTITION OF log FOR VALUES WITH (MODULUS 8, REMAINDER 3);
CREATE TABLE log_4 PARTITION OF log FOR VALUES WITH (MODULUS 8, REMAINDER 4);
CREATE TABLE log_5 PARTITION OF log FOR VALUES WITH (MODULUS 8, REMAINDER 5);
CREATE TABLE log_6 PARTITION OF log FOR VALUES WITH (MODULUS 8, REMAINDER 6);
CREATE TABLE log_7 PARTITION OF log FOR VALUES WITH (MODULUS 8, REMAINDER 7);
INSERT INTO log SELECT l.stream, l.version, l.at, l.role, l.text, l.body, l.format,
    CASE s.tenant WHEN '' THEN l.words ELSE l.words || array_to_tsvector(ARRAY[s.tenant]) END, s.tenant
FROM log_whole l JOIN streams s ON s.id = l.stream;
DROP TABLE log_whole;
-- What waits to be listed is kept short: whoever fills it up lists all of it, and others wait for that turn.
CREATE INDEX log_words ON log USING GIN (words) WITH (gin_pending_list_limit = 256);

ALTER TABLE snapshots ADD COLUMN tenant TEXT NOT NULL DEFAULT '' COLLATE "C", DROP CONSTRAINT snapshots_pkey,
    DROP CONSTRAINT snapshots_stream_fkey;
UPDATE snapshots o SET tenant = s.tenant FROM streams s WHERE s.id = o.stream AND s.tenant <> '';
ALTER TABLE snapshots ADD PRIMARY KEY (stream, tenant);
ALTER TABLE notes ADD COLUMN tenant TEXT NOT NULL DEFAULT '' COLLATE "C", DROP CONSTRAINT notes_pkey,
    DROP CONSTRAINT notes_stream_fkey;
UPDATE notes o SET tenant = s.tenant FROM streams s WHERE s.id = o.stream AND s.tenant <> '';
ALTER TABLE notes ADD PRIMARY KEY (stream, id, tenant);
DROP INDEX notes_words; -- notes are looked for among those of a few logs
ALTER TABLE once ADD COLUMN tenant TEXT NOT NULL DEFAULT '' COLLATE "C", DROP CONSTRAINT once_pkey,
    DROP CONSTRAINT once_stream_fkey;
UPDATE once o SET tenant = s.tenant FROM streams s WHERE s.id = o.stream AND s.tenant <> '';
ALTER TABLE once ADD PRIMARY KEY (stream, key, tenant);

ALTER TABLE streams ENABLE ROW LEVEL SECURITY;
ALTER TABLE log ENABLE ROW LEVEL SECURITY;
ALTER TABLE snapshots ENABLE ROW LEVEL SECURITY;
ALTER TABLE notes ENABLE ROW LEVEL SECURITY;
ALTER TABLE once ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON streams USING (coalesce(current_setting('holdfast.tenant', true), '*') IN ('*', tenant));
CREATE POLICY own ON log USING (coalesce(current_setting('holdfast.tenant', true), '*') IN ('*', tenant));
CREATE POLICY own ON snapshots USING (coalesce(current_setting('holdfast.tenant', true), '*') IN ('*', tenant));
CREATE POLICY own ON notes USING (coalesce(current_setting('holdfast.tenant', true), '*') IN ('*', tenant));
CREATE POLICY own ON once USING (coalesce(current_setting('holdfast.tenant', true), '*') IN ('*', tenant));
