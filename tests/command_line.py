"""The command line as tests use it: run in this process or in one of its own, and what a refusal must be like."""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

from pycs.cli import main

if TYPE_CHECKING:
    from pathlib import Path


class Ran(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        assert (self.code, self.err) in ((0, ""), (1, ""))
        return json.loads(self.out)


def run(*arguments: str) -> Ran:
    """In this process, with streams that are no terminal."""
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
        code = main(arguments)
    return Ran(code, out.getvalue(), err.getvalue())


def spawn(folder: Path, *arguments: str | bytes, **environment: str) -> Ran:
    """As a user does, away from the source folder."""
    done = subprocess.run(
        [sys.executable, "-m", "pycs", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONIOENCODING": "utf-8", **environment},
        capture_output=True,
        timeout=120,
    )
    return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())


def refused(ran: Ran, *parts: str) -> None:
    """Exit code 2, nothing on stdout, one printable line on stderr that holds these parts."""
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("pycs")
    assert ran.err.endswith("\n")
    line = ran.err.removesuffix("\n")
    assert line.isprintable(), ran.err
    for part in parts:
        assert part in line
