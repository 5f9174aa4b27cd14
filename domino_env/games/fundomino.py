"""Fundomino: curved tiles that match by colour, and action tiles (FN1-FN12)."""

from dataclasses import replace
from pathlib import Path

from domino_env.ruleset import LISTED, Blocked, Draw, Layout, Opening, Option, Round, Rules, Turn
from domino_env.tileset import read_tiles

TILES = read_tiles(Path(__file__).with_name("fundomino.tiles"))

FUNDOMINO = Rules(
    id="fundomino",
    title="Fundomino",
    summary="colours, DRAW, PLAY AGAIN, WILD; rank scoring",
    source="Fundomino",
    set=LISTED,
    sets=(LISTED,),
    tiles=TILES,
    hand_size=(8, 7, 6),
    opening=Opening(without_double="highest_tile", direction="chosen"),
    layout=Layout(tiles="curved", meeting="forbidden"),
    draw=Draw(voluntary=True),
    turn=Turn(until="one_left", says_domino=True),
    round=Round(worth="places", places=(40, 20, 10)),
    target=120,
)

FUNDOMINO_FACE_VALUE = replace(
    FUNDOMINO,
    id="fundomino_face_value",
    title="Fundomino, Face Value",
    summary="round ends with the first out; scores tiles",
    turn=Turn(says_domino=True),
    round=Round(rounded_up=10),
    blocked=Blocked(less_own=False),
)

FUNDOMINO_FACE_VALUE_TEAMS = replace(
    FUNDOMINO_FACE_VALUE,
    id="fundomino_face_value_teams",
    title="Fundomino, Face Value in Teams",
    summary="the first out ends the round for the team",
    players=(4,),
    hand_size=6,
    teams=True,
)

FUNDOMINO_TEAM_PLAY = replace(
    FUNDOMINO,
    id="fundomino_team_play",
    title="Fundomino, Team Play",
    summary="30/20/10/0 for the team",
    players=(4,),
    hand_size=6,
    teams=True,
    round=Round(worth="places", places=(30, 20, 10)),
)

FUNDOMINO_CARIBBEAN = replace(
    FUNDOMINO_TEAM_PLAY,
    id="fundomino_caribbean",
    title="Fundomino, Caribbean Style",
    summary="team play, 8 each, no stock",
    hand_size=8,
    draw=Draw(forced="none"),
)

TWISTS = {
    "double_back": Option(
        "who plays a double may reverse the order of turns (FN9)",
        {"turn": {"reversed_by": "double"}},
    ),
    "double_stakes": Option(
        "who plays the double 2 may raise the stakes of the round (FN10)",
        {"turn": {"raised_by": "2|2"}},
    ),
    "perfect_ten": Option(
        "two ends that total a multiple of ten score it at once (FN11)",
        {"plays": {"by": "multiples", "multiples": (10,), "called": True}},
    ),
}

OPTIONS = {
    game.id: TWISTS
    for game in (
        FUNDOMINO,
        FUNDOMINO_FACE_VALUE,
        FUNDOMINO_FACE_VALUE_TEAMS,
        FUNDOMINO_TEAM_PLAY,
        FUNDOMINO_CARIBBEAN,
    )
}
