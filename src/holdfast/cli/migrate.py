"""`holdfast migrate`: everything into another store, with progress; done again, it goes on where it was left."""

from __future__ import annotations

import hashlib
from argparse import Namespace

from holdfast.cli.terminal import console, count, existing_store, plain, track, where
from holdfast.errors import InvalidInput
from holdfast.exchange.migration import migrate
from holdfast.session import Holdfast


def run(options: Namespace) -> int:
    if options.to == options.store:
        raise InvalidInput("a store cannot be migrated into itself; name another with --to")
    whole, logs, added = hashlib.blake2b(digest_size=16), 0, 0
    with Holdfast(existing_store(options.store)) as source, Holdfast(options.to) as target:
        for moved in track(migrate(source, target), "bringing over"):
            whole.update(moved.mark.encode())
            logs, added = logs + 1, added + moved.added
        told = f"{count(logs, 'log')} in {where(options.to)}, {count(added, 'row')} of them new"
        console().print(plain(f"{told}; every one folds into the same state ({whole.hexdigest()})"))
    return 0
