"""Tables: probes against decisions, the columns on disk, and every way in which a folder can be wrong."""

import json
import pickle
import shutil
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import holdem_oracle
import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray

import pycs
from pycs.cards import format_cards
from pycs.errors import InputError, TableError
from pycs.games import Game, game_of
from pycs.manifest import file_digest, read_manifest, write_manifest
from pycs.rules import load_rules, rules_from_dict
from pycs.table_files import columns_of, schema_of

FIXTURES = {
    "us": ("us_folder", "us_table", "random_deals", "extreme_deals"),
    "casino-holdem": ("holdem_folder", "holdem_table", "holdem_random", "holdem_extremes"),
}
A_DEAL = {"us": ("AsKhJd8c3s", "Qc"), "casino-holdem": ("QsQh", "Qd2c7h")}
BONUS_PAYS = dict(zip(holdem_oracle.BONUS_LINES, (100, 50, 40, 30, 20, 7), strict=True))


class Sample(NamedTuple):
    profile: str
    folder: Path
    table: pycs.Table
    random: NDArray[np.uint8]
    extremes: NDArray[np.uint8]

    @property
    def game(self) -> Game:
        return self.table.game

    @property
    def a_deal(self):
        return A_DEAL[self.profile]

    def as_text(self, deals):
        """Hand and upcard, or hole cards and flop, of each."""
        hand = self.game.kernel.hand
        return [(format_cards(deal[:hand]), format_cards(deal[hand:])) for deal in deals.tolist()]

    def frame(self, *deals):
        """Deals in text, as `probe_many` is asked."""
        return pl.DataFrame(deals, schema=["hand", self.game.seen], orient="row")


@pytest.fixture(params=FIXTURES)
def sample(request):
    return Sample(request.param, *map(request.getfixturevalue, FIXTURES[request.param]))


@pytest.fixture
def copy(sample, tmp_path):
    folder = tmp_path / sample.profile
    shutil.copytree(sample.folder, folder)
    return folder


def counts_of(decision):
    """The counts that a decision tells, one for each of its game's outcomes."""
    if decision.ante_lines is None:
        return list(decision.outcomes)
    lines = decision.ante_lines.values()
    return [*(line.not_qualified for line in lines), *(line.win for line in lines), *decision.outcomes[2:]]


def test_a_probe_is_a_decision(sample):
    for hand, seen in sample.as_text(np.concatenate([sample.random[:300], sample.extremes])):
        assert sample.table.probe(hand, seen) == pycs.decide(sample.profile, hand, seen)
        assert sample.table.probe(hand[2:] + hand[:2], seen).values == sample.table.probe(hand, seen).values


def test_many_probes_are_as_many_decisions(sample):
    cards = sample.frame(*sample.as_text(sample.random))
    asked = cards.with_row_index("number")
    told = sample.table.probe_many(asked)
    assert told.columns == ["number", "hand", sample.game.seen, "index", *list(columns_of(sample.game))[2:]]
    assert told.select(asked.columns).equals(asked)
    for row in told[::20].iter_rows(named=True):
        decision = pycs.decide(sample.profile, row["hand"], row[sample.game.seen])
        assert row["action"] == decision.action
        assert Fraction(row["call_numerator"], sample.game.completions) == decision.values["call"]
        assert Fraction(row["fold_numerator"], sample.game.completions) == decision.values["fold"]
        assert row["call"] == float(decision.values["call"])
        assert row["margin"] == float(decision.margin)
        assert row["indifferent"] == decision.indifferent
        assert [row[outcome] for outcome in sample.game.outcomes] == counts_of(decision)
        assert row["category"] == decision.category


