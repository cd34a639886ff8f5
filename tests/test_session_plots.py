"""The bars of a session's picture: every result in the right one, and none of them twice."""

from fractions import Fraction
from itertools import pairwise

import pytest

from pycs.distributions import Distribution
from pycs.session_plots import bars, session_chart
from pycs.sessions import session_of

COIN = Distribution.of([(-1, 1), (1, 1)])
ODD = Distribution.of([(-1, 5), (Fraction(1, 2), 1), (Fraction(1, 3), 2)])
WITH_PUSH = Distribution.of([(-3, 300), (-1, 400), (0, 1), (1, 250), (9, 60)])


@pytest.mark.parametrize("most", [5, 24, 100])
@pytest.mark.parametrize(("one", "rounds"), [(COIN, 2), (COIN, 301), (ODD, 4), (ODD, 40), (WITH_PUSH, 20)])
def test_bars_hold_every_result_between_them(one, rounds, most):
    session = session_of(one, rounds)
    shown = bars(session, most)
    assert len(shown) <= most + 3
    for bar in shown:
        inside = [
            weight
            for value, weight in zip(session.exact.values, session.exact.weights, strict=True)
            if bar.least <= value <= bar.most
        ]
        assert bar.chance == pytest.approx(sum(inside) / session.exact.ways, rel=1e-12)
        assert bar.result == ("loss" if bar.most < 0 else "win" if bar.least > 0 else "draw")
    for bar, following in pairwise(shown):
        assert bar.most < following.least
    assert 0.998 < sum(bar.chance for bar in shown) <= 1 + 1e-12


def test_a_rare_push_does_not_make_every_second_bar_empty():
    shown = bars(session_of(WITH_PUSH, 20))
    assert {bar.most - bar.least for bar in shown} == {0, 1}


def test_a_single_round_has_a_bar_for_each_result():
    shown = bars(session_of(WITH_PUSH, 1))
    assert [(bar.least, bar.most) for bar in shown] == [(value, value) for value in WITH_PUSH.values]


def test_a_session_of_one_result_has_one_bar():
    (bar,) = bars(session_of(Distribution.of([(-1, 1)]), 7))
    assert (bar.least, bar.most, bar.chance, bar.result) == (-7, -7, 1, "loss")
    assert session_chart(session_of(Distribution.of([(-1, 1)]), 7), "a", "b").to_dict()["title"]["text"] == "a"


def test_the_chart_shows_the_bars():
    session = session_of(WITH_PUSH, 20)
    (rows,) = session_chart(session, "title", "subtitle").to_dict()["datasets"].values()
    assert [row["percent"] for row in rows] == [100 * bar.chance for bar in bars(session)]
    assert all(row["from"] < row["to"] for row in rows)
    for row, following in pairwise(rows):
        assert row["to"] <= following["from"]
