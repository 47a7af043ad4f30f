-- Logs that are to be erased and whose names are not gone yet: of many, some at a time.
CREATE TABLE condemned (kind TEXT NOT NULL, name TEXT NOT NULL);
