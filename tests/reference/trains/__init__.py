"""Reference games of trains and feet, written from the rulebook and the rulings alone.

game = new_game("mexican_train", 5, episode="match", options=["double_blank_50"])
game.start_round(hands, boneyard, starter)
while not game.round_over:
    gained = game.apply(some_move_of(game.legal()))

A deal is the hands, and a boneyard whose first tile is the round's middle double. Options, in any
combination:

mexican_train
    own_line_on_first_turn  on one's first turn of a round one may go on along one's own train,
                            tile by tile, until ("end_turn",)
    double_blank_50         0-0 left in hand counts 50
    middle_is_dealt         the middle double is dealt like any tile, and opens (G4): the boneyard
                            begins with no middle, and there is no starter
chickenfoot
    double_blank_0          0-0 left in hand counts nothing
    six_toes_on_middle      six sides of the middle double come first, not four
    draw_until_playable     who cannot play draws until able (G6), not one tile
    say_last_tile           one's last tile must be said, as "Domino!" in G12: with
                            calls="explicit" by ("call",) or ("silent",)
"""

from __future__ import annotations

from collections.abc import Collection

from ..table import DealAgain
from .chickenfoot import Chickenfoot
from .mexican_train import MexicanTrain
from .middle import MiddleDouble

GAMES: dict[str, type[MiddleDouble]] = {
    "mexican_train": MexicanTrain,
    "chickenfoot": Chickenfoot,
}

__all__ = ["GAMES", "DealAgain", "MiddleDouble", "new_game"]


def new_game(
    variant: str,
    players: int,
    *,
    set: str | None = None,
    hand_size: int | None = None,
    target: int | None = None,
    rounds: int | None = None,
    calls: str = "automatic",
    episode: str = "round",
    options: Collection[str] = (),
) -> MiddleDouble:
    """A referee for one episode of a game, before its first deal."""
    return GAMES[variant](
        players,
        set_name=set or GAMES[variant].usual_set,
        hand_size=hand_size,
        target=target,
        rounds=rounds,
        calls=calls,
        episode=episode,
        options=options,
    )
