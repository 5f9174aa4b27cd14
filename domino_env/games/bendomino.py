"""Bendomino: dominoes that bend. A tile must match, and it must fit."""

from dataclasses import replace

from domino_env.ruleset import Blocked, Draw, Layout, Opening, Plays, Round, Rules

BENDOMINO = Rules(
    id="bendomino",
    title="Bendomino",
    summary="the tile must match and fit",
    source="Bendomino",
    sets=("double_6",),
    hand_size=(7, 6, 5),
    opening=Opening(without_double="highest_tile"),
    layout=Layout(tiles="curved"),
    draw=Draw(forced="one", then="may_pass", voluntary=True, voluntary_then="end_turn"),
    blocked=Blocked(less_own=False),
)

BENDOMINO_WILD_DRAW = replace(
    BENDOMINO,
    id="bendomino_wild_draw",
    title="Bendomino, Wild Draw",
    summary="draw until you can play",
    draw=Draw(forced="until_playable", voluntary=True, voluntary_then="end_turn"),
)

BENDOMINO_NO_DRAW = replace(
    BENDOMINO,
    id="bendomino_no_draw",
    title="Bendomino, No Draw",
    summary="pass instead of drawing",
    draw=Draw(forced="none"),
)

BENDOMINO_TEAMS = replace(
    BENDOMINO_NO_DRAW,
    id="bendomino_teams",
    title="Bendomino, No Draw in Teams",
    summary="no draw, seven tiles each, no stock",
    players=(4,),
    teams=True,
    hand_size=7,
)

BENDOMINO_ALL_FIVE = replace(
    BENDOMINO,
    id="bendomino_all_five",
    title="Bendomino, All Five",
    summary="two starting tiles, four ends, to 200",
    opening=Opening(tile="two_from_boneyard", without_double="highest_tile"),
    plays=Plays(by="multiples"),
    round=Round(to="most_points"),
    target=200,
)
