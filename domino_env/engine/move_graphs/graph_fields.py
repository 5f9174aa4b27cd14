"""What the columns of a graph are, in their order; the kernels write them and the docs print them.

A row of a graph is a number, as an end asks for it. First comes what is known of it, then two times
a column for each number: of the tiles that fit this number and leave that one, how many are in the
own hand, and how many are unseen.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from domino_env.engine.game_setup import Setup
from domino_env.engine.move_features.move_fields import MoveField

ROLES = ("oneself", "the next opponent", "the partner", "the other opponents")
COUNTS = (
    MoveField("own", "tiles of the hand that is left that fit it"),
    MoveField("unseen", "unseen tiles that do"),
    MoveField("made", "1: the action makes an end of it (the first, where it opens several)"),
    MoveField("offered", "ends of it that may be played on next"),
    MoveField("closed", "ends of it that may not"),
    MoveField("i_lack", "1: oneself showed to be without"),
    MoveField("pips", "what half a tile of it counts"),
)
FLAGS = (
    *(
        MoveField(f"{name}_lack", f"1: {who} showed to be without")
        for name, who in (
            ("all", "all opponents"),
            ("next", "the next opponent"),
            ("mate", "the partner"),
            ("others", "another opponent"),
        )
    ),
    *(
        MoveField(f"{name}_{done}", f"1: an end of it was {done} by {who} this round")
        for done in ("made", "covered")
        for name, who in zip(("i", "next", "mate", "others"), ROLES, strict=True)
    ),
)
LAID = tuple(
    MoveField(f"{name}_laid", f"tiles that fit it, laid by {who}")
    for name, who in zip(("i", "next", "mate", "others"), ROLES, strict=True)
)
NODE_FIELDS = (*COUNTS, *FLAGS, *LAID)
NUM_NODE = len(NODE_FIELDS)
LEAVES = ("own", "unseen")  # whose tiles the edges are


def graph_fields(setup: Setup) -> tuple[MoveField, ...]:
    """The columns of a graph, in their order."""
    found, numbers = list(NODE_FIELDS), len(setup.rules.tile_set.values)
    for name, whose in zip(LEAVES, ("own tiles", "unseen tiles"), strict=True):
        found += [
            MoveField(f"{name}_to[{number}]", f"{whose} that fit it and leave number {number}")
            for number in range(numbers)
        ]
    return tuple(found)


def node_scales() -> npt.NDArray[np.float32]:
    """float32[C]: by which what is known of a number is multiplied to be about 1."""
    scales = dict.fromkeys((field.name for field in NODE_FIELDS), 1.0)
    scales |= {"own": 0.25, "unseen": 0.25, "closed": 0.25, "pips": 1 / 6}
    scales |= {field.name: 0.25 for field in LAID}
    return np.array([*scales.values()], np.float32)


EDGE_SCALES = (0.5, 0.25)  # of own and of unseen tiles, to be as many as one
