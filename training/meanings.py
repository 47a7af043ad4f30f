"""Packs what words mean (`corpus/meanings/`) into the files that the reading looks them up in.

python -m training.meanings
"""

from __future__ import annotations

import zlib
from pathlib import Path

from holdfast.reading import lexicon
from training.corpus import HOME


def main() -> None:
    for source in sorted((HOME / "meanings").glob("*.txt")):
        text = source.read_bytes()
        place = Path(lexicon.__file__).parent / f"{source.stem}.meanings"
        place.write_bytes(zlib.compress(text, 9))
        print(f"{source.stem}: {len(lexicon.listed(text.decode())[0]):,} forms")


if __name__ == "__main__":
    main()
