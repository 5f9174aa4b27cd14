"""What an observation is made of: named fields in a fixed order, scaled to lie from 0 to 1 wherever
the rules bound them; points are scaled by the target, and may pass it.

Everything is seen from one seat: seats are counted from the observer, clockwise. `fields` is the
only description of the layout; the kernels of `observe` write it and the docs print it.

As bytes the numbers are whole, and each field declares what a float is made of:
`(byte - offset) * scale`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from domino_env.engine.game_setup import Setup, can_end_turn, most_due, num_ends, questions
from domino_env.engine.state import (
    ANSWERS,
    CLAIM,
    DIRECTION,
    LAST_TILE,
    LEADING,
    RAISED,
    STAKES,
    TURNING,
)

MOST = 1000.0
"""A bound for what the rules do not bound: points, and the rounds of a match to a target."""

MOST_BYTE = 255
USUAL_ROUND = 60
"""Points that a round is rarely worth more than, where it is worth the pips in hands."""


@dataclass(frozen=True)
class Field:
    """A run of numbers in an observation."""

    group: str
    name: str
    size: int
    meaning: str
    low: float = 0.0
    high: float = 1.0
    scale: float = 1.0
    """What 1 is worth in an observation of bytes."""
    offset: int = 0
    """The byte that stands for 0."""


class Scales(NamedTuple):
    """What one of something counts as a float; of a score in bytes, how many points a step is, and
    which byte stands for none."""

    per_tile: float
    per_pip: float
    per_point: float
    per_round: float
    score_step: int
    score_offset: int


def scales(rules: Any) -> Scales:
    """The scales of a game."""
    step, offset = _score_as_byte(rules)
    return Scales(
        per_tile=1.0 / rules.num_tiles,
        per_pip=1.0 / (2 * max(value.pips for value in rules.tile_set.values) or 1),
        per_point=1.0 / (rules.target or max(_fixed_worth(rules) * 10, 100)),
        per_round=1.0 / (rules.most_rounds or 10),
        score_step=step,
        score_offset=offset,
    )


def _usual_round(rules: Any) -> int:
    """Points that a round is rarely worth more than, where it is worth pips; more where rounds are
    played for all the doubles of a large set."""
    return 10 * int(rules.max_pip) if rules.has_round_doubles else USUAL_ROUND


def _score_as_byte(rules: Any) -> tuple[int, int]:
    """The points of a step, as few as let a usual match fit into a byte, and the byte of none: the
    first, unless points are lost; the last where they are only lost."""
    usual = rules.target or (rules.most_rounds or 1) * (_fixed_worth(rules) or _usual_round(rules))
    charged = rules.round.penalties
    lost = usual if charged else 0
    won = usual if rules.scores_in_play or not charged else 0
    step = max(1, -(-(lost + won) // MOST_BYTE))
    return step, lost // step if won else MOST_BYTE


def _fixed_worth(rules: Any) -> int:
    """The points of a round that is worth the same whatever is left in hands; else 0."""
    return rules.round.points if rules.round.worth == "points" else 0


_ASKED = {
    LAST_TILE: "the mover has one tile left",
    DIRECTION: "the opener is asked which way turns go",
    TURNING: "who played a double is asked about the direction",
    STAKES: "who played the double 2 is asked about the stakes",
    RAISED: "an opponent is asked about raised stakes",
    LEADING: "the winner of the round before is asked who leads",
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
    if setup.rules.opening.from_boneyard:
        found.append(Field("played", "played[nobody]", tiles, "the start tile"))
    return found


def _end_fields(setup: Setup) -> list[Field]:
    found, per_pip = [], scales(setup.rules).per_pip
    for end in range(num_ends(setup.rules, setup.players)):
        values = len(setup.rules.tile_set.values)
        found.append(Field("ends", f"end[{end}].asks", values, "one-hot: the number it asks for"))
        if setup.rules.layout.tiles == "curved":
            found += _curved_end_fields(setup, end)
        else:
            found.append(Field("ends", f"end[{end}].offered", 1, "1: may be played on now"))
        if setup.rules.layout.arms == "own":
            owner = "one-hot: whose train it is, of all none"
            found.append(Field("ends", f"end[{end}].owner", setup.players, owner))
        if setup.rules.scores_in_play:
            counted = "pips it counts / a double's most"
            found.append(Field("ends", f"end[{end}].counts", 1, counted, scale=per_pip))
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
    found, per = [], scales(setup.rules)
    score_scale = per.score_step * per.per_point
    for seat in range(setup.players):
        who, values = _who(seat), len(setup.rules.tile_set.values)
        halves = 2 if setup.rules.layout.tiles == "curved" else 1
        found += [
            _tiles("seats", f"{who}.tiles", "tiles in hand / tiles of the set", per),
            _tiles("seats", f"{who}.drew", "drawn in its latest turn / tiles of the set", per),
            Field("seats", f"{who}.passed", 1, "1: passed in its latest turn"),
            Field(
                *("seats", f"{who}.score", 1, "points so far / target", -MOST, MOST),
                scale=score_scale,
                offset=per.score_offset,
            ),
            _tiles("seats", f"{who}.drawn_since", "unknown tiles drawn since it lacked those", per),
            Field(
                "seats", f"{who}.lacks", values * halves, "1: it showed to be without this number"
            ),
        ]
        if setup.rules.layout.arms == "own":
            found.append(Field("seats", f"{who}.marker", 1, "1: all may play on its train"))
    return found


def _tiles(group: str, name: str, meaning: str, per: Scales) -> Field:
    """A number of tiles."""
    return Field(group, name, 1, meaning, scale=per.per_tile)


def _table_fields(setup: Setup) -> list[Field]:
    per = scales(setup.rules)
    before = "rounds before this one / of a match"
    return [
        _tiles("table", "boneyard", "tiles that can be drawn / tiles of the set", per),
        Field("table", "round", 1, before, 0, MOST, scale=per.per_round),
    ]


def _course_fields(setup: Setup) -> list[Field]:
    """What only some games have: who is out already, the direction, the stakes, symbols pending."""
    found = []
    if setup.rules.turn.until == "one_left":
        out = "place in which it went out / seats; 0: still in"
        seats = range(setup.players)
        scale = 1.0 / setup.players
        found += [Field("course", f"{_who(s)}.place", 1, out, scale=scale) for s in seats]
    if setup.rules.opening.direction == "chosen" or setup.rules.turn.reversed_by != "nothing":
        found.append(Field("course", "direction", 1, "1: turns go counterclockwise"))
    if setup.rules.turn.raised_by:
        found.append(Field("course", "stakes", 1, "1: the round counts twice"))
    if setup.rules.layout.doubles_first:
        due = f"tiles that a double must have first / {most_due(setup.rules)}"
        found.append(Field("course", "due", 1, due, scale=1.0 / most_due(setup.rules)))
    if setup.rules.tile_set.has_effects:
        after = "once all questions are answered"
        found.append(Field("course", "draws", 1, f"1: the next player will draw a tile, {after}"))
        found.append(Field("course", "plays_again", 1, f"1: the mover will play again, {after}"))
    return found + _round_fact_fields(setup)


def _round_fact_fields(setup: Setup) -> list[Field]:
    """What only some games look at: the spinner, who led, who laid the last tile, what this round
    is worth more. Who led counts for the next round of a match, too."""
    rules, found = setup.rules, list[Field]()
    if rules.layout.doubles == "first_spinner":
        values = len(rules.tile_set.values)
        found.append(Field("course", "spinner", values, "one-hot: the number of the spinner"))
        opens = "one-hot: of ends 0 and 1 the one that opens the spinner's short sides"
        found.append(Field("course", "spinner_end", 2, opens))
    leads = {rules.opening.later, rules.opening.after_draw} & {"next_seat", "same_seat"}
    if rules.blocked.shared == "starter_team" or (leads and setup.episode == "match"):
        found.append(Field("course", "started", setup.players, "one-hot: who led this round"))
    if rules.blocked.to == "lowest_team" or rules.bonuses.own_block or rules.bonuses.of_passes:
        last = "one-hot: who laid the last tile"
        found.append(Field("course", "laid_last", setup.players, last))
    if rules.bonuses.by_round and setup.episode == "match":
        more, scale = "what this round is worth more / target", scales(rules).per_point
        found.append(Field("course", "bonus", 1, more, 0, MOST, scale))
    return found


def _row_fields(setup: Setup) -> list[Field]:
    if not setup.rules.rows:
        return []
    tiles, most = setup.rules.num_tiles, setup.rules.hand_size_for(setup.players)
    meaning = f"place of a known tile in that row, 1 the top, / {most}; 0: not known to be there"
    seats = range(setup.players)
    return [Field("rows", f"row[{_who(s)}]", tiles, meaning, scale=1.0 / most) for s in seats]


def _stage_fields(setup: Setup) -> list[Field]:
    found = []
    if can_end_turn(setup.rules):
        found.append(Field("stage", "may_stop", 1, "1: the turn may be ended"))
    if setup.rules.draw.then == "may_pass":
        found.append(Field("stage", "may_pass", 1, "1: the tile just drawn may be kept"))
    asked = questions(setup.rules, setup.calls)
    if CLAIM in asked:
        waits, scale = "points that wait to be called / target", scales(setup.rules).per_point
        found.append(Field("stage", "claim", 1, waits, 0, MOST, scale))
    for stage, meaning in _ASKED.items():
        if stage in asked:
            yes, no = ANSWERS[stage]
            name = f"asks[{yes}]"
            found.append(Field("stage", name, 1, f"1: {meaning}: {yes} or {no}"))
    if {CLAIM, LAST_TILE, RAISED} & {*asked}:
        found.append(Field("stage", "turn", setup.players, "one-hot: whose turn it is"))
    return found
