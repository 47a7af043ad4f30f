"""Counters and a histogram in Prometheus' text form, by hand: it is twenty lines."""

from __future__ import annotations

import asyncio
import os
import threading
from collections import defaultdict
from contextlib import suppress
from pathlib import Path

BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
HELP = {
    "holdfast_requests_total": "Requests by method, route and status.",
    "holdfast_request_seconds": "How long requests took, by route; live views are not counted.",
    "holdfast_viewers": "Live views that are open.",
    "holdfast_viewers_dropped_total": "Live views that were closed because they did not keep up.",
    "holdfast_proxied_total": "Completions that went through the proxy, by what became of them.",
    "holdfast_flagged_total": "Replies that the guard would not let out, by what was done.",
    "holdfast_tasks": "Tasks of the event loop.",
    "process_threads": "Threads of the server.",
    "process_open_fds": "Open file descriptors.",
    "process_resident_memory_bytes": "Memory that the server holds.",
}


class Metrics:
    """What a server has done so far."""

    def __init__(self) -> None:
        self._counts: dict[tuple[str, str], float] = defaultdict(float)
        self._buckets: dict[str, list[int]] = {}
        self._sums: dict[str, float] = defaultdict(float)
        self._lock = threading.Lock()

    def count(self, name: str, labels: str = "", by: float = 1) -> None:
        with self._lock:
            self._counts[name, labels] += by

    def set(self, name: str, value: float) -> None:
        with self._lock:
            self._counts[name, ""] = value

    def look(self) -> None:
        """Take the measure of this process, where the system tells it."""
        self.set("process_threads", threading.active_count())
        with suppress(RuntimeError):
            self.set("holdfast_tasks", len(asyncio.all_tasks()))
        with suppress(OSError):
            self.set("process_open_fds", len(os.listdir("/proc/self/fd")))
            pages = int(Path("/proc/self/statm").read_text().split()[1])
            self.set("process_resident_memory_bytes", pages * os.sysconf("SC_PAGE_SIZE"))

    def took(self, route: str, seconds: float) -> None:
        with self._lock:
            buckets = self._buckets.setdefault(route, [0] * (len(BOUNDS) + 1))
            buckets[next((n for n, bound in enumerate(BOUNDS) if seconds <= bound), len(BOUNDS))] += 1
            self._sums[route] += seconds

    def text(self) -> str:
        """Everything, as Prometheus reads it."""
        with self._lock:
            lines: list[str] = []
            for name in dict.fromkeys(name for name, _ in sorted(self._counts)):
                kind = "counter" if name.endswith("_total") else "gauge"
                lines += [f"# HELP {name} {HELP[name]}", f"# TYPE {name} {kind}"]
                for (each, labels), value in sorted(self._counts.items()):
                    if each == name:
                        told = int(value) if value == int(value) else value  # a rounded counter stands still
                        lines.append(f"{name}{{{labels}}} {told}" if labels else f"{name} {told}")
            lines += self._histogram("holdfast_request_seconds")
        return "\n".join(lines) + "\n"

    def _histogram(self, name: str) -> list[str]:
        lines = [f"# HELP {name} {HELP[name]}", f"# TYPE {name} histogram"]
        for route, buckets in sorted(self._buckets.items()):
            total = 0
            for bound, count in zip((*BOUNDS, "+Inf"), buckets, strict=True):
                total += count
                lines.append(f'{name}_bucket{{route="{route}",le="{bound}"}} {total}')
            lines.append(f'{name}_sum{{route="{route}"}} {self._sums[route]:.6f}')
            lines.append(f'{name}_count{{route="{route}"}} {total}')
        return lines
