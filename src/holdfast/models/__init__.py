"""Language models as guests: who writes the replies, and who gives a second opinion."""
