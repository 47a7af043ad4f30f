-- The same as in SQLite: how often words were erased.
CREATE TABLE erasures (done INTEGER NOT NULL);
INSERT INTO erasures VALUES (0);
