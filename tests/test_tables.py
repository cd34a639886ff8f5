"""Tables: probes against decisions, the columns on disk, and every way in which a folder can be wrong."""

import json
import pickle
import shutil
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

import numpy as np
import polars as pl
import pytest

import pycs
from pycs.cards import format_cards
from pycs.deals import DEALS
from pycs.errors import InputError, TableError
from pycs.manifest import file_digest, read_manifest, write_manifest
from pycs.rules import load_rules, rules_from_dict
from pycs.table_files import COLUMNS, SCHEMA


@pytest.fixture
def copy(us_folder, tmp_path):
    folder = tmp_path / "us"
    shutil.copytree(us_folder, folder)
    return folder


def as_text(deal):
    return format_cards(deal[:5].tolist()), format_cards(deal[5:].tolist())


def test_a_probe_is_a_decision(us_table, random_deals, extreme_deals):
    for deal in [*random_deals[:300], *extreme_deals]:
        hand, upcard = as_text(deal)
        assert us_table.probe(hand, upcard) == pycs.decide("us", hand, upcard)


def test_many_probes_are_as_many_decisions(us_table, random_deals):
    hands, upcards = zip(*map(as_text, random_deals), strict=True)
    asked = pl.DataFrame({"number": range(len(hands)), "hand": hands, "upcard": upcards})
    told = us_table.probe_many(asked)
    assert told.columns == ["number", "hand", "upcard", "index", *list(COLUMNS)[2:]]
    assert told.select("number", "hand", "upcard").equals(asked)
    for row in told[::25].iter_rows(named=True):
        decision = pycs.decide("us", row["hand"], row["upcard"])
        assert row["action"] == decision.action
        assert Fraction(row["call_numerator"], 163185) == decision.values["call"]
        assert row["call"] == float(decision.values["call"])
        assert row["margin"] == float(decision.margin)
        assert tuple(row[name] for name in decision.outcomes._fields) == decision.outcomes
        assert row["category"] == decision.category


def test_many_probes_in_any_notation(us_table):
    asked = pl.DataFrame(
        {"hand": ["As Kh Jd 8c 3s", "A♠K♥J♦8♣3♠", "askhjd8c3s", "AsKhJd8c3s"], "upcard": ["Qc", "Q♣", "qC", "Qc"]}
    )
    told = us_table.probe_many(asked)
    assert told["index"].n_unique() == 1
    assert told["action"].to_list() == ["fold"] * 4
    assert us_table.probe_many(asked.clear()).height == 0
    as_categories = asked.with_columns(pl.all().cast(pl.Categorical))
    assert us_table.probe_many(as_categories)["index"].equals(told["index"])


@pytest.mark.parametrize(
    ("hand", "upcard", "words"),
    [
        ("AsKhJd8c3s", "As", "row 1: As is twice in the deal AsKhJd8c3sAs"),
        ("AsKhJd8cAs", "Qc", "row 1: As is twice in the deal AsKhJd8cAsQc"),
        ("AsKhJd8c", "Qc", "row 1: the hand 'AsKhJd8c': 4 cards came"),
        (None, "Qc", "row 1: a hand or an upcard is missing"),
        ("AsKhJd8c3s", "1c", "row 1: the upcard '1c': no such rank"),
        ("AsKhJdéc3s", "Qc", "row 1: the hand"),
    ],
)
def test_many_probes_name_the_row_that_cannot_be(us_table, hand, upcard, words):
    asked = pl.DataFrame({"hand": ["AsKhJd8c3s", hand], "upcard": ["Qc", upcard]})
    with pytest.raises(InputError) as error:
        us_table.probe_many(asked)
    assert words in str(error.value)


def test_many_probes_need_both_columns(us_table):
    with pytest.raises(InputError, match="hand and upcard are needed"):
        us_table.probe_many(pl.DataFrame({"hand": ["AsKhJd8c3s"]}))


def test_get_gives_the_default_for_what_cannot_be_dealt(us_table):
    assert us_table.get("AsKhJd8c3s", "Qc") == us_table.probe("AsKhJd8c3s", "Qc")
    assert us_table.get("AsKhJd8c3s", "As") is None
    fallback = us_table.probe("AsKhJd8c3s", "Qc")
    assert us_table.get("nothing", "Qc", fallback) is fallback
    with pytest.raises(InputError):
        us_table.probe("AsKhJd8c3s", "As")


def test_threads_share_a_table(us_folder, random_deals):
    table = pycs.open_table(us_folder)  # nothing loaded yet: the threads race for it
    texts = [as_text(deal) for deal in random_deals[:200]]
    with ThreadPoolExecutor(8) as pool:
        told = list(pool.map(lambda text: table.probe(*text).action, texts))
    assert told == [pycs.decide("us", *text).action for text in texts]


def test_row_and_deal_belong_together(us_table):
    frame = us_table.frame()
    assert frame.schema == SCHEMA
    assert frame.height == len(us_table) == DEALS
    assert int(frame["weight"].cast(pl.Int64).sum()) == 122_151_120
    counts = frame.select(pl.sum_horizontal(pl.col("not_qualified", "win", "push", "lose").cast(pl.Int64)))
    assert counts.to_series().unique().to_list() == [163185]
    told = us_table.probe_many(frame.select("hand", "upcard"))
    assert np.array_equal(told["index"].to_numpy(), np.arange(DEALS))
    assert us_table.frame(["call"]).columns == ["call"]
    with pytest.raises(InputError, match="no column 'profit'"):
        us_table.frame(["profit"])


