"""Which numbers describe an action, in their order; the kernels write them and the docs print them.

The first describe the action and what it leaves in the hands. Then come slots, each with the same
numbers: the end that the action makes, and the others by their numbers, up to `MOST_SLOTS`. Flags
come in eights, for they are written so.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from domino_env.engine.game_setup import Setup, num_ends

MOST_SLOTS = 4


class MoveField(NamedTuple):
    """One number of a row."""

    name: str
    meaning: str


ACTION_FLAGS = (
    MoveField("plays", "1: a tile is played"),
    MoveField("draws", "1: a tile is drawn by choice"),
    MoveField("passes", "1: the tile just drawn is kept"),
    MoveField("stops", "1: a turn that could go on is ended"),
    MoveField("yes", "1: a question is answered with yes"),
    MoveField("no", "1: a question is answered with no"),
    MoveField("double", "1: the tile is a double"),
    MoveField("again", "1: the turn goes on"),
)
ACTION_NUMBERS = (
    MoveField("pips", "pips of the tile / of the heaviest"),
    MoveField("points", "points that it scores at once / 10"),
    MoveField("out", "1: it is the last tile"),
    MoveField("fitting", "of the hand that is left, the part that fits the table"),
    MoveField("stuck", "1: nothing of it does"),
    MoveField("varied", "different numbers in it / halves"),
    MoveField("doubles", "of the hand that is left, the part that is doubles"),
    MoveField("heavy", "pips left in hand / of the heaviest tile, / tiles"),
    MoveField("alone", "of the tiles that fit the table, the part that is in the own hand"),
    MoveField("next_stuck", "how likely the next opponent then cannot play"),
    MoveField("mate_stuck", "how likely the partner cannot"),
    MoveField("others_stuck", "how likely the opponents cannot, on average"),
    MoveField("next_draws", "tiles that the next opponent is then likely to draw / 10"),
    MoveField("own_draws", "the same for oneself, if nothing fits any more"),
    MoveField("next_tiles", "1 / tiles in the hand of the next opponent"),
    MoveField("fewest", "1 / tiles in the smallest hand of an opponent"),
)
END_FLAGS = (
    MoveField("is_end", "1: there is such an end"),
    MoveField("offered", "1: it may be played on next"),
    MoveField("mine_alone", "1: nobody else can have a tile with the number it asks for"),
    MoveField("nobodys", "1: there is none left"),
    MoveField("all_lack", "1: all opponents showed to be without"),
    MoveField("next_lacks", "1: the next opponent did"),
    MoveField("mate_lacks", "1: the partner did"),
    MoveField("others_lack", "1: another opponent did"),
    MoveField("i_made", "1: an end of this number was made by oneself this round"),
    MoveField("next_made", "1: ... by the next opponent"),
    MoveField("mate_made", "1: ... by the partner"),
    MoveField("others_made", "1: ... by another opponent"),
    MoveField("i_covered", "1: an end of this number was covered by oneself"),
    MoveField("next_covered", "1: ... by the next opponent"),
    MoveField("mate_covered", "1: ... by the partner"),
    MoveField("others_covered", "1: ... by another opponent"),
)
END_NUMBERS = (
    MoveField("own", "of the tiles with that number, the part in the own hand"),
    MoveField("unseen", "... the part that is unseen"),
    MoveField("played", "... the part on the table"),
    MoveField("counts", "pips that it counts, where ends are counted / a double's most"),
    MoveField("turns", "curved: the part of its turns that fit"),
)
ACTION_FIELDS = (*ACTION_FLAGS, *ACTION_NUMBERS)
END_FIELDS = (*END_FLAGS, *END_NUMBERS)
NUM_ACTION, NUM_END = len(ACTION_FIELDS), len(END_FIELDS)


def num_slots(rules: Any, players: int) -> int:
    """How many ends are described."""
    return min(MOST_SLOTS, int(num_ends(rules, players)))


def move_fields(setup: Setup) -> tuple[MoveField, ...]:
    """The numbers of a row, in their order."""
    found = list(ACTION_FIELDS)
    for slot in range(num_slots(setup.rules, setup.players)):
        where = "the end it makes" if slot == 0 else f"other end {slot}"
        found += [MoveField(f"end[{slot}].{name}", f"{where}: {text}") for name, text in END_FIELDS]
    return tuple(found)
