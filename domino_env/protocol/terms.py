"""The terms of the protocol: the short texts of which the state of a game is made, each with a
number of its own, so that kernels can put states together.

Some are the same in every game, like `,"seat":`; others stand in tables, at the number of a tile, a
value or a seat. In what a kernel has put together, a number of the game is `NUMBER` and itself.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from domino_env.engine import state
from domino_env.engine.game_setup import Setup, extras, questions
from domino_env.engine.log import NAMES
from domino_env.engine.state import MAX_ENDS, NOBODY, SEATS, STAGES
from domino_env.ruleset import MAX_TILES, MAX_VALUES

WIDTH = 32  # bytes of the longest term
NUMBER = 1 << 40
NOT_NUMBERS = NUMBER >> 1  # terms are below, and numbers above, also those below 0

ASKED = ("points", "domino", "direction", "reverse", "raise", "accept", "", "lead")
TILED = ("play", "start", "draw", "flip", "back", "take")
OPTIONAL = (
    *("due", "markers", "out", "direction", "stakes", "claim", "pending"),
    *("rows", "spinner", "lead", "free", "last", "won"),
)
"""The fields that only some games have, in their order."""
_ALIKE: list[str] = []  # the terms that are the same in every game


def _term(text: str) -> int:
    _ALIKE.append(text)
    return len(_ALIKE) - 1


COMMA, OPEN, CLOSE, END_OF_OBJECT = map(_term, (",", "[", "]", "}"))
NULL, TRUE, FALSE = map(_term, ("null", "true", "false"))
GAME, RULES, SEAT = map(_term, ('{"game":', ',"rules":', ',"seat":'))
ROUND, TURN, QUESTION = map(_term, (',"round":', ',"turn":', ',"question":'))
HAND, HELD, SCORES = map(_term, (',"hand":[', '],"held":[', '],"scores":['))
BONEYARD, DRAWABLE = map(_term, ('],"boneyard":', ',"drawable":'))
LACKS, SINCE, DREW = map(_term, (',"lacks":[', '],"since":[', '],"drew":['))
PASSED, ENDS, TABLE = map(_term, ('],"passed":[', '],"ends":[', '],"table":['))
FIRST, EVENTS, MOVES = map(_term, ('"first":', ',"events":[', '],"moves":['))
END_OF_TABLE, END_OF_STATE = map(_term, ("],", "]}"))
END, SHOWS, ON_TILE, COUNTS = map(_term, ('{"end":', ',"shows":', ',"tile":', ',"counts":'))
IS_OPEN, IS_SHUT, OWNER = map(_term, (',"open":true', ',"open":false', ',"owner":'))
TURNS, HALF, MEETS = map(_term, (',"turns":[', '{"half":', ',"meets":'))
MOVE, PLAY_OF = map(_term, ('{"id":', ',"kind":"play","tile":'))
DUE_TILE, DUE_LEFT = map(_term, ('{"tile":', ',"left":'))
TO_THE_RIGHT, TO_THE_LEFT = map(_term, ('"counterclockwise"', '"clockwise"'))
DRAWS, PLAYS_AGAIN = map(_term, ('"draw"', '"play_again"'))

# Tables, and where they begin.
KINDS = 32  # of events
OPTION = len(_ALIKE)  # `"due":`, in the order of OPTIONAL
ASKS = OPTION + len(OPTIONAL)  # [stage]
BY_SEAT = ASKS + STAGES  # [seat]: how an event begins; NOBODY has one too
KIND = BY_SEAT + NOBODY + 1  # [kind of event]
KIND_OF_TILE = KIND + KINDS  # ... of one that says its tile
GIVER = KIND_OF_TILE + KINDS  # [seat]: how a take ends
ON_END = GIVER + SEATS  # [2 * end + half]: how a play ends
EXTRA = ON_END + 2 * MAX_ENDS  # [place among the extra actions]: how such a move ends
LACKED = EXTRA + KINDS  # [bit]: halves that a seat is without
SHOWN = LACKED + 64  # [value]
TILE = SHOWN + MAX_VALUES  # [tile]
ALL_TERMS = TILE + MAX_TILES


class Terms(NamedTuple):
    """The terms of a game as it is set up."""

    texts: npt.NDArray[np.uint8]  # [term, WIDTH], with anything behind them
    lengths: npt.NDArray[np.int64]  # [term]
    has: npt.NDArray[np.int8]  # [place in OPTIONAL]: 1 if the game has such a field
    has_counts: int  # do ends count?
    has_owners: int  # ... and belong to somebody?


@lru_cache(64)
def terms_of(setup: Setup) -> Terms:
    """The terms of all batches that play so."""
    rules = setup.rules
    texts, lengths = np.zeros((ALL_TERMS, WIDTH), np.uint8), np.zeros(ALL_TERMS, np.int64)
    for first, said in _tables(setup):
        for term, text in enumerate(said, first):
            lengths[term] = len(text)
            texts[term, : len(text)] = np.frombuffer(text.encode("ascii"), np.uint8)
    there = _optional(setup)
    has = np.array([name in there for name in OPTIONAL], np.int8)
    for array in (texts, lengths, has):
        array.flags.writeable = False
    counts, owners = rules.scores_in_play, rules.layout.arms == "own"
    return Terms(texts, lengths, has, int(counts), int(owners))


def _tables(setup: Setup) -> list[tuple[int, Iterable[str]]]:
    """Where each table begins, and what is in it."""
    rules, tile_set = setup.rules, setup.rules.tile_set
    kinds = [NAMES.get(kind, "") for kind in range(KINDS)]
    halves = [(end, half) for end in range(MAX_ENDS) for half in range(2)]
    return [
        (0, _ALIKE),
        (OPTION, [f'"{name}":' for name in OPTIONAL]),
        (ASKS, ["null", *(f'"{asked}"' for asked in ASKED)]),
        (BY_SEAT, [f'{{"seat":{seat},"kind":"' for seat in range(NOBODY)]),
        (BY_SEAT + NOBODY, ['{"seat":null,"kind":"']),
        (KIND, [f'{kind}"' for kind in kinds]),
        (KIND_OF_TILE, [f'{kind}","tile":' for kind in kinds]),
        (GIVER, [f',"giver":{seat}}}' for seat in range(SEATS)]),
        (ON_END, [f',"end":{end},"half":{half}}}' for end, half in halves]),
        (EXTRA, [f',"kind":"{name}"}}' for name in extras(rules, setup.calls)]),
        (LACKED, _lacked(setup)),
        (SHOWN, [json.dumps(value.face) for value in tile_set.values]),
        (TILE, [f'"{first}|{second}"' for first, second in tile_set.faces]),
    ]


def _lacked(setup: Setup) -> list[str]:
    """The halves that a seat can show to be without."""
    asks = [json.dumps(value.asks) for value in setup.rules.tile_set.values]
    if not setup.rules.is_curved:
        return asks
    return [f'"{asked}{turn}"' for asked in asks for turn in "RL"]


def _optional(setup: Setup) -> list[str]:
    """Those of the fields that only some games have that this one has."""
    rules, asked = setup.rules, questions(setup.rules, setup.calls)
    later = rules.opening.later != "as_first" or rules.opening.after_draw != "as_first"
    last = rules.blocked.to == "lowest_team" or rules.bonuses.own_block or rules.bonuses.of_passes
    has = {
        "due": rules.layout.doubles_first or rules.layout.opening_first,
        "markers": rules.layout.arms == "own",
        "out": rules.turn.until != "first_out",
        "direction": rules.opening.direction == "chosen" or rules.turn.reversed_by != "nothing",
        "stakes": rules.turn.raised_by,
        "claim": state.CLAIM in asked,
        "pending": rules.tile_set.has_effects,
        "rows": rules.rows,
        "spinner": rules.layout.doubles == "first_spinner",
        "lead": later or rules.blocked.shared != "nobody" or rules.opening.starter == "in_turn",
        "free": later,
        "last": last,
        "won": rules.bonuses.by_round,
    }
    return [name for name, is_there in has.items() if is_there]
