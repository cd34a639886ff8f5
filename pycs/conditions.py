"""Conditions on what a player sees: text over the columns of `pycs.deal_features`, such as `pair = 0 and up <= Q`.

A condition is made of columns, whole numbers, the letters T, J, Q, K and A for the ranks 10 to 14, and the names of
categories in quotes, which are ordered; of `=`, `!=`, `<`, `<=`, `>`, `>=`, also in chains as `2 < pair < 8`; of `in
(...)`, `and`, `or`, `not`, brackets, and `+`, `-`, `*`. Nothing else: so it is true or false for every deal by itself,
and all of it is in whole numbers. It is read by Python's own parser; `=` and `<>` are taken as there `==` and `!=`.
"""

from __future__ import annotations

import ast
import re
from functools import reduce
from operator import and_, or_
from typing import TYPE_CHECKING, Final, NamedTuple

import polars as pl

from pycs.deal_features import FEATURES, RANK_LETTERS, deal_features
from pycs.deal_frames import CATEGORY
from pycs.errors import InputError
from pycs.messages import nearest, quoted
from pycs.ranking import CATEGORIES_UP

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pycs.games import Game

__all__ = ["condition_of", "holds"]

_LONGEST: Final = 2_000
_LARGEST: Final = 2**53
"""No number on the way may be larger: nothing wraps, and nothing is rounded."""

_ALLOWED: Final = "columns, whole numbers, comparisons, and, or, not, in (...), + - * and brackets are allowed"

_COMPARED: Final[Mapping[type[ast.cmpop], Callable[[pl.Expr, pl.Expr], pl.Expr]]] = {
    ast.Eq: lambda one, other: one == other,
    ast.NotEq: lambda one, other: one != other,
    ast.Lt: lambda one, other: one < other,
    ast.LtE: lambda one, other: one <= other,
    ast.Gt: lambda one, other: one > other,
    ast.GtE: lambda one, other: one >= other,
}


class _Part(NamedTuple):
    """A part of a condition: a number, a category or a truth; of a number, how large it can be."""

    kind: str
    expression: pl.Expr
    most: int = 0


def holds(text: str, game: Game, where: str) -> pl.Series:
    """For which canonical deals a condition holds, in the order of their indices, as Booleans.

    `where` begins the message of the InputError for a text that is no condition.

    >>> from pycs.games import CARIBBEAN_STUD
    >>> holds("category = 'pair' and pair <= 5 and up >= T", CARIBBEAN_STUD, "rule 1").sum()
    294800
    """
    condition = condition_of(text, game, where)
    found = deal_features(game).lazy().select(condition.alias("holds")).collect()["holds"]
    return found.new_from_index(0, game.deals) if len(found) == 1 else found


def condition_of(text: str, game: Game, where: str) -> pl.Expr:
    """The expression that a condition is, over the columns of `deal_features`. InputError, begun by `where`, if none.

    >>> from pycs.games import CARIBBEAN_STUD
    >>> condition_of("2 < pair < up / 2", CARIBBEAN_STUD, "rule 1")
    Traceback (most recent call last):
    pycs.errors.InputError: rule 1: no condition: 'up / 2': columns, whole numbers, comparisons, and, or, not, \
in (...), + - * and brackets are allowed
    """
    if len(text) > _LONGEST:
        raise InputError(f"{where}: {len(text)} characters, {_LONGEST} are allowed")
    strange = re.search(r"[^\x20-\x7e]|[\\#;]|(?<!\w)\d+[A-Za-z_]", text)
    if strange:
        raise InputError(f"{where}: no condition: {quoted(strange[0])} at character {strange.start() + 1}")
    # Outside of quotes: one sign for equality, and the words in small letters.
    parts = re.split(r"('[^']*'|\"[^\"]*\")", text)
    for place in range(0, len(parts), 2):
        plain = re.sub(r"(?<![<>=!])=(?!=)", "==", parts[place].replace("<>", "!="))
        parts[place] = re.sub(r"\b(AND|OR|NOT|IN)\b", lambda word: word[0].lower(), plain)
    try:
        tree = ast.parse("".join(parts).strip(), mode="eval").body
        found = _part(tree, game, where)
    except InputError:
        raise
    except SyntaxError as error:
        raise InputError(f"{where}: no condition: {error.msg}: {_ALLOWED}") from None
    except (ValueError, RecursionError, MemoryError):
        raise InputError(f"{where}: no condition: nested too deeply") from None
    if found.kind != "truth":
        raise InputError(f"{where}: no condition: it gives a {found.kind}, true or false is needed")
    return found.expression


