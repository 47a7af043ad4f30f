"""What the maker makes: scenes read from plain requests, and code that draws or writes them with a library."""
