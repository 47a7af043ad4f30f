"""Finding messages again: by words, and by meaning where the extra is installed."""
