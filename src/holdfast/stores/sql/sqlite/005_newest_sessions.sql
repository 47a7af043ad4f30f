-- When a session changed last stands with the session, so that the newest ones are read off an index and not looked for
-- in every log. Tenants of a server have names that begin with "@tenant/", and an order of their own.
ALTER TABLE streams ADD COLUMN changed REAL NOT NULL DEFAULT 0;
UPDATE streams SET changed = coalesce(
    (SELECT at FROM log WHERE log.id BETWEEN streams.id << 32 AND (streams.id << 32 | 4294967295)
        ORDER BY log.id DESC LIMIT 1),
    created
) WHERE kind = 'session';
CREATE INDEX streams_by_change ON streams (changed, name) WHERE kind = 'session';
CREATE INDEX streams_of_tenant ON streams (substr(name, 1, instr(name, '/')), changed, name)
    WHERE kind = 'session' AND name >= '@' AND name < 'A';
CREATE TRIGGER log_changes_stream AFTER INSERT ON log
    BEGIN UPDATE streams SET changed = new.at WHERE id = new.id >> 32 AND kind = 'session'; END;
