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
    from pycs.chart_files import Chart, chart, compare
    from pycs.deals import deal_at, index_of
    from pycs.decisions import Decision, Outcomes, decide
    from pycs.distributions import Distribution
    from pycs.estimates import Estimate
    from pycs.information import InformedPlay, SeenHands, always_call, known_dealer_cards, seen_hands
    from pycs.joint_rounds import Rounds, rounds
    from pycs.pay_lines import rules_with_pays
    from pycs.pay_table_search import search_pay_tables
    from pycs.pay_table_values import changed_deals, pay_tables, published_pay_tables, sensitivity
    from pycs.ranking import rank_hand, rank_hands
    from pycs.reports import Event, Report, report, strategy_reports
    from pycs.rules import Rules, load_rules, profile_names
    from pycs.session_reports import SessionReport, session
    from pycs.settlement import Settlement, settle
    from pycs.simulation import Simulation, simulate, simulated_rounds
    from pycs.solving import solve
    from pycs.stated_summaries import Summary
    from pycs.strategies import Rule, Strategy
    from pycs.strategy_costs import StrategyCost, strategy
    from pycs.strategy_search import FoundStrategy, find_strategies
    from pycs.tables import Table, open_table
    from pycs.verdicts import Finding, FitTest, Verdict
    from pycs.verification import verify

# Where each name is defined. A module is imported when one of its names is first used: `pycs --help` needs none.
_HOMES = {
    "cards": ("format_cards", "parse_cards"),
    "certification": ("Certificate", "certify"),
    "chart_files": ("Chart", "chart", "compare"),
    "deals": ("deal_at", "index_of"),
    "decisions": ("Decision", "Outcomes", "decide"),
    "distributions": ("Distribution",),
    "estimates": ("Estimate",),
    "information": ("InformedPlay", "SeenHands", "always_call", "known_dealer_cards", "seen_hands"),
    "pay_lines": ("rules_with_pays",),
    "pay_table_search": ("search_pay_tables",),
    "pay_table_values": ("changed_deals", "pay_tables", "published_pay_tables", "sensitivity"),
    "ranking": ("rank_hand", "rank_hands"),
    "reports": ("Event", "Report", "report", "strategy_reports"),
    "joint_rounds": ("Rounds", "rounds"),
    "rules": ("Rules", "load_rules", "profile_names"),
    "session_reports": ("SessionReport", "session"),
    "settlement": ("Settlement", "settle"),
    "simulation": ("Simulation", "simulate", "simulated_rounds"),
    "solving": ("solve",),
    "strategies": ("Rule", "Strategy"),
    "strategy_costs": ("StrategyCost", "strategy"),
    "strategy_search": ("FoundStrategy", "find_strategies"),
    "stated_summaries": ("Summary",),
    "tables": ("Table", "open_table"),
    "verdicts": ("Finding", "FitTest", "Verdict"),
    "verification": ("verify",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "Certificate",
    "Chart",
    "Decision",
    "Distribution",
    "Estimate",
    "Event",
    "Finding",
    "FitTest",
    "FoundStrategy",
    "InformedPlay",
    "InputError",
    "Outcomes",
    "PycsError",
    "Report",
    "Rounds",
    "Rule",
    "Rules",
    "SeenHands",
    "SessionReport",
    "Settlement",
    "Simulation",
    "Strategy",
    "StrategyCost",
    "Summary",
    "Table",
    "TableError",
    "Verdict",
    "__version__",
    "always_call",
    "certify",
    "changed_deals",
    "chart",
    "compare",
    "deal_at",
    "decide",
    "find_strategies",
    "format_cards",
    "index_of",
    "known_dealer_cards",
    "load_rules",
    "open_table",
    "parse_cards",
    "pay_tables",
    "profile_names",
    "published_pay_tables",
    "rank_hand",
    "rank_hands",
    "report",
    "rounds",
    "rules_with_pays",
    "search_pay_tables",
    "seen_hands",
    "sensitivity",
    "session",
    "settle",
    "simulate",
    "simulated_rounds",
    "solve",
    "strategy",
    "strategy_reports",
    "verify",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'pycs' has no attribute {name!r}")
    value = getattr(import_module(f"pycs.{_HOME_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOME_OF])
