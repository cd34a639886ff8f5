"""The planted simulator is right where nothing is planted, and each of its faults is one."""

from collections import Counter
from functools import cache
from itertools import combinations, pairwise

import numpy as np
import planted_simulator as planted
import polars as pl
import pytest
from planted_simulator import HOLDEM, STUD

KINDS = [(1, 1, 1, 1, 1), (2, 1, 1, 1), (2, 2, 1), (3, 1, 1), None, None, (3, 2), (4, 1)]
# Too rare to count on in a short log.
RARE = {
    ("straight-flush-missed", STUD),
    *((fault, STUD) for fault in ("two-pair-kicker-ignored", "flush-by-top-card", "ties-lost", "ties-won")),
    *((fault, game) for fault in ("royal-as-straight-flush", "wheel-high") for game in planted.BOTH),
}


def slow_key(text: str) -> tuple[int, ...]:
    """The best five cards of a text: the category, then the ranks that decide."""
    cards = [(planted.RANKS.index(text[i]), text[i + 1]) for i in range(0, len(text), 2)]
    return max(map(five_card_key, combinations(cards, 5)))


def five_card_key(hand: tuple[tuple[int, str], ...]) -> tuple[int, ...]:
    times = Counter(rank for rank, _ in hand)
    ranks = tuple(sorted(times, key=lambda rank: (times[rank], rank), reverse=True))
    flush = len({suit for _, suit in hand}) == 1
    top = 3 if ranks == (12, 3, 2, 1, 0) else ranks[0]
    if len(ranks) == 5 and (top == 3 or top - ranks[4] == 4):
        if flush:
            return (9,) if top == 12 else (8, top)
        return (4, top)
    if flush:
        return (5, *ranks)
    return (KINDS.index(tuple(sorted(times.values(), reverse=True))), *ranks)


def slow_net(game: str, row: dict[str, str | int]) -> int:
    """The net result of a log's row, by the rules as they are read."""
    board = row.get("board", "")
    player, dealer = slow_key(row["player"] + board), slow_key(row["dealer"] + board)
    pay = planted.PAYS[game][min(9 - player[0], len(planted.PAYS[game]) - 1)]
    ante_pay, call_pay = (1, pay) if game == STUD else (pay, 1)
    qualified = dealer >= ((0, 12, 11) if game == STUD else (1, 2))
    if row["action"] == "fold":
        net = -1
    elif not qualified:
        net = ante_pay
    elif player > dealer:
        net = ante_pay + 2 * call_pay
    else:
        net = 0 if player == dealer else -3
    return net - row.get("fees", 0)


@pytest.mark.parametrize("size", [5, 7])
def test_hands_come_in_the_order_a_slow_ranker_gives(size: int) -> None:
    rng = np.random.default_rng(size)
    decks = np.argsort(rng.random((1_000, 52)), axis=1).astype(np.uint8)[:, :size]
    few_ranks = np.argsort(rng.random((500, 16)), axis=1).astype(np.uint8)[:, :size]
    one_suit = (4 * np.argsort(rng.random((500, 13)), axis=1)[:, :size]).astype(np.uint8)
    hands = np.vstack([decks, few_ranks, one_suit, [planted.cards_of("AsKsQsJsTs9s8s")[0, :size]]])
    fast = planted.strengths(hands).tolist()
    slow = [slow_key(text) for text in planted.texts_of(hands)]
    pairs = sorted(zip(slow, fast, strict=True))
    for (lower, weak), (higher, strong) in pairwise(pairs):
        assert (lower < higher) == (weak < strong)


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("AsKdJh3c2d", "AdKhTc9s8c"),
        ("5s5d4h3c2d", "4s4dAhKcQd"),
        ("5s5dQh3c2d", "5h5cJhTc9d"),
        ("AsAd2h2c3d", "KsKdQhQcAh"),
        ("3s3d3h2c2d", "2s2h2dAcAd"),
        ("6s5d4h3c2d", "As2d3h4c5d"),
    ],
)
def test_order_examples(better: str, worse: str) -> None:
    assert planted.strengths(planted.cards_of(better)) > planted.strengths(planted.cards_of(worse))


@pytest.mark.parametrize(
    ("player", "dealer", "net"),
    [
        ("QhQs9d6c2h", "JhJcAs8d3c", 3),
        ("QhQs9d6c2h", "AhKcJs8d3c", 3),
        ("QhQs9d6c2h", "AhQcJs8d3c", 1),
        ("2h3s4d6c7h", "AhQcJs8d3c", 1),
        ("2h3s4d6c7h", "AhKcJs8d3c", -3),
        ("AdKsJh8c3d", "AhKcJs8d3c", 0),
        ("QhQsQd6c6h", "JhJcAs8d3c", 15),
        ("AdKdQdJdTd", "JhJcAs8d3c", 201),
    ],
)
def test_worked_figures(player: str, dealer: str, net: int) -> None:
    mine, theirs = (planted.strengths(planted.cards_of(text)) for text in (player, dealer))
    pay = planted.pays_by_category(STUD, None)[mine >> 20]
    called, qualified = np.array([True]), theirs >= planted.QUALIFYING[STUD]
    assert planted.settled(STUD, mine, theirs, called=called, qualified=qualified, pay=pay).item() == net


