"""The chance of ruin: by other roads that share no code with `pycs.ruin`."""

from __future__ import annotations

import json
from collections import defaultdict
from fractions import Fraction
from functools import cache
from math import lcm, sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pycs.distributions import Distribution
from pycs.errors import InputError
from pycs.ruin import bankroll_for, ruin

PUBLISHED = json.loads((Path(__file__).parent / "data" / "published.json").read_text())["caribbean_us"]
US = Distribution.of([(net, ways) for _, net, ways in PUBLISHED["optimal_outcomes"]])
FOLD = Distribution.of([(-1, 1)])
TABLE: dict[str, Any] = {"stake": 1, "call": 2}
SIDE = Distribution.of([(Fraction(-1, 2), 90), (Fraction(7, 2), 9), (10, 1)])
COIN = Distribution.of([(-1, 1), (1, 1)])
BASE = Distribution.of([(-3, 5), (-1, 6), (1, 8), (5, 1)])

AMOUNTS = st.fractions(-3, 5, max_denominator=2)
GAMES = st.lists(st.tuples(AMOUNTS, st.integers(1, 9)), min_size=1, max_size=4, unique_by=lambda w: w[0]).map(
    Distribution.of
)


def together(one: Distribution, other: Distribution) -> Distribution:
    return Distribution.of(
        (a + b, v * w)
        for a, v in zip(one.values, one.weights, strict=True)
        for b, w in zip(other.values, other.weights, strict=True)
    )


