"""What an observation is made of: named fields in a fixed order, scaled to lie from 0 to 1 wherever
the rules bound them; points are scaled by the target, and may pass it.

Everything is seen from one seat: seats are counted from the observer, clockwise. `fields` is the
only description of the layout; the kernels of `observe` write it and the docs print it.
"""

from __future__ import annotations

from dataclasses import dataclass

from domino_env.engine.game_setup import Setup, num_ends, questions
from domino_env.engine.state import (
    ANSWERS,
    CLAIM,
    DIRECTION,
    LAST_TILE,
    RAISED,
    STAKES,
    TURNING,
)

MOST = 1000.0
"""A bound for what the rules do not bound: points, and the rounds of a match to a target."""


@dataclass(frozen=True)
class Field:
    """A run of numbers in an observation."""

    group: str
    name: str
    size: int
    meaning: str
    low: float = 0.0
    high: float = 1.0


_ASKED = {
    LAST_TILE: "the mover has one tile left",
    DIRECTION: "the opener is asked which way turns go",
    TURNING: "who played a double is asked about the direction",
    STAKES: "who played the double 2 is asked about the stakes",
    RAISED: "an opponent is asked about raised stakes",
}


def fields(setup: Setup) -> tuple[Field, ...]:
    """The fields of an observation, in their order."""
    return (
        *_tile_fields(setup),
        *_end_fields(setup),
        *_seat_fields(setup),
        *_table_fields(setup),
        *_course_fields(setup),
        *_row_fields(setup),
        *_stage_fields(setup),
    )


def _who(seat: int) -> str:
    return "own" if seat == 0 else f"seat+{seat}"


def _tile_fields(setup: Setup) -> list[Field]:
    tiles = setup.rules.num_tiles
    mine = "the tile just flipped" if setup.rules.rows else "own tiles"
    found = [Field("hand", "hand", tiles, f"{mine}: 1 for each tile held")]
    for seat in range(setup.players):
        found.append(Field("played", f"played[{_who(seat)}]", tiles, "tiles on the table, by whom"))
    if setup.rules.opening.tile in ("from_boneyard", "two_from_boneyard"):
        found.append(Field("played", "played[nobody]", tiles, "the start tile"))
    return found


def _end_fields(setup: Setup) -> list[Field]:
    found = []
    for end in range(num_ends(setup.rules)):
        values = len(setup.rules.tile_set.values)
        found.append(Field("ends", f"end[{end}].asks", values, "one-hot: the number it asks for"))
        if setup.rules.layout.tiles == "curved":
            found += _curved_end_fields(setup, end)
        else:
            found.append(Field("ends", f"end[{end}].offered", 1, "1: may be played on now"))
        if setup.rules.scores_in_play:
            found.append(Field("ends", f"end[{end}].counts", 1, "pips it counts / a double's most"))
    return found


def _curved_end_fields(setup: Setup, end: int) -> list[Field]:
    found = []
    for turn in ("right", "left"):
        found.append(Field("ends", f"end[{end}].{turn}", 1, f"1: a tile turning {turn} fits"))
        met = f"one-hot: the number of the end that a tile turning {turn} would meet"
        size = len(setup.rules.tile_set.values)
        if setup.rules.layout.meeting == "forbidden":
            met, size = f"1: a tile turning {turn} would meet another end, which is forbidden", 1
        found.append(Field("ends", f"end[{end}].{turn}_meets", size, met))
    around = "1: the corner is taken; cells here, after R, L, RR, RL, LR, LL; corners clockwise"
    found.append(Field("ends", f"end[{end}].around", 7 * 6, around))
    return found


def _seat_fields(setup: Setup) -> list[Field]:
    found = []
    for seat in range(setup.players):
        who, values = _who(seat), len(setup.rules.tile_set.values)
        halves = 2 if setup.rules.layout.tiles == "curved" else 1
        found += [
            Field("seats", f"{who}.tiles", 1, "tiles in hand / tiles of the set"),
            Field("seats", f"{who}.drew", 1, "drawn in its latest turn / tiles of the set"),
            Field("seats", f"{who}.passed", 1, "1: passed in its latest turn"),
            Field("seats", f"{who}.score", 1, "points so far / target", -MOST, MOST),
            Field("seats", f"{who}.drawn_since", 1, "unknown tiles drawn since it lacked those"),
            Field(
                "seats", f"{who}.lacks", values * halves, "1: it showed to be without this number"
            ),
        ]
    return found


def _table_fields(setup: Setup) -> list[Field]:
    found = [Field("table", "boneyard", 1, "tiles that can be drawn / tiles of the set")]
    found.append(Field("table", "round", 1, "rounds before this one / of a match", 0, MOST))
    return found


def _course_fields(setup: Setup) -> list[Field]:
    """What only some games have: who is out already, the direction, the stakes, symbols pending."""
    found = []
    if setup.rules.turn.until == "one_left":
        out = "place in which it went out / seats; 0: still in"
        found += [Field("course", f"{_who(s)}.place", 1, out) for s in range(setup.players)]
    if setup.rules.opening.direction == "chosen" or setup.rules.double_back:
        found.append(Field("course", "direction", 1, "1: turns go counterclockwise"))
    if setup.rules.double_stakes:
        found.append(Field("course", "stakes", 1, "1: the round counts twice"))
    if setup.rules.tile_set.has_effects:
        after = "once all questions are answered"
        found.append(Field("course", "draws", 1, f"1: the next player will draw a tile, {after}"))
        found.append(Field("course", "plays_again", 1, f"1: the mover will play again, {after}"))
    return found


def _row_fields(setup: Setup) -> list[Field]:
    if not setup.rules.rows:
        return []
    tiles, most = setup.rules.num_tiles, setup.rules.hand_size_for(setup.players)
    meaning = f"place of a known tile in that row, 1 the top, / {most}; 0: not known to be there"
    return [Field("rows", f"row[{_who(seat)}]", tiles, meaning) for seat in range(setup.players)]


def _stage_fields(setup: Setup) -> list[Field]:
    found = []
    if setup.rules.turn.again != "never" and not setup.rules.rows:
        found.append(Field("stage", "may_stop", 1, "1: the turn may be ended"))
    if setup.rules.draw.then == "may_pass":
        found.append(Field("stage", "may_pass", 1, "1: the tile just drawn may be kept"))
    asked = questions(setup.rules, setup.calls)
    if CLAIM in asked:
        found.append(Field("stage", "claim", 1, "points that wait to be called / target", 0, MOST))
    for stage, meaning in _ASKED.items():
        if stage in asked:
            yes, no = ANSWERS[stage]
            name = f"asks[{yes}]"
            found.append(Field("stage", name, 1, f"1: {meaning}: {yes} or {no}"))
    if {CLAIM, LAST_TILE, RAISED} & {*asked}:
        found.append(Field("stage", "turn", setup.players, "one-hot: whose turn it is"))
    return found
