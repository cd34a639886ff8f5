"""The verdict on a simulator: a log of rounds, counts by outcome, or a summary, held against the exact game."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from pycs.errors import InputError
from pycs.json_files import read_json
from pycs.log_files import open_log
from pycs.messages import quoted
from pycs.outcome_counts import verdict_on_counts
from pycs.round_verdicts import verdict_on_rounds
from pycs.rules import load_rules
from pycs.stated_figures import Stated, read_total
from pycs.stated_summaries import Summary
from pycs.summaries import verdict_on_summary
from pycs.verdicts import ALPHA, DETECT, Verdict

if TYPE_CHECKING:
    from typing import TypeAlias

    from pycs.amounts import Amount
    from pycs.cards import Alphabet
    from pycs.rules import Rules
    from pycs.strategies import Strategy

    Evidence: TypeAlias = str | os.PathLike[str] | pl.DataFrame | Mapping[str, Any] | Summary

__all__ = ["verify"]

_MOST_COLUMNS: Final = 4
_CLASS_COLUMNS: Final = {"event", "outcome", "class"}
_COUNT_COLUMNS: Final = {"count", "counts", "rounds", "combinations", "frequency", "n"}


def verify(
    profile: str | os.PathLike[str] | Rules,
    log: Evidence,
    *,
    strategy: str | os.PathLike[str] | Strategy | None = None,
    columns: str | Mapping[str, str] = "",
    ante: Amount | None = None,
    alpha: Stated = ALPHA,
    growing: bool = False,
    detect: Stated = DETECT,
    alphabet: Alphabet = "latin",
    progress: bool | None = None,
) -> Verdict:
    """Whether software deals and settles a profile's game rightly, and if not, what is wrong with it.

    `log` is what it left behind, and says how deep the verdict goes:

    - a log of rounds: a CSV, NDJSON or Parquet file of any size, or a frame. Every round must come from one deck, is
      settled again and its decision looked up; then the frequencies of cards, hands and outcomes are tested, and
      whether rounds hang together. `columns` says which column is what where that is not to be guessed
      (`net=result,player=c1+c2+c3+c4+c5`), `ante` what it is where no column says, or in the money of a summary;
    - counts by outcome class: a CSV or JSON file, or a mapping (`pycs.outcome_counts`);
    - a summary: a JSON file, a mapping or a `Summary` with rounds and a total, a return or an edge (`pycs.summaries`).

    A log with a wrong rule, a wrong deck or decisions other than those of the claimed `strategy` fails; so does one
    whose frequencies right software has a chance of at most `alpha` to bring, all tests taken together. Without a
    claimed strategy, the play is named and priced and fails nothing. `growing` makes p-values that hold at every look
    at a log that is still written. A summary passes only when it would show an error of the edge of `detect`.

    InputError, one line, for what cannot be used at all. Safe to call from many threads.

    >>> verify("us", {"rounds": 15_000_000, "rtp": "97.398714%", "per": "bet"}, strategy="three-rules").verdict
    'pass'
    """
    rules = load_rules(profile)
    rate, exact = read_total(alpha, "alpha"), read_total(detect, "the error to detect")
    for what, given, share in (("alpha", alpha, rate), ("the error to detect", detect, exact)):
        if not 0 < share < 1:
            raise InputError(f"{what} {quoted(given)}: more than 0 and less than 1 is allowed")
    shared: dict[str, Any] = {"strategy": strategy, "alpha": float(rate), "anytime": growing, "detect": exact}
    if isinstance(log, str | os.PathLike) and os.fspath(log).lower().endswith(".json"):
        found = read_json(log, "an object of counts or of a summary")
        if not isinstance(found, dict) or "rounds" not in found:
            return verdict_on_counts(rules, log, **shared)
        log = found
    if isinstance(log, Mapping) and "rounds" in log and ante is not None:
        log = {"ante": ante, **log}
    if isinstance(log, Summary) or (isinstance(log, Mapping) and "rounds" in log):
        return verdict_on_summary(rules, log, **shared)
    if isinstance(log, Mapping):
        return verdict_on_counts(rules, log, **shared)
    if _are_counts(open_log(log).columns):
        if isinstance(log, pl.DataFrame):
            log = {"outcomes": log.to_dicts()}
        return verdict_on_counts(rules, log, **shared)
    return verdict_on_rounds(rules, log, columns=columns, ante=ante, alphabet=alphabet, progress=progress, **shared)


def _are_counts(columns: tuple[str, ...]) -> bool:
    """Whether these are the columns of counts by outcome: few, with one for the class and one for how often it came."""
    plain = {column.strip().lower() for column in columns}
    return len(plain) <= _MOST_COLUMNS and bool(plain & _CLASS_COLUMNS) and bool(plain & _COUNT_COLUMNS)
