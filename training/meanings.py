"""Packs what words mean (`corpus/meanings/`) into the files that the reading looks them up in.

python -m training.meanings
"""

from __future__ import annotations

import zlib

from holdfast.reading.lexicon import meanings
from training.corpus import HOME


def main() -> None:
    for source in sorted((HOME / "meanings").glob("*.txt")):
        text = source.read_bytes()
        place = f"{meanings.__file__.rpartition('/')[0]}/{source.stem}.meanings"
        with open(place, "wb") as file:
            file.write(zlib.compress(text, 9))
        print(f"{source.stem}: {len(meanings.listed(text.decode())[0]):,} forms")


if __name__ == "__main__":
    main()
