"""Conversations as files, what they may expect, and the one runner for them."""
