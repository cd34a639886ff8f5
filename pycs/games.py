"""The games: what a player sees before he decides, in how many ways it can come, and how it is counted.

What the player sees is a *deal*: his own cards, and the cards in sight on the table. Deals that differ only by a
relabeling of the suits are one canonical deal; its *weight* is the number of raw deals it stands for, up to 24.
Canonical deals are numbered from 0; numbers and deals turn into each other by a formula, without a table. All the
upcards of one canonical hand stand together, and all the hole cards of one canonical flop.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pycs.core import HOLDEM, STUD
from pycs.holdem_rules import CasinoHoldemRules
from pycs.stud_rules import CaribbeanStudRules

if TYPE_CHECKING:
    from pycs.core import Kernel
    from pycs.game_rules import GameRules

__all__ = ["CARIBBEAN_STUD", "CASINO_HOLDEM", "GAMES", "Game", "game_of"]


@dataclass(frozen=True)
class Game:
    """A game as it is counted. `name` is what a profile's `game` says; `seen` names the cards on the table.

    `hidden` is how many cards the dealer holds face down, `most_dead` how many cards can be known to be out of play.
    """

    name: str
    kernel: Kernel
    seen: str
    hidden: int
    most_dead: int
    raw_deals: int
    outcomes: tuple[str, ...]

    @property
    def deals(self) -> int:
        """How many canonical deals there are: the rows of a table."""
        return self.kernel.deals

    @property
    def completions(self) -> int:
        """How many ways there are for the rest of the cards to fall, for each deal."""
        return self.kernel.completions

    @property
    def rounds(self) -> int:
        """Raw deals with all their completions: the equally likely ways a round can be dealt.

        >>> CARIBBEAN_STUD.rounds, CASINO_HOLDEM.rounds
        (19933230517200, 27813810024000)
        """
        return self.raw_deals * self.completions


CARIBBEAN_STUD: Final = Game(
    name="caribbean-stud",
    kernel=STUD,
    seen="upcard",
    hidden=4,
    most_dead=41,
    raw_deals=122_151_120,  # C(52,5) x 47
    outcomes=CaribbeanStudRules.outcomes,
)
CASINO_HOLDEM: Final = Game(
    name="casino-holdem",
    kernel=HOLDEM,
    seen="flop",
    hidden=2,
    most_dead=43,
    raw_deals=25_989_600,  # C(52,2) x C(50,3)
    outcomes=CasinoHoldemRules.outcomes,
)

GAMES: Final = {game.name: game for game in (CARIBBEAN_STUD, CASINO_HOLDEM)}
"""The games by name."""


def game_of(rules: GameRules) -> Game:
    """The game of which these are rules.

    >>> from pycs.rules import load_rules
    >>> game_of(load_rules("us")).seen, game_of(load_rules("casino-holdem")).seen
    ('upcard', 'flop')
    """
    return GAMES[rules.game]
