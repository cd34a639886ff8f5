"""What the command line says of itself: its help pages, and what is wrong with arguments, in one line.

The help page is plain text made from what cyclopts knows of the commands: that of cyclopts loads rich and a Markdown
parser, which takes longer than all the rest.
"""

from __future__ import annotations

import inspect
import textwrap
from typing import TYPE_CHECKING

from cyclopts.exceptions import (
    CoercionError,
    CycloptsError,
    MissingArgumentError,
    RepeatArgumentError,
    UnknownCommandError,
    UnknownOptionError,
    UnusedCliTokensError,
)

from pycs.errors import InputError
from pycs.messages import nearest, quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cyclopts import App
    from cyclopts.argument import Argument

__all__ = ["help_page", "usage_problem"]


def usage_problem(app: App, error: CycloptsError) -> str:
    """What is wrong with the arguments, and what is allowed instead."""
    command = error.command_chain[0] if error.command_chain else ""
    if isinstance(error, UnknownCommandError):
        return unknown_command(app, (error.unused_tokens or [""])[0])
    allowed = f"the usage is {_usage(app, command)}" if command else f"commands are {', '.join(app)}"
    if isinstance(error, MissingArgumentError) and error.keyword is not None:
        return f"{quoted(error.keyword)} needs a value after it (one that begins with - follows a =): {allowed}"
    known = [name for argument in _arguments(app, command) for name in argument.names if name.startswith("-")]
    if isinstance(error, UnknownOptionError):
        return _unknown_option(error.token.keyword or error.token.value, known, allowed)
    if isinstance(error, MissingArgumentError) and error.argument is not None:
        # Often an argument is missing because its option was mistyped, and then that is the thing to say.
        mistyped = [token for token in error.unused_tokens or () if _is_unknown_option(token, known)]
        if mistyped:
            return _unknown_option(mistyped[0], known, allowed)
        return f"{error.argument.name} is missing: {allowed}"
    if isinstance(error, UnusedCliTokensError):
        extra = (error.unused_tokens or [""])[0]
        return f"{quoted(extra)} is one argument too many (one that holds spaces goes in quotes): {allowed}"
    if isinstance(error, RepeatArgumentError):
        return f"{quoted(error.token.keyword or error.token.value)} is there twice, once is enough: {allowed}"
    if isinstance(error, CoercionError) and error.token is not None:
        return f"the value {quoted(error.token.value)} of {error.token.keyword}: {allowed}"
    return f"{' '.join(str(error).split())} {allowed}"


def unknown_command(app: App, token: str) -> str:
    """What to say of a word that stands where a command should."""
    if token.startswith("-"):
        return (
            f"no option is called {quoted(token)} before a command: --help, --version or a command is allowed "
            f"({', '.join(app)}), and a command's options come after it"
        )
    return f"no command is called {quoted(token)}{nearest(token, app)}: commands are {', '.join(app)}"


def _unknown_option(token: str, known: Sequence[str], allowed: str) -> str:
    name = token.partition("=")[0]
    if name in known:  # it came after --, which makes it a plain argument
        return f"{quoted(token)} after '--' is one argument too many: {allowed}"
    return f"no option is called {quoted(name)}{nearest(name, known)}: {allowed}"


def _is_unknown_option(token: str, known: Sequence[str]) -> bool:
    name = token.partition("=")[0]
    return name.startswith("-") and name not in ("-", "--", *known) and not name[1].isdigit()


def help_page(app: App, arguments: Sequence[str]) -> str:
    """The help of the command that the arguments name, or of the whole when they name none."""
    names = [argument for argument in arguments if argument not in ("--help", "-h", "--version")]
    if not names:
        rows = [(name, _doc(app, name).partition("\n")[0]) for name in app]
        flags = [("--help, -h", "Show this help, or that of a command."), ("--version", "Show the version.")]
        return (
            f"Usage: pycs COMMAND ...\n\n{app.help}\n\nCommands:\n{_columns(rows)}\nOptions:\n{_columns(flags)}\n"
            "A command's own help: pycs COMMAND --help\n"
            "Exit codes: 0 fine, 1 a check failed, 2 bad usage or input,\n"
            "            3 not enough data for a verdict.\n"
        )
    command = names[0]
    if command not in list(app):
        raise InputError(unknown_command(app, command))
    positional = [(each.name, each.parameter.help or "") for each in _arguments(app, command) if not _is_option(each)]
    options = [
        (f"{', '.join(each.names)} {each.parameter.metavar or ''}".rstrip(), each.parameter.help or "")
        for each in _arguments(app, command)
        if _is_option(each)
    ]
    options.append(("--help, -h", "Show this help."))
    usage = textwrap.fill(f"Usage: {_usage(app, command)}", 80, subsequent_indent=" " * 7, break_on_hyphens=False)
    sections = [f"{usage}\n", f"{_doc(app, command)}\n"]
    if positional:
        sections.append(f"Arguments:\n{_columns(positional)}")
    sections.append(f"Options:\n{_columns(options)}")
    return "\n".join(sections)


def _columns(rows: Sequence[tuple[str, str]]) -> str:
    width = max(len(name) for name, _ in rows)
    return "".join(f"  {name:{width}}  {text}\n" for name, text in rows)


def _usage(app: App, command: str) -> str:
    parts = ["pycs", command]
    for argument in _arguments(app, command):
        text = argument.name
        if argument.parameter.metavar:
            text += f" {argument.parameter.metavar}"
        parts.append(text if argument.required else f"[{text}]")
    return " ".join(parts)


def _arguments(app: App, command: str) -> Iterable[Argument]:
    return app[command].assemble_argument_collection(parse_docstring=False) if command else ()


def _is_option(argument: Argument) -> bool:
    return argument.name.startswith("-")


def _doc(app: App, command: str) -> str:
    return inspect.getdoc(app[command].default_command) or ""