@pytest.mark.parametrize(("game", "exchange"), [(STUD, False), (STUD, True), (HOLDEM, False)])
def test_a_clean_log_is_right_row_by_row(game: str, exchange: bool) -> None:
    log = planted.played(game, 1_000, seed=7, exchange=exchange)
    for row in log.iter_rows(named=True):
        shown = "".join(row.get(column, "") for column in ("player", "dealer", "board", "gave_up"))
        cards = {shown[i : i + 2] for i in range(0, len(shown), 2)}
        assert len(cards) == len(shown) // 2
        assert row["net"] == slow_net(game, row)
        assert row["call"] == (2 if row["action"] == "call" else 0)
        assert row.get("upcard", row["dealer"][:2]) == row["dealer"][:2]


def test_the_edge_of_calling_always() -> None:
    net = planted.played(STUD, 300_000, seed=11, strategy="always-call")["net"]
    assert abs(net.mean() + 3310360338060 / 19933230517200) < 4 * net.std() / 300_000**0.5


@cache
def short_log(game: str, exchange: bool, strategy: str, fault: str | None = None) -> pl.DataFrame:
    return planted.played(game, 5_500, seed=5, exchange=exchange, strategy=strategy, fault=fault)


@pytest.mark.parametrize(
    ("fault", "game"), [(fault, game) for fault, games in planted.FAULTS.items() for game in games]
)
def test_each_fault_changes_the_log_and_only_its_part(fault: str, game: str) -> None:
    exchange = fault in planted.EXCHANGE_FAULTS
    folding = fault in ("strategy-ignored", "fold-costs-nothing", "fold-costs-the-call")
    strategy = "pair-or-better" if folding else "always-call"
    clean, faulty = (short_log(game, exchange, strategy, name) for name in (None, fault))
    assert faulty.schema == clean.schema
    if fault not in planted.DEALING_FAULTS:
        cards = [column for column in ("player", "dealer", "board", "gave_up") if column in clean.columns]
        assert faulty.select(cards).equals(clean.select(cards))
    assert (fault, game) in RARE or not faulty.equals(clean)


def test_no_trace_of_a_dealer_who_fails_with_the_better_hand_when_only_good_hands_are_called() -> None:
    clean = short_log(STUD, False, "three-rules")
    assert short_log(STUD, False, "three-rules", "all-lost-when-behind").equals(clean)
    paid, qualified = (
        short_log(STUD, False, "three-rules", fault)
        for fault in ("call-paid-when-dealer-fails", "dealer-always-qualifies")
    )
    assert paid.equals(qualified)


@pytest.mark.parametrize(
    ("fault", "game", "player", "dealer", "sign"),
    [
        ("wheel-high", STUD, "As2d3h4c5d", "KsQdJhTc9d", 1),
        ("wheel-high", HOLDEM, "As2d3h4c5dKsKd", "AdKhQcJsTh9c8d", 0),
        ("wheel-missed", STUD, "As2d3h4c5d", "KsQdJh9c8d", 1),
        ("wheel-missed", STUD, "As2d3h4c5d", "AcKdJh9c8d", -1),
        ("straight-wraps", STUD, "QsKdAh2c3d", "9s9d9h5cTd", 1),
        ("straight-wraps", STUD, "KdAh2c3d4s", "As2d3h4c5d", -1),
        ("flush-by-top-card", HOLDEM, "AsKs9s5s3s2d2h", "AhTh9h5h3h2c4c", 0),
        ("two-pair-kicker-ignored", STUD, "AsAdKhKc3d", "AhAcKsKdQd", 0),
        ("pair-kickers-ignored", STUD, "AsAdKhQc3d", "AhAc5s4d3c", 0),
        ("ace-king-kickers-ignored", STUD, "AsKdQh7c3d", "AhKc5s4d3c", 0),
    ],
)
def test_faults_in_ranking(fault: str, game: str, player: str, dealer: str, sign: int) -> None:
    mine, theirs = (planted.strengths(planted.cards_of(text), fault).item() for text in (player, dealer))
    assert (mine > theirs) - (mine < theirs) == sign, game


def test_faults_in_dealing() -> None:
    def share(log: pl.DataFrame, card: str) -> float:
        return (log["player"] + log["dealer"]).str.contains(card, literal=True).mean()

    def log(fault: str) -> pl.DataFrame:
        return planted.played(STUD, 20_000, seed=3, fault=fault)

    assert share(log("missing-card"), "2c") == 0
    assert abs(share(log("ace-rich"), "As") - 11 / 52) < 0.015
    assert share(log("byte-modulo"), "As") < 0.17
    assert log("upcard-returned").select(
        pl.col("dealer").str.slice(2).str.contains(pl.col("upcard"), literal=True)
    ).to_series().mean() == pytest.approx(4 / 47, abs=0.01)
    repeated = log("short-period").drop("round")
    assert repeated[:5_000].equals(repeated[5_000:10_000])
    stuck = log("stuck-rounds")["player"]
    assert (stuck == stuck.shift(1)).mean() == pytest.approx(1 / 500, abs=0.0015)
