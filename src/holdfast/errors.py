"""Everything Holdfast raises, in one place: one base class, and messages that say what to do next."""


class HoldfastError(Exception):
    """Base of every error that Holdfast raises on purpose."""


class InvalidInput(HoldfastError, ValueError):
    """What was handed in cannot be used; nothing was written."""


class UnknownPack(HoldfastError, LookupError):
    """No pack of that name is installed."""


class UnknownSession(HoldfastError, LookupError):
    """No such session in this store."""


class UnknownVersion(HoldfastError, LookupError):
    """The session has no such version."""


class UnknownItem(HoldfastError, LookupError):
    """Nothing of that name or id is remembered."""


class MissingExtra(HoldfastError, ImportError):
    """A package of an extra is not installed; the message names the command that installs it."""


class Refused(HoldfastError):
    """The request is understood and not allowed; nothing was written."""


class PackError(HoldfastError):
    """A pack, a pattern table or a procedure file is broken; the message names the place."""


class StoreError(HoldfastError):
    """The store cannot do what was asked; nothing was half-written."""


class StoreBusy(StoreError):
    """Another writer held the database for longer than the busy timeout."""


class StoreFull(StoreError):
    """No space left for the write."""


class StoreGone(StoreError):
    """The database disappeared or was replaced under a running process."""


class StoreUnreadable(StoreError):
    """The file is not a Holdfast store, is damaged, or was written by a newer Holdfast."""


class Conflict(StoreError):
    """Somebody else wrote this version first. Shells catch it, load the new state and decide again."""
