"""Cards as text: what is read, what is refused and with which words."""

import itertools
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pycs.cards import RANKS, SUITS, check_distinct, format_card, format_cards, parse_card, parse_cards
from pycs.errors import InputError

CASES = json.loads((Path(__file__).parent / "data" / "cases.json").read_text(encoding="utf-8"))
DECK = range(52)


def refusal(text: Any, **options: Any) -> str:
    """The message that refuses this input; it must be one that any terminal and any log can take."""
    with pytest.raises(InputError) as caught:
        parse_cards(text, **options)
    return checked(str(caught.value))


def checked(message: str) -> str:
    assert message.isprintable(), ascii(message)
    assert message.encode("utf-8")
    assert len(message) < 1000
    return message


# --- inputs on which published programs went wrong ---


@pytest.mark.parametrize(("text", "canonical", "why"), CASES["parse"])
def test_case_is_read(text: str, canonical: str, why: str) -> None:
    cards = parse_cards(text)
    assert format_cards(cards) == canonical, why
    assert parse_cards(canonical) == cards


REFUSED_WITH = {
    "AsAsKdQd": ["As is there twice"],
    "AsKd7h8c": ["4 cards came, 5 are needed"],
    "1h": ["no such rank as '1'", "2-9, T or 10, J, Q, K, A"],
    "Ax": ["no such suit as 'x'", "c d h s or ♣ ♦ ♥ ♠"],
    "Тs": [
        "CYRILLIC",
        "an ace on Russian decks, a ten to the eye",
        "only when the alphabet is said to be russian",
        "2-9, T or 10, J, Q, K, A",
    ],
    "🂬": ["PLAYING CARD KNIGHT OF SPADES", "a knight is not a queen"],
    "nothing": ["no such rank as 'n' (character 1)", "2-9, T or 10, J, Q, K, A"],
}


@pytest.mark.parametrize(("text", "why"), CASES["refuse"])
def test_case_is_refused(text: str, why: str) -> None:
    message = refusal(text, count=5 if "five are needed" in why else None)
    assert message.startswith(f"the hand '{text}': ")
    for words in REFUSED_WITH[text]:
        assert words in message


# --- what is read ---


