"""Cards as text and as numbers: loose input is cleaned here, once, and everything behind it holds numbers.

A card is an int from 0 to 51, 4 x rank + suit, with the ranks 2 to A as 0 to 12 and the suits c d h s as 0 to 3.
Its text is a rank and a suit, ``As`` or ``Th``; a hand is ``AsKd7h5c2d``. What is read is wider than what is printed:

- a rank is 2-9, T or 10, J, Q, K, A, then at once its suit: c d h s, ♣ ♦ ♥ ♠ or ♧ ♢ ♡ ♤ (a symbol may carry a variation
  selector). Letters may be in either case.
- a card may also be one character of Unicode's playing cards, 🂡 to 🃞. Its knights, jokers, trumps and back are refused.
- between cards stand commas, semicolons, white space, or nothing.

With ``alphabet="russian"`` the ranks are 2-10, В (валет, jack), Д (дама, queen), К (король, king) and Т (туз, ace),
and a suit may also be т (трефы, clubs), б (бубны, diamonds), ч (черви, hearts) or п (пики, spades). The place tells a
rank Т from a suit т: a card is its rank, then its suit, so ``Тт`` is the ace of clubs. Latin ranks are refused there,
as Cyrillic ones are elsewhere, because a Latin T is a ten and the Cyrillic Т that looks the same is an ace.

The text must be cards and nothing else. Nothing here keeps state that a call changes, so threads may share it.
"""

from collections.abc import Iterable, Mapping
from itertools import islice
from operator import index
from typing import Literal, NamedTuple, SupportsIndex

from pycs.errors import InputError
from pycs.messages import quoted

__all__ = [
    "PLAYING_CARDS",
    "RANKS",
    "SUITS",
    "SYMBOLS",
    "VARIATION_SELECTORS",
    "Alphabet",
    "check_distinct",
    "format_card",
    "format_cards",
    "parse_card",
    "parse_cards",
]

Alphabet = Literal["latin", "russian"]

RANKS = "23456789TJQKA"
SUITS = "cdhs"

_DECK = len(RANKS) * len(SUITS)
_TEXTS = tuple(rank + suit for rank in RANKS for suit in SUITS)


class _Letters(NamedTuple):
    """How one alphabet writes ranks and suits."""

    ranks: dict[str, int]
    suits: dict[str, int]
    ranks_allowed: str
    suits_allowed: str


def _either_case(letters: str, first: int = 0) -> dict[str, int]:
    # Spelled out rather than case-folded: folding takes the long s and the Kelvin sign for letters of a card.
    return {form: first + i for i, letter in enumerate(letters) for form in (letter.lower(), letter.upper())}


SYMBOLS = {symbol: i for symbols in ("♣♦♥♠", "♧♢♡♤") for i, symbol in enumerate(symbols)}
"""The signs of the suits, and the number of each."""
VARIATION_SELECTORS = frozenset("\ufe0e\ufe0f")
"""What a sign may carry after it."""
_LATIN = _Letters(
    ranks=_either_case(RANKS),
    suits=_either_case(SUITS) | SYMBOLS,
    ranks_allowed="2-9, T or 10, J, Q, K, A",
    suits_allowed="c d h s or ♣ ♦ ♥ ♠",
)
_RUSSIAN = _Letters(
    ranks=_either_case("23456789") | _either_case("ВДКТ", RANKS.index("J")),
    suits=_LATIN.suits | _either_case("тбчп"),
    ranks_allowed="2-10, В, Д, К, Т in Cyrillic",
    suits_allowed="т б ч п, c d h s or ♣ ♦ ♥ ♠",
)

# Two characters to a card: a hand in the usual form is read by look-ups alone.
_PAIRS = {r + s: 4 * rank + suit for r, rank in _LATIN.ranks.items() for s, suit in _LATIN.suits.items()}

# Unicode's blocks of 16 start with the ace at 1 and hold a knight at 12, between the jack and the queen.
_BLOCKS = ((0x1F0A0, "s"), (0x1F0B0, "h"), (0x1F0C0, "d"), (0x1F0D0, "c"))
PLAYING_CARDS = {
    chr(start + place): 4 * RANKS.index(rank) + SUITS.index(suit)
    for start, suit in _BLOCKS
    for place, rank in enumerate("A23456789TJ-QK", start=1)
    if rank in RANKS
}
"""Cards that are one character, and the number of each."""

_RUSSIAN_DECK = {
    "т": "an ace on Russian decks, a ten to the eye",
    "к": "a king on Russian decks",
    "д": "a queen on Russian decks",
    "в": "a jack on Russian decks",
}
# Cyrillic and Greek letters that pass for those of a card; wide and styled forms are found by normalization.
_LOOKALIKES = dict(zip("АТКасԚЈԁһѕЅΑΤΚϹϲͿ", "ATKacQJdhsSATKCcJ", strict=True))


