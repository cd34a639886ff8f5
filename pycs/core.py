"""The only door to the compiled core: every buffer and every card is checked here before C sees it.

Cards are 0..51 = 4 x rank + suit (ranks 2..A are 0..12, suits c d h s are 0..3). A *strength* is one of 7,462 classes
of hands, 1 to 7462, higher is better. A `Kernel` counts one game: `STUD` (a deal is the player's five cards in any
order, then the dealer's upcard) and `HOLDEM` (two hole cards in any order, then the flop's three in any order).

Every function may be called from any number of threads at once, and lets other threads run while C works.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import comb, floor
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from pycs.cards import format_cards
from pycs.errors import InputError
from pycs.messages import quoted

try:
    from pycs._core import ffi, lib
except ImportError as error:
    raise ImportError(
        "the compiled core of pycs is not here: this is the source folder of a copy installed elsewhere; "
        "work from another folder, or install this one with 'pip install -e .'"
    ) from error

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import ArrayLike, NDArray

STRENGTHS: int = lib.PYCS_STRENGTHS


def version() -> str:
    """The version the core was compiled as.

    >>> version() == "" or version()[0].isdigit()
    True
    """
    return str(ffi.string(lib.pycs_version()).decode())


def rank_hands(hands: ArrayLike) -> NDArray[np.uint16]:
    """The strength of the best five cards of each hand.

    `hands` is an array of whole numbers of shape (n, 5), (n, 6) or (n, 7); uint8 in C order is taken without a copy.
    Returns n strengths, 1 to 7462, higher is better. A card outside 0..51, or twice in a hand, is an InputError that
    names the row.

    >>> rank_hands([[51, 47, 43, 39, 35], [0, 4, 8, 12, 21]])
    array([7462,    1], dtype=uint16)
    """
    cards = _cards(hands, (5, 6, 7), "hands")
    strengths = np.empty(len(cards), np.uint16)
    done = lib.pycs_rank_hands(_in(cards), len(cards), cards.shape[1], _out("uint16_t[]", strengths))
    _require_all(cards, done, "hand")
    return strengths


def category_floor(category: int) -> int:
    """The lowest strength of a category, 0 (high card) to 9 (royal flush); 7463 for 10, one past the last strength.

    >>> [category_floor(category) for category in range(11)]
    [1, 1278, 4138, 4996, 5854, 5864, 7141, 7297, 7453, 7462, 7463]
    """
    if not isinstance(category, (int, np.integer)) or not 0 <= category <= 10:
        raise InputError(f"the category {quoted(category)}: 0 to 10 are allowed")
    return int(lib.pycs_category_floor(category))


@dataclass(frozen=True)
class Kernel:
    """How one game is counted. `name` is how the core calls the game; a deal is `hand` cards, then `seen` cards.

    Counts come as arrays of uint32, shape (outcomes, n), in the order of `pycs.h`; each column adds up to
    `completions`. `qualify` is the lowest strength with which the dealer qualifies.
    """

    name: str
    hand: int
    seen: int
    deals: int
    completions: int
    outcomes: int

    def indices(self, deals: ArrayLike) -> NDArray[np.uint32]:
        """The canonical index of each deal, 0 to `deals` - 1; `deals` has shape (n, hand + seen).

        Deals that a relabeling of the suits turns into each other share an index.

        >>> STUD.indices([[51, 46, 36, 24, 7, 40], [48, 45, 39, 27, 4, 43]])
        array([3657254, 3657254], dtype=uint32)
        """
        cards = self._deals(deals)
        indices = np.empty(len(cards), np.uint32)
        done = self._indices(_in(cards), len(cards), _out("uint32_t[]", indices))
        _require_all(cards, done, "deal")
        return indices

    def index(self, deal: Sequence[int]) -> int:
        """The canonical index of one deal, card numbers: `indices` without the arrays, for a quick look-up.

        >>> STUD.index([51, 46, 36, 24, 7, 40])
        3657254
        """
        cards = _as_bytes(deal)
        index = ffi.new("uint32_t[1]")
        width = self.hand + self.seen
        if len(cards) != width or self._indices(cards, 1, index) != 1:
            raise InputError(f"the deal {quoted(deal)}: {width} different numbers 0 to 51 are needed")
        return int(index[0])

    def canonical_deals(self, indices: ArrayLike) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        """The canonical deal of each index, shape (n, hand + seen), and its weight: how many raw deals it stands for.

        >>> deals, weights = STUD.canonical_deals([0, 5649149])
        >>> deals[0].tolist(), weights.tolist()
        ([19, 15, 11, 7, 3, 23], [4, 12])
        """
        wanted = _array(indices, "indices")
        if wanted.ndim != 1 or wanted.dtype.kind not in "iu":
            raise InputError(f"indices of {wanted.dtype} and shape {wanted.shape}: one row of whole numbers is needed")
        if len(wanted) and (wanted.min() < 0 or wanted.max() >= self.deals):
            raise InputError(f"indices from {wanted.min()} to {wanted.max()}: 0 to {self.deals - 1} are allowed")
        wanted = np.ascontiguousarray(wanted, np.uint32)
        deals = np.empty((len(wanted), self.hand + self.seen), np.uint8)
        weights = np.empty(len(wanted), np.uint8)
        self._function("deals")(
            ffi.from_buffer("uint32_t[]", wanted), len(wanted), _out("uint8_t[]", deals), _out("uint8_t[]", weights)
        )
        return deals, weights

    def walk(self, deals: ArrayLike, qualify: int) -> NDArray[np.uint32]:
        """The obvious road: all completions of each deal, ranked and compared one by one.

        About a tenth of a millisecond a deal of Caribbean Stud, a millisecond of Casino Hold'em.

        >>> STUD.walk([[51, 46, 37, 24, 7, 40]], 1114)[:, 0].tolist()
        [74649, 0, 0, 88536]
        """
        return self._count("walk", deals, qualify)

    def count(self, deals: ArrayLike, qualify: int) -> NDArray[np.uint32]:
        """The same counts as `walk`, by ranks and multiplicities: quicker, and by other means.

        >>> STUD.count([[51, 46, 37, 24, 7, 40]], 1114)[:, 0].tolist()
        [74649, 0, 0, 88536]
        """
        return self._count("count", deals, qualify)

    def known(
        self, deal: Sequence[int], dealer: Sequence[int], dead: Sequence[int], qualify: int, *, walk: bool = False
    ) -> list[int]:
        """The counts of one deal when more cards are known: `dealer`'s, and `dead` ones, which are out of play.

        Stud has up to 4 further cards of the dealer and 41 dead ones, hold'em 2 and 43. The counts add up to the number
        of completions that are left. By ranks and multiplicities; with `walk`, card by card.

        >>> STUD.known([51, 46, 37, 24, 7, 40], dealer=[36, 32, 28, 27], dead=[], qualify=1114)
        [0, 0, 0, 1]
        """
        _require_strength(qualify)
        in_sight, more, out = (_as_bytes(group) for group in (deal, dealer, dead))
        five, dealers = in_sight[:5], in_sight[5:] + more
        counts = ffi.new("uint64_t[]", self.outcomes)
        count = self._function("walk_known" if walk else "count_known")
        right = len(in_sight) == self.hand + self.seen
        if not right or count(five, dealers, len(dealers), out, len(out), qualify, counts) != 0:
            raise InputError(
                f"the deal {quoted(deal)} with {quoted(dealer)} of the dealer and {quoted(dead)} dead: "
                "different numbers 0 to 51 are needed, and not too many"
            )
        return [int(count) for count in counts]

    def sweep(self, qualify: int) -> NDArray[np.uint32]:
        """The counts of all canonical deals, in the order of their indices, in about a second.

        Raises MemoryError when the memory that the sweep works in can't be had: some 30 MB for Caribbean Stud, 90 MB
        for Casino Hold'em.
        """
        _require_strength(qualify)
        counts = np.empty((self.outcomes, self.deals), np.uint32)
        if self._function("sweep")(qualify, _out("uint32_t[]", counts)) != 0:
            raise MemoryError("no memory for the sweep")
        return counts

    def _count(self, road: str, deals: ArrayLike, qualify: int) -> NDArray[np.uint32]:
        _require_strength(qualify)
        cards = self._deals(deals)
        counts = np.empty((self.outcomes, len(cards)), np.uint32)
        done = self._function(road)(_in(cards), len(cards), qualify, _out("uint32_t[]", counts))
        _require_all(cards, done, "deal")
        return counts

    def _deals(self, deals: ArrayLike) -> NDArray[np.uint8]:
        return _cards(deals, (self.hand + self.seen,), "deals")

    @cached_property
    def _indices(self) -> Any:
        return self._function("indices")

    def _function(self, what: str) -> Any:
        return getattr(lib, f"pycs_{self.name}_{what}")


STUD: Final = Kernel(
    name="stud",
    hand=5,
    seen=1,
    deals=lib.PYCS_STUD_DEALS,
    completions=lib.PYCS_STUD_COMPLETIONS,
    outcomes=lib.PYCS_STUD_OUTCOMES,
)
HOLDEM: Final = Kernel(
    name="holdem",
    hand=2,
    seen=3,
    deals=lib.PYCS_HOLDEM_DEALS,
    completions=lib.PYCS_HOLDEM_COMPLETIONS,
    outcomes=lib.PYCS_HOLDEM_OUTCOMES,
)


NEVER_FOLDED: Final = 1 - 2**31
"""A net result of folding so low that every hand is called, for the `nets` of `stud_exchange`."""


def stud_exchange(
    kept: Sequence[int],
    dealer: Sequence[int],
    dead: Sequence[int],
    qualify: int,
    nets: Sequence[int],
    *,
    plain: bool = False,
) -> list[list[int]]:
    """The last exchange of a stud player: over all draws to the `kept` cards, and after each all of the dealer's.

    `dealer` are the dealer's cards that are seen, 1 to 5, `dead` the cards that are out of play, those given up among
    them. `nets` are the net results of fold, not qualified, push, loss, and of a win by the new hand's category, from
    high card to royal flush: fold or call, whichever brings more in all. Gives back, by that category, how many pairs
    of a draw and a completion end in: fold, not qualified, win, push, loss. Some milliseconds; `plain` goes card by
    card, which is for few cards left.

    InputError for cards that cannot be, or too few left.

    >>> nets = [-1, 1, 0, -3, 3, 3, 5, 7, 9, 11, 15, 41, 101, 201]
    >>> counts = stud_exchange([], [40], [51, 46, 37, 24, 7], 1114, nets)
    >>> sum(map(sum, counts)) == 1_370_754 * 101_270
    True
    """
    _require_strength(qualify)
    cards = [_as_bytes(group) for group in (kept, dealer, dead)]
    counts = ffi.new("uint64_t[10][5]")
    function = lib.pycs_stud_exchange_plain if plain else lib.pycs_stud_exchange
    groups = [argument for group in cards for argument in (group, len(group))]
    if len(nets) != 14 or function(*groups, qualify, list(nets), counts) != 0:
        raise InputError(
            f"an exchange that keeps {quoted(kept)} against {quoted(dealer)} with {quoted(dead)} dead: "
            "different numbers 0 to 51 are needed, and enough cards left"
        )
    return [[int(count) for count in row] for row in counts]


NOT_WORTH_IT: Final = -(2**63)
"""What stands in place of the total of an exchange that falls short, see `stud_exchange_again`."""


def stud_exchange_again(
    dealer: Sequence[int], dead: Sequence[int], qualify: int, nets: Sequence[int], least_gain: Fraction | None = None
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Every hand of five that a stud player can draw, played on, and given up once more for the last exchange.

    `dealer`, `dead` and `nets` as for `stud_exchange`. The hands come in the lexicographic order of the cards left. The
    first array has for each the larger of the totals of fold and call over the dealer's completions; the second one the
    total of giving it up, over all pairs of a further draw and a completion, without a fee. With `least_gain`, in
    antes, hands may be left out of the second one whose exchange is worth no more than that beyond staying;
    `NOT_WORTH_IT` stands for them. Some tenths of a second.

    InputError for cards that cannot be, too few left, or nets that are too large for totals of 64 bits.

    >>> nets = [-1, 1, 0, -3, 3, 3, 5, 7, 9, 11, 15, 41, 101, 201]
    >>> dead = [card for card in range(52) if card not in (40, *range(14))]
    >>> stay, again = stud_exchange_again([40], dead, 1114, nets)
    >>> len(stay), len(again), int(stay[0]), int(again[0])
    (2002, 2002, 5122, 952)
    """
    _require_strength(qualify)
    rows = comb(max(0, 52 - len(dealer) - len(dead)), 5)
    stay, again = np.empty(rows, np.int64), np.empty(rows, np.int64)
    least = -(2**63) if least_gain is None else floor(least_gain * 1_000_000)
    cards = [argument for group in (dealer, dead) for argument in (_as_bytes(group), len(group))]
    totals = _out("int64_t[]", stay), _out("int64_t[]", again)
    if len(nets) != 14 or lib.pycs_stud_exchange_again(*cards, qualify, list(nets), least, *totals) != 0:
        raise InputError(
            f"two exchanges against {quoted(dealer)} with {quoted(dead)} dead: different numbers 0 to 51 are needed, "
            "enough cards left, and net results that are not too large"
        )
    return stay, again


