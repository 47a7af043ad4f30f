"""The JSON API, a file for each thing one can do. Importing a file adds its functions to `ENDPOINTS`."""

from holdfast.server.api import about, archives, files, memory, sessions, talk
from holdfast.server.endpoint import ENDPOINTS

__all__ = ["ENDPOINTS", "about", "archives", "files", "memory", "sessions", "talk"]
