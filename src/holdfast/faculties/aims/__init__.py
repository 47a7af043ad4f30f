"""Aims: which task, thread or file a message is about."""
