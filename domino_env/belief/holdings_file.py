"""The files of `belief.holdings`: positions of one game, each with who holds what.

A file is gzipped JSON. It says its version, the game, who played, and how often they played
at random instead. Of each position it has the seed of its deal and the actions that lead to it; of
each tile that the seat to move has not seen, where it really is and which row of shares it has; and
those rows, in millionths: many tiles have the same.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from domino_env.games import AnyRules, rules
from domino_env.position_archive import content_in, names_in, opened, packed, path_in

FOLDER = Path(__file__).parent / "holdings"
MILLIONTHS = 1_000_000
TEN_THOUSANDTHS = 10_000


class PlayAware(NamedTuple):
    """What is known of a position by who plays how, from worlds weighed by that."""

    loss: float
    """The mean of -log of how likely each hidden tile is where it really is."""
    worlds: float
    """As how many worlds of equal weights that is known; 0 where it is not."""


class Entry(NamedTuple):
    """A position as it is kept."""

    seed: int
    actions: tuple[int, ...]
    """What has been done since the deal."""
    tiles: tuple[int, ...]
    """Those that the seat to move has not seen."""
    columns: tuple[int, ...]
    """Where each of them is: 0 with the seat itself, then clockwise, and last the boneyard."""
    shares: npt.NDArray[np.float64]
    """float64[hidden tiles, seats + 1]: how likely each is where, by all that the seat has seen."""
    log_likelihood: float
    """Of all hands as they are, by `belief.log_likelihood`."""
    play_aware: PlayAware


@dataclass
class HoldingsFile:
    """All positions of one game.

    Attributes:
        game: the id of the game.
        seats: how many play.
        agents: who is seated by lot.
        random_share: how often they play at random instead.
        worlds: how many were weighed in each position.
        tried: how many seeds have been tried, kept or not.
        entries: the positions, by their seeds.
    """

    game: str
    seats: int
    agents: tuple[str, ...]
    random_share: float
    worlds: int
    tried: int = 0
    entries: list[Entry] = field(default_factory=list)

    @property
    def name(self) -> str:
        """What it is called: as the game."""
        return self.game

    @property
    def rules(self) -> AnyRules:
        """The rules that its positions are played by."""
        return rules(self.game)

    def packed(self) -> bytes:
        """The content of its file: the same for the same positions."""
        head = {name: value for name, value in vars(self).items() if name != "entries"}
        return packed(head, [_told(entry) for entry in self.entries])


def _told(entry: Entry) -> list[Any]:
    rows, which = np.unique(np.rint(entry.shares * MILLIONTHS), axis=0, return_inverse=True)
    scores = [entry.log_likelihood, entry.play_aware.loss]
    return [
        entry.seed,
        list(entry.actions),
        list(entry.tiles),
        "".join(map(str, entry.columns)),
        which.ravel().tolist(),
        rows.astype(np.int64).tolist(),
        *(round(score * TEN_THOUSANDTHS) for score in scores),
        round(entry.play_aware.worlds),
    ]


def unpacked(content: bytes) -> HoldingsFile:
    """The positions of a file."""
    told = opened(content)
    entries = [_entry(*each) for each in told.pop("positions")]
    return HoldingsFile(**{**told, "agents": tuple(told["agents"])}, entries=entries)


def _entry(
    seed: int,
    actions: list[int],
    tiles: list[int],
    columns: str,
    which: list[int],
    rows: list[list[int]],
    likely: int,
    loss: int,
    worlds: int,
) -> Entry:
    return Entry(
        seed,
        tuple(actions),
        tuple(tiles),
        tuple(map(int, columns)),
        np.array(rows, float)[which] / MILLIONTHS,
        likely / TEN_THOUSANDTHS,
        PlayAware(loss / TEN_THOUSANDTHS, float(worlds)),
    )


def names() -> list[str]:
    """The games that have positions."""
    return names_in(FOLDER)


def path_of(name: str) -> Path:
    """Where the positions of a game lie."""
    return path_in(FOLDER, name)


def holdings_file(name: str) -> HoldingsFile:
    """The positions of a game."""
    return unpacked(content_in(FOLDER, name))
