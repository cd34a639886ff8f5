"""The program `pycs`, also as `python -m pycs`: the command line, ended quietly by Ctrl-C from the first moment on."""

import signal
import sys

# Until the command line can say that it was interrupted, the system's own way: the process ends, without a traceback.
signal.signal(signal.SIGINT, signal.SIG_DFL)

from pycs.cli import main  # noqa: E402 - that is what takes the time

if __name__ == "__main__":
    sys.exit(main())