def test_many_probes_tell_the_line_of_the_aa_bonus(holdem_table, holdem_random, holdem_extremes):
    deals = np.concatenate([holdem_random, holdem_extremes]).tolist()
    asked = pl.DataFrame(
        {"hand": [format_cards(deal[:2]) for deal in deals], "flop": [format_cards(deal[2:]) for deal in deals]}
    )
    lines = [holdem_oracle.bonus_line(deal[:2], deal[2:]) or "nothing" for deal in deals]
    assert set(lines) == {*holdem_oracle.BONUS_LINES, "nothing"}
    assert holdem_table.probe_many(asked)["aa_bonus"].to_list() == lines


@pytest.mark.parametrize(
    ("bonus", "antes"),
    [(0, 0), (1, 1), ("0.5", Fraction(1, 2)), (0.25, Fraction(1, 4)), (Fraction(1, 3), Fraction(1, 3)), ("7", 7)],
)
def test_a_probe_with_a_bonus_bet(holdem_table, holdem_random, holdem_extremes, bonus, antes):
    for deal in np.concatenate([holdem_random[:40], holdem_extremes]).tolist():
        hand, flop = format_cards(deal[:2]), format_cards(deal[2:])
        told = holdem_table.probe(hand, flop, bonus=bonus)
        assert told == pycs.decide("casino-holdem", hand, flop, bonus=bonus)
        assert told == holdem_table.get(hand, flop, bonus=bonus)
        alone = holdem_table.probe(hand, flop).values["call"]
        line = holdem_oracle.bonus_line(deal[:2], deal[2:])
        assert told.values == holdem_oracle.values_with_bonus(alone, line, BONUS_PAYS, antes)
        assert told.action == ("call" if told.values["call"] > told.values["fold"] else "fold")


def test_a_bonus_bet_that_cannot_be(us_table, holdem_table):
    for bonus in (-1, "much", "1/0", 10**7, None, True, float("nan")):
        with pytest.raises(InputError, match="the bonus bet"):
            holdem_table.probe("QsQh", "Qd2c7h", bonus=bonus)
        with pytest.raises(InputError, match="the bonus bet"):  # not the default: it is no matter of the deal
            holdem_table.get("QsQh", "Qd2c7h", bonus=bonus)
    with pytest.raises(InputError, match="us has no AA Bonus"):
        us_table.probe("AsKhJd8c3s", "Qc", bonus=1)
    assert us_table.probe("AsKhJd8c3s", "Qc", bonus=0) == us_table.probe("AsKhJd8c3s", "Qc")


@pytest.mark.parametrize(
    ("sample", "deals", "action"),
    [
        (
            "us",
            [("As Kh Jd 8c 3s", "Qc"), ("A♠K♥J♦8♣3♠", "Q♣"), ("askhjd8c3s", "qC"), ("AsKhJd8c3s", "Qc")],
            "fold",
        ),
        (
            "casino-holdem",
            [
                ("Qs Qh", "Qd 2c 7h"),
                ("Q♠Q♥", "2♣7♥Q♦"),
                ("qsqh", "7H2CQD"),
                ("QhQs", "Qd2c7h"),
                ("QcQd", "Qh2s7d"),
            ],
            "call",
        ),
    ],
    indirect=["sample"],
    ids=FIXTURES,
)
def test_many_probes_in_any_notation(sample, deals, action):
    asked = sample.frame(*deals)
    told = sample.table.probe_many(asked)
    assert told["index"].n_unique() == 1
    assert told["action"].to_list() == [action] * len(deals)
    assert sample.table.probe_many(asked.clear()).height == 0
    as_categories = asked.with_columns(pl.all().cast(pl.Categorical))
    assert sample.table.probe_many(as_categories)["index"].equals(told["index"])


