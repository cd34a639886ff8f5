"""Simulated rounds: the generator, the shuffle, the play, the logs, and where samples stand beside exact values."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import islice
from math import perm, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
import pytest
from command_line import refused, run

import pycs
from pycs import simulation
from pycs.core import (
    HOLDEM,
    LOOK,
    NO_CARD,
    STRENGTHS,
    STUD,
    HoldemDealer,
    StudDealer,
    random_jump,
    random_start,
    random_words,
)
from pycs.dealing import BLOCK, MOST_ROUNDS, dealt
from pycs.errors import InputError
from pycs.played_games import PlayedGame, played_game
from pycs.ranking import qualifying_strength
from pycs.round_logs import log_schema, round_frame
from pycs.settlings import STATES
from pycs.simulation_display import stands
from pycs.stud_rules import CaribbeanStudRules

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from pycs.core import SimulatedRounds

WORD = 2**64 - 1
FOLD, CALL, EXCHANGE = range(3)


# --- what the documentation says, in plain Python -----------------------------------------------------------------


def rotated(word: int, left: int) -> int:
    return (word << left | word >> (64 - left)) & WORD


def next_word(state: list[int]) -> int:
    """xoshiro256**: the word, and the state one step on."""
    word, shifted = rotated(state[1] * 5 & WORD, 7) * 9 & WORD, state[1] << 17 & WORD
    state[2] ^= state[0]
    state[3] ^= state[1]
    state[1] ^= state[2]
    state[0] ^= state[3]
    state[2] ^= shifted
    state[3] = rotated(state[3], 45)
    return word


def split_mix(seed: int) -> Iterator[int]:
    while True:
        seed = (seed + 0x9E3779B97F4A7C15) & WORD
        word = (seed ^ seed >> 30) * 0xBF58476D1CE4E5B9 & WORD
        word = (word ^ word >> 27) * 0x94D049BB133111EB & WORD
        yield word ^ word >> 31


def as_bits(state: list[int]) -> NDArray[np.float64]:
    return np.array([state[bit // 64] >> bit % 64 & 1 for bit in range(256)], float)


@cache
def steps(exponent: int) -> NDArray[np.float64]:
    """2^exponent steps of the generator: a matrix over the bits of its state, in which a step is linear."""
    if exponent:
        half = steps(exponent - 1)
        return half @ half % 2
    columns = []
    for bit in range(256):
        state = [1 << bit % 64 if word == bit // 64 else 0 for word in range(4)]
        next_word(state)
        columns.append(as_bits(state))
    return np.array(columns).T


def jumped(state: list[int], exponent: int) -> list[int]:
    bits = steps(exponent) @ as_bits(state) % 2
    return [sum(int(bits[64 * word + bit]) << bit for bit in range(64)) for word in range(4)]


def dice_of(word: int, faces: list[int], bits: int = 64) -> list[int] | None:
    """The dice of one word; None where it must be drawn again."""
    dice = []
    for each in faces:
        die, word = divmod(word * each, 2**bits)
        dice.append(die)
    outcomes = int(np.prod(faces, dtype=object))
    return None if word < 2**bits % outcomes else dice


def shuffle(state: list[int], deck: list[int], first: int, places: int) -> None:
    faces = [52 - place for place in range(first, first + places)]
    while (dice := dice_of(next_word(state), faces)) is None:
        pass
    for place, die in enumerate(dice, first):
        deck[place], deck[place + die] = deck[place + die], deck[place]


class TestGenerator:
    def test_known_answers(self) -> None:
        """What the authors' own code gives."""
        expected = [
            *(11520, 0, 1509978240, 1215971899390074240, 1216172134540287360, 607988272756665600),
            *(16172922978634559625, 8476171486693032832, 10595114339597558777, 2904607092377533576),
        ]
        assert random_words(np.array([1, 2, 3, 4], np.uint64), 10).tolist() == expected
        assert random_start(1234567).tolist() == [
            *(6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431)
        ]

    @pytest.mark.parametrize("seed", [0, 1, 2**63, WORD])
    def test_against_plain_python(self, seed: int) -> None:
        state = list(islice(split_mix(seed), 4))
        assert random_start(seed).tolist() == state
        words = random_words(random_start(seed), 500)
        assert words.tolist() == [next_word(state) for _ in range(500)]

    def test_a_jump_is_2_to_the_128_steps(self) -> None:
        for seed in (1, 99):
            start = random_start(seed)
            assert random_jump(start).tolist() == jumped(start.tolist(), 128)
            assert start.tolist() == random_start(seed).tolist()

    def test_dice_are_fair(self) -> None:
        """All words of ten bits: each outcome of three dice comes equally often, the rest is drawn again."""
        outcomes = Counter(map(tuple, filter(None, (dice_of(word, [7, 6, 5], 10) for word in range(1024)))))
        assert len(outcomes) == 7 * 6 * 5
        assert set(outcomes.values()) == {1024 // 210}

    def test_what_cannot_be(self) -> None:
        for seed in (-1, 2**64, 1.5, True, "1"):
            with pytest.raises(InputError, match="seed"):
                random_start(seed)  # type: ignore[arg-type]
        with pytest.raises(InputError, match="stream"):
            random_jump(np.zeros(4, np.uint64))
        with pytest.raises(InputError, match="words"):
            random_words(random_start(1), -1)


# --- dealing ------------------------------------------------------------------------------------------------------


def same_for_all(action: int, *, exchange: bool = False, gives_up: int | None = None) -> StudDealer:
    """A player who does the same with every deal."""
    rules = pycs.load_rules("oasis")
    assert isinstance(rules, CaribbeanStudRules)
    return StudDealer(
        qualifying_strength("ace-king"),
        np.full((STRENGTHS + 1, 13), LOOK if gives_up is not None else action, np.uint8),
        np.full(STUD.deals, action, np.uint8),
        None if gives_up is None else np.full(STUD.deals, gives_up, np.uint8),
        rules.exchange_nets if exchange else None,
    )


@cache
def always_exchanging() -> StudDealer:
    return same_for_all(EXCHANGE, exchange=True)


def cards_of(dealer: StudDealer | HoldemDealer, rounds: int, seed: int, threads: int = 2) -> NDArray[np.uint8]:
    def cards(_: int, block: SimulatedRounds) -> NDArray[np.uint8]:
        assert block.cards is not None
        return block.cards

    return np.concatenate(list(dealt(dealer, rounds, seed, cards, cards=True, threads=threads)))


@cache
def holdem_dealer() -> HoldemDealer:
    return HoldemDealer(1712, np.arange(HOLDEM.deals, dtype=np.uint32).astype(np.uint8) % 2)


class TestDealing:
    def test_stud_card_by_card(self) -> None:
        deals = random_start(3).tolist()
        draws = jumped(deals, 192)
        for row in cards_of(always_exchanging(), 3000, 3).tolist():
            deck = list(range(52))
            shuffle(deals, deck, 0, 10)
            shuffle(draws, deck, 10, 5)
            assert row == deck[10:15] + deck[5:10] + deck[:5]

    def test_the_second_block_is_a_jump_on(self) -> None:
        deals = jumped(random_start(5).tolist(), 128)
        for row in cards_of(same_for_all(FOLD), BLOCK + 100, 5)[BLOCK:].tolist():
            deck = list(range(52))
            shuffle(deals, deck, 0, 10)
            assert row == deck[:10] + [NO_CARD] * 5

    def test_holdem_card_by_card(self) -> None:
        deals = random_start(4).tolist()
        for row in cards_of(holdem_dealer(), 3000, 4).tolist():
            deck = list(range(52))
            shuffle(deals, deck, 0, 9)
            assert row == deck[:9]

    def test_words_are_drawn_again(self) -> None:
        """Of the first 3,000 rounds some have a word that would favour some cards: the twin above has seen them."""
        faces = list(range(52, 42, -1))
        refused = [word for word in random_words(random_start(3), 3000).tolist() if dice_of(word, faces) is None]
        assert refused
        assert 2**64 % perm(52, 10) / 2**64 < 1 / 300

    def test_the_play_changes_no_card(self) -> None:
        folded = cards_of(same_for_all(FOLD), 2000, 9)[:, :10]
        assert (cards_of(same_for_all(CALL), 2000, 9)[:, :10] == folded).all()
        exchanged = cards_of(always_exchanging(), 2000, 9)
        assert (np.hstack([exchanged[:, 10:], exchanged[:, 5:10]]) == folded).all()

    def test_one_card_given_up(self) -> None:
        folded, exchanged = cards_of(same_for_all(FOLD), 2000, 9), cards_of(always_exchanging(), 2000, 9)
        for place in range(5):
            cards = cards_of(same_for_all(EXCHANGE, exchange=True, gives_up=place), 2000, 9)
            changed = cards[:, :5] != folded[:, :5]
            assert (changed.sum(axis=1) == 1).all()
            assert (cards[:, :5][changed] == exchanged[:, 0]).all()
            given = cards[:, 10:]
            assert (np.where(changed, folded[:, :5], NO_CARD) == given).all()
            # The place counts from the highest card; which suit goes of equal ranks is tested in C.
            ranks = np.sort(folded[:, :5] // 4, axis=1)[:, ::-1]
            assert (ranks[:, place] == given[changed] // 4).all()

    @pytest.mark.parametrize("rounds", [1, BLOCK - 1, BLOCK, 3 * BLOCK + 17])
    def test_any_number_of_threads(self, rounds: int) -> None:
        dealer = holdem_dealer()
        cards = cards_of(dealer, rounds, 2, threads=1)
        assert len(cards) == rounds
        for threads in (2, 3):
            assert np.array_equal(cards_of(dealer, rounds, 2, threads=threads), cards)
        longer = cards_of(dealer, rounds + 1000, 2, threads=2)
        assert np.array_equal(longer[:rounds], cards)

    def test_seeds_differ(self) -> None:
        assert not np.array_equal(cards_of(holdem_dealer(), 10, 1), cards_of(holdem_dealer(), 10, 2))

    def test_every_card_comes_to_every_place(self) -> None:
        """Chi-square with 51 degrees of freedom for each place, and for pairs of places that follow each other."""
        rounds = 4 * BLOCK
        cards = cards_of(same_for_all(FOLD), rounds, 8)[:, :10].astype(int)
        for place in range(10):
            counts = np.bincount(cards[:, place], minlength=52)
            assert ((counts - rounds / 52) ** 2 / (rounds / 52)).sum() < 51 + 4 * sqrt(102)
        for place in range(9):
            counts = np.bincount(52 * cards[:, place] + cards[:, place + 1], minlength=52 * 52)
            expected, freedom = rounds / (52 * 51), 52 * 51 - 1
            pairs = np.delete(counts, np.arange(0, 52 * 52, 53))
            assert len(pairs) == 52 * 51
            assert ((pairs - expected) ** 2 / expected).sum() < freedom + 4 * sqrt(2 * freedom)

    def test_what_cannot_be(self) -> None:
        with pytest.raises(InputError, match="bytes 0 to 1"):
            HoldemDealer(1712, np.full(HOLDEM.deals, EXCHANGE, np.uint8))
        with pytest.raises(InputError, match="bytes 0 to 2"):
            StudDealer(1114, np.zeros((7463, 13), np.uint8), np.zeros(STUD.deals, np.int64))  # type: ignore[arg-type]
        with pytest.raises(InputError, match="14 are needed"):
            StudDealer(1114, np.zeros((7463, 13), np.uint8), np.zeros(STUD.deals, np.uint8), nets=[1])
        with pytest.raises(InputError, match="qualifying"):
            HoldemDealer(0, np.zeros(HOLDEM.deals, np.uint8))
        with pytest.raises(InputError, match="rounds"):
            holdem_dealer().rounds(random_start(1), -1)


# --- play and settling --------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def us() -> PlayedGame:
    return played_game("us")


@pytest.fixture(scope="module")
def holdem() -> PlayedGame:
    return played_game("casino-holdem", "common-rules")


@cache
def exchanging(profile: str) -> PlayedGame:
    """A player who exchanges, folds and calls by no rule: what is exact of him would take a minute to count."""
    rules = pycs.load_rules(profile)
    numbers = np.arange(STUD.deals, dtype=np.uint32)
    assert isinstance(rules, CaribbeanStudRules)
    dealer = StudDealer(
        qualifying_strength("ace-king"),
        np.full((STRENGTHS + 1, 13), LOOK, np.uint8),
        (numbers % 3).astype(np.uint8),
        (numbers % 5).astype(np.uint8) if profile == "oasis" else None,
        rules.exchange_nets,
    )
    shares = dict.fromkeys(("fold", "call", "exchange"), Fraction(1, 3))
    return PlayedGame(rules, "no rule", 1, dealer, 1, shares, Fraction(0), None, {})


def logged(game: PlayedGame, rounds: int, seed: int = 1) -> pl.DataFrame:
    def frame(first: int, block: SimulatedRounds) -> pl.DataFrame:
        return round_frame(game.rules, first, block, exchange=game.exchanges > 0)

    return pl.concat(dealt(game.dealer, rounds, seed, frame, cards=True, threads=2))


def settled(game: PlayedGame, row: dict[str, Any]) -> pycs.Settlement:
    beside: dict[str, Any] = {"board": row["board"]} if "board" in row else {}
    if row.get("gave_up"):
        beside["gave_up"] = [row["gave_up"]]
    return pycs.settle(game.rules, row["player"], row["dealer"], row["action"], **beside)


class TestRounds:
    def test_columns(self, us: PlayedGame, holdem: PlayedGame) -> None:
        stud = ["round", "player", "upcard", "dealer", "action", "ante", "call", "net"]
        assert logged(us, 5).columns == stud
        assert logged(exchanging("three-box"), 5).columns == [*stud[:-1], "gave_up", "fees", "net"]
        assert logged(exchanging("oasis"), 5).columns == [*stud[:-1], "dealt", "gave_up", "fees", "net"]
        assert logged(holdem, 5).columns == ["round", "player", "board", *stud[3:]]
        frame = logged(us, BLOCK + 5)
        assert frame["round"].to_list() == list(range(1, BLOCK + 6))
        assert (frame["upcard"] == frame["dealer"].str.head(2)).all()
        assert frame.schema == log_schema(us.rules, exchange=False)
        assert frame.null_count().sum_horizontal().item() == 0

    @pytest.mark.parametrize("profile", ["us", "casino-holdem", "three-box", "triple-exchange", "oasis"])
    def test_settled_again(self, profile: str, us: PlayedGame, holdem: PlayedGame) -> None:
        game = {"us": us, "casino-holdem": holdem}.get(profile) or exchanging(profile)
        for row in logged(game, 400, 6).iter_rows(named=True):
            again = settled(game, row)
            assert row["net"] == again.net
            assert (row["ante"], row["call"]) == (1, 2 * (row["action"] == "call"))
            assert row.get("fees", 0) == (again.fees if game is not holdem else 0)

    def test_counts_are_those_of_the_rows(self, us: PlayedGame, holdem: PlayedGame) -> None:
        for game in (us, holdem, exchanging("three-box"), exchanging("oasis")):
            counts = sum(dealt(game.dealer, 20_000, 7, lambda _, block: block.counts, threads=2))
            with_cards = sum(dealt(game.dealer, 20_000, 7, lambda _, block: block.counts, cards=True, threads=1))
            assert np.array_equal(counts, with_cards)
            frame = logged(game, 20_000, 7)
            ends = game.ends_of(counts)
            assert sum(ends.values()) == 20_000
            nets: Counter[int] = Counter()
            for (_, _, net), rounds in ends.items():
                nets[net] += rounds
            assert +nets == Counter(frame["net"].to_list())

    def test_actions_are_those_of_the_strategy(self, us: PlayedGame, holdem: PlayedGame) -> None:
        for game, kernel in ((us, STUD), (holdem, HOLDEM)):
            cards = cards_of(game.dealer, 50_000, 11)[:, : kernel.hand + kernel.seen]
            calls = logged(game, 50_000, 11)["action"] == "call"
            assert np.array_equal(game.dealer.by_deal[kernel.indices(cards)] == CALL, calls.to_numpy())
            if game is us:
                best = [pycs.decide(game.rules, row[:5].tolist(), row[5:].tolist()).action for row in cards[:300]]
                assert best == logged(game, 300, 11)["action"].to_list()

    def test_most_decisions_need_no_look_up(self, us: PlayedGame) -> None:
        dealer = us.dealer
        assert isinstance(dealer, StudDealer)
        plain = StudDealer(dealer.qualify, np.full((7463, 13), LOOK, np.uint8), dealer.by_deal)
        quick, slow = (each.rounds(random_start(2), 200_000).counts for each in (dealer, plain))
        assert np.array_equal(quick, slow)
        assert (dealer.by_strength[1:] == LOOK).mean() < 0.05

    @pytest.mark.parametrize("profile", ["three-box", "oasis"])
    def test_new_hands_are_played_at_best(self, profile: str) -> None:
        game = exchanging(profile)
        exchanged = logged(game, 1500, 3).filter(pl.col("gave_up") != "").head(150)
        assert exchanged["action"].n_unique() == 2
        for row in exchanged.iter_rows(named=True):
            best = pycs.decide(game.rules, row["player"], row["upcard"], known=row["gave_up"], exchanges=0)
            assert row["action"] == best.action

    def test_first_actions_with_an_exchange(self) -> None:
        game, before = exchanging("triple-exchange"), cards_of(same_for_all(FOLD), 20_000, 5)[:, :6]
        actions = game.dealer.by_deal[STUD.indices(before)]
        frame = logged(game, 20_000, 5)
        assert ((frame["gave_up"] != "").to_numpy() == (actions == EXCHANGE)).all()
        kept = actions != EXCHANGE
        assert ((frame["action"] == "call").to_numpy()[kept] == (actions[kept] == CALL)).all()
        first = game.ends_of(sum(dealt(game.dealer, 20_000, 5, lambda _, block: block.counts)))
        folds = sum(rounds for (event, exchanged, _), rounds in first.items() if event == "fold" and not exchanged)
        assert folds == (actions == FOLD).sum()

    def test_cards_dealt_first(self) -> None:
        frame, first = logged(exchanging("oasis"), 1000, 5), cards_of(same_for_all(FOLD), 1000, 5)
        assert frame["dealt"].to_list() == [pycs.format_cards(row[:5]) for row in first]
        for dealt_first, gave_up, player in frame["dealt", "gave_up", "player"].iter_rows():
            assert gave_up in dealt_first
            kept = dealt_first.replace(gave_up, "") if gave_up else dealt_first
            assert all(kept[place : place + 2] in player for place in range(0, len(kept), 2))

    def test_ends(self, holdem: PlayedGame) -> None:
        counts = np.zeros((2, 7, 10), np.int64)
        counts[0, 1 + STATES.index("behind"), 5] = 3  # a flush, when the dealer does not qualify
        counts[0, 1 + STATES.index("win"), 4] = 2
        counts[0, 1 + STATES.index("lose"), 9] = 1
        ends = {end: rounds for end, rounds in holdem.ends_of(counts).items() if rounds}
        assert ends == {
            ("dealer does not qualify, flush", False, 2): 3,
            ("straight or less", False, 3): 2,
            ("dealer wins", False, -3): 1,
        }
        counts[:] = 0
        counts[1, 0, 0], counts[1, 4, 9] = 5, 1
        ends = exchanging("oasis").ends_of(counts)
        assert ends == {("fold", True, -2): 5, ("royal flush", True, 200): 1}


# --- samples ------------------------------------------------------------------------------------------------------


class TestSamples:
    @pytest.mark.parametrize(
        ("profile", "strategy", "seed"),
        [
            ("us", "optimal", 1),
            ("us", "three-rules", 2),
            ("casino-holdem", "optimal", 3),
            ("casino-holdem", "common-rules", 4),
            ("three-box", "call when pair >= 8 or category > 'pair'", 5),
        ],
    )
    def test_stand_where_they_should(self, profile: str, strategy: str, seed: int) -> None:
        sample = pycs.simulate(profile, 1_000_000, strategy=strategy, seed=seed, exchanges=0)
        assert sample.z is not None
        assert abs(sample.z) < 4
        assert sample.variance is not None
        assert sample.standard_error == sqrt(sample.variance / 1_000_000)
        if strategy == "three-rules":
            assert sample.value == Fraction(-1041417758724, 19933230517200)
        assert sum(each.rounds for each in sample.outcomes) == sum(sample.actions.values()) == sample.rounds
        assert sum(each.expected or 0 for each in sample.outcomes) == 1
        assert sum((each.expected or 0) * each.net for each in sample.outcomes) == sample.value
        for each in sample.outcomes:
            assert each.expected is not None
            share = float(each.expected)
            assert abs(each.rounds - 1e6 * share) < 5 * sqrt(1e6 * share * (1 - share)) + 3
        assert abs(float(sample.sample_variance or 0) / float(sample.variance) - 1) < 0.1

    def test_same_seed_same_sample(self) -> None:
        one = pycs.simulate("us", 70_000, seed=5, threads=1)
        assert pycs.simulate("us", 70_000, seed=5, threads=3) == one
        assert pycs.simulate("us", 70_000, seed=6).net != one.net

    def test_of_an_exchange(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        monkeypatch.setattr(simulation, "played_game", lambda *_: exchanging("three-box"))
        sample = pycs.simulate("three-box", 30_000, out=tmp_path / "rounds.parquet")
        assert sample.variance is None
        frame = pl.read_parquet(tmp_path / "rounds.parquet")
        assert sample.net == frame["net"].sum()
        assert sample.standard_error == pytest.approx(frame["net"].std() / sqrt(30_000))
        document = sample.to_dict()
        assert document["standard_error_by"] == "the sample"
        assert sum(document["actions"].values()) == 30_000
        assert document["actions"]["exchange"] == (frame["gave_up"] != "").sum()
        assert all(each["expected"] is None for each in document["outcomes"])

    def test_in_words(self, us: PlayedGame) -> None:
        def sample(*ends: tuple[str, int, int]) -> pycs.Simulation:
            outcomes = tuple(simulation.SimulatedOutcome(event, False, net, n, None) for event, net, n in ends)
            rounds = sum(n for _, _, n in ends)
            return pycs.Simulation(us.rules, "s", 1, rounds, 1, {}, {}, outcomes, us.value, None)

        assert stands(sample(("fold", -1, 1))) == "one round tells nothing"
        assert stands(sample(("fold", -1, 9))) == "all rounds ended alike: that tells nothing"
        near = stands(sample(("fold", -1, 520), ("dealer does not qualify", 1, 480)))
        assert near == "0.39 standard errors above the exact value; by chance 70% of samples are as far off, or further"
        assert "below the exact value; by chance one of " in stands(sample(("fold", -1, 55), ("push", 0, 445)))
        assert "fewer than one of 10^15" in stands(sample(("fold", -1, 60_000), ("push", 0, 40_000)))


class TestLogs:
    @pytest.mark.parametrize("suffix", [".csv", ".parquet", ".CSV"])
    def test_written_as_dealt(self, tmp_path: Path, suffix: str) -> None:
        rounds = 2 * BLOCK + 9
        path = tmp_path / f"rounds{suffix}"
        sample = pycs.simulate("us", rounds, seed=3, out=path, threads=1)
        frame = pl.read_parquet(path) if suffix == ".parquet" else pl.read_csv(path)
        assert frame.equals(pl.concat(pycs.simulated_rounds("us", rounds, seed=3, threads=3)))
        assert sample.net == frame["net"].sum()
        assert sample.path == str(path)
        before = path.read_bytes()
        pycs.simulate("us", rounds, seed=3, out=path, threads=3)
        assert suffix == ".parquet" or path.read_bytes() == before
        assert [each.name for each in tmp_path.iterdir()] == [path.name]

    @pytest.mark.parametrize("suffix", [".csv", ".parquet"])
    @pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError, OSError(28, "No space left on device")])
    def test_an_interruption_leaves_nothing(
        self,
        suffix: str,
        error: BaseException,
        us: PlayedGame,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        def interrupted(rules: pycs.Rules, first: int, block: SimulatedRounds, *, exchange: bool) -> pl.DataFrame:
            if first > BLOCK:
                raise error
            return round_frame(rules, first, block, exchange=exchange)

        monkeypatch.setattr(simulation, "played_game", lambda *_: us)
        monkeypatch.setattr(simulation, "round_frame", interrupted)
        kind = error if isinstance(error, type) else type(error)
        with pytest.raises(kind):
            pycs.simulate("us", 3 * BLOCK, out=tmp_path / f"rounds{suffix}")
        assert list(tmp_path.iterdir()) == []

    def test_a_full_disk_is_told(self, us: PlayedGame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def full(*_: object) -> None:
            raise pl.exceptions.ComputeError("parquet: No space left on device")

        monkeypatch.setattr(simulation, "played_game", lambda *_: us)
        monkeypatch.setattr(pl.LazyFrame, "sink_parquet", full)
        with pytest.raises(OSError, match="No space left") as told:
            pycs.simulate("us", 10, out=tmp_path / "rounds.parquet")
        assert told.value.filename == str(tmp_path / "rounds.parquet")

    def test_the_last_frames_are_not_dealt_unasked(self, us: PlayedGame) -> None:
        """A look at the first frame of a trillion rounds takes no trillion rounds."""
        frames = dealt(us.dealer, MOST_ROUNDS, 1, lambda first, _: first, threads=2)
        assert list(islice(frames, 3)) == [1, BLOCK + 1, 2 * BLOCK + 1]
        frames.close()  # type: ignore[attr-defined]


class TestRefusals:
    @pytest.mark.parametrize(
        ("wrong", "parts"),
        [
            ({"rounds": 0}, "the rounds 0: 1 to 1,000,000,000,000 are allowed"),
            ({"rounds": True}, "the rounds True"),
            ({"rounds": 1.5}, "the rounds 1.5"),
            ({"rounds": MOST_ROUNDS + 1}, "are allowed"),
            ({"seed": -1}, "the seed -1: a whole number from 0 to 18446744073709551615"),
            ({"threads": 0}, "the threads 0: 1 to 999 are allowed"),
            ({"strategy": "nonsense"}, "the strategy 'nonsense'"),
            ({"strategy": "exchange when pair > 0"}, "exchange is not allowed, fold, call are on offer in us"),
            ({"exchanges": 1}, "exchanges left 1: us is valued with 0"),
            ({"exchanges": False}, "exchanges left False"),
            ({"profile": "nobody"}, "nobody"),
            ({"out": "rounds.txt"}, "the log 'rounds.txt'"),
            ({"out": "/nowhere/rounds.csv"}, "there is no folder /nowhere"),
            ({"out": 5}, "the log 5"),
        ],
    )
    def test_python(self, wrong: dict[str, Any], parts: str) -> None:
        asked: dict[str, Any] = {"profile": "us", "rounds": 10, **wrong}
        with pytest.raises(InputError) as told:
            pycs.simulate(**asked)
        assert parts in str(told.value)
        if "out" not in wrong:
            with pytest.raises(InputError):
                pycs.simulated_rounds(**asked)

    @pytest.mark.parametrize(
        ("arguments", "parts"),
        [
            (("us", "-n", "ten"), ("'ten'", "whole number")),
            (("us", "-n", "0"), ("the rounds 0",)),
            (("us",), ("--rounds is missing",)),
            (("us", "-n", "5", "--seed", "1.5"), ("the seed '1.5'",)),
            (("us", "-n", "5", "--threads", "0"), ("the threads 0",)),
            (("us", "-n", "5", "-o", "rounds.png"), ("'rounds.png'", ".csv or .parquet")),
            (("us", "-n", "5", "--exchanges", "x"), ("exchanges left 'x'",)),
            (("triple-exchange", "-n", "5", "--exchanges", "2"), ("exchanges left 2", "at most one left")),
        ],
    )
    def test_command_line(self, arguments: tuple[str, ...], parts: tuple[str, ...]) -> None:
        refused(run("simulate", *arguments), *parts)


class TestCommand:
    def test_json_alone_on_stdout(self, tmp_path: Path) -> None:
        log = str(tmp_path / "rounds.csv")
        document = run("simulate", "us", "-n", "20000", "--seed", "7", "-o", log, "--json").document
        assert document == {**pycs.simulate("us", 20_000, seed=7).to_dict(), "path": log}
        assert {"profile", "strategy", "rounds", "seed", "net", "mean", "exact", "standard_error", "z"} <= set(document)
        assert document["net"] == pl.read_csv(log)["net"].sum()
        json.dumps(document, allow_nan=False)

    def test_people(self, tmp_path: Path) -> None:
        log = tmp_path / "rounds.parquet"
        ran = run("simulate", "casino-holdem", "-n", "20000", "--strategy", "always-call", "--out", str(log))
        assert (ran.code, ran.err) == (0, "")
        for part in ("20,000, strategy always-call, seed 1", str(log), "standard errors", "by the exact variance"):
            assert part in ran.out
        assert "\ndealer does not qualify, straight or less" in ran.out
        assert pl.read_parquet(log).height == 20_000

    def test_other_pays(self, monkeypatch: pytest.MonkeyPatch) -> None:
        asked = []

        def told(rules: pycs.Rules, *_: object) -> PlayedGame:
            asked.append(rules)
            return exchanging("three-box")

        monkeypatch.setattr(simulation, "played_game", told)
        assert run("simulate", "us", "-n", "100", "--pays", "pair=2", "--json").code == 0
        assert asked == [pycs.rules_with_pays("us", {"pair_or_less": 2})]

    def test_says_what_is_left_out(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(simulation, "played_game", lambda rules, *_: exchanging(rules.name))
        ran = run("simulate", "triple-exchange", "-n", "1000")
        assert "one exchange at most was made" in ran.out
        assert "after the exchange: fold" in ran.out
        assert "by the sample's own variance" in ran.out
        assert "of one box, the first" in run("simulate", "three-box", "-n", "1000").out
