"""`Rules` turned into numbers and tables, for the kernels to look up."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from domino_env.engine.features import Field, Scales, fields, scales
from domino_env.engine.game_setup import (
    Setup,
    extras,
    num_arms,
    num_ends,
    questions,
)
from domino_env.engine.state import (
    ANSWERS,
    ANYTHING,
    CLAIM,
    SEATS,
    STAGES,
    VALUES,
    WORDS,
)
from domino_env.ruleset import MAX_TILES, MOST_MULTIPLES, Rules

ANY, TOP_OF_ROW, FROM_BONEYARD, THAT_DOUBLE, TWO_FROM_BONEYARD = range(5)
HIGHEST_DOUBLE, LOWEST_DOUBLE, LOT, IN_TURN = range(4)
THROUGH, SPINNER, FORK = range(3)
UNTIL_PLAYABLE, ONE_TILE, NO_TILE = range(3)
NEVER, AFTER_ANY, AFTER_DOUBLE = range(3)
NOTHING, SAME_ENDS, MULTIPLES = range(3)
OTHERS_PIPS, ALL_PIPS, FIXED_POINTS, PLACES, NO_POINTS = range(5)
LOWEST_PIPS, NO_DOUBLES, FEWEST_TILES = range(3)
MARGIN, POINTS, WIN = range(3)
NO_OPENER = 255

_CODES = {
    "any": ANY,
    "top_of_row": TOP_OF_ROW,
    "from_boneyard": FROM_BONEYARD,
    "that_double": THAT_DOUBLE,
    "two_from_boneyard": TWO_FROM_BONEYARD,
    "highest_double": HIGHEST_DOUBLE,
    "lowest_double": LOWEST_DOUBLE,
    "lot": LOT,
    "in_turn": IN_TURN,
    "one": ONE_TILE,
    "through": THROUGH,
    "spinner": SPINNER,
    "fork": FORK,
    "until_playable": UNTIL_PLAYABLE,
    "none": NO_TILE,
    "never": NEVER,
    "after_any": AFTER_ANY,
    "after_double": AFTER_DOUBLE,
    "nothing": NOTHING,
    "same_ends": SAME_ENDS,
    "multiples": MULTIPLES,
    "lowest_pips": LOWEST_PIPS,
    "no_doubles": NO_DOUBLES,
    "fewest_tiles": FEWEST_TILES,
    "margin": MARGIN,
    "points": POINTS,
    "win": WIN,
}

_WORTHS = {
    "others_pips": OTHERS_PIPS,
    "all_pips": ALL_PIPS,
    "points": FIXED_POINTS,
    "places": PLACES,
    "nothing": NO_POINTS,
}

# The actions of one's own turn besides playing a tile, in their order; answers come after them.
EXTRAS = {"draw": "draw", "pass_turn": "pass", "end_turn": "end_turn"}

_NUMBERS = [
    # The deal and the opening.
    *("tiles", "words", "values", "seats", "teams", "hand_size", "rows", "set_aside"),
    *("starter", "opening", "reserve"),
    # The layout, the draw, the turn.
    *("arms", "doubles", "opening_first", "curved", "ends_may_meet"),
    *("forced", "forced_crossing", "draw_ends_turn", "draw_may_pass"),
    *("voluntary", "voluntary_ends_turn", "again", "stuck_ends", "outs"),
    # What is asked after a play.
    *("asks_first", "effects", "says_domino", "direction_chosen", "reversible", "raiser"),
    # Points.
    *("plays", "by_division", "called", "pips_a_point", "nearest", "penalties", "round_worth"),
    *("round_points", "less_own", "out_bonus"),
    *("rounded_up", "bonus_to_most", "blocked_to", "target", "exact", "rounds", "match", "reward"),
    # The action space: tile x end x half, then the extras that exist (else -1).
    *("ends", "actions", *EXTRAS),
    # Where each field of an observation begins.
    *("at_hand", "at_played", "at_ends", "at_seats", "at_table", "at_rows", "at_stage"),
    *("at_course", "shows_places", "shows_direction", "shows_stakes", "shows_effects"),
    *("features", "end_features", "seat_features"),
]

RULE_TABLE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                *((name, np.int64) for name in _NUMBERS),
                ("per_tile", np.float32),  # scales that bring features into 0..1
                ("per_pip", np.float32),
                ("per_point", np.float32),
                ("per_round", np.float32),
                ("score_steps", np.float32),  # of a byte that holds a score, a point
                ("score_offset", np.float32),  # the byte of no points
                ("half", np.uint8, (2, MAX_TILES)),  # value of a tile's lower, higher half
                ("pips", np.int32, MAX_TILES),  # what a tile counts in a hand
                ("multiples", np.int32, MOST_MULTIPLES),  # totals of ends that score; 1: none
                ("worth", np.int32, VALUES),  # pips of a half that shows the value
                ("asks", np.uint8, VALUES),  # the first value that asks for the same
                ("effect", np.uint8, VALUES),  # of a half that becomes an open end (FN4)
                ("places", np.int32, SEATS),  # what each place of a round is worth (FN6)
                ("answers", np.int16, (STAGES, 2)),  # the actions that answer yes and no
                ("double_tile", np.int16, VALUES),  # the double of a number; -1: there is none
                ("opener_rank", np.uint8, MAX_TILES),  # 0: the first choice to open with ...
                ("double", np.uint64, WORDS),
                # fits[value, half]: tiles whose half joins an end that asks for the value.
                ("fits", np.uint64, (VALUES, 2, WORDS)),
                ("joins", np.uint64, (VALUES, WORDS)),  # ... by either half
            ],
            align=True,
        ),
    )
)


@lru_cache(maxsize=256)
def write_rule_table(setup: Setup) -> Any:
    """The rule table of a game: an array of one `RULE_TABLE` record, as kernels take it."""
    rules, players = setup.rules, setup.players
    table = np.zeros(1, RULE_TABLE)
    _write_numbers(table, setup)
    _write_tiles(table, rules)
    _write_actions(table, setup)
    _write_features(table, rules, fields(setup))
    _write_scales(table, scales(rules))
    table["hand_size"] = rules.hand_size_for(players)
    table.flags.writeable = False
    return table


def _write_scales(table: Any, per: Scales) -> None:
    for name in ("per_tile", "per_pip", "per_point", "per_round", "score_offset"):
        table[name] = getattr(per, name)
    table["score_steps"] = 1.0 / per.score_step


def _write_numbers(table: Any, setup: Setup) -> None:
    rules = setup.rules
    numbers = {
        "tiles": rules.num_tiles,
        "words": (rules.num_tiles + 63) // 64,
        "values": len(rules.tile_set.values),
        "seats": setup.players,
        "teams": rules.teams,
        "rows": rules.rows,
        "set_aside": rules.rows or rules.hand_size == "all" or not rules.draws,
        "starter": _CODES[rules.opening.starter],
        "opening": _CODES[rules.opening.tile],
        "reserve": rules.draw.reserve,
        "arms": num_arms(rules),
        "doubles": _CODES[rules.layout.doubles],
        "opening_first": rules.layout.opening_first,
        "curved": rules.layout.tiles == "curved",
        "ends_may_meet": rules.layout.meeting == "allowed",
        "forced": _CODES[rules.draw.forced],
        "draw_ends_turn": rules.draw.then == "end_turn",
        "draw_may_pass": rules.draw.then == "may_pass",
        "voluntary": rules.draw.voluntary,
        "voluntary_ends_turn": rules.draw.voluntary_then == "end_turn",
        "again": _CODES[rules.turn.again],
        "stuck_ends": rules.turn.stuck == "ends_round",
        "outs": setup.players - 1 if rules.turn.until == "one_left" else 1,
        "asks_first": asks_first(rules),
        "effects": rules.tile_set.has_effects,
        "says_domino": rules.turn.says_domino and setup.calls == "explicit",
        "direction_chosen": rules.opening.direction == "chosen" and setup.players > 2,  # FN3
        "reversible": rules.turn.reversed_by != "nothing" and setup.players > 2,
        "raiser": -1 if rules.raiser is None else rules.raiser,
        "plays": _CODES[rules.plays.by],
        "by_division": rules.plays.points == "division",
        "called": CLAIM in questions(rules, setup.calls),
        "pips_a_point": rules.round.pips_a_point,
        "nearest": rules.round.nearest,
        "penalties": rules.round.penalties,
        "round_worth": _WORTHS[rules.round.worth],
        "round_points": rules.round.points,
        "less_own": rules.blocked.less_own,
        "out_bonus": rules.round.out_bonus,
        "rounded_up": rules.round.rounded_up,
        "bonus_to_most": rules.round.to == "most_points",
        "blocked_to": _CODES[rules.blocked.to],
        "target": rules.target or 0,
        "exact": rules.exact,
        "rounds": rules.rounds or 0,
        "match": setup.episode == "match",
        "reward": _CODES[setup.reward],
    }
    crossing = rules.draw.while_crossing
    table["forced_crossing"] = _CODES[rules.draw.forced if crossing == "as_forced" else crossing]
    for name, value in numbers.items():
        table[name] = value
    worths = rules.round.places[: setup.players - 1]  # the last place is worth nothing
    table["places"][0, : len(worths)] = worths
    table["multiples"][0, : len(rules.plays.multiples)] = rules.plays.multiples


def asks_first(rules: Rules) -> bool:
    """Is there anything between a play and the next turn that the end of the round forestalls?"""
    turning = rules.turn.reversed_by != "nothing" or rules.opening.direction == "chosen"
    return turning or bool(rules.turn.raised_by) or rules.tile_set.has_effects


def _write_tiles(table: Any, rules: Rules) -> None:
    tiles = rules.tile_set
    table["worth"][0, : len(tiles.values)] = [value.pips for value in tiles.values]
    asked = [value.asks for value in tiles.values]
    table["asks"][0, : len(asked)] = list(map(asked.index, asked))
    table["effect"][0, : len(asked)] = [value.effect for value in tiles.values]
    table["double_tile"][0] = -1
    for tile, halves in enumerate(tiles.tiles):
        word, bit = tile // 64, np.uint64(1 << (tile % 64))
        table["half"][0, :, tile] = halves
        table["pips"][0, tile] = rules.counted(tile)
        if tiles.is_double(tile):
            table["double"][0, word] |= bit
            table["double_tile"][0, halves[0]] = tile
        table["fits"][0, ANYTHING, 0, word] |= bit
        for value in range(len(tiles.values)):
            for half in range(2):
                if _joins(rules, tile, half, value):
                    table["fits"][0, value, half, word] |= bit
    table["joins"][0] = table["fits"][0, :, 0] | table["fits"][0, :, 1]
    table["opener_rank"][0, : len(tiles.tiles)] = _opener_ranks(rules)


def _joins(rules: Rules, tile: int, half: int, value: int) -> bool:
    """Can this half of a tile join an end that shows the value?"""
    tiles = rules.tile_set
    if half == 1 and tiles.is_double(tile) and rules.layout.tiles == "straight":
        return False  # a straight double joins by either half alike
    own, other = tiles.halves(tile)[half], tiles.values[value]
    if rules.match.by == "same":
        return own.matches(other)
    total = rules.max_pip + 1
    wild = tiles.pips(tile) in (0, total)  # MA2
    return wild or own.pips + other.pips == total


def _opener_ranks(rules: Rules) -> list[int]:
    """For each tile how good it is to open with, 0 the best (G2, G3, FN3)."""
    tiles = rules.tile_set
    ranks = tiles.opening_ranks(lowest=rules.opening.starter == "lowest_double")
    if rules.opening.without_double == "highest_tile":
        return ranks
    return [rank if tiles.opens(tile) else NO_OPENER for tile, rank in enumerate(ranks)]


def _write_actions(table: Any, setup: Setup) -> None:
    table["ends"] = num_ends(setup.rules)
    first = setup.rules.num_tiles * num_ends(setup.rules) * 2
    names = extras(setup.rules, setup.calls)
    for field, name in EXTRAS.items():
        table[field] = first + names.index(name) if name in names else -1
    table["answers"] = -1
    for stage in questions(setup.rules, setup.calls):
        table["answers"][0, stage] = [first + names.index(word) for word in ANSWERS[stage]]
    table["actions"] = first + len(names)


def _write_features(table: Any, rules: Rules, layout: tuple[Field, ...]) -> None:
    start = 0
    for name in ("hand", "played", "ends", "seats", "table", "course", "rows", "stage"):
        size = sum(field.size for field in layout if field.group == name)
        table[f"at_{name}"] = start if size else -1
        start += size
    table["features"] = start
    names = {field.name for field in layout}
    table["shows_places"] = rules.turn.until == "one_left"
    table["shows_direction"] = "direction" in names
    table["shows_stakes"] = "stakes" in names
    table["shows_effects"] = "draws" in names
    ends = sum(field.size for field in layout if field.group == "ends")
    seats = sum(field.size for field in layout if field.group == "seats")
    table["end_features"] = ends // num_ends(rules)
    table["seat_features"] = seats // int(table["seats"][0])