@pytest.mark.parametrize(
    ("sample", "hand", "seen", "words"),
    [
        ("us", "AsKhJd8c3s", "As", "row 1: As is twice in the deal AsKhJd8c3sAs"),
        ("us", "AsKhJd8cAs", "Qc", "row 1: As is twice in the deal AsKhJd8cAsQc"),
        ("us", "AsKhJd8c", "Qc", "row 1: the hand 'AsKhJd8c': 4 cards came"),
        ("us", None, "Qc", "row 1: a hand or an upcard is missing"),
        ("us", "AsKhJd8c3s", "1c", "row 1: the upcard '1c': no such rank"),
        ("us", "AsKhJdéc3s", "Qc", "row 1: the hand"),
        ("us", "QsQh", "Qd2c7h", "row 1: the hand 'QsQh': 2 cards came"),
        ("casino-holdem", "QsQh", "QdQh7h", "row 1: Qh is twice in the deal QsQhQdQh7h"),
        ("casino-holdem", "QsQs", "Qd2c7h", "row 1: Qs is twice in the deal QsQsQd2c7h"),
        ("casino-holdem", "QsQh", "Qd7h7h", "row 1: 7h is twice in the deal QsQhQd7h7h"),
        ("casino-holdem", "Qs", "Qd2c7h", "row 1: the hand 'Qs': 1 card came"),
        ("casino-holdem", "QsQh", "Qd2c", "row 1: the flop 'Qd2c': 2 cards came, 3 are needed"),
        ("casino-holdem", "QsQh", "Qd2c7hTs", "row 1: the flop 'Qd2c7hTs': 4 cards came"),
        ("casino-holdem", "QsQh", None, "row 1: a hand or a flop is missing"),
        ("casino-holdem", "QsQh", "Qd1c7h", "row 1: the flop 'Qd1c7h': no such rank"),
        ("casino-holdem", "QséQh", "Qd2c7h", "row 1: the hand"),
        ("casino-holdem", "AsKhJd8c3s", "Qc", "row 1: the hand 'AsKhJd8c3s': 5 cards came"),
    ],
    indirect=["sample"],
)
def test_many_probes_name_the_row_that_cannot_be(sample, hand, seen, words):
    with pytest.raises(InputError) as error:
        sample.table.probe_many(sample.frame(sample.a_deal, (hand, seen)))
    assert words in str(error.value)


def test_many_probes_need_both_columns(sample):
    hand, seen = sample.a_deal
    other = {"upcard": "flop", "flop": "upcard"}[sample.game.seen]
    for frame in ({"hand": [hand]}, {sample.game.seen: [seen]}, {"hand": [hand], other: [seen]}, {}):
        with pytest.raises(InputError, match=f"hand and {sample.game.seen} are needed"):
            sample.table.probe_many(pl.DataFrame(frame))


def test_a_table_is_of_one_game(us_table, holdem_table):
    for table, deal in ((us_table, A_DEAL["casino-holdem"]), (holdem_table, A_DEAL["us"])):
        with pytest.raises(InputError, match="cards came"):
            table.probe(*deal)
        assert table.get(*deal) is None
    for table, stranger in ((us_table, "flop"), (holdem_table, "upcard"), (us_table, "win_flush")):
        with pytest.raises(InputError, match=f"no column '{stranger}'"):
            table.frame([stranger])


def test_get_gives_the_default_for_what_cannot_be_dealt(sample):
    (hand, seen), table = sample.a_deal, sample.table
    decision = table.probe(hand, seen)
    assert table.get(hand, seen) == decision
    assert table.get(hand, hand[:2] + seen[2:]) is None
    assert table.get("nothing", seen, decision) is decision
    with pytest.raises(InputError):
        table.probe(hand, hand[:2] + seen[2:])


def test_threads_share_a_table(sample):
    table = pycs.open_table(sample.folder)  # nothing loaded yet: the threads race for it
    texts = sample.as_text(sample.random[:200])
    with ThreadPoolExecutor(8) as pool:
        told = list(pool.map(lambda text: table.probe(*text).action, texts))
    assert told == [pycs.decide(sample.profile, *text).action for text in texts]


