"""How the scorers of the reading are made and measured. Nothing here is needed at run time."""
