-- Searching and erasing are functions now (`functions.sql`), which every database gets with this step.
-- `find_messages` stays for processes of an older release.
SELECT 1;