def test_numbers_are_four_times_the_rank_plus_the_suit() -> None:
    texts = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
    assert [parse_card(text) for text in texts] == list(DECK)
    assert [format_card(card) for card in DECK] == texts
    assert RANKS[parse_card("Th") // 4] == "T"
    assert SUITS[parse_card("Th") % 4] == "h"


# Unicode's own names say which card a character is, so the table in the code is held against another source.
UNICODE_RANKS = ("TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE", "TEN", "JACK", "QUEEN", "KING", "ACE")
UNICODE_SUITS = ("CLUBS", "DIAMONDS", "HEARTS", "SPADES")


def unicode_card(card: int) -> str:
    import unicodedata

    return unicodedata.lookup(f"PLAYING CARD {UNICODE_RANKS[card // 4]} OF {UNICODE_SUITS[card % 4]}")


def spellings(card: int) -> list[str]:
    """Every way to write a card in Latin letters."""
    rank, suit = "23456789TJQKA"[card // 4], "cdhs"[card % 4]
    ranks = {rank, rank.lower()} | ({"10"} if rank == "T" else set())
    symbols = ["♣♦♥♠"[card % 4], "♧♢♡♤"[card % 4]]
    suits = [suit, suit.upper(), *(s + selector for s in symbols for selector in ("", "\ufe0e", "\ufe0f"))]
    return [r + s for r in sorted(ranks) for s in suits] + [unicode_card(card)]


def russian_spellings(card: int) -> list[str]:
    rank = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "В", "Д", "К", "Т"][card // 4]
    suits = [form[card % 4] for form in ("тбчп", "ТБЧП", "cdhs", "CDHS", "♣♦♥♠", "♧♢♡♤")]
    return [r + s for r in sorted({rank, rank.lower()}) for s in suits] + [unicode_card(card)]


@pytest.mark.parametrize("card", DECK)
def test_every_card_in_every_notation(card: int) -> None:
    for text in spellings(card):
        assert parse_card(text) == card, ascii(text)
        assert parse_cards([text]) == (card,)
    for text in russian_spellings(card):
        assert parse_card(text, alphabet="russian") == card, ascii(text)


@pytest.mark.parametrize("text", ["AsKdTc", "As Kd Tc", "As,Kd,Tc", " As;\tKd ,\n10c,", "aSkDtC", "A♠K♦️ 10♣", "🂡🃎🃚"])
def test_separators_are_optional(text: str) -> None:
    assert parse_cards(text) == (51, 45, 32)


def test_order_is_kept() -> None:
    assert parse_cards("2c As 3d") == (0, 51, 5)
    assert parse_cards([5, "As", 0]) == (5, 51, 0)


def test_items_may_be_numbers_or_texts() -> None:
    np = pytest.importorskip("numpy")
    assert parse_cards(["As", 45, "10♣"]) == (51, 45, 32)
    assert parse_cards(card for card in (51, 45)) == (51, 45)
    assert parse_cards(np.array([51, 45], dtype=np.uint8)) == (51, 45)
    assert parse_cards(np.array(["As", "Kd"])) == (51, 45)
    assert all(type(card) is int for card in parse_cards(np.array([51, 45], dtype=np.uint8)))
    assert format_card(np.int64(51)) == "As"


def test_text_of_a_subclass_counts_not_its_print() -> None:
    class Labelled(str):
        def __str__(self) -> str:
            return "a pair"

        __repr__ = __str__

    assert parse_cards(Labelled("AsAd")) == (51, 49)
    assert refusal(Labelled("AsAd"), count=5).startswith("the hand 'AsAd': ")


@pytest.mark.parametrize("nothing", ["", "  ", ",", [], ()])
def test_no_cards(nothing: Any) -> None:
    assert parse_cards(nothing) == ()
    assert "0 cards came, 5 are needed" in refusal(nothing, count=5)


def test_whole_deck() -> None:
    text = format_cards(DECK)
    assert parse_cards(text) == parse_cards(format_cards(DECK, sep=", ")) == parse_cards(DECK) == tuple(DECK)
    assert "2c is there twice" in refusal(text + "2c")
    assert "2c is there twice" in refusal([*DECK, 0])


def test_rank_and_suit_t_are_told_apart_by_place() -> None:
    assert format_cards(parse_cards("ТтТб тп", alphabet="russian")) == "AcAdAs"


# --- what is refused ---


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("A s", ["after the rank A", "' ' (character 2)", "at once"]),
        ("A,s", ["after the rank A", "',' (character 2)"]),
        ("10", ["no suit after the rank 10"]),
        ("KdA", ["no suit after the rank A", "ends"]),
        ("AKs", ["no such suit as 'K' (character 2) after the rank A"]),
        ("100s", ["no such suit as '0' (character 3) after the rank 10"]),
        ("0s", ["no such rank as '0'"]),
        ("♠A", ["no such rank as '♠'", "a suit comes after its rank"]),
        ("sA", ["no such rank as 's'", "a suit comes after its rank"]),
        ("As-Kd", ["no such rank as '-' (character 3)"]),
        ("As\n1h", [r"'As\n1h'", "no such rank as '1' (character 4)"]),
        ("As\x00", [r"'As\x00'", "U+0000"]),
        ("\ufeffAs", [r"'\ufeff' (character 1, U+FEFF", "a byte order mark"]),
        ("A\u200ds", [r"'\u200d' (character 2, U+200D ZERO WIDTH JOINER)"]),
        ("As\u200b", [r"'\u200b' (character 3, U+200B ZERO WIDTH SPACE)"]),
        ("As\ufe0f", ["U+FE0F VARIATION SELECTOR-16"]),  # belongs to a symbol, not to a letter
        ("A♠\ufe0f\ufe0f", ["(character 4, U+FE0F VARIATION SELECTOR-16)"]),
        ("\ud83c", [r"'\ud83c' (character 1, U+D83C)"]),
        ("A\udca0", [r"'\udca0' (character 2, U+DCA0)"]),
        ("\x1b[31mAs", [r"'\x1b'"]),
        ("As\u202eKd", [r"'\u202e'", "RIGHT-TO-LEFT OVERRIDE"]),
        ("Аs", ["CYRILLIC CAPITAL LETTER A", "only looks like A"]),
        ("Aс", ["no such suit", "CYRILLIC SMALL LETTER ES", "only looks like c"]),
        ("Aѕ", ["no such suit", "CYRILLIC SMALL LETTER DZE", "only looks like s"]),
        ("тs", ["an ace on Russian decks, a ten to the eye"]),
        ("Кs", ["a king on Russian decks", "only when the alphabet is said to be russian"]),
        ("Дs", ["a queen on Russian decks", "only when the alphabet is said to be russian"]),
        ("вs", ["a jack on Russian decks", "only when the alphabet is said to be russian"]),
        ("Жs", ["a Cyrillic letter"]),
        ("Ad Aт", ["no such suit as 'т' (character 5", "a Cyrillic letter"]),
        ("Τs", ["GREEK CAPITAL LETTER TAU", "only looks like T"]),
        ("\uff2bs", ["FULLWIDTH", "only looks like K"]),
        ("\u212as", ["KELVIN SIGN", "only looks like K"]),  # its lower case is a plain k
        ("A\u017f", ["LONG S", "only looks like s"]),  # its upper case is a plain S
        ("٢s", ["ARABIC-INDIC DIGIT TWO"]),  # int() would take it for 2
        ("²s", ["SUPERSCRIPT TWO", "only looks like 2"]),
        ("🂠", ["PLAYING CARD BACK", "no jokers, trumps or backs"]),
        ("🂿", ["RED JOKER", "no jokers, trumps or backs"]),
        ("🃏", ["BLACK JOKER", "no jokers, trumps or backs"]),
        ("🃟", ["WHITE JOKER", "no jokers, trumps or backs"]),
        ("🃠", ["PLAYING CARD FOOL", "no jokers, trumps or backs"]),
        ("🃌", ["KNIGHT OF DIAMONDS", "a knight is not a queen"]),
        ("As 🂡", ["As is there twice"]),
        ("Th 10♥", ["Th is there twice"]),
    ],
)
def test_message_names_the_piece(text: str, words: list[str]) -> None:
    message = refusal(text)
    for expected in words:
        assert expected in message
    assert message.endswith(
        ("; ranks are 2-9, T or 10, J, Q, K, A", "; suits are c d h s or ♣ ♦ ♥ ♠", "each card once")
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Ts", ["no such rank as 'T'", "a Latin letter"]),
        ("Ks", ["no such rank as 'K'", "a Latin letter"]),
        ("Bs", ["no such rank as 'B'", "a Latin letter"]),
        ("Тс", ["no such suit as 'с'", "CYRILLIC SMALL LETTER ES"]),
        ("Тx", ["no such suit as 'x'", "т б ч п"]),
        ("пТ", ["no such rank as 'п'", "a suit comes after its rank"]),
        ("Тп Аs", ["CYRILLIC CAPITAL LETTER A", "2-10, В, Д, К, Т"]),
        ("Тп ТП", ["As is there twice"]),
    ],
)
def test_russian_message_names_the_piece(text: str, words: list[str]) -> None:
    message = refusal(text, alphabet="russian")
    for expected in words:
        assert expected in message


