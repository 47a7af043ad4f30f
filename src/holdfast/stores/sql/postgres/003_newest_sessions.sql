-- The same as in SQLite: when a session changed last stands with the session.
ALTER TABLE streams ADD COLUMN changed DOUBLE PRECISION NOT NULL DEFAULT 0;
UPDATE streams SET changed = coalesce(
    (SELECT at FROM log WHERE log.stream = streams.id ORDER BY version DESC LIMIT 1), created
) WHERE kind = 'session';
CREATE INDEX streams_by_change ON streams (changed, name) WHERE kind = 'session';
CREATE INDEX streams_of_tenant ON streams (left(name, strpos(name, '/')), changed, name)
    WHERE kind = 'session' AND name >= '@' AND name < 'A';
