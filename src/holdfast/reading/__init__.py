"""Text to what is in it: language, cues with spans, and how each part of the text stands. Knows no state."""