def test_no_such_alphabet() -> None:
    assert "alphabets are 'latin' and 'russian'" in refusal("Às", alphabet="greek")


@pytest.mark.parametrize("code", range(0x1F0A0, 0x1F100))
def test_only_52_playing_cards_are_cards(code: int) -> None:
    text = chr(code)
    if text in {unicode_card(card) for card in DECK}:
        assert len(parse_cards(text)) == 1
    else:
        assert f"U+{code:X}" in refusal(text)


def test_wrong_count() -> None:
    assert "1 card came, 5 are needed" in refusal("As", count=5)
    assert "2 cards came, 1 is needed" in refusal("AsKd", count=1)
    assert refusal([51, 45], count=5) == "the hand 'AsKd': 2 cards came, 5 are needed"
    assert parse_cards("AsKd", count=2) == (51, 45)


def test_a_card_twice_is_told_before_the_count() -> None:
    assert "Kd is there twice" in refusal("As Kd Kd", count=5)
    assert "Kd is there twice" in refusal([51, "Kd", 45], count=5)


class Unprintable:
    def __repr__(self) -> str:
        raise RuntimeError


class Manylined:
    def __repr__(self) -> str:
        return "line\nline\ud800"


@pytest.mark.parametrize("value", [None, 51, 3.5, True, b"As", bytearray(b"2"), object(), Unprintable(), Manylined()])
def test_what_holds_no_cards(value: Any) -> None:
    assert "cards are text such as 'AsKd', or a sequence of card texts or numbers 0..51" in refusal(value)


@pytest.mark.parametrize(
    "item",
    [
        52,
        -1,
        pytest.param(10**6000, id="huge"),
        True,
        False,
        None,
        3.0,
        b"As",
        [51],
        ("As",),
        Unprintable(),
        Manylined(),
    ],
)
def test_item_that_is_no_card(item: Any) -> None:
    message = refusal(["As", item])
    assert message.startswith("the hand, item 2, ")
    assert message.endswith(": a card is text such as 'As', or a number 0..51")
    with pytest.raises(InputError, match=r"^the upcard .*: a card is text such as 'As', or a number 0\.\.51$"):
        parse_card(item, what="upcard")
    with pytest.raises(InputError, match=r"a number 0\.\.51$"):
        format_cards([0, item])


def test_item_text_is_one_card() -> None:
    assert refusal(["As", "KdQd"]) == "the hand, item 2, 'KdQd': 2 cards came, 1 is needed"
    assert refusal(["As", ""]) == "the hand, item 2, '': 0 cards came, 1 is needed"
    assert refusal(["As", "1h"]).startswith("the hand, item 2, '1h': no such rank as '1' (character 1)")


def test_messages_use_the_name_of_the_cards() -> None:
    assert refusal("1h", what="dealer's hand").startswith("the dealer's hand '1h': ")
    with pytest.raises(InputError, match=r"^the upcard 'AsKd': 2 cards came, 1 is needed$"):
        parse_card("AsKd", what="upcard")
    with pytest.raises(InputError, match=r"^the card '': 0 cards came, 1 is needed$"):
        parse_card("")