@pytest.mark.parametrize(
    ("sample", "deals", "raw_deals", "completions"),
    [("us", 5_649_150, 122_151_120, 163_185), ("casino-holdem", 1_286_792, 25_989_600, 1_070_190)],
    indirect=["sample"],
    ids=FIXTURES,
)
def test_row_and_deal_belong_together(sample, deals, raw_deals, completions):
    table, game = sample.table, sample.game
    frame = table.frame()
    assert frame.schema == schema_of(game)
    assert frame.columns == list(columns_of(game)) == list(table.manifest.columns)
    assert frame.height == len(table) == deals
    assert int(frame["weight"].sum()) == raw_deals
    assert frame.select(pl.sum_horizontal(game.outcomes)).to_series().unique().to_list() == [completions]
    told = table.probe_many(frame.select("hand", game.seen))
    assert np.array_equal(told["index"].to_numpy(), np.arange(deals))
    assert told.drop("index").select(frame.columns).equals(frame)
    assert table.frame(["call"]).columns == ["call"]
    with pytest.raises(InputError, match="no column 'profit'"):
        table.frame(["profit"])


def test_the_columns_of_a_table(us_table, holdem_table):
    after = ["fold_numerator", "call_numerator", "fold", "call", "action", "margin", "indifferent"]
    stud = ["hand", "upcard", "weight", "category", "not_qualified", "win", "push", "lose"]
    assert list(columns_of(us_table.game)) == stud + after
    lines = [line.replace(" ", "_") for line in holdem_oracle.LINES]
    counts = [*(f"not_qualified_{line}" for line in lines), *(f"win_{line}" for line in lines), "push", "lose"]
    holdem = ["hand", "flop", "weight", "category", "aa_bonus", *counts]
    assert list(columns_of(holdem_table.game)) == holdem + after


def test_the_table_is_small_enough_to_hand_around(sample):
    assert sum(file.stat().st_size for file in sample.folder.iterdir()) < 100e6


# --- a folder that is not what it was ---------------------------------------------------------------------------------


def refused(folder, *words, profile=None):
    with pytest.raises(TableError) as error:
        pycs.open_table(folder, profile)
    message = str(error.value)
    assert "\n" not in message
    for word in words:
        assert word in message


@pytest.mark.parametrize("place", [0, 0.3, 0.999999])
def test_one_altered_bit_in_a_part(copy, place):
    part = copy / "part-01.parquet"
    content = bytearray(part.read_bytes())
    content[int(place * len(content))] ^= 0x10
    part.write_bytes(content)
    refused(copy, "part-01.parquet was altered")


def test_a_part_cut_short(copy):
    *_, part = sorted(copy.glob("part-*.parquet"))
    part.write_bytes(part.read_bytes()[:-1])
    refused(copy, f"{part.name} holds")


def test_a_part_that_is_gone(copy):
    (copy / "part-00.parquet").unlink()
    refused(copy, "part-00.parquet cannot be read")


def test_two_parts_exchanged(copy):
    first, second = copy / "part-01.parquet", copy / "part-02.parquet"
    aside = copy / "aside"
    first.rename(aside)
    second.rename(first)
    aside.rename(second)
    refused(copy, "part-01.parquet")


