"""Doors into agent frameworks. Each translates between a framework's own hooks and `hear` and `say`."""