def test_huge_text_is_cut_in_the_message() -> None:
    message = refusal(" " * 100_000 + "x")
    assert "... (100001 characters)" in message
    assert "'x' (character 100001)" in message
    assert "As is there twice" in refusal("As" * 1_000_000)


def test_endless_input_ends() -> None:
    assert "As is there twice" in refusal(itertools.repeat("As"))
    assert "item 53" in refusal(itertools.count())


# --- groups of cards ---


def test_distinct_groups_pass() -> None:
    check_distinct({})
    check_distinct({"hand": parse_cards("AsKd"), "upcard": parse_card("Qc"), "known cards": ()})


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        ({"hand": (51, 40), "upcard": 40}, "the upcard Qc is also in the hand"),
        ({"upcard": 40, "dealer's hand": (51, 40)}, "Qc of the dealer's hand is also the upcard"),
        ({"hand": (51, 40), "flop": (1, 2, 40)}, "Qc of the flop is also in the hand"),
        ({"upcard": 40, "hole card": 40}, "the hole card Qc is also the upcard"),
        ({"hand": (1, 2), "board": (3, 4), "dealer's hand": (5, 4)}, "3c of the dealer's hand is also in the board"),
        ({"hand": (40, 51, 40)}, "Qc is in the hand twice"),
    ],
)
def test_shared_card_is_named_with_its_groups(groups: Any, message: str) -> None:
    with pytest.raises(InputError) as caught:
        check_distinct(groups)
    assert str(caught.value) == message


# --- properties ---

separators = st.text(alphabet=" ,;\t\n\u00a0", max_size=3)
hands = st.lists(st.sampled_from(DECK), unique=True, max_size=52)


@given(hands, st.data())
def test_any_mix_of_notations_reads_back(cards: list[int], data: st.DataObject) -> None:
    text = data.draw(separators)
    for card in cards:
        text += data.draw(st.sampled_from(spellings(card))) + data.draw(separators)
    assert parse_cards(text, count=len(cards)) == tuple(cards)


@given(hands, st.data())
def test_any_mix_of_russian_notations_reads_back(cards: list[int], data: st.DataObject) -> None:
    text = data.draw(separators)
    for card in cards:
        text += data.draw(st.sampled_from(russian_spellings(card))) + data.draw(separators)
    assert parse_cards(text, count=len(cards), alphabet="russian") == tuple(cards)


@given(hands, st.sampled_from(["", " ", ", "]))
def test_what_is_printed_reads_back(cards: list[int], sep: str) -> None:
    assert parse_cards(format_cards(cards, sep)) == parse_cards(cards) == tuple(cards)


def reads_or_refuses(text: Any, alphabet: Any) -> None:
    try:
        cards = parse_cards(text, alphabet=alphabet)
    except InputError as error:
        checked(str(error))
    else:
        assert len(set(cards)) == len(cards)
        assert set(cards) <= set(DECK)


# Surrogates included: they reach a program through argv and undecodable file names.
any_character = st.characters(codec=None, exclude_categories=[])
alphabets = st.sampled_from(["latin", "russian"])


@given(st.text(any_character), alphabets)
def test_any_text_is_read_or_refused(text: str, alphabet: str) -> None:
    reads_or_refuses(text, alphabet)


@given(st.text(st.sampled_from("AaTtКкТтQ210cdhs♠♥♤️︎, 🂡🂬🂭х\n\x00")), alphabets)
@example("10", "latin")
@example("10", "russian")
@example("A♠", "latin")
def test_text_near_cards_is_read_or_refused(text: str, alphabet: str) -> None:
    reads_or_refuses(text, alphabet)


@given(
    st.lists(
        st.one_of(st.integers(-60, 60), st.text(max_size=3), st.booleans(), st.none(), st.floats(), st.binary()),
        max_size=6,
    ),
    alphabets,
)
def test_any_items_are_read_or_refused(items: list[Any], alphabet: str) -> None:
    reads_or_refuses(items, alphabet)


@given(hands.filter(bool), st.data())
def test_a_second_copy_is_always_named(cards: list[int], data: st.DataObject) -> None:
    again = data.draw(st.sampled_from(cards))
    mixed = data.draw(st.permutations([*cards, again]))
    words = f"{format_card(again)} is there twice"
    assert words in refusal(format_cards(mixed))
    assert words in refusal(format_cards(mixed, " "))
    assert words in refusal(mixed)


def test_import_is_light() -> None:
    code = "import sys; old = set(sys.modules); import pycs.cards; print(*set(sys.modules) - old)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(run.stdout.split())
    assert "pycs.cards" in loaded
    assert not loaded & {"numpy", "polars", "unicodedata"}
