-- Words of what is remembered are brought up to date when somebody searches, as those of messages are: `indexed` is the
-- text that the index holds of a note. A note that was taken out keeps its row, without a body, until then.
ALTER TABLE notes ADD COLUMN indexed TEXT;
UPDATE notes SET indexed = text;
CREATE INDEX notes_to_index ON notes (stream) WHERE indexed IS NOT text;
