-- What a turn only read is checked by a function now (`functions.sql`), which every database gets with this step.
SELECT 1;
