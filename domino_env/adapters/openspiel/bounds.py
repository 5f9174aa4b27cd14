"""Bounds on the length of a game and on its returns. They always hold, but are not tight."""

from __future__ import annotations

from typing import NamedTuple

from domino_env.engine.game_setup import Setup, num_ends
from domino_env.engine.log import log_length
from domino_env.ruleset import Rules


class Bounds(NamedTuple):
    """Bounds of one game."""

    decisions: int
    chances: int
    """Chance nodes in a history."""
    low: float
    high: float


def bounds(setup: Setup) -> Bounds:
    """The bounds of a game.

    A match to a target has no longest history: rounds may be drawn for ever. The lengths given are
    of as many rounds as it takes if each brings somebody a point.
    """
    rules: Rules = setup.rules
    events = log_length(setup) - rules.num_tiles  # every decision is one, and every tile taken
    chances = 1 + rules.num_tiles + (events if rules.tile_set.has_effects else 0)
    rounds = 1
    if setup.episode == "match":
        rounds = _most_rounds(setup)
    low, high = _rewards(setup)
    return Bounds(rounds * events, rounds * chances, low, high)


def _most_rounds(setup: Setup) -> int:
    """The most rounds of a match, if each brings somebody a point that stays."""
    rules: Rules = setup.rules
    return rules.most_rounds or rules.tally.cut_off or setup.players * (rules.target or 0)


def _rewards(setup: Setup) -> tuple[float, float]:
    if setup.reward == "win":
        return -1, 1
    low, high = _points(setup)
    if setup.reward == "points":
        return min(low, 0), max(high, 1)
    return low - high, high - low


def _points(setup: Setup) -> tuple[int, int]:
    """The fewest and the most points that a seat can gain."""
    rules: Rules = setup.rules
    low, high = _round_points(setup)
    if setup.episode == "match" and rules.tally.wiped != "never":
        return low, high * _most_rounds(setup)  # scores are wiped out, and returns are not
    if setup.episode == "match":
        after_last = high + (rules.target or 0)  # the target is not reached before the last round
        by_rounds = (rules.most_rounds or 0) * high
        known = [
            most
            for most, bound in ((after_last, rules.target), (by_rounds, rules.most_rounds))
            if bound
        ]
        low, high = low * (rules.most_rounds or 1), min(known)
    return low, min(high, rules.target or high) if rules.exact else high


def _round_points(setup: Setup) -> tuple[int, int]:
    """The same in one round."""
    rules: Rules = setup.rules
    worth = rules.round
    pips = sum(map(rules.counted, range(rules.num_tiles)))
    stakes = 2 if rules.turn.raised_by else 1
    if worth.penalties:
        return -(pips + worth.out_bonus) * stakes, 0
    rounding = worth.nearest * setup.players + worth.rounded_up
    end = (pips + rounding) // worth.pips_a_point if worth.counts_pips else 0
    if worth.worth == "points":
        end = worth.fixed
    if worth.worth == "places":
        end = worth.places[0] * (2 if rules.teams else 1)
    bonuses, plays = rules.bonuses, rules.num_tiles
    beside = bonuses.most_of_a_round + bonuses.most_of_passes(plays) + rules.plays.out
    return 0, end * stakes + beside + plays * _play_points(setup)


def _play_points(setup: Setup) -> int:
    """The most points that one tile can make when it is played."""
    rules: Rules = setup.rules
    if rules.plays.by == "same_ends":
        return 3
    if not rules.scores_in_play:
        return 0
    most = max(value.pips for value in rules.tile_set.values)
    return rules.plays.most_points(num_ends(rules, setup.players) * 2 * most)
