"""Positions with who holds what: what a learned belief is measured against.

    from domino_env import belief

    some = belief.holdings("block_draw")
    some.observations              # float32[N, F]: what the seats to move see
    some.shares                    # float64[N, tiles, seats + 1]: how likely which tile is where
    some.holders                   # int8[N, tiles]: where it really is; -1 for one that is seen

The positions are of games between agents who are seated by lot and sometimes play at random, a
decision of each game. Shares are exact: all deals that agree with what the seat has seen are
equally likely. docs/who-holds-what.md says how they are made and scored.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from domino_env.batches import Batch
from domino_env.batches.playing_on import play_on
from domino_env.belief import holdings_file
from domino_env.belief.guesses import Guess, holders, normalised
from domino_env.belief.holdings_file import HoldingsFile
from domino_env.errors import BadOption, DominoError

Numbers = npt.NDArray[np.float64]


class Holdings:
    """The positions of a game. Columns are seen from the seat to move: 0 is the seat itself, then
    the others clockwise, and last the boneyard.

    Attributes:
        name: of the game.
        batch: in which they are set up, a lane each: read it, do not step it.
        hidden: bool[N, tiles]: which tiles the seat to move has not seen.
        holders: int8[N, tiles]: the column that each hidden tile really is in, -1 for others.
        shares: float64[N, tiles, columns]: how likely each hidden tile is in which column.
        log_likelihoods: float64[N]: of all hands as they are (`belief.log_likelihood`).
        play_aware_losses: float64[N]: the log loss of who knows how the others play, a tile.
        play_aware_worlds: float64[N]: as how many worlds of equal weights that is known.
    """

    def __init__(self, file: HoldingsFile) -> None:
        if not isinstance(file, HoldingsFile):
            raise BadOption(f"positions come from a file of them, not {file!r:.80}: see holdings()")
        entries, self.name = file.entries, file.game
        self.batch = Batch(file.rules, len(entries), file.seats, autoreset=False)
        self.batch.reset(seed=[entry.seed for entry in entries])
        play_on(self.batch, [entry.actions for entry in entries])
        tiles, columns = self.batch.rules.num_tiles, file.seats + 1
        self.holders = np.full((len(entries), tiles), -1, np.int8)
        self.shares = np.zeros((len(entries), tiles, columns))
        for lane, entry in enumerate(entries):
            self.holders[lane, list(entry.tiles)] = entry.columns
            self.shares[lane, list(entry.tiles)] = entry.shares
        self.shares = normalised(self.shares)  # they were rounded
        self.hidden = self.holders >= 0
        if not np.array_equal(self.holders, holders(self.batch, self.lanes)):
            raise DominoError(f"the positions of {file.game} are not what they were")
        self.log_likelihoods = np.array([entry.log_likelihood for entry in entries])
        self.play_aware_losses = np.array([entry.play_aware.loss for entry in entries])
        self.play_aware_worlds = np.array([entry.play_aware.worlds for entry in entries])

    def __len__(self) -> int:
        return self.batch.num_games

    def __repr__(self) -> str:
        return f"Holdings({self.name!r}, {len(self)} positions)"

    @property
    def lanes(self) -> npt.NDArray[np.int64]:
        """All of them, as `guess(batch, lanes)` takes them."""
        return np.arange(self.batch.num_games)

    @property
    def observations(self) -> npt.NDArray[np.float32]:
        """float32[N, F]: what the seats to move see."""
        return np.array(self.batch.observation)

    def guessed(self, guess: Guess) -> Numbers:
        """What a guess says of all positions, float64[N, tiles, columns]."""
        return guess(self.batch, self.lanes)


def holdings(name: str) -> Holdings:
    """The positions of a game by its id."""
    return Holdings(holdings_file.holdings_file(name))


def holdings_names() -> list[str]:
    """The games that have positions."""
    return holdings_file.names()
