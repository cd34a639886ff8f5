"""Money over counts: what each action is worth, and which is best, as Polars expressions.

Counts depend on the deck and on what qualifies, pay tables do not touch them; so one counted game serves every pay
table. Every value is a whole numerator over one denominator, the number of completions of a deal; decisions compare the
numerators. The floats beside them are for reading.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl

from pycs.deal_frames import CATEGORY
from pycs.decisions import ACTIONS
from pycs.games import game_of
from pycs.ranking import CATEGORIES_UP

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pycs.rules import Rules

ACTION: Final = pl.Enum(ACTIONS)

VALUED: Final = ("fold_numerator", "call_numerator", "fold", "call", "action", "margin", "indifferent")
"""The columns that `with_values` adds."""


def with_values(deals: pl.DataFrame, rules: Rules) -> pl.DataFrame:
    """Add to deals, with their `category` and counts, the value of each action and the best one; counts become Int64.

    Added columns: `fold_numerator`, `call_numerator` (Int64, over the completions of a deal), `fold`, `call` and
    `margin` (Float64, in antes; the margin is best less next best), `action`, and `indifferent` where both are worth
    exactly the same.

    Int64 holds every numerator: no net result is above 1 + MAX_CALL x MAX_PAY antes, about 1e9, which times the
    1,070,190 completions of Casino Hold'em is below 2e15.

    >>> from pycs.rules import load_rules
    >>> deals = pl.DataFrame({"category": "high card", "not_qualified": 74649, "win": 0, "push": 0, "lose": 88536})
    >>> with_values(deals, load_rules("us")).select("call_numerator", "action").row(0)
    (-190959, 'fold')
    """
    completions = game_of(rules).completions
    valued = with_numerators(deals, rules).with_columns(
        action=pl.when(pl.col("call_numerator") > pl.col("fold_numerator"))
        .then(pl.lit("call", ACTION))
        .otherwise(pl.lit("fold", ACTION)),
        indifferent=pl.col("call_numerator") == pl.col("fold_numerator"),
    )
    folding, calling = (valued[f"{action}_numerator"].to_numpy() for action in ACTIONS)
    # NumPy rounds the quotient itself; Polars multiplies by the rounded reciprocal of a constant.
    return valued.with_columns(
        pl.Series("fold", folding / completions),
        pl.Series("call", calling / completions),
        pl.Series("margin", abs(calling - folding) / completions),
    )


def with_numerators(deals: pl.DataFrame, rules: Rules) -> pl.DataFrame:
    """As `with_values`, but for the numerators alone."""
    nets = zip(*(rules.nets(category) for category in CATEGORIES_UP), strict=True)
    call = pl.sum_horizontal(
        pl.col(outcome) * _net(by_category) for outcome, by_category in zip(rules.outcomes, nets, strict=True)
    )
    fold = pl.lit(game_of(rules).completions * rules.net_fold, pl.Int64)
    counted = deals.with_columns(pl.col(rules.outcomes).cast(pl.Int64))
    return counted.with_columns(fold_numerator=fold, call_numerator=call)


def _net(by_category: tuple[int, ...]) -> pl.Expr:
    """A net result that may hang on the category of the row."""
    if len(set(by_category)) == 1:
        return pl.lit(by_category[0], pl.Int64)
    return pl.col("category").replace_strict(
        pl.Series(CATEGORIES_UP, dtype=CATEGORY), pl.Series(by_category, dtype=pl.Int64), return_dtype=pl.Int64
    )


def tally(deals: pl.DataFrame, rules: Rules, by: Sequence[str] = ()) -> pl.DataFrame:
    """Raw deals and rounds by action, category and the columns `by`: these, `deals`, `indifferent` and the outcomes.

    `deals` and `indifferent` count raw deals, the outcomes rounds; all are Int64, as weights and counts must be.

    The largest possible sum, all 27,813,810,024,000 rounds of a game, is far inside 64 bits.
    """
    weight = pl.col("weight")
    sums = [(pl.col(outcome) * weight).sum() for outcome in rules.outcomes]
    return (
        deals.group_by("action", "category", *by)
        .agg(weight.sum().alias("deals"), weight.filter(pl.col("indifferent")).sum().alias("indifferent"), *sums)
        .sort("action", "category", *by)
    )
