"""Questions: what an agent asked and waits for, and which reply answers it."""
