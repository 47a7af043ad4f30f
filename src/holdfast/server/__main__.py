"""python -m holdfast.server …, the same as `holdfast serve …`."""

import sys

from holdfast.cli import main

if __name__ == "__main__":
    sys.exit(main(["serve", *sys.argv[1:]]))
