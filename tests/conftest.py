"""Random examples are new on every run of a developer, and always the same ones where a submission is judged. Files of
tests lie in memory where there is room: nothing here looks at the disk itself, and waiting for it takes long."""

from __future__ import annotations

import os
import shutil

from hypothesis import settings

MEMORY, ROOM = "/dev/shm", 4 << 30
if os.path.isdir(MEMORY) and shutil.disk_usage(MEMORY).free > ROOM:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", MEMORY)

settings.register_profile("same", derandomize=True, deadline=None)
settings.register_profile("new", deadline=None)
settings.load_profile("same" if os.environ.get("CI") else "new")
