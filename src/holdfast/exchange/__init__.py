"""Conversations in and out: transcripts that are understood anew, archives that are carried whole."""