def test_the_table_is_small_enough_to_hand_around(us_folder):
    assert sum(file.stat().st_size for file in us_folder.iterdir()) < 100e6


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
    part = copy / "part-07.parquet"
    content = bytearray(part.read_bytes())
    content[int(place * len(content))] ^= 0x10
    part.write_bytes(content)
    refused(copy, "part-07.parquet was altered")


def test_a_part_cut_short(copy):
    part = copy / "part-10.parquet"
    part.write_bytes(part.read_bytes()[:-1])
    refused(copy, "part-10.parquet holds")


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


def test_a_table_of_other_rules(copy):
    refused(copy, "built by other rules than those of betmgm", profile="betmgm")
    rules = load_rules("us").to_dict()
    rules["pays"]["flush"] = 6
    other = rules_from_dict(rules)
    rewrite(copy, rules=rules)
    refused(copy, "do not fit their digest")
    rewrite(copy, rules=rules, rules_digest=other.digest)
    refused(copy, "built by other rules than those of us as they are now")
    assert pycs.open_table(copy, other).rules == other


def test_a_gap_between_the_parts(copy):
    parts = read_manifest(copy).parts
    rewrite(copy, parts=parts[:3] + parts[4:])
    refused(copy, "part-04.parquet begins at row")
    rewrite(copy, parts=parts[:-1])
    refused(copy, "rows instead of 5649150")


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


def test_a_part_altered_after_the_table_was_opened(copy):
    table = pycs.open_table(copy)
    part = copy / "part-03.parquet"
    content = bytearray(part.read_bytes())
    content[5000] ^= 1
    part.write_bytes(content)
    with pytest.raises(TableError, match=r"part-03\.parquet was altered"):
        table.probe("AsKhJd8c3s", "Qc")


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


def forge_part(folder, frame):
    path = folder / "part-00.parquet"
    frame.write_parquet(path)
    first, *rest = read_manifest(folder).parts
    forged = type(first)(first.name, first.first, first.rows, path.stat().st_size, file_digest(path))
    rewrite(folder, parts=(forged, *rest))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda frame: frame.drop("call"), "not those of a table"),
        (lambda frame: frame.with_columns(pl.col("win").cast(pl.UInt32)), "not those of a table"),
        (lambda frame: frame[:-1], "rows"),
        (lambda frame: frame.with_columns(win=pl.when(pl.col("win") > 0).then("win")), "empty places in win"),
    ],
)
def test_a_part_that_is_no_part_of_a_table(copy, change, words):
    forge_part(copy, change(pl.read_parquet(copy / "part-00.parquet")))
    table = pycs.open_table(copy)
    with pytest.raises(TableError, match=words):
        table.probe("AsKhJd8c3s", "Qc")
    (copy / "part-00.parquet").write_text("no Parquet at all")
    first, *rest = read_manifest(copy).parts
    path = copy / "part-00.parquet"
    rewrite(copy, parts=(type(first)(first.name, 0, first.rows, path.stat().st_size, file_digest(path)), *rest))
    with pytest.raises(TableError, match="cannot be read"):
        pycs.open_table(copy).probe("AsKhJd8c3s", "Qc")


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


def test_a_table_can_be_copied_and_outlives_a_change_of_folder(us_folder, monkeypatch, tmp_path):
    monkeypatch.chdir(us_folder.parent)
    table = pycs.open_table("us")
    monkeypatch.chdir(tmp_path)
    assert table.probe("AsKhJd8c3s", "Qc").action == "fold"
    again = pickle.loads(pickle.dumps(table))
    assert again.probe("AsKhJd8c3s", "Qc").action == "fold"


@pytest.mark.parametrize("path", [None, 3, b"us", "", "a\0b", ["us"]])
def test_what_is_no_path_is_refused(path):
    for door in (pycs.open_table, pycs.certify, lambda path: pycs.solve("us", path if path is not None else 0)):
        with pytest.raises(InputError, match="the path of a folder is allowed"):
            door(path)


@pytest.mark.parametrize(
    "asked",
    [
        None,
        {"hand": ["AsKhJd8c3s"], "upcard": ["Qc"]},
        pl.LazyFrame({"hand": ["AsKhJd8c3s"], "upcard": ["Qc"]}),
        pl.DataFrame({"hand": [["As"]], "upcard": ["Qc"]}),
        pl.DataFrame({"hand": [b"AsKhJd8c3s"], "upcard": ["Qc"]}),
        pl.DataFrame({"hand": [1], "upcard": [2]}),
        pl.DataFrame({"hand\n": ["AsKhJd8c3s"], "upcard": ["Qc"]}),
        pl.DataFrame({"hand": ["AsKhJd8c3s"], "upcard": [None]}),
    ],
)
def test_many_probes_of_something_else_are_refused(us_table, asked):
    with pytest.raises(InputError) as error:
        us_table.probe_many(asked)
    assert str(error.value).isprintable()


def test_many_probes_name_the_first_row_that_cannot_be(us_table):
    asked = pl.DataFrame({"hand": ["AsKhJd8cAs", "AsKhJd8c3s", "zz"], "upcard": ["Qc", "Qc", "Qc"]})
    with pytest.raises(InputError, match=r"^row 0: As is twice"):
        us_table.probe_many(asked)


@pytest.mark.parametrize("columns", ["hand", ["hand", "hand"], 5, [["hand"]], ["profit"]])
def test_columns_that_are_not_there(us_table, columns):
    with pytest.raises(InputError):
        us_table.frame(columns)


def test_where_no_table_is(tmp_path):
    for place in (tmp_path, tmp_path / "none", tmp_path / "new\nline", "/", ".", "x" * 5000):
        with pytest.raises(InputError, match="no table is there") as error:
            pycs.open_table(place)
        assert "\n" not in str(error.value)
