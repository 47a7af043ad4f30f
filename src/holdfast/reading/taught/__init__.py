"""What a pack teaches by example sentences: the values of its slots, the kinds of its questions and requests."""
