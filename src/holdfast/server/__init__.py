"""The HTTP door: a JSON API, live events, and an OpenAI-compatible proxy. `pip install holdfast[server]`.

It translates; whatever it answers was decided by the engine.
"""

from holdfast.extras import needs

with needs("server", "The server"):
    from holdfast.server.app import Server
    from holdfast.server.serving import serve
    from holdfast.server.settings import Settings

__all__ = ["Server", "Settings", "serve"]