def test_every_altered_bit_in_the_manifest(copy):
    whole = (copy / "manifest.json").read_bytes()
    random = np.random.default_rng(4)
    for place in random.integers(0, len(whole) - 1, 60).tolist():
        content = bytearray(whole)
        content[place] ^= 1 << int(random.integers(0, 8))
        if content[place : place + 1].isspace() and whole[place : place + 1].isspace():
            continue  # one white space for another says the same
        (copy / "manifest.json").write_bytes(content)
        refused(copy, "manifest.json")
    (copy / "manifest.json").write_bytes(whole[: len(whole) // 2])
    refused(copy, "manifest.json was altered or cut short")


def rewrite(folder, **changes):
    """A manifest with other content and a digest that fits it."""
    manifest = read_manifest(folder)
    write_manifest(
        type(manifest)(**{name: getattr(manifest, name) for name in manifest.__struct_fields__} | changes), folder
    )


def test_a_table_of_another_version(copy):
    rewrite(copy, package_version="0.0.9")
    refused(copy, "built by pycs 0.0.9", pycs.__version__)
    rewrite(copy, package_version=pycs.__version__, core_version="0.0.9")
    refused(copy, "built by the core 0.0.9")


def test_a_table_of_another_format(copy):
    rewrite(copy, format=2)
    refused(copy, "format 2", "reads format 1")


@pytest.mark.parametrize(
    ("sample", "others"),
    [("us", ["betmgm", "casino-holdem"]), ("casino-holdem", ["us", "live"])],
    indirect=["sample"],
    ids=FIXTURES,
)
def test_a_table_of_other_rules(sample, copy, others):
    for other in others:
        refused(copy, f"built by other rules than those of {other}", profile=other)
        refused(copy, f"built by other rules than those of {other}", profile=load_rules(other))
    rules = load_rules(sample.profile).to_dict()
    rules["pays"]["flush"] += 1
    other = rules_from_dict(rules)
    rewrite(copy, rules=rules)
    refused(copy, "do not fit their digest")
    rewrite(copy, rules=rules, rules_digest=other.digest)
    refused(copy, f"built by other rules than those of {sample.profile} as they are now")
    assert pycs.open_table(copy, other).rules == other


def test_a_table_whose_manifest_says_another_game(sample, copy):
    [other] = {"us", "casino-holdem"} - {sample.profile}
    rules = load_rules(other)
    rewrite(copy, rules=rules.to_dict())
    refused(copy, "do not fit their digest")
    rewrite(copy, rules=rules.to_dict(), rules_digest=rules.digest)
    refused(copy, f"built by other rules than those of {sample.profile} as they are now")
    rewrite(copy, profile=other)
    refused(copy, f"{len(sample.table)} rows instead of {game_of(rules).deals}")


def test_a_gap_between_the_parts(sample, copy):
    first, second, *rest = read_manifest(copy).parts
    rewrite(copy, parts=(first, *rest))
    refused(copy, f"{rest[0].name} begins at row {rest[0].first} instead of {second.first}")
    rewrite(copy, parts=(first, second, *rest[:-1]))
    refused(copy, f"rows instead of {len(sample.table)}")


def test_a_part_outside_the_folder(copy):
    manifest = json.loads((copy / "manifest.json").read_text())
    parts = read_manifest(copy).parts
    rewrite(
        copy,
        parts=(
            type(parts[0])(
                "../part-00.parquet", *[getattr(parts[0], name) for name in ("first", "rows", "bytes", "sha256")]
            ),
            *parts[1:],
        ),
    )
    refused(copy, "is not a manifest")
    assert manifest["parts"][0]["name"] == "part-00.parquet"


def test_a_part_altered_after_the_table_was_opened(sample, copy):
    table = pycs.open_table(copy)
    part = copy / "part-02.parquet"
    content = bytearray(part.read_bytes())
    content[5000] ^= 1
    part.write_bytes(content)
    with pytest.raises(TableError, match=r"part-02\.parquet was altered"):
        table.probe(*sample.a_deal)


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text[:-1],
        lambda text: text + b" ",
        lambda text: b"\xef\xbb\xbf" + text,
        lambda text: text.decode().encode("utf-16"),
        lambda text: text.replace(b"{", b'{"profile": "live",', 1),
        lambda _: b"[" * 200_000,
        lambda _: b"[]",
        lambda _: b"",
    ],
)
def test_a_manifest_in_other_bytes(copy, change):
    path = copy / "manifest.json"
    path.write_bytes(change(path.read_bytes()))
    refused(copy, "manifest.json")


def note_part(folder):
    """Put the file that is there as the first part into the manifest."""
    path = folder / "part-00.parquet"
    first, *rest = read_manifest(folder).parts
    forged = type(first)(first.name, first.first, first.rows, path.stat().st_size, file_digest(path))
    rewrite(folder, parts=(forged, *rest))


