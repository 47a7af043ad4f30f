-- How often something was erased: what another process holds in memory counts only while this number stands.
CREATE TABLE erasures (count INTEGER NOT NULL);
INSERT INTO erasures VALUES (0);