def parse_cards(
    text: str | Iterable[str | SupportsIndex],
    *,
    count: int | None = None,
    what: str = "hand",
    alphabet: Alphabet = "latin",
) -> tuple[int, ...]:
    """Read cards, in the order given.

    ``text`` is text in any notation of this module, or an iterable whose items are each a card's number (0..51, numpy's
    integers too) or one card's text. ``count`` is how many cards are needed; without it any number will do, also none.
    ``what`` is the name that messages use. For ``alphabet`` see the module.

    Raises InputError, its message one line that quotes the input, for a card that comes twice, a wrong number of cards,
    and anything that is no card. Safe to call from many threads.

    >>> parse_cards("As, Kd 10c")
    (51, 45, 32)
    >>> parse_cards(["as", 45, "T♣"], count=3)
    (51, 45, 32)
    >>> format_cards(parse_cards("Тп Дч 10б", alphabet="russian"))
    'AsQhTd'
    >>> parse_cards("AsKd7h8c", count=5)
    Traceback (most recent call last):
    pycs.errors.InputError: the hand 'AsKd7h8c': 4 cards came, 5 are needed
    """
    if isinstance(text, str):
        # Not str(): a subclass (an enum, numpy's str_) may print as something other than the text it holds.
        text = str.__str__(text)
        cards = _read_text(text, alphabet, what)
    else:
        cards = _read_items(text, alphabet, what)
    if len(set(cards)) != len(cards):
        twice = next(card for i, card in enumerate(cards) if card in cards[:i])
        problem = f"{_TEXTS[twice]} is there twice, and a deck holds each card once"
    elif count is not None and len(cards) != count:
        came = "1 card" if len(cards) == 1 else f"{len(cards)} cards"
        problem = f"{came} came, {count} {'is' if count == 1 else 'are'} needed"
    else:
        return cards
    raise InputError(f"the {what} {quoted(text if isinstance(text, str) else format_cards(cards))}: {problem}")


def parse_card(text: str | SupportsIndex, *, what: str = "card", alphabet: Alphabet = "latin") -> int:
    """Read one card: its text in any notation of this module, or its number.

    Raises InputError as `parse_cards` does. Safe to call from many threads.

    >>> parse_card("10h"), parse_card("🂡"), parse_card(51)
    (34, 51, 51)
    >>> parse_card("1h", what="upcard")
    Traceback (most recent call last):
    pycs.errors.InputError: the upcard '1h': no such rank as '1' (character 1); ranks are 2-9, T or 10, J, Q, K, A
    """
    if isinstance(text, str):
        if alphabet == "latin" and (card := _PAIRS.get(text)) is not None:
            return card
        return parse_cards(text, count=1, what=what, alphabet=alphabet)[0]
    return _number(text, what)


def format_card(card: SupportsIndex) -> str:
    """The text of a card.

    Raises InputError for anything but a number from 0 to 51. Safe to call from many threads.

    >>> format_card(51)
    'As'
    """
    if type(card) is int and 0 <= card < _DECK:
        return _TEXTS[card]
    return _TEXTS[_number(card, "card")]


def format_cards(cards: Iterable[SupportsIndex], sep: str = "") -> str:
    """The text of cards, in the order given, with ``sep`` between them.

    Raises InputError for anything but numbers from 0 to 51. Safe to call from many threads.

    >>> format_cards([51, 45, 32])
    'AsKdTc'
    >>> format_cards([51, 45, 32], sep=" ")
    'As Kd Tc'
    """
    try:
        return sep.join([format_card(card) for card in cards])
    except TypeError:
        raise InputError(f"the cards {quoted(cards)}: a sequence of numbers 0..51 is needed") from None


def check_distinct(groups: Mapping[str, int | Iterable[int]]) -> None:
    """Make sure that no card is in two of these groups, or twice in one.

    A group has the name that the message uses, and is one card or several, as parsed by this module.

    Raises InputError that names the card and the groups. Safe to call from many threads.

    >>> hand = parse_cards("AsKhJd8c3s")
    >>> check_distinct({"hand": hand, "upcard": parse_card("Qc")})
    >>> check_distinct({"hand": hand, "upcard": parse_card("8c")})
    Traceback (most recent call last):
    pycs.errors.InputError: the upcard 8c is also in the hand
    >>> check_distinct({"upcard": parse_card("Qc"), "dealer's hand": parse_cards("QcJh")})
    Traceback (most recent call last):
    pycs.errors.InputError: Qc of the dealer's hand is also the upcard
    """
    owners: dict[int, str] = {}
    for name, group in groups.items():
        for card in (group,) if isinstance(group, int) else group:
            if card in owners:
                owner, text = owners[card], format_card(card)
                if owner == name:
                    raise InputError(f"{text} is in the {name} twice")
                subject = f"the {name} {text}" if isinstance(group, int) else f"{text} of the {name}"
                place = f"the {owner}" if isinstance(groups[owner], int) else f"in the {owner}"
                raise InputError(f"{subject} is also {place}")
            owners[card] = name


def _read_text(text: str, alphabet: Alphabet, what: str) -> tuple[int, ...]:
    if alphabet == "latin":
        try:
            return tuple([_PAIRS[text[i : i + 2]] for i in range(0, len(text), 2)])
        except KeyError:
            pass  # a wider notation, or no card: the scan tells
    return _scan(text, _letters(alphabet), what)