def forge_part(folder, frame):
    frame.write_parquet(folder / "part-00.parquet")
    note_part(folder)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda frame: frame.drop("call"), "not those of a table"),
        (lambda frame: frame.select(frame.columns[::-1]), "not those of a table"),
        (lambda frame: frame.with_columns(pl.col("push").cast(pl.UInt32)), "not those of a table"),
        (lambda frame: frame[:-1], "rows"),
        (lambda frame: frame.with_columns(push=pl.when(pl.col("push") > 0).then("push")), "empty places in push"),
    ],
)
def test_a_part_that_is_no_part_of_a_table(sample, copy, change, words):
    forge_part(copy, change(pl.read_parquet(copy / "part-00.parquet")))
    table = pycs.open_table(copy)
    with pytest.raises(TableError, match=words):
        table.probe(*sample.a_deal)


def test_a_part_that_is_no_parquet(sample, copy):
    (copy / "part-00.parquet").write_text("no Parquet at all")
    note_part(copy)
    with pytest.raises(TableError, match="cannot be read"):
        pycs.open_table(copy).probe(*sample.a_deal)


def test_a_part_of_the_other_game(us_folder, holdem_folder, tmp_path):
    folder = tmp_path / "us"
    shutil.copytree(us_folder, folder)
    shutil.copy(holdem_folder / "part-00.parquet", folder)
    note_part(folder)
    with pytest.raises(TableError, match="not those of a table"):
        pycs.open_table(folder).probe("AsKhJd8c3s", "Qc")


def test_a_part_swapped_after_it_was_opened_is_not_decoded(copy):
    table = pycs.open_table(copy)
    path = copy / "part-00.parquet"
    frame = pl.read_parquet(path)
    frame.with_columns(action=pl.lit("call", frame.schema["action"])).write_parquet(path)
    with pytest.raises(TableError, match="altered since the table was opened"):
        table.frame(["action"])


def test_a_manifest_with_impossible_totals_or_rules(copy):
    whole = (copy / "manifest.json").read_bytes()
    totals = read_manifest(copy).totals
    for value in ("garbage", "1/0", "1/2\n"):
        (copy / "manifest.json").write_bytes(whole)
        rewrite(copy, totals=type(totals)(totals.weight, totals.deals, totals.net, value))
        refused(copy, "is not a manifest")
    (copy / "manifest.json").write_bytes(whole)
    rewrite(copy, rules={"game": "whist"})
    refused(copy, "game")


def test_a_table_can_be_copied_and_outlives_a_change_of_folder(sample, monkeypatch, tmp_path):
    monkeypatch.chdir(sample.folder.parent)
    table = pycs.open_table(sample.profile)
    monkeypatch.chdir(tmp_path)
    expected = pycs.decide(sample.profile, *sample.a_deal)
    assert table.probe(*sample.a_deal) == expected
    again = pickle.loads(pickle.dumps(table))
    assert again.probe(*sample.a_deal) == expected
    assert (again.rules, again.manifest, again.game.name) == (table.rules, table.manifest, table.game.name)


@pytest.mark.parametrize("path", [None, 3, b"us", "", "a\0b", ["us"]])
def test_what_is_no_path_is_refused(path):
    for door in (pycs.open_table, pycs.certify, lambda path: pycs.solve("us", path if path is not None else 0)):
        with pytest.raises(InputError, match="the path of a folder is allowed"):
            door(path)


@pytest.mark.parametrize(
    "ask",
    [
        lambda _hand, _seen, _name: None,
        lambda hand, seen, name: {"hand": [hand], name: [seen]},
        lambda hand, seen, name: pl.LazyFrame({"hand": [hand], name: [seen]}),
        lambda hand, seen, name: pl.DataFrame({"hand": [[hand]], name: [seen]}),
        lambda hand, seen, name: pl.DataFrame({"hand": [hand.encode()], name: [seen]}),
        lambda _hand, _seen, name: pl.DataFrame({"hand": [1], name: [2]}),
        lambda hand, seen, name: pl.DataFrame({"hand\n": [hand], name: [seen]}),
        lambda hand, _seen, name: pl.DataFrame({"hand": [hand], name: [None]}),
        lambda hand, seen, name: pl.DataFrame({"hand": [hand], name: [[seen]]}),
    ],
)
def test_many_probes_of_something_else_are_refused(sample, ask):
    with pytest.raises(InputError) as error:
        sample.table.probe_many(ask(*sample.a_deal, sample.game.seen))
    assert str(error.value).isprintable()


