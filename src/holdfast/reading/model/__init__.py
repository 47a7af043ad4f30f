"""The learned part of the reading: clauses with acts and claims, by linear scorers over whole numbers."""
