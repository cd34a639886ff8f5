"""What people see of many pay tables: on the terminal, as JSON, or as a table in a file."""

from __future__ import annotations

import csv
import io
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from pycs.display import not_counted_line
from pycs.errors import InputError
from pycs.files import TABLES, write_table
from pycs.messages import quoted, shown_path
from pycs.pay_lines import lines_of, pays_of, read_frame, rules_with_pays, to_one
from pycs.pay_table_search import search_pay_tables
from pycs.pay_table_values import PUBLISHED_PAYS, changed_deals, pay_tables, sensitivity
from pycs.rules import load_rules
from pycs.stud_rules import CaribbeanStudRules
from pycs.terminal import Side, facts, grid, render

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import RenderableType

    from pycs.rules import Rules

__all__ = ["PayTableAnswer", "pay_table_answer", "write"]

_SHOWN: Final = 40  # rows on the terminal


@dataclass(frozen=True)
class PayTableAnswer:
    """A frame of pay tables, or of the deals that are played otherwise, and what was asked."""

    rules: Rules
    what: str
    frame: pl.DataFrame

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as `pycs paytables --json` prints it; a net result beyond 64 bits is whole all the same."""
        return {
            "profile": self.rules.name,
            "what": self.what,
            "not_counted": list(self.rules.not_counted_of_main_bet),
            "rows": self.frame.to_dicts(),
        }

    def text(self) -> str:
        """The first rows, for people."""
        header = facts(("profile", f"{self.rules.name}: {self.rules.title}"), ("shown", self.what))
        shown = self.frame.head(_SHOWN)
        if shown.is_empty():
            return render(header, "", "none")
        kinds = {"action_a": _changed, "derivative": _derivatives}
        show = next((kind for column, kind in kinds.items() if column in shown.columns), self._tables)
        table = show(shown)
        more = self.frame.height - shown.height
        left = [f"and {more:,} more rows: --out FILE writes them all"] if more else []
        return render(header, *not_counted_line(self.rules.not_counted_of_main_bet), "", *table, *left)

    def _tables(self, shown: pl.DataFrame) -> Iterator[RenderableType]:
        columns: list[tuple[str, Side]] = [
            ("pays, to one", "left"),
            ("house edge", "right"),
            ("element of risk", "right"),
            ("calls", "right"),
            ("sd", "right"),
            ("deals changed", "right"),
        ]
        named, aimed = "name" in shown.columns, "distance" in shown.columns
        if named:
            columns.insert(0, ("name", "left"))
        if aimed:
            columns.append(("off the target", "right"))
        table = grid(*columns)
        for row in shown.rows(named=True):
            table.add_row(
                *([_printable(row["name"] or "")] if named else []),
                "/".join(str(row[line]) for line in lines_of(self.rules)),
                f"{row['house_edge']:.6%}",
                f"{row['element_of_risk']:.6%}",
                f"{row['called_share']:.4%}",
                f"{row['sd']:.6f}",
                f"{row['changed_deals']:,}",
                *([f"{row['distance']:.3e}"] if aimed else []),
            )
        yield table
        yield "house edge: of the ante; element of risk: of all that is bet; sd: of a round's net result, in antes;"
        yield f"deals changed: raw deals whose best action is not that under the pays of {self.rules.name}"


def _changed(shown: pl.DataFrame) -> Iterator[RenderableType]:
    _, hand, seen, *_ = shown.columns
    table = grid(
        (hand, "left"), (seen, "left"), ("deals", "right"), ("hand is", "left"), ("here", "left"), ("there", "left")
    )
    for row in shown.rows(named=True):
        here = f"{row['action_a']}, by {row['margin_a']:.6f}"
        there = f"{row['action_b']}, by {row['margin_b']:.6f}"
        table.add_row(row[hand], row[seen], str(row["weight"]), row["category"], here, there)
    yield table
    yield "by: how much better than the other action, in antes"


def _derivatives(shown: pl.DataFrame) -> Iterator[RenderableType]:
    table = grid(
        ("one more to one for", "left"), ("pays now", "right"), ("raises the value by", "right"), ("exactly", "left")
    )
    for line, pay, derivative, exact in shown.rows():
        table.add_row(line.replace("_", " "), f"{pay:,}", f"{derivative:+.12f}", exact)
    yield table
    yield "in antes per round: the derivative of the value under best play; a whole step brings at least as much"


def pay_table_answer(
    profile: str,
    tables: str | None = None,
    *,
    search: str | None = None,
    target: str | None = None,
    count: int | None = None,
    falling: bool = False,
    changes: str | None = None,
    sensitive: bool = False,
) -> PayTableAnswer:
    """What `pycs paytables` was asked for: pay tables of a file, published ones, the nearest to a target, the deals
    that change, or how much each pay is worth.

    InputError for a file, pays, bounds or a target that cannot be, and for more than one question.
    """
    rules = load_rules(profile)
    questions = {"FILE": tables, "--search": search, "--changes": changes, "--sensitivity": sensitive or None}
    asked = [what for what, given in questions.items() if given is not None]
    if len(asked) > 1:
        raise InputError(f"{' and '.join(asked)}: one of them at a time is allowed")
    if search is None and (target is not None or count is not None or falling):
        raise InputError("--target, --count and --falling belong to --search, which is missing")
    if search is not None:
        if target is None:
            raise InputError("--search needs a --target: the house edge to come near, as 5%")
        found = search_pay_tables(rules, search, target, count=10 if count is None else count, falling=falling)
        return PayTableAnswer(rules, f"the nearest to a house edge of {target}, within {search}", found)
    if changes is not None:
        other = rules_with_pays(rules, changes)
        return PayTableAnswer(rules, f"deals played otherwise with {changes}", changed_deals(rules, other))
    if sensitive:
        slopes, own = sensitivity(rules), pays_of(rules)
        rows = [
            {"line": line, "pay": own[line], "derivative": float(slope), "derivative_exact": str(slope)}
            for line, slope in slopes.items()
        ]
        return PayTableAnswer(rules, "what each pay is worth", pl.DataFrame(rows))
    if tables is not None:
        return PayTableAnswer(rules, f"the pay tables of {shown_path(tables)}", pay_tables(rules, _read(tables, rules)))
    if not isinstance(rules, CaribbeanStudRules):
        raise InputError(f"FILE is missing: the published pay tables are of Caribbean Stud, not of {rules.name}")
    rows = [{"name": name, **to_one(pays, rules)} for name, pays in PUBLISHED_PAYS.items()]
    return PayTableAnswer(rules, "the published pay tables of Caribbean Stud", pay_tables(rules, pl.DataFrame(rows)))


def _read(path: str, rules: Rules) -> pl.DataFrame:
    """The pay tables of a file. It is read here, for Polars would take a pattern or an address for many files."""
    where, suffix = shown_path(path), Path(path).suffix.lower()
    if suffix not in TABLES:
        raise InputError(f"the file {quoted(path)}: the path of a file that ends in {' or '.join(TABLES)} is allowed")
    content = Path(path).read_bytes()
    try:
        if suffix == ".csv":
            header = next(csv.reader(content.decode("utf-8-sig").splitlines()), [])
            twice = sorted(name for name, times in Counter(header).items() if times > 1)
            if twice:
                raise InputError(f"the column {quoted(twice[0])} is there twice: once is allowed")
            frame = pl.read_csv(io.BytesIO(content), schema_overrides={"name": pl.String}, infer_schema_length=None)
        else:
            frame = pl.read_parquet(io.BytesIO(content))
        if frame.is_empty():
            raise InputError("it holds no pay table: a row for each is needed, and a column for each line")
        return read_frame(frame, rules)
    except UnicodeDecodeError:
        raise InputError(f"{where}: it is no text in UTF-8") from None
    except InputError as error:
        raise InputError(f"{where}: {error}") from None
    except (pl.exceptions.PolarsError, csv.Error) as error:
        problem = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InputError(f"{where}: it does not read as {suffix[1:]} ({quoted(problem)})") from None


def _printable(text: str) -> str:
    """A name from a file, so that it stays one line and moves no terminal."""
    return text if text.isprintable() else ascii(text)


def write(answer: PayTableAnswer, path: str) -> None:
    """All rows and columns as a file. CSV has whole numbers of any size, Parquet a net result as text."""
    frame = answer.frame
    if Path(path).suffix.lower() != ".csv":
        # Parquet readers other than Polars know no integers of 128 bits.
        frame = frame.with_columns(pl.col(pl.Int128).cast(pl.String))
    write_table(Path(path), frame)