def test_many_probes_name_the_first_row_that_cannot_be(sample):
    hand, seen = sample.a_deal
    asked = sample.frame((hand[:-2] + hand[:2], seen), (hand, seen), ("zz", seen))
    with pytest.raises(InputError, match=rf"^row 0: {hand[:2]} is twice"):
        sample.table.probe_many(asked)


@pytest.mark.parametrize("columns", ["hand", ["hand", "hand"], 5, [["hand"]], ["profit"]])
def test_columns_that_are_not_there(sample, columns):
    with pytest.raises(InputError):
        sample.table.frame(columns)


def test_where_no_table_is(tmp_path):
    for place in (tmp_path, tmp_path / "none", tmp_path / "new\nline", "/", ".", "x" * 5000):
        with pytest.raises(InputError, match="no table is there") as error:
            pycs.open_table(place)
        assert "\n" not in str(error.value)


def test_a_stray_part_is_named(copy):
    part = next(iter(sorted(copy.glob("*.parquet"))))
    shutil.copy(part, copy / "part-99.parquet")
    refused(copy, "'part-99.parquet' is no part of this table: remove it")
    assert any("part-99.parquet" in problem for problem in pycs.certify(copy, share=1e-6).problems)


def test_no_columns_are_refused(us_table):
    with pytest.raises(InputError, match="at least one of hand, upcard"):
        us_table.frame([])


def other_house(**bonus):
    """The published game with another AA Bonus."""
    rules = load_rules("casino-holdem").to_dict()
    rules["name"] = "other-house"
    rules["side_bets"]["aa_bonus"] |= bonus
    return rules_from_dict(rules)


def test_a_table_of_another_bonus_is_refused_and_can_be_valued(holdem_folder, holdem_table):
    other = other_house(bonus_requires_call=False)
    refused(holdem_folder, "built by other rules than those of other-house", profile=other)
    with pytest.raises(TableError, match="built by other rules"):
        pycs.solve(other, holdem_folder)
    assert holdem_table.under(other).equals(holdem_table.frame())


def test_a_table_under_other_rules(holdem_table, us_table):
    rules = load_rules("casino-holdem").to_dict()
    rules |= {"name": "mine", "stakes": {"ante": 1, "call": 1}}
    rules["dealer"]["ante_when_not_qualified"] = "1 to 1"
    rules["pays"]["flush"] = 7
    valued = holdem_table.under(rules_from_dict(rules))
    assert valued.columns == holdem_table.frame().columns
    for row in valued[:: len(valued) // 40].iter_rows(named=True):
        decision = pycs.decide(rules_from_dict(rules), row["hand"], row["flop"])
        assert Fraction(row["call_numerator"], 1_070_190) == decision.values["call"]
        assert (row["action"], row["indifferent"]) == (decision.action, decision.indifferent)
    assert us_table.under("betmgm")["call"].sum() > us_table.frame(["call"])["call"].sum()
    with pytest.raises(InputError, match="us has the game caribbean-stud, this table is counted for casino-holdem"):
        holdem_table.under("us")
    rules["dealer"]["qualifies"] = "any"
    with pytest.raises(InputError, match="mine has a dealer who qualifies with any"):
        holdem_table.under(rules_from_dict(rules))


@pytest.mark.parametrize("index", [-1, 1_286_792, 1.0, "5", None, True])
def test_an_index_that_cannot_be_is_quoted(index):
    with pytest.raises(InputError, match=r"^the index .*: a whole number from 0 to 1286791 is allowed$"):
        pycs.deal_at("casino-holdem", index)
