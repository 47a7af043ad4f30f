"""The past of a conversation: taken back, tried again, looked up."""