def with_jackpot(amount: Fraction | int) -> Distribution:
    return Distribution.of([*zip(US.values, US.weights, strict=True), (amount, US.ways // 900)])


@cache
def played(
    normal: Distribution,
    short: Distribution,
    rounds: int,
    bankroll: Fraction | int,
    stake: Fraction | int,
    call: Fraction | int,
) -> Fraction:
    """Forward, balance by balance, in whole ways; amounts are counted in parts of an ante that all of them share."""
    amounts = [*normal.values, *short.values, Fraction(bankroll), Fraction(stake), Fraction(call)]
    parts = lcm(*(amount.denominator for amount in amounts))
    floor, enough = int(stake * parts), int((stake + call) * parts)
    rows = [[(int(v * parts), w) for v, w in zip(one.values, one.weights, strict=True)] for one in (short, normal)]
    alive, ruined = {int(bankroll * parts): 1}, Fraction(0)
    scale = 1
    for _ in range(rounds):
        following: dict[int, int] = defaultdict(int)
        for balance, ways in alive.items():
            if balance < floor:
                ruined += Fraction(ways, scale)
                continue
            can_call = balance >= enough
            for value, weight in rows[can_call]:
                following[balance + value] += ways * weight * (short.ways if can_call else normal.ways)
        alive = following
        scale *= normal.ways * short.ways
    return ruined + Fraction(sum(ways for balance, ways in alive.items() if balance < floor), scale)


@settings(max_examples=50, deadline=None)
@given(
    GAMES, GAMES, st.integers(1, 6), st.fractions(0, 9, max_denominator=3),
    st.fractions(Fraction(1, 2), 2, max_denominator=2), st.fractions(0, 3, max_denominator=2),
)  # fmt: skip
def test_exact_is_play_forward(
    normal: Distribution, short: Distribution, rounds: int, bankroll: Fraction, stake: Fraction, call: Fraction
) -> None:
    expected = played(normal, short, rounds, bankroll, stake, call)
    found = ruin(normal, short, rounds, bankroll, stake=stake, call=call, method="exact")
    assert (found.chance, found.error, found.method) == (expected, 0, "exact")
    steps = ruin(normal, short, rounds, bankroll, stake=stake, call=call, method="steps")
    assert abs(Fraction(steps.chance) - expected) <= Fraction(steps.error)


def test_side_bets_that_pay_after_a_fold() -> None:
    normal, short = together(BASE, SIDE), together(FOLD, SIDE)
    for bankroll in (Fraction(3, 2), 2, 3, Fraction(7, 2), Fraction(10, 3)):
        expected = played(normal, short, 9, bankroll, Fraction(3, 2), 2)
        assert ruin(normal, short, 9, bankroll, stake=Fraction(3, 2), call=2).chance == expected
        assert 0 < expected < 1


def test_between_the_stake_and_the_call() -> None:
    """Two antes pay for an ante, not for its call: the fold is sure. Three pay for both."""
    assert ruin(US, FOLD, 1, 1, **TABLE).chance == 1
    assert ruin(US, FOLD, 1, 2, **TABLE).chance == 0
    assert ruin(US, FOLD, 2, 2, **TABLE).chance == 1
    assert ruin(US, FOLD, 1, 3, **TABLE).chance == US.at(-3)
    assert ruin(US, FOLD, 1, Fraction(1, 2), **TABLE).chance == 1
    assert ruin(US, FOLD, 33, 99, **TABLE).chance == US.at(-3) ** 33
    assert ruin(US, FOLD, 33, 100, **TABLE).chance == 0
    # a call that loses can make two antes of less use than one and a half, where folds pay
    lucky = Distribution.of([(2, 1)])
    doomed = Distribution.of([(-3, 1)])
    assert ruin(doomed, lucky, 1, Fraction(5, 2), **TABLE).chance == 0
    assert ruin(doomed, lucky, 1, 3, **TABLE).chance == 1


def test_twenty_rounds_of_the_published_game() -> None:
    for bankroll in (1, 5, 10, 30, 60):
        assert ruin(US, FOLD, 20, bankroll, **TABLE).chance == played(US, FOLD, 20, bankroll, 1, 2)


def test_simulation() -> None:
    """Two million sessions of 20 rounds from 10 antes, within five standard errors."""
    rng = np.random.default_rng(10)
    chances = np.array(US.weights, dtype=np.float64) / US.ways
    ends = np.cumsum(chances)
    nets = np.array([int(value) for value in US.values])
    count = 1_000_000
    ruined = 0
    for _ in range(2):
        balance = np.full(count, 10)
        for _ in range(20):
            drawn = nets[np.minimum(np.searchsorted(ends, rng.random(count), side="right"), len(nets) - 1)]
            drawn[balance < 3] = -1
            balance += np.where(balance >= 1, drawn, 0)
        ruined += int(np.sum(balance < 1))
    p = float(ruin(US, FOLD, 20, 10, **TABLE).chance)
    assert abs(ruined / (2 * count) - p) < 5 * sqrt(p * (1 - p) / (2 * count))


@pytest.mark.parametrize(
    ("normal", "short", "stake", "rounds", "bankrolls"),
    [
        (US, FOLD, 1, 130, (3, 40, 150)),
        (together(BASE, SIDE), together(FOLD, SIDE), Fraction(3, 2), 64, (2, Fraction(10, 3), 40)),
        (COIN, COIN, 1, 150, (1, 12, 60)),
    ],
)
def test_floats_are_within_their_error(
    normal: Distribution, short: Distribution, stake: Fraction, rounds: int, bankrolls: tuple[Fraction, ...]
) -> None:
    for bankroll in bankrolls:
        exact = ruin(normal, short, rounds, bankroll, stake=stake, call=2, method="exact")
        assert isinstance(exact.chance, Fraction)
        for method in ("steps", "blocks"):
            found = ruin(normal, short, rounds, bankroll, stake=stake, call=2, method=method)
            assert isinstance(found.chance, float)
            assert 0 < found.error < 1e-10
            assert abs(Fraction(found.chance) - exact.chance) <= Fraction(found.error)


@pytest.mark.parametrize("rounds", [500, 2_001])
@pytest.mark.parametrize(
    ("normal", "short", "stake", "bankrolls"),
    [
        (US, FOLD, 1, (2, 100, 250)),
        (together(BASE, SIDE), together(FOLD, SIDE), Fraction(3, 2), (2, Fraction(100, 3))),
        # a jackpot that leads to where ruin still counts, and one that does not
        (with_jackpot(2_500), SIDE, 1, (50,)),
        (with_jackpot(Fraction(1234567, 100)), SIDE, 1, (50,)),
        (COIN, COIN, 1, (7, 60)),
    ],
)
def test_blocks_are_steps(
    normal: Distribution, short: Distribution, stake: Fraction, rounds: int, bankrolls: tuple[Fraction, ...]
) -> None:
    for bankroll in bankrolls:
        steps = ruin(normal, short, rounds, bankroll, stake=stake, call=2, method="steps")
        blocks = ruin(normal, short, rounds, bankroll, stake=stake, call=2, method="blocks")
        assert (steps.method, blocks.method) == ("steps", "blocks")
        assert steps.chance > 1e-6
        assert max(steps.error, blocks.error) < 1e-9
        assert abs(steps.chance - blocks.chance) <= steps.error + blocks.error


def test_many_rounds_of_a_coin() -> None:
    """The reflection principle: ruined when the walk ever comes down by the bankroll."""
    rounds, bankroll = 40_000, 300
    found = ruin(COIN, COIN, rounds, bankroll, stake=1, call=0, method="blocks")
    logs = np.concatenate(([0.0], np.cumsum(np.log(np.arange(1, rounds + 1)))))
    downs = np.arange(rounds + 1)
    chances = np.exp(logs[rounds] - logs - logs[::-1] - rounds * np.log(2))
    fallen = 2 * downs - rounds
    expected = 2 * chances[fallen > bankroll].sum() + chances[fallen == bankroll].sum()
    assert found.chance == pytest.approx(expected, abs=1e-8)
    assert found.error < 1e-10


@pytest.mark.parametrize("risk", [Fraction(1, 2), 0.05, Fraction(1, 10**6)])
@pytest.mark.parametrize(
    ("normal", "short", "stake"),
    [(US, FOLD, 1), (together(BASE, SIDE), together(FOLD, SIDE), Fraction(3, 2)), (BASE, Distribution.of([(2, 1)]), 1)],
)
def test_bankroll_is_that_of_a_scan(
    normal: Distribution, short: Distribution, stake: Fraction, risk: Fraction | float
) -> None:
    rounds = 8
    chances = [played(normal, short, rounds, bankroll, stake, 2) for bankroll in range(40)]
    least = 1 + max(bankroll for bankroll, chance in enumerate(chances) if chance > risk)
    assert least < 39
    found = bankroll_for(normal, short, rounds, risk, stake=stake, call=2)
    assert (found.bankroll, found.least, found.certain, found.error) == (least, least, True, 0)
    assert (found.chance, found.chance_below) == (chances[least], chances[least - 1])
    floats = bankroll_for(normal, short, rounds, risk, stake=stake, call=2, method="steps")
    assert (floats.bankroll, floats.least) == (least, least)
    assert abs(Fraction(floats.chance) - chances[least]) <= floats.error
    assert abs(Fraction(floats.chance_below) - chances[least - 1]) <= floats.error


def test_bankroll_for_many_rounds() -> None:
    found = bankroll_for(US, FOLD, 3_000, 0.1, **TABLE, method="blocks")
    assert found.certain
    assert found.chance <= 0.1 < found.chance_below
    for bankroll, chance in ((found.bankroll, found.chance), (found.bankroll - 1, found.chance_below)):
        alone = ruin(US, FOLD, 3_000, bankroll, **TABLE, method="steps")
        assert abs(alone.chance - chance) <= alone.error + found.error


def test_a_bankroll_that_the_error_leaves_open_says_so() -> None:
    exact = ruin(COIN, COIN, 40, 8, stake=1, call=0).chance
    assert bankroll_for(COIN, COIN, 40, exact, stake=1, call=0).bankroll == 8
    found = bankroll_for(COIN, COIN, 40, exact, stake=1, call=0, method="steps")
    assert (found.least, found.bankroll, found.certain) == (8, 9, False)
    assert "or as little as 8" in str(found)
    assert found.to_dict()["certain"] is False
    # a risk below the error: enough is what no loss exhausts
    tiny = bankroll_for(COIN, COIN, 40, Fraction(1, 10**18), stake=1, call=0, method="steps")
    assert tiny.least <= bankroll_for(COIN, COIN, 40, Fraction(1, 10**18), stake=1, call=0).bankroll <= tiny.bankroll


def test_without_losses() -> None:
    won = Distribution.of([(0, 1), (2, 1)])
    assert ruin(won, won, 10**7, 1, **TABLE).chance == 0
    found = bankroll_for(won, won, 10**7, 0.5, **TABLE)
    assert (found.bankroll, found.chance, found.chance_below) == (1, 0, 1)


def test_plain_data_and_text() -> None:
    exact, floats = ruin(US, FOLD, 20, 10, **TABLE), ruin(US, FOLD, 20, 10, **TABLE, method="steps")
    assert json.loads(json.dumps(exact.to_dict())) == exact.to_dict()
    assert Fraction(exact.to_dict()["chance_exact"]) == exact.chance
    assert "chance_exact" not in floats.to_dict()
    assert "exact" in str(exact)
    assert "within" in str(floats).split("antes")[1]
    needed = bankroll_for(US, FOLD, 20, 0.25, **TABLE).to_dict()
    assert json.loads(json.dumps(needed)) == needed


@pytest.mark.parametrize("rounds", [0, -1, 10**7 + 1, 2.0, "20", True])
def test_bad_rounds(rounds: Any) -> None:
    with pytest.raises(InputError, match=r"^the rounds .+: a whole number from 1 to 10,000,000 is allowed$"):
        ruin(US, FOLD, rounds, 10, **TABLE)
    with pytest.raises(InputError, match=r"^the rounds .+: a whole number from 1 to 10,000,000 is allowed$"):
        bankroll_for(US, FOLD, rounds, 0.1, **TABLE)


@pytest.mark.parametrize("bankroll", [-1, Fraction(-1, 2), 10.0, "10", True])
def test_bad_bankroll(bankroll: Any) -> None:
    with pytest.raises(InputError, match=r"^the bankroll .+: a whole number or a Fraction, 0 or more, is allowed$"):
        ruin(US, FOLD, 10, bankroll, **TABLE)


@pytest.mark.parametrize("risk", [0, 1, -0.5, 1.5, float("nan"), "0.1", True, None])
def test_bad_risk(risk: Any) -> None:
    with pytest.raises(InputError, match=r"^the risk .+ below 1 is allowed$"):
        bankroll_for(US, FOLD, 10, risk, **TABLE)


def test_other_bad_input() -> None:
    with pytest.raises(InputError, match=r"^the stake 0: a whole number or a Fraction, above 0, is allowed$"):
        ruin(US, FOLD, 10, 10, stake=0, call=2)
    with pytest.raises(InputError, match=r"^the call -1: a whole number or a Fraction, 0 or more, is allowed$"):
        ruin(US, FOLD, 10, 10, stake=1, call=-1)
    with pytest.raises(InputError, match=r"^the method 'guess': exact, steps or blocks is allowed$"):
        ruin(US, FOLD, 10, 10, **TABLE, method="guess")  # type: ignore[arg-type]
    fine = Distribution.of([(Fraction(-1, 1000), 1), (1000, 1), (-1000, 1)])
    with pytest.raises(InputError, match=r"^balances up to .+ balances count, 16,777,216 are allowed$"):
        ruin(fine, FOLD, 10**6, 10**5, **TABLE)
