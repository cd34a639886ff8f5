"""`python -m pycs`: the command line, as the command `pycs` starts it."""

import sys

from pycs.cli import main

if __name__ == "__main__":
    sys.exit(main())
