"""The ends that an action leaves: the one it makes, and the others in their order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from domino_env.compiling import small
from domino_env.engine.bits import ONE, count
from domino_env.engine.eights import write_eight
from domino_env.engine.layout.table import counts
from domino_env.engine.move_features.columns import (
    COUNTS,
    OWN,
    PLAYED,
    TURNS,
    UNSEEN,
    F,
    one_over,
)
from domino_env.engine.move_features.known import flags_of
from domino_env.engine.move_features.move_fields import NUM_ACTION, NUM_END
from domino_env.engine.rule_table import NOTHING
from domino_env.engine.state import GONE, Game, Index, Observations, RuleTable

if TYPE_CHECKING:
    from domino_env.engine.record_types import Known

U = np.uint64


@small
def describe_ends(
    rules: RuleTable, after: Game, seat: int, made: int, known: Known, out: Observations, row: Index
) -> None:
    """The end that was made, and the others in their order, as long as there are slots."""
    slot, stop = U(NUM_ACTION), U(out.shape[1])
    at: Any = slot + U(NUM_END) if made >= 0 else slot
    for end in range(U(after.num_ends) if after.opener >= 0 else U(0)):
        place = slot if np.int64(end) == made else at
        if place < stop:
            describe_end(rules, after, seat, end, known, out, row, place)
            at += U(NUM_END) if np.int64(end) != made and after.end_kind[end] != GONE else U(0)
    for left in range(at, stop):
        out[row, left] = 0


@small
def describe_end(
    rules: RuleTable,
    after: Game,
    seat: int,
    end: Index,
    known: Known,
    out: Observations,
    row: Index,
    at: Index,
) -> None:
    """One end: its number, and what may be laid there."""
    if rules.curved and after.end_kind[end] == GONE:  # it has met another (B5)
        for place in range(at, at + U(NUM_END)):
            out[row, place] = 0
        return
    value = U(after.end_value[end])
    own, unseen, tiles = 0, 0, 0
    for w in range(U(rules.words)):
        fits = rules.joins[value, w]
        tiles += count(fits)
        unseen += count(fits & known.unseen[w])
        if not rules.rows:
            own += count(fits & after.hands[seat, w])
    flags = ONE | ((after.offered >> end) & ONE) << ONE | flags_of(rules, known, value) << U(4)
    flags |= U((own > 0) & (unseen == 0)) << U(2) | U((own == 0) & (unseen == 0)) << U(3)
    write_eight(flags, out, row, at)
    write_eight(flags >> U(8), out, row, at + U(8))
    share = one_over(tiles)
    out[row, at + OWN] = F(own) * share
    out[row, at + UNSEEN] = F(unseen) * share
    out[row, at + PLAYED] = F(tiles - own - unseen) * share
    out[row, at + COUNTS] = 0
    if rules.plays != NOTHING:
        out[row, at + COUNTS] = F(counts(rules, after, int(end))) * rules.per_pip
    out[row, at + TURNS] = F(turns_of(rules, after, end)) * F(0.5)


@small
def turns_of(rules: RuleTable, after: Game, end: Index) -> int:
    """How many turns fit at a curved end."""
    if not rules.curved:
        return 0
    turns = int(after.end_turns[end])
    return (turns & 1) + (turns >> 1)
