"""Reference games: plain referees, written from the rulebooks and the rulings alone.

game = new_game("all_fives", 3, calls="explicit", episode="match")
game.start_round(hands, boneyard)
while not game.round_over:
    gained = game.apply(some_move_of(game.legal()))
"""

from __future__ import annotations

from collections.abc import Sequence

from . import curved, puzzles, trains, world
from .all_fives import AllFives
from .bergen import Bergen
from .blind import Blind
from .block_draw import BlockDraw
from .cross import Cross
from .five_up import FiveUp
from .fours import Fours
from .fruitominoes import Fruitominoes
from .matador import Matador
from .one_arm_joe import OneArmJoe
from .table import DealAgain, Referee, full_set
from .yourturnmyturn import YourTurnMyTurn

GAMES: dict[str, type[Referee]] = {
    "block_draw": BlockDraw,
    "all_fives": AllFives,
    "matador": Matador,
    "bergen": Bergen,
    "blind": Blind,
    "cross": Cross,
    "five_up": FiveUp,
    "fours": Fours,
    "one_arm_joe": OneArmJoe,
    "fruitominoes": Fruitominoes,
    "yourturnmyturn": YourTurnMyTurn,
    **curved.GAMES,
    **trains.GAMES,
    **world.GAMES,
}

__all__ = ["GAMES", "DealAgain", "Referee", "full_set", "new_game", "puzzles", "trains", "world"]


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
    tiles: Sequence[str] = (),
    options: Sequence[str] = (),
    **twists: bool,
) -> Referee:
    """A referee for one episode of a game, before its first deal. The curved games have one set, or
    `tiles` written like ">6|1"; their twists are `double_back=True` and so on, and likewise the
    options of trains and feet. The games of the world have `options` by name, and a set of their
    own."""
    if options and variant not in (*trains.GAMES, *world.GAMES):
        raise ValueError(f"{variant} knows no options by name")
    given = {"hand_size": hand_size, "target": target, "calls": calls, "episode": episode}
    if variant in curved.GAMES:
        return curved.new_game(
            variant,
            players,
            twists=[twist for twist, played in twists.items() if played],
            tiles=[tuple(tile.split("|")) for tile in tiles] or None,
            **given,
        )
    given["rounds"] = rounds
    if variant in trains.GAMES:
        options = [*options, *(name for name, played in twists.items() if played)]
        return trains.new_game(variant, players, set=set, options=options, **given)
    if tiles or twists:
        raise ValueError(f"{variant} knows neither listed tiles nor twists")
    if variant in world.GAMES:
        return world.new_game(variant, players, set=set, options=options, **given)
    return GAMES[variant](players, set_name=set or "double_6", **given)
