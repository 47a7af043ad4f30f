"""Built-in packs. They come in through entry points, like anybody's."""
