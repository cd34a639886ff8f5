"""What the README shows is what the commands print."""

import re
from pathlib import Path

import pytest

from pycs.cli import main

README = (Path(__file__).resolve().parent.parent / "README.md").read_text()
SHOWN = [
    block.split("\n", 1) for block in re.findall(r"^```console\n\$ pycs (.*?)^```$", README, re.DOTALL | re.MULTILINE)
]


@pytest.mark.parametrize(("command", "output"), SHOWN, ids=[command for command, _ in SHOWN])
def test_the_readme_shows_what_the_command_prints(command, output, capsys):
    assert main(command.split()) == 0
    assert capsys.readouterr().out == output


def test_the_readme_shows_some_commands():
    assert len(SHOWN) >= 2
