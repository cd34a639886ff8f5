"""Charts say what `decide` says: the cells are read back from the files and counted another way."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from collections import Counter, defaultdict
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product
from math import comb

import polars as pl
import pytest

import pycs
from pycs.action_values import action_values
from pycs.chart_cells import hole_cells
from pycs.chart_differences import difference_cells
from pycs.chart_files import chart, chart_of, compare
from pycs.chart_sheets import Line, Sheet
from pycs.charts import change_picture, play_picture
from pycs.deal_classes import HOLE_CLASSES
from pycs.games import CARIBBEAN_STUD
from pycs.pay_lines import rules_with_pays
from pycs.rules import load_rules
from pycs.strategies import PLAYED

RANKS = "23456789TJQKA"
SUITS = "cdhs"
THREE = ("fold", "call", "exchange")
COMMAND = "pycs chart us -o 'us & <more>.html'"


@pytest.fixture(scope="module")
def us():
    return action_values("us")


@pytest.fixture(scope="module")
def us_html(us):
    return chart_of(us, command=COMMAND).as_file(".html").decode()


@pytest.fixture(scope="module")
def holdem():
    return action_values("casino-holdem")


@pytest.fixture(scope="module")
def holdem_chart(holdem):
    return chart_of(holdem, command=COMMAND)


@pytest.fixture(scope="module")
def holdem_html(holdem_chart):
    return holdem_chart.as_file(".html").decode()


def read_back(html):
    """The cells of each chart, as the file holds them."""
    found = re.findall(r'<script type="application/json" id="([^"]*)">(.*?)</script>', html, re.DOTALL)
    return {name: json.loads(spec)["datasets"][name] for name, spec in found}


def canonical(deals):
    """Deals with suits relabeled in the order in which they come, each once, with how many it stands for."""
    found = Counter()
    for cards in deals:
        labels = {}
        found[tuple(rank + SUITS[labels.setdefault(suit, len(labels))] for rank, suit in cards)] += 1
    return found


def decided(profile, deals):
    """Raw deals by action, and the sums of the values of the best and of each action, over canonical deals."""
    actions, sums = Counter(), defaultdict(Fraction)
    for cards, weight in canonical(deals).items():
        size = 5 if len(cards) == 6 else 2
        decision = pycs.decide(profile, "".join(cards[:size]), "".join(cards[size:]))
        actions[decision.action] += weight
        sums["best"] += weight * max(decision.values.values())
        for action, value in decision.values.items():
            sums[action] += weight * value
    return actions, sums


def ace_kings(kickers, up):
    ranks = ["A", "K", *kickers.split("-")]
    for suits in product(SUITS, repeat=5):
        hand = list(zip(ranks, suits, strict=True))
        if len(set(suits)) > 1:
            yield from ([*hand, (up, suit)] for suit in SUITS if (up, suit) not in hand)


def exact(text):
    """The fraction at the end of "0.333333333 = 1/3"."""
    return Fraction(text.split(" = ")[-1])


def check(row, actions, sums):
    ways = actions.total()
    assert (row["deals"], row["fold"], row["call"]) == (ways, actions["fold"], actions["call"]), row
    assert exact(row["worth"]) == sums["best"] / ways, row
    assert exact(row["fold_worth"]) == -1
    assert exact(row["call_worth"]) == sums["call"] / ways, row


def test_every_ace_king_cell_is_played_as_decide_says(us_html):
    cells = read_back(us_html)["ace-king"]
    assert len(cells) == len({(cell["kickers"], cell["up"]) for cell in cells}) == 164 * 13
    mixed = 0
    for cell in cells:
        kickers, up = cell["kickers"], cell["up"]
        held = up in ("A", "K", *kickers.split("-"))
        assert cell["deals"] == (4**5 - 4) * (3 if held else 4)
        if cell["fold"] and cell["call"]:
            mixed += 1
            check(cell, *decided("us", ace_kings(kickers, up)))
            assert cell["text"] == str(max(1, round(100 * cell["call"] / cell["deals"])))
        else:
            cards = [f"{rank}{suit}" for rank, suit in zip(("A", "K", *kickers.split("-")), "cdhsc", strict=True)]
            action = pycs.decide("us", "".join(cards), up + ("s" if f"{up}s" not in cards else "c")).action
            assert cell[action] == cell["deals"], cell
            assert cell["text"] == ""
            assert cell["fill"] == {"fold": "#fdf3dd", "call": "#153e6b"}[action]
    assert mixed == 69


def test_classes_of_hands_have_the_values_of_their_deals(us_html):
    cells = {(cell["hand"], cell["seen"]): cell for cell in read_back(us_html)["classes"]}
    assert sum(cell["deals"] for cell in cells.values()) == 122_151_120
    for up in RANKS:
        check(cells["A-K-4", up], *decided("us", ace_kings("4-3-2", up)))
        royals = ([(rank, suit) for rank in "AKQJT"] for suit in SUITS)
        dealt = [[*hand, (up, suit)] for hand in royals for suit in SUITS if (up, suit) not in hand]
        check(cells["royal flush", up], *decided("us", dealt))
        assert cells["royal flush", up]["text"] == "C"
    both = [cells["A-K-Q", up] for up in RANKS]
    of_kickers = [cell for cell in read_back(us_html)["ace-king"] if cell["kickers"][0] == "Q"]
    assert [cell["call"] for cell in both] == [
        sum(each["call"] for each in of_kickers if each["up"] == cell["seen"]) for cell in both
    ]


def hole_cards(hole):
    suits = combinations(SUITS, 2) if len(hole) == 2 else product(SUITS, repeat=2)
    for first, second in suits:
        if len(hole) == 2 or (first == second) == (hole[2] == "s"):
            yield (hole[0], first), (hole[1], second)


def texture(flop):
    ranks, suits = len({rank for rank, _ in flop}), len({suit for _, suit in flop})
    return f"{['three alike', 'a pair', 'no pair'][ranks - 1]}, {['one suit', 'two suits', 'three suits'][suits - 1]}"


def test_hole_cards_stand_in_their_place_and_hold_all_flops(holdem_html):
    cells = read_back(holdem_html)["holes"]
    assert [cell["hole"] for cell in cells] == list(HOLE_CLASSES)
    assert len({(cell["row"], cell["column"]) for cell in cells}) == 169
    for cell in cells:
        hole = cell["hole"]
        assert cell["deals"] == len(list(hole_cards(hole))) * comb(50, 3) == cell["fold"] + cell["call"]
        above = RANKS.index(cell["row"]) > RANKS.index(cell["column"])
        assert (cell["row"] == cell["column"]) == (len(hole) == 2)
        assert above == hole.endswith("s")
    rows = read_back(holdem_html)["textures"]
    for cell in cells:
        own = [row for row in rows if row["hole"] == cell["hole"]]
        assert [sum(row[name] for row in own) for name in ("fold", "call")] == (
            [cell["fold"], cell["call"]] if cell["fold"] else [0, 0]
        )


@pytest.mark.parametrize(
    ("hole", "flop"),
    [
        ("AKs", "no pair, one suit"),
        ("22", "no pair, one suit"),
        ("72o", "three alike, three suits"),
        ("32s", "three alike, three suits"),
        ("T9s", "no pair, one suit"),
    ],
)
def test_textures_are_played_as_decide_says(holdem_html, hole, flop):
    (cell,) = (row for row in read_back(holdem_html)["textures"] if (row["hole"], row["seen"]) == (hole, flop))
    deck = list(product(RANKS, SUITS))
    dealt = (
        [*cards, *found]
        for cards in hole_cards(hole)
        for found in combinations([card for card in deck if card not in cards], 3)
        if texture(found) == flop
    )
    check(cell, *decided("casino-holdem", dealt))


def test_what_a_strategy_costs_is_spread_over_its_cells(us):
    made = chart_of(us, strategy="three-rules", against="optimal")
    cost, cells = made.cost, made.cells
    assert {(cell["hand"], cell["seen"]): (cell["different"], exact(cell["loss"])) for cell in cells["classes"]} == {
        (each.hand, each.seen): (each.deals, each.loss) for each in cost.differences
    }
    assert sum(exact(cell["loss"]) for cell in cells["ace-king"]) == cost.loss
    assert made.to_dict()["charts"][1]["cells"] == cells["classes"]
    assert made.frames["classes"]["different"].to_list() == [cell["different"] for cell in cells["classes"]]
    for cell in cells["ace-king"]:
        assert {cell["first"], cell["second"]} == {"call", "fold"}
        suited = re.fullmatch(r"none|at (least|most) (\d)", cell["suits"])
        if not suited:
            continue
        deals = [deal for deal in ace_kings(cell["kickers"], cell["up"]) if deal[5][1] == "s"]
        held = [sum(suit == "s" for _, suit in deal[:5]) for deal in deals]
        most = int(suited[2] or 0)
        inside = sum(count >= most if suited[1] == "least" else count <= most for count in held)
        assert Fraction(inside, len(held)) == Fraction(cell["different"], cell["deals"]), cell


def test_two_profiles_differ_where_their_decisions_do():
    dear = rules_with_pays(load_rules("casino-holdem"), "flush=9")
    made = compare("casino-holdem", dear)
    cells = {(cell["hand"], cell["seen"]): cell for cell in made.cells["classes"]}
    assert set(made.cells) == {"holes", "classes"}
    lines = " ".join(line.text for line in made.sheet.lines)
    for loss, profile, at in (("loss", dear.name, "casino-holdem"), ("other_loss", "casino-holdem", dear.name)):
        lost = -sum(exact(cell[loss]) for cell in cells.values())
        assert lost == -sum(exact(cell[loss]) for cell in made.cells["holes"]) > 0
        assert f"The play of {profile} loses {float(lost):.6g} = {lost} antes per round at {at}." in lines
    assert made.to_dict()["other_profile"] == dear.name
    same = compare(dear, dear)
    assert same.cells == {}
    assert "no deal: it is the same" in same.as_file(".html").decode()
    ET.fromstring(same.as_file(".svg"))


def test_with_an_exchange_a_cell_has_the_colour_of_what_is_done_most():
    cell = {"value": -0.5, "exact": "-1/2", "gain": 0.0, "gain_exact": "0"}
    cell |= {f"{action}_{column}": cell[column] for action in THREE for column in ("value", "exact")}
    shares = [(10, 0, 0), (0, 10, 0), (0, 0, 10), (2, 3, 5), (9, 0, 1)]
    cells = pl.DataFrame(
        [
            {"hand": f"{rank} high", "seen": "2", "deals": 10, **dict(zip(THREE, share, strict=True)), **cell}
            for rank, share in zip("AKQJT", shares, strict=True)
        ]
    )
    picture = play_picture(CARIBBEAN_STUD, "classes", cells, THREE)
    fold, call, exchange = "#fdf3dd", "#153e6b", "#f0a440"
    assert [row["fill"] for row in picture.rows] == [fold, call, exchange, exchange, fold]
    assert [row["text"] for row in picture.rows] == ["F", "C", "X", "50X", "90F"]
    assert [look.meaning for look in picture.key[:3]] == list(THREE)
    assert "exchange, deals" in str(picture.spec())
    changes = cells.select(
        "hand", "seen", "deals", different="exchange", first=pl.lit("fold"), second=pl.lit("exchange")
    )
    changes = changes.with_columns(same_way="different", loss=0.5, exact=pl.lit("1/2")).filter(pl.col("different") > 0)
    changed = change_picture(CARIBBEAN_STUD, "classes", changes, ("a", "b"), THREE)
    assert [(row["fill"], row["text"]) for row in changed.rows] == [(exchange, "X"), (exchange, "50"), (exchange, "10")]


def test_cells_count_three_actions(holdem):
    deals = holdem.deals
    exchange = pl.when(pl.col("weight") == 24).then(0).otherwise(-(10**7)).alias("exchange")
    deals = deals.with_columns(exchange)
    best = pl.when(pl.col("exchange") > pl.max_horizontal("fold", "call")).then(pl.lit("exchange", PLAYED))
    deals = deals.with_columns(best=best.otherwise(pl.col("best")))
    values = replace(holdem, actions=THREE, deals=deals)
    cells = hole_cells(values)
    assert cells.select(pl.sum_horizontal(THREE)).to_series().to_list() == cells["deals"].to_list()
    assert cells["exchange"].sum() == deals.filter(pl.col("best") == "exchange")["weight"].sum() > 0
    changes = difference_cells(values, "holes", holdem.deals["best"], deals["best"])
    assert set(changes["second"]) == {"exchange"}
    assert changes["different"].sum() == cells["exchange"].sum()
    assert (changes["loss"] > 0).all()
    total = sum(Fraction(row["gain_exact"]) * row["deals"] for row in cells.to_dicts()) * values.denominator
    nexts = deals.select(
        (pl.max_horizontal(THREE) * 2 + pl.min_horizontal(THREE) - pl.sum_horizontal(THREE)) * pl.col("weight")
    )
    assert total == nexts.to_series().cast(pl.Int128).sum()
    assert sum(Fraction(row["exact"]) * row["deals"] for row in cells.to_dicts()) * values.denominator == (
        deals.select(pl.max_horizontal(THREE) * pl.col("weight")).to_series().cast(pl.Int128).sum()
    )


def test_html_holds_all_it_needs(us_html, holdem_html):
    for html in (us_html, holdem_html):
        assert not re.search(r"""<[^>]+\b(src|href)\s*=|@import|url\(""", html.split("<script>")[0])
        assert "vegaEmbed" in html
    assert "pycs chart us -o &#39;us &amp; &lt;more&gt;.html&#39;" in us_html
    assert f"pycs {pycs.__version__}" in us_html


def test_every_cell_stands_in_the_svg(holdem_chart):
    root = ET.fromstring(holdem_chart.as_file(".svg"))
    said = [each.text.split("\n") for each in root.iter("{http://www.w3.org/2000/svg}title") if "\n" in each.text]
    told = [dict(line.split(": ", 1) for line in lines) for lines in said]
    cells = [cell for rows in holdem_chart.cells.values() for cell in rows]
    assert [(each["hole cards"], each.get("flop"), each["call, deals"], each["call, antes"]) for each in told] == [
        (cell["hole"], cell.get("seen"), str(cell["call"]), cell["call_worth"]) for cell in cells
    ]
    assert any(COMMAND in (text.text or "") for text in root.iter("{http://www.w3.org/2000/svg}text"))


def test_pictures_and_paper_open(holdem, tmp_path):
    made = chart_of(holdem, page=True, strategy="call when pair > 0 or hole_1 >= 8")
    for name in ("sheet.svg", "sheet.PNG", "sheet.pdf", "sheet.html"):
        made.write(tmp_path / name)
    picture = (tmp_path / "sheet.PNG").read_bytes()
    assert picture[:8] == b"\x89PNG\r\n\x1a\n"
    assert [int.from_bytes(picture[start : start + 4], "big") for start in (16, 20)] == [1190, 1684]
    paper = (tmp_path / "sheet.pdf").read_bytes()
    assert paper.startswith(b"%PDF-")
    assert re.findall(rb"/Count (\d+)", paper) == [b"1"]
    assert re.search(rb"/MediaBox \[0 0 595 842\]", paper)
    svg = (tmp_path / "sheet.svg").read_text()
    assert svg in (tmp_path / "sheet.html").read_text()
    assert "hole_1: the rank of the higher hole card" in svg
    assert str(made.cost.loss) in svg
    assert sum(exact(cell["loss"]) for cell in made.cells["classes"]) == made.cost.loss
    assert made.sheet.scale >= 0.75


def test_a_page_keeps_the_dearest_exceptions(holdem):
    page = chart_of(holdem, page=True, strategy="; ".join(f"fold when hole_2 = {rank}" for rank in range(2, 15)))
    kept = page.cells["classes"]
    lost = page.cost.loss - sum(exact(cell["loss"]) for cell in kept)
    text = " ".join(line.text for line in page.sheet.lines)
    assert "Below stand the exceptions that cost most" in text
    assert page.sheet.scale >= 0.75
    rows = defaultdict(Fraction)
    for each in page.cost.differences:
        rows[each.hand] += each.loss
    shown = {cell["hand"] for cell in kept}
    assert min(rows[hand] for hand in shown) >= max(loss for hand, loss in rows.items() if hand not in shown)
    assert lost == sum(loss for hand, loss in rows.items() if hand not in shown)


def test_an_empty_sheet_and_long_words_are_no_trouble():
    long = "pycs chart " + "x" * 400
    root = ET.fromstring(Sheet("title", (Line("a < b"), Line("")), (), (long,)).svg())
    assert root.attrib["width"] == "595"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"page": True, "strategy": "optimal"}, "best play itself"),
        ({"strategy": "nonsense"}, "one of optimal"),
        ({"strategy": "otherwise exchange"}, "exchange is not allowed"),
    ],
)
def test_strategies_that_cannot_be_are_refused(holdem, given, message):
    with pytest.raises(pycs.InputError, match=message):
        chart_of(holdem, **given)


def test_what_cannot_be_is_refused_before_it_is_counted(tmp_path):
    with pytest.raises(pycs.InputError, match=r"ends in \.html or \.svg or \.png or \.pdf"):
        chart("casino-holdem", tmp_path / "a.txt")
    with pytest.raises(pycs.InputError, match="give no other"):
        chart("casino-holdem", page=True, against="optimal")


def test_two_games_are_not_compared():
    with pytest.raises(pycs.InputError, match="two of one game"):
        compare("us", "casino-holdem")
