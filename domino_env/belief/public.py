"""What everybody at a table knows of a game."""

from __future__ import annotations

from dataclasses import dataclass

from domino_env.batches import Batch
from domino_env.belief.marginals import Shares, must_go_on, shares_of
from domino_env.engine.hidden.information_set import NOBODYS_SEAT
from domino_env.position import Position


@dataclass(frozen=True)
class PublicState:
    """What everybody knows, and nobody knows more than it but by the own tiles.

    Attributes:
        position: the table as an onlooker sees it, with everything that has happened.
        marginals: as `marginals`, for one who has seen nobody's tiles.
    """

    position: Position
    marginals: Shares


def public_state(batch: Batch, lane: int) -> PublicState:
    """What everybody knows of a game: what an onlooker knows who has seen nobody's tiles."""
    must_go_on(batch, lane, 0)
    position = batch.position(lane).seen_by("nobody")
    return PublicState(position, shares_of(batch, lane, NOBODYS_SEAT))
