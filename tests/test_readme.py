"""What the README and the documentation show is what the commands print."""

import re
import shlex
from pathlib import Path

import pytest

from pycs.cli import main

ROOT = Path(__file__).resolve().parent.parent
SHOWN = [
    block.split("\n", 1)
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
    for block in re.findall(r"^```console\n\$ pycs (.*?)^```$", page.read_text(), re.DOTALL | re.MULTILINE)
]


@pytest.mark.parametrize(("command", "output"), SHOWN, ids=[command for command, _ in SHOWN])
def test_a_page_shows_what_the_command_prints(command, output, capsys):
    assert main(shlex.split(command)) == 0
    assert capsys.readouterr().out == output


def test_the_pages_show_some_commands():
    assert len(SHOWN) >= 4
