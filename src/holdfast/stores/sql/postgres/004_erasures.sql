-- The same as in SQLite: what another process holds in memory counts only while this number stands.
CREATE TABLE erasures (count BIGINT NOT NULL);
INSERT INTO erasures VALUES (0);
