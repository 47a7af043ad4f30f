-- How often words were erased. Whoever holds the fold of a log in memory from before lets go of it: it may hold them.
CREATE TABLE erasures (done INTEGER NOT NULL);
INSERT INTO erasures VALUES (0);