def _scan(text: str, letters: _Letters, what: str) -> tuple[int, ...]:
    cards: list[int] = []
    at = 0
    while at < len(text):
        char = text[at]
        if char in ",;" or char.isspace():
            at += 1
        elif char in PLAYING_CARDS:
            cards.append(PLAYING_CARDS[char])
            at += 1
        else:
            width = 2 if text.startswith("10", at) else 1
            rank = RANKS.index("T") if width == 2 else letters.ranks.get(char)
            if rank is None:
                raise InputError(f"the {what} {quoted(text)}: {_no_rank(char, at, letters)}")
            at += width
            mark = text[at : at + 1]
            suit = letters.suits.get(mark)
            if suit is None:
                problem = _no_suit(mark, at, text[at - width : at], letters)
                raise InputError(f"the {what} {quoted(text)}: {problem}")
            at += 1
            if mark in SYMBOLS and text[at : at + 1] in VARIATION_SELECTORS:
                at += 1
            cards.append(4 * rank + suit)
    return tuple(cards)


def _read_items(items: Iterable[str | SupportsIndex], alphabet: Alphabet, what: str) -> tuple[int, ...]:
    try:
        # Bytes would pass for numbers: b"2" is 50, the ace of hearts.
        iterator = None if isinstance(items, (bytes, bytearray, memoryview)) else iter(items)
    except TypeError:
        iterator = None
    if iterator is None:
        allowed = "cards are text such as 'AsKd', or a sequence of card texts or numbers 0..51"
        raise InputError(f"the {what} {quoted(items)}: {allowed}")
    cards: list[int] = []
    # One card more than a deck is a card twice, whatever follows: an endless iterable ends here.
    for item in islice(iterator, _DECK + 1):
        if type(item) is int and 0 <= item < _DECK:
            cards.append(item)
        else:
            cards.append(parse_card(item, what=f"{what}, item {len(cards) + 1},", alphabet=alphabet))
    return tuple(cards)


def _number(card: SupportsIndex, what: str) -> int:
    try:
        number = None if isinstance(card, bool) else index(card)
    except (TypeError, ValueError):
        number = None
    if number is None or not 0 <= number < _DECK:
        raise InputError(f"the {what} {quoted(card)}: a card is text such as 'As', or a number 0..51")
    return number


def _letters(alphabet: Alphabet) -> _Letters:
    if alphabet == "latin":
        return _LATIN
    if alphabet == "russian":
        return _RUSSIAN
    raise InputError(f"the alphabet {quoted(alphabet)}: alphabets are 'latin' and 'russian'")


def _no_rank(char: str, at: int, letters: _Letters) -> str:
    problem = f"no such rank as {_place(char, at)}"
    if char.lower() in _RUSSIAN_DECK:
        problem += f": {_RUSSIAN_DECK[char.lower()]}, so it is read only when the alphabet is said to be russian"
    elif reason := _reason(char, letters):
        problem += f": {reason}"
    elif letters is _RUSSIAN and char.isascii() and char.isalpha():
        problem += ": a Latin letter"
    elif char in letters.suits:
        problem += ": a suit comes after its rank"
    return f"{problem}; ranks are {letters.ranks_allowed}"


def _no_suit(mark: str, at: int, rank: str, letters: _Letters) -> str:
    if not mark:
        problem = f"no suit after the rank {rank}, where the text ends"
    elif mark.isspace() or mark in ",;":
        problem = f"no suit after the rank {rank} but {_place(mark, at)}: a suit follows its rank at once"
    else:
        problem = f"no such suit as {_place(mark, at)} after the rank {rank}"
        if reason := _reason(mark, letters):
            problem += f": {reason}"
    return f"{problem}; suits are {letters.suits_allowed}"


def _place(char: str, at: int) -> str:
    """The character, where it stands, and its full name if it may not be what it seems."""
    if " " <= char <= "~":
        return f"{quoted(char)} (character {at + 1})"
    # Only a message needs it, and `pycs --help` should not wait for it.
    from unicodedata import name

    return f"{quoted(char)} (character {at + 1}, {f'U+{ord(char):04X} {name(char, str())}'.strip()})"


def _reason(char: str, letters: _Letters) -> str:
    """What a reader may have taken this character for, or nothing."""
    from unicodedata import name, normalize

    if "\U0001f0a0" <= char <= "\U0001f0ff":
        if name(char, "").startswith("PLAYING CARD KNIGHT"):
            return "a knight is not a queen, and a deck of 52 has none"
        return "a deck of 52 has no jokers, trumps or backs"
    if char == "\ufeff":
        return "a byte order mark, left by whatever wrote the text"
    plain = _LOOKALIKES.get(char) or normalize("NFKC", char)
    if plain != char and (plain in _LATIN.ranks or plain in _LATIN.suits):
        return f"it only looks like {plain}"
    if "\u0400" <= char <= "\u052f" and letters is _LATIN:
        return "a Cyrillic letter"
    return ""
