"""What is observed of the course of a round and of a match where the rules look at it: the spinner,
who led, who laid the last tile, what this round is worth more."""

from __future__ import annotations

import numpy as np

from domino_env.compiling import kernel
from domino_env.engine.layout.line import opens_sides
from domino_env.engine.scaled import write_count
from domino_env.engine.state import Game, Index, Observations, RuleTable


@kernel
def observe_round_facts(
    rules: RuleTable, game: Game, seat: int, out: Observations, lane: Index, at: int
) -> None:
    """Writes them from a place on, in the order of `features.fields`."""
    if rules.shows_spinner:
        if game.spinner >= 0:
            out[lane, np.uint64(at + rules.half[0, game.spinner])] = 1
        at += rules.values
        for end in range(min(2, int(game.num_ends))):
            if opens_sides(rules, game, end):
                out[lane, np.uint64(at + end)] = 1
        at += 2
    if rules.shows_starter:
        out[lane, np.uint64(at + place_from(rules, seat, int(game.starter)))] = 1
        at += rules.seats
    if rules.shows_layer:
        if game.laid_by >= 0:
            out[lane, np.uint64(at + place_from(rules, seat, int(game.laid_by)))] = 1
        at += rules.seats
    if rules.shows_bonus and game.rounds_won < rules.later_bonuses:
        bonus = int(rules.by_round[game.rounds_won])
        write_count(bonus, out, lane, np.uint64(at), rules.per_point)


@kernel
def place_from(rules: RuleTable, seat: int, other: int) -> int:
    """How many places clockwise from a seat another sits."""
    return (rules.seats + other - seat) % rules.seats
