"""What the README and the documentation show is what the commands print."""

import re
import shlex
from pathlib import Path

import pytest

from pycs.cli import main

ROOT = Path(__file__).resolve().parent.parent
PAGES = {
    page: [
        block.split("\n", 1) for block in re.findall(r"^```console\n\$ pycs (.*?)^```$", text, re.DOTALL | re.MULTILINE)
    ]
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
    for text in [page.read_text()]
}
SHOWN = [(page, command, output) for page, blocks in PAGES.items() for command, output in blocks]
EXIT_CODES = {"FAIL": 1, "NOT ENOUGH DATA": 3}


@pytest.mark.parametrize(("page", "command", "output"), SHOWN, ids=[command for _, command, _ in SHOWN])
def test_a_page_shows_what_the_command_prints(page, command, output, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for before, _ in PAGES[page]:
        if before == command:
            break
        if " -o " in before and before.split(" -o ")[1] in command:  # it reads what that one writes
            assert main(shlex.split(before)) == 0
            capsys.readouterr()
    assert main(shlex.split(command)) == EXIT_CODES.get(output.partition(":")[0], 0)
    assert capsys.readouterr().out == output


def test_the_pages_show_some_commands():
    assert len(SHOWN) >= 4