def _part(node: ast.expr, game: Game, where: str) -> _Part:
    match node:
        case ast.Name(id=name):
            return _named(name, game, where)
        case ast.Constant(value=bool()):
            pass
        case ast.Constant(value=int() as number):
            return _number(pl.lit(min(number, _LARGEST), pl.Int64), number, node, where)
        case ast.Constant(value=str() as word):
            if word not in CATEGORIES_UP:
                allowed = f"one of {', '.join(CATEGORIES_UP)} is allowed{nearest(word, CATEGORIES_UP)}"
                raise InputError(f"{where}: the category {quoted(word)}: {allowed}")
            return _Part("category", pl.lit(word, CATEGORY))
        case ast.UnaryOp(op=ast.USub(), operand=of):
            part = _of_kind("number", of, game, where)
            return part._replace(expression=-part.expression)
        case ast.UnaryOp(op=ast.Not(), operand=of):
            return _Part("truth", ~_of_kind("truth", of, game, where).expression)
        case ast.BinOp(left=one, op=ast.Add() | ast.Sub() | ast.Mult() as sign, right=other):
            left, right = _of_kind("number", one, game, where), _of_kind("number", other, game, where)
            if isinstance(sign, ast.Mult):
                return _number(left.expression * right.expression, left.most * right.most, node, where)
            added = right.expression if isinstance(sign, ast.Add) else -right.expression
            return _number(left.expression + added, left.most + right.most, node, where)
        case ast.BoolOp(op=word, values=values):
            truths = [_of_kind("truth", each, game, where).expression for each in values]
            return _Part("truth", reduce(and_ if isinstance(word, ast.And) else or_, truths))
        case ast.Compare(left=first, ops=signs, comparators=others):
            return _compared(first, signs, others, game, where)
    raise InputError(f"{where}: no condition: {quoted(ast.unparse(node))}: {_ALLOWED}")


def _named(name: str, game: Game, where: str) -> _Part:
    if name in RANK_LETTERS:
        return _Part("number", pl.lit(RANK_LETTERS[name], pl.Int64), RANK_LETTERS[name])
    columns = FEATURES[game.name]
    if name not in columns:
        there = f"{', '.join([*columns, *RANK_LETTERS])} are there{nearest(name, columns)}"
        raise InputError(f"{where}: no column {quoted(name)}: {there}")
    if name == "category":
        return _Part("category", pl.col(name))
    return _Part("number", pl.col(name).cast(pl.Int64), max(RANK_LETTERS.values()))


def _number(expression: pl.Expr, most: int, node: ast.expr, where: str) -> _Part:
    if most > _LARGEST:
        raise InputError(f"{where}: no condition: {quoted(ast.unparse(node))} can be larger than {_LARGEST}")
    return _Part("number", expression, most)


def _of_kind(kind: str, node: ast.expr, game: Game, where: str) -> _Part:
    part = _part(node, game, where)
    if part.kind != kind:
        what = quoted(ast.unparse(node))
        raise InputError(f"{where}: no condition: {what} is a {part.kind}, a {kind} is needed there")
    return part


def _compared(first: ast.expr, signs: list[ast.cmpop], others: list[ast.expr], game: Game, where: str) -> _Part:
    """Each with the next, as in `2 < pair < 8`."""
    truths = []
    left, left_node = _part(first, game, where), first
    for sign, node in zip(signs, others, strict=True):
        if isinstance(sign, ast.In | ast.NotIn):
            if not isinstance(node, ast.Tuple | ast.List) or len(signs) > 1 or not node.elts:
                raise InputError(f"{where}: no condition: in is followed by a list in brackets, as in (2, 3)")
            one_of = [_same(left, left_node, each, game, where).expression == left.expression for each in node.elts]
            among = reduce(or_, one_of)
            return _Part("truth", among if isinstance(sign, ast.In) else ~among)
        if type(sign) not in _COMPARED:
            raise InputError(f"{where}: no condition: {quoted(ast.unparse(node))}: {_ALLOWED}")
        right = _same(left, left_node, node, game, where)
        truths.append(_COMPARED[type(sign)](left.expression, right.expression))
        left, left_node = right, node
    return _Part("truth", reduce(and_, truths))


def _same(part: _Part, node: ast.expr, other: ast.expr, game: Game, where: str) -> _Part:
    """The other part, which must be of the same kind: two numbers or two categories."""
    if part.kind == "truth":
        raise InputError(f"{where}: no condition: {quoted(ast.unparse(node))} is a truth, which is not compared")
    return _of_kind(part.kind, other, game, where)
