"""Exact analysis of casino poker: Caribbean Stud and its variants, and Casino Hold'em, solved.

>>> import pycs
>>> pycs.decide("us", "AsKhJd8c3s", "Qc").action
'fold'
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from pycs.errors import InputError, PycsError, TableError
from pycs.version import __version__

if TYPE_CHECKING:
    from pycs.cards import format_cards, parse_cards
    from pycs.certification import Certificate, certify
    from pycs.deals import deal_at, index_of
    from pycs.decisions import Decision, Outcomes, decide
    from pycs.estimates import Estimate
    from pycs.information import InformedPlay, SeenHands, always_call, known_dealer_cards, seen_hands
    from pycs.ranking import rank_hand, rank_hands
    from pycs.reports import Event, Report, report
    from pycs.rules import Rules, load_rules, profile_names
    from pycs.settlement import Settlement, settle
    from pycs.solving import solve
    from pycs.tables import Table, open_table

# Where each name is defined. A module is imported when one of its names is first used: `pycs --help` needs none.
_HOMES = {
    "cards": ("format_cards", "parse_cards"),
    "certification": ("Certificate", "certify"),
    "deals": ("deal_at", "index_of"),
    "decisions": ("Decision", "Outcomes", "decide"),
    "estimates": ("Estimate",),
    "information": ("InformedPlay", "SeenHands", "always_call", "known_dealer_cards", "seen_hands"),
    "ranking": ("rank_hand", "rank_hands"),
    "reports": ("Event", "Report", "report"),
    "rules": ("Rules", "load_rules", "profile_names"),
    "settlement": ("Settlement", "settle"),
    "solving": ("solve",),
    "tables": ("Table", "open_table"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "Certificate",
    "Decision",
    "Estimate",
    "Event",
    "InformedPlay",
    "InputError",
    "Outcomes",
    "PycsError",
    "Report",
    "Rules",
    "SeenHands",
    "Settlement",
    "Table",
    "TableError",
    "__version__",
    "always_call",
    "certify",
    "deal_at",
    "decide",
    "format_cards",
    "index_of",
    "known_dealer_cards",
    "load_rules",
    "open_table",
    "parse_cards",
    "profile_names",
    "rank_hand",
    "rank_hands",
    "report",
    "seen_hands",
    "settle",
    "solve",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'pycs' has no attribute {name!r}")
    value = getattr(import_module(f"pycs.{_HOME_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOME_OF])
