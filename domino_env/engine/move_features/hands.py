"""What an action leaves in the hands: how well the own one fits, how likely others are stuck."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from domino_env.compiling import small
from domino_env.engine.bits import NONE, count
from domino_env.engine.game_setup import OWN_ARMS
from domino_env.engine.layout.trains import turn_to
from domino_env.engine.move_features.columns import (
    ALONE,
    DOUBLES,
    FEWEST,
    FITTING,
    HEAVY,
    MATE_STUCK,
    NEXT_DRAWS,
    NEXT_STUCK,
    NEXT_TILES,
    OTHERS_STUCK,
    OWN_DRAWS,
    STUCK,
    VARIED,
    F,
    one_over,
    power,
)
from domino_env.engine.move_features.known import MATE, NEXT
from domino_env.engine.rule_table import ONE_TILE, UNTIL_PLAYABLE
from domino_env.engine.seats import seat_after
from domino_env.engine.state import Game, Index, Observations, RuleTable

if TYPE_CHECKING:
    from domino_env.engine.record_types import Known

U = np.uint64


@small
def describe_hands(
    rules: RuleTable, after: Game, seat: int, pips: int, known: Known, out: Observations, row: Index
) -> None:
    """What is left in the own hand, and how likely others are stuck."""
    own, fitting = 0, unseen_that_fit(rules, after, known)
    for w in range(U(rules.words)):
        if not rules.rows:
            own += count(after.hands[seat, w] & after.wanted[w])
    size = int(after.hand_size[seat])
    for at in range(FITTING, ALONE):
        out[row, at] = 0
    draws = likely_draws(rules, after, int(known.num_unseen), fitting)
    out[row, OWN_DRAWS] = 0
    if size > 0 and not rules.rows:
        stuck = F(own == 0)  # by a product, for nobody can guess which way a branch would go
        out[row, FITTING] = F(own) * one_over(size)
        out[row, STUCK] = stuck
        out[row, OWN_DRAWS] = draws * stuck
        describe_hand(rules, after, seat, size, pips, out, row)
    out[row, ALONE] = F(own) * one_over(own + fitting)
    describe_others(rules, after, seat, known, fitting, draws, out, row)


@small
def describe_hand(
    rules: RuleTable, after: Game, seat: int, size: int, pips: int, out: Observations, row: Index
) -> None:
    """How varied and how heavy the own hand is."""
    varied, doubles = 0, 0
    for value in range(U(rules.values)):
        held = NONE
        for w in range(U(rules.words)):
            held |= after.hands[seat, w] & rules.joins[value, w]
        varied += int(held != NONE)
    for w in range(U(rules.words)):
        doubles += count(after.hands[seat, w] & rules.double[w])
    per = one_over(size)
    out[row, VARIED] = F(varied) * per * F(0.5)
    out[row, DOUBLES] = F(doubles) * per
    out[row, HEAVY] = F(pips) * rules.per_pip * per


@small
def likely_draws(rules: RuleTable, after: Game, unseen: int, fitting: int) -> Any:
    """How many tiles a player draws who must / 10, if any unseen tile is as likely."""
    return F(0.1) * min(F(most_draws(rules, after)), F(unseen + 1) * one_over(fitting + 1))


@small
def most_draws(rules: RuleTable, after: Game) -> int:
    """How many tiles a player draws who must, at the most."""
    left = int(after.deck_end - after.next)
    if rules.forced != UNTIL_PLAYABLE:
        left = min(left, 1 if rules.forced == ONE_TILE else 0)
    return left


@small
def describe_others(
    rules: RuleTable,
    after: Game,
    seat: int,
    known: Known,
    fitting: int,
    draws: float,
    out: Observations,
    row: Index,
) -> None:
    """How likely the others cannot play."""
    for at in range(NEXT_STUCK, OWN_DRAWS):
        out[row, at] = 0
    out[row, NEXT_TILES] = 0
    stuck, opponents, fewest = F(0), 0, 64
    any_fits = F(fitting) * one_over(known.num_unseen)
    for step in range(1, rules.seats):
        other = U(seat_after(rules, seat, step))
        role, size = known.role[other], int(after.hand_size[other])
        if size == 0:
            continue
        if rules.arms == OWN_ARMS:  # others are offered other ends
            turn_to(rules, after, int(other))
            fitting = unseen_that_fit(rules, after, known)
            any_fits = F(fitting) * one_over(known.num_unseen)
            draws = likely_draws(rules, after, int(known.num_unseen), fitting)
        chance = chance_of_being_stuck(rules, after, other, size, any_fits, known)
        if role == MATE:
            out[row, MATE_STUCK] = chance
            continue
        if role == NEXT:
            out[row, NEXT_STUCK] = chance
            out[row, NEXT_DRAWS] = chance * draws
            out[row, NEXT_TILES] = one_over(size)
        stuck += chance
        opponents += 1
        fewest = min(fewest, size)
    if rules.arms == OWN_ARMS:
        turn_to(rules, after, seat)
    out[row, OTHERS_STUCK] = stuck * one_over(opponents)
    out[row, FEWEST] = one_over(fewest) if opponents > 0 else F(0)


@small
def unseen_that_fit(rules: RuleTable, after: Game, known: Known) -> int:
    """How many of the unseen tiles fit the table."""
    fitting = 0
    for w in range(U(rules.words)):
        fitting += count(known.unseen[w] & after.wanted[w])
    return fitting


@small
def chance_of_being_stuck(
    rules: RuleTable,
    after: Game,
    other: Index,
    size: int,
    any_fits: float | np.floating[Any],
    known: Known,
) -> Any:
    """How likely none of another's tiles fits: those that it held when it showed a lack are none of
    what it lacked; the others are any of the unseen."""
    fitting = 0
    for w in range(U(rules.words)):
        fitting += count(known.free[other, w] & after.wanted[w])
    old_fits = F(fitting) * one_over(known.num_free[other])
    return chance_that_none_fits(after, other, size, any_fits, old_fits)


@small
def chance_that_none_fits(
    after: Game,
    other: Index,
    size: int,
    any_fits: float | np.floating[Any],
    old_fits: float | np.floating[Any],
) -> Any:
    """How likely none of another's tiles fits, if one that it drew since it showed a lack fits with
    one chance, and one that it held then with another."""
    recent = min(int(after.drawn_since[other]), size)
    return power(F(1) - any_fits, recent) * power(F(1) - old_fits, size - recent)