LARGEST_NET: Final[int] = lib.PYCS_STUD_LARGEST_NET
"""The largest net result that `stud_exchange_sweep` takes, in size; that of a fold may be as low as `NEVER_FOLDED`."""


def stud_exchange_sweep(
    qualify: int, nets: Sequence[int], *, progress: Callable[[], object] | None = None
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The last exchange of all five cards for every canonical deal of stud, in the order of their indices.

    `nets` as for `stud_exchange`. The first array has for each deal the total of nets, without a fee, over all
    1,370,754 x 101,270 pairs of a new hand and a completion of the dealer's; the second one how many of these pairs are
    of a new hand that is called. A new hand is called if that brings more in all than its fold. `progress` is called
    after each of the thirteen ranks of the upcard.

    Some 22 seconds of one core, shared by all cores, and 10 to 40 MB for each of them; twice that where totals may
    reach 2^42, as with a net of 32 for a fold, a loss or a pair. InputError for a strength or nets out of their range,
    MemoryError when the memory can't be had.
    """
    _require_strength(qualify)
    nets = list(nets)
    if len(nets) != 14:
        raise InputError(f"{len(nets)} net results: 14 are needed")
    lowest = [NEVER_FOLDED, *[-LARGEST_NET] * 13]
    if wrong := [net for net, low in zip(nets, lowest, strict=True) if not low <= net <= LARGEST_NET]:
        raise InputError(f"a net result of {wrong[0]:,}: {-LARGEST_NET:,} to {LARGEST_NET:,} are allowed")
    totals, called = np.empty(STUD.deals, np.int64), np.empty(STUD.deals, np.int64)
    pool = ThreadPoolExecutor(os.cpu_count())
    try:
        ranks = [pool.submit(_sweep_exchange, rank, qualify, nets, totals, called) for rank in range(13)]
        for rank in as_completed(ranks):
            rank.result()
            if progress is not None:
                progress()
    finally:
        pool.shutdown(cancel_futures=True)
    return totals, called


def _sweep_exchange(
    rank: int, qualify: int, nets: list[int], totals: NDArray[np.int64], called: NDArray[np.int64]
) -> None:
    """The part of `stud_exchange_sweep` with an upcard of one rank: its entries of both arrays."""
    out = _out("int64_t[]", totals), _out("int64_t[]", called)
    if lib.pycs_stud_exchange_sweep(rank, qualify, nets, *out) != 0:
        raise MemoryError("no memory for the exchange of every deal")


def random_start(seed: int) -> NDArray[np.uint64]:
    """The stream of xoshiro256** that a seed of 64 bits leads to, by SplitMix64: four words, its state.

    >>> random_start(1).tolist()[0]
    10451216379200822465
    """
    if not isinstance(seed, (int, np.integer)) or isinstance(seed, bool) or not 0 <= seed < 2**64:
        raise InputError(f"the seed {quoted(seed)}: a whole number from 0 to {2**64 - 1} is allowed")
    stream = np.empty(4, np.uint64)
    lib.pycs_random_start(int(seed), _out("uint64_t[]", stream))
    return stream


def random_jump(stream: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The stream 2^128 words on: streams of one seed, so many jumps apart, never meet.

    >>> random_jump(np.array([1, 0, 0, 0], np.uint64)).tolist()[0]
    5639357237242445491
    """
    jumped = _stream(stream).copy()
    lib.pycs_random_jump(_out("uint64_t[]", jumped))
    return jumped


def random_words(stream: NDArray[np.uint64], count: int) -> NDArray[np.uint64]:
    """The next words of a stream, each of 64 bits; the stream stays as it is.

    >>> random_words(np.array([1, 2, 3, 4], np.uint64), 3).tolist()
    [11520, 0, 1509978240]
    """
    if not isinstance(count, (int, np.integer)) or count < 0:
        raise InputError(f"{quoted(count)} words: 0 or more are allowed")
    words, drawn = np.empty(count, np.uint64), _stream(stream).copy()
    lib.pycs_random_words(_out("uint64_t[]", drawn), count, _out("uint64_t[]", words))
    return words


class SimulatedRounds(NamedTuple):
    """Rounds that were dealt, decided and settled.

    `counts` (int64, shape (2, 7, 10)): how many were played without and with an exchange, by their end (a fold, then
    `pycs.settlings.STATES`) and the category of the player's final hand, from high card up. `cards` (uint8) has a row
    for each round, or is None: of stud, shape (n, 15), the player's final five, the dealer's five with the upcard
    first, and the cards given up, each where it stood in the hand, `NO_CARD` for those that were kept; of hold'em,
    shape (n, 9), the player's two, the board's five with the flop first, the dealer's two. `called` (bool, n): whether
    the round ended in a call.
    """

    counts: NDArray[np.int64]
    cards: NDArray[np.uint8] | None
    called: NDArray[np.bool_] | None


NO_CARD: Final = 255
"""What stands in place of a card that is not there."""

LOOK: Final = 3
"""What `by_strength` of a `StudDealer` says where deals of one strength and upcard are not all played alike."""


@dataclass(frozen=True, eq=False)
class StudDealer:
    """Deals rounds of stud, decides and settles them: some 30 nanoseconds each; an exchange takes some 10 microseconds.

    `by_deal` (uint8) is the action in each canonical deal, 0 fold, 1 call, 2 exchange; `by_strength` (uint8, shape
    (7463, 13)) the action by the strength of the player's five cards and the upcard's rank, `LOOK` where it is not one
    alone. With `nets`, as for `stud_exchange`, an exchange is on offer: of all five cards, or of the one whose place in
    the canonical deal's hand `gives_up` (uint8) says, by deal. The new hand is folded or called, whichever brings more
    in all. `pycs.h` says how cards are dealt. InputError for arrays of another shape and numbers out of their range.
    Safe to share among threads; the arrays must not be written to.
    """

    qualify: int
    by_strength: NDArray[np.uint8]
    by_deal: NDArray[np.uint8]
    gives_up: NDArray[np.uint8] | None = None
    nets: Sequence[int] | None = None

    def __post_init__(self) -> None:
        """Refuse what C could not use."""
        _require_strength(self.qualify)
        _require_table(self.by_strength, (STRENGTHS + 1, 13), LOOK)
        _require_table(self.by_deal, (STUD.deals,), 2)
        if self.gives_up is not None:
            _require_table(self.gives_up, (STUD.deals,), 4)
        if self.nets is not None and len(self.nets) != 14:
            raise InputError(f"{len(self.nets)} net results: 14 are needed")

    def rounds(self, stream: NDArray[np.uint64], rounds: int, *, cards: bool = False) -> SimulatedRounds:
        """The first so many rounds from a stream; `cards`: whether every one is given back, beside the counts."""
        out = _simulated(rounds, 15, cards)
        lib.pycs_stud_simulate(
            ffi.from_buffer("uint64_t[]", _stream(stream)),
            rounds,
            self.qualify,
            _in(self.by_strength),
            _in(self.by_deal),
            ffi.NULL if self.gives_up is None else _in(self.gives_up),
            ffi.NULL if self.nets is None else ffi.new("int64_t[14]", list(self.nets)),
            ffi.cast("uint64_t(*)[7][10]", _out("int64_t[]", out.counts)),
            *_rows(out),
        )
        return out


@dataclass(frozen=True, eq=False)
class HoldemDealer:
    """Deals rounds of hold'em, decides and settles them, some 130 nanoseconds each; all as in `StudDealer`."""

    qualify: int
    by_deal: NDArray[np.uint8]

    def __post_init__(self) -> None:
        """Refuse what C could not use."""
        _require_strength(self.qualify)
        _require_table(self.by_deal, (HOLDEM.deals,), 1)

    def rounds(self, stream: NDArray[np.uint64], rounds: int, *, cards: bool = False) -> SimulatedRounds:
        """The first so many rounds from a stream; `cards`: whether every one is given back, beside the counts."""
        out = _simulated(rounds, 9, cards)
        lib.pycs_holdem_simulate(
            ffi.from_buffer("uint64_t[]", _stream(stream)),
            rounds,
            self.qualify,
            _in(self.by_deal),
            ffi.cast("uint64_t(*)[10]", _out("int64_t[]", out.counts)),
            *_rows(out),
        )
        return out


def _simulated(rounds: int, width: int, cards: bool) -> SimulatedRounds:
    """Room for so many rounds, each counted as none yet."""
    if not isinstance(rounds, (int, np.integer)) or rounds < 0:
        raise InputError(f"{quoted(rounds)} rounds: 0 or more are allowed")
    counts = np.zeros((2, 7, 10), np.int64)
    if not cards:
        return SimulatedRounds(counts, None, None)
    return SimulatedRounds(counts, np.empty((rounds, width), np.uint8), np.empty(rounds, np.bool_))


def _rows(out: SimulatedRounds) -> tuple[Any, Any]:
    if out.cards is None or out.called is None:
        return ffi.NULL, ffi.NULL
    return _out("uint8_t[]", out.cards), _out("uint8_t[]", out.called.view(np.uint8))


def _stream(stream: NDArray[np.uint64]) -> NDArray[np.uint64]:
    words = np.ascontiguousarray(stream, np.uint64)
    if words.shape != (4,) or not words.any():
        raise InputError(f"a stream {quoted(stream)}: four words are needed, not all zero")
    return words


def _require_table(array: NDArray[np.uint8], shape: tuple[int, ...], most: int) -> None:
    right = array.dtype == np.uint8 and array.shape == shape and array.flags.c_contiguous
    if not right or array.max() > most:
        raise InputError(f"an array of {array.dtype} and shape {array.shape}: bytes 0 to {most} in {shape} are needed")


def _as_bytes(cards: Sequence[int]) -> bytes:
    """Card numbers as bytes, for the core to check; those that are none give a card that does not exist."""
    try:
        return bytes(tuple(cards))
    except (TypeError, ValueError):
        return b"\xff"


def _cards(array: ArrayLike, widths: tuple[int, ...], what: str) -> NDArray[np.uint8]:
    cards = _array(array, what)
    allowed = " or ".join(f"(n, {width})" for width in widths)
    if cards.dtype.kind not in "iu":
        raise InputError(f"{what} of {cards.dtype}: whole numbers 0 to 51 are needed")
    if cards.ndim != 2 or cards.shape[1] not in widths:
        raise InputError(f"{what} of shape {cards.shape}: {allowed} is needed")
    if cards.dtype != np.uint8:
        if cards.size and (cards.min() < 0 or cards.max() > 51):
            raise InputError(f"{what} with cards from {cards.min()} to {cards.max()}: 0 to 51 are allowed")
        cards = cards.astype(np.uint8)
    return np.ascontiguousarray(cards)


def _array(array: ArrayLike, what: str) -> NDArray[Any]:
    if np.ma.isMaskedArray(array):
        raise InputError(f"{what} in a masked array: every card must be there, and the array plain")
    try:
        return np.asarray(array)
    except (TypeError, ValueError) as error:  # such as rows of different length
        raise InputError(f"{what} that make no array: {quoted(str(error))}") from None


def _require_strength(qualify: int) -> None:
    if not isinstance(qualify, (int, np.integer)) or not 1 <= qualify <= STRENGTHS:
        raise InputError(f"a qualifying strength of {quoted(qualify)}: 1 to {STRENGTHS} are allowed")


def _require_all(cards: NDArray[np.uint8], done: int, what: str) -> None:
    """C stopped at a row whose cards cannot be: say which and why."""
    if done == len(cards):
        return
    row = [int(card) for card in cards[done]]
    if max(row) > 51:
        raise InputError(f"row {done} holds card {max(row)}: 0 to 51 are allowed")
    twice = next(card for card in row if row.count(card) > 1)
    raise InputError(f"row {done}: {format_cards([twice])} is twice in the {what} {format_cards(row)}")


def _in(cards: NDArray[np.uint8]) -> Any:
    return ffi.from_buffer("uint8_t[]", cards)


def _out(ctype: str, array: NDArray[Any]) -> Any:
    return ffi.from_buffer(ctype, array, require_writable=True)
