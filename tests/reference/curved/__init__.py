"""Reference games with curved tiles, written from the rulebooks and the rulings alone.

game = new_game("fundomino", 3, calls="explicit", episode="match", twists={"perfect_ten"})
game.pick_tile = lambda loser, gainer, tiles: tiles[0]
game.start_round(hands, boneyard)
while not game.round_over:
    gained = game.apply(some_move_of(game.legal()))
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ..table import DealAgain
from .all_five import AllFive
from .bendomino import Bendomino, NoDraw, Teams, WildDraw
from .fundomino import (
    FUNDOMINO_TILES,
    Caribbean,
    FaceValue,
    FaceValueTeams,
    Fundomino,
    TeamPlay,
)
from .layout import CurvedTile
from .referee import CurvedReferee

GAMES: dict[str, type[CurvedReferee]] = {
    "bendomino": Bendomino,
    "bendomino_wild_draw": WildDraw,
    "bendomino_no_draw": NoDraw,
    "bendomino_teams": Teams,
    "bendomino_all_five": AllFive,
    "fundomino": Fundomino,
    "fundomino_face_value": FaceValue,
    "fundomino_face_value_teams": FaceValueTeams,
    "fundomino_team_play": TeamPlay,
    "fundomino_caribbean": Caribbean,
}

__all__ = ["FUNDOMINO_TILES", "GAMES", "CurvedReferee", "DealAgain", "new_game"]


def new_game(
    variant: str,
    players: int,
    *,
    hand_size: int | None = None,
    target: int | None = None,
    calls: str = "automatic",
    episode: str = "round",
    twists: Collection[str] = frozenset(),
    tiles: Sequence[CurvedTile] | None = None,
) -> CurvedReferee:
    """A referee for one episode of a game, before its first deal."""
    return GAMES[variant](
        players,
        hand_size=hand_size,
        target=target,
        calls=calls,
        episode=episode,
        twists=twists,
        tiles=tiles,
    )
