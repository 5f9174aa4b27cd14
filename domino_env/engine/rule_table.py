"""`Rules` turned into numbers and tables, for the kernels to look up."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from domino_env.engine.features import Field, Scales, fields, scales
from domino_env.engine.game_setup import (
    Setup,
    extras,
    most_due,
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
from domino_env.ruleset import MAX_TILES, MOST_MULTIPLES, MOST_ROUNDS, Rules

ANY, TOP_OF_ROW, FROM_BONEYARD, THAT_DOUBLE, TWO_FROM_BONEYARD, MIDDLE = range(6)
HIGHEST_DOUBLE, LOWEST_DOUBLE, LOT, IN_TURN, ROUND_DOUBLE = range(5)
THROUGH, SPINNER, FORK, FOOT, FIRST_SPINNER = range(5)
STAYS, BLOCKS, LIFTED = range(3)
UNTIL_PLAYABLE, ONE_TILE, NO_TILE = range(3)
NEVER, AFTER_ANY, AFTER_DOUBLE, TO_COVER = range(4)
NOTHING, SAME_ENDS, MULTIPLES = range(3)
OTHERS_PIPS, ALL_PIPS, FIXED_POINTS, PLACES, NO_POINTS = range(5)
LOWEST_PIPS, NO_DOUBLES, FEWEST_TILES, LOWEST_TEAM, NOBODY_WINS = range(5)
MARGIN, POINTS, WIN = range(3)
AS_FIRST, THE_WINNER, NEXT_SEAT, SAME_SEAT = range(4)
KEPT, WIPED_BY_A_WIN, WIPED_WHEN_ALL_HAVE_WON = range(3)
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
    "round_double": ROUND_DOUBLE,
    "middle": MIDDLE,
    "one": ONE_TILE,
    "through": THROUGH,
    "spinner": SPINNER,
    "fork": FORK,
    "foot": FOOT,
    "first_spinner": FIRST_SPINNER,
    "stays": STAYS,
    "blocks": BLOCKS,
    "lifted": LIFTED,
    "until_playable": UNTIL_PLAYABLE,
    "none": NO_TILE,
    "never": NEVER,
    "after_any": AFTER_ANY,
    "after_double": AFTER_DOUBLE,
    "to_cover": TO_COVER,
    "nothing": NOTHING,
    "same_ends": SAME_ENDS,
    "multiples": MULTIPLES,
    "lowest_pips": LOWEST_PIPS,
    "no_doubles": NO_DOUBLES,
    "fewest_tiles": FEWEST_TILES,
    "lowest_team": LOWEST_TEAM,
    "nobody": NOBODY_WINS,
    "as_first": AS_FIRST,
    "winner": THE_WINNER,
    "next_seat": NEXT_SEAT,
    "same_seat": SAME_SEAT,
    "margin": MARGIN,
    "points": POINTS,
    "win": WIN,
}

_WIPED = {"never": KEPT, "by_a_win": WIPED_BY_A_WIN, "when_all_have_won": WIPED_WHEN_ALL_HAVE_WON}
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
    *("dealt", "starter", "opening", "reserve", "later", "after_draw", "yields"),
    # The layout, the draw, the turn.
    *("arms", "doubles", "opening_first", "doubles_first", "hopeless", "curved", "ends_may_meet"),
    *("forced", "forced_crossing", "draw_ends_turn", "draw_may_pass"),
    *("voluntary", "voluntary_ends_turn", "again", "own_line", "stuck_ends", "outs", "team_out"),
    # What is asked after a play.
    *("asks_first", "effects", "says_domino", "direction_chosen", "reversible", "raiser"),
    # Points.
    *("plays", "by_division", "called", "pips_a_point", "nearest", "penalties", "round_worth"),
    *("round_points", "key_points", "less_own", "out_bonus", "out_points"),
    *("shared_to_starter", "rates_last", "both_ends", "different_ends", "no_blanks"),
    *("blank_points", "pays_passes", "opening_pass", "opening_pass_no_double", "round_pass"),
    *("own_block", "later_bonuses", "least_first", "wiped", "keeps_last", "cut_off"),
    *("rounded_up", "bonus_to_most", "blocked_to", "target", "exact", "rounds", "match", "reward"),
    # The action space: tile x end x half, then the extras that exist (else -1).
    *("ends", "actions", *EXTRAS),
    # Where each field of an observation begins.
    *("at_hand", "at_played", "at_ends", "at_seats", "at_table", "at_rows", "at_stage"),
    *("at_course", "shows_places", "shows_direction", "shows_stakes", "shows_due", "shows_effects"),
    *("most_due", "shows_spinner", "shows_starter", "shows_layer", "shows_bonus", "shows_facts"),
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
                ("by_round", np.int32, MOST_ROUNDS),  # what the first rounds won are worth more
                ("left_out", np.uint64, WORDS),  # tiles that are not played with
                ("places", np.int32, SEATS),  # what each place of a round is worth (FN6)
                ("answers", np.int16, (STAGES, 2)),  # the actions that answer yes and no
                ("double_tile", np.int16, VALUES),  # the double of a number; -1: there is none
                ("round_doubles", np.int16, VALUES),  # the double of each round (TR1); -1: no round
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
    for tile in rules.left_out_with(players):
        table["left_out"][0, tile // 64] |= np.uint64(1 << (tile % 64))
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
    rules, players = setup.rules, setup.players
    numbers = {
        "tiles": rules.num_tiles,
        "words": (rules.num_tiles + 63) // 64,
        "values": len(rules.tile_set.values),
        "seats": setup.players,
        "teams": rules.teams,
        "rows": rules.rows,
        "set_aside": rules.rows or rules.hand_size == "all" or not rules.draws,
        "dealt": rules.num_tiles - len(rules.left_out_with(players)),
        "starter": _CODES[rules.opening.starter],
        "opening": _CODES[rules.opening.tile],
        "reserve": rules.draw.reserve,
        "later": _CODES[rules.opening.later],
        "after_draw": _CODES[rules.opening.after_draw],
        "yields": rules.opening.yields,
        "arms": num_arms(rules),
        "doubles": _CODES[rules.layout.doubles],
        "opening_first": rules.layout.opening_first,
        "doubles_first": rules.layout.doubles_first,
        "hopeless": _CODES[rules.layout.hopeless],
        "curved": rules.layout.tiles == "curved",
        "ends_may_meet": rules.layout.meeting == "allowed",
        "forced": _CODES[rules.draw.forced],
        "draw_ends_turn": rules.draw.then == "end_turn",
        "draw_may_pass": rules.draw.then == "may_pass",
        "voluntary": rules.draw.voluntary,
        "voluntary_ends_turn": rules.draw.voluntary_then == "end_turn",
        "again": _CODES[rules.turn.again],
        "own_line": rules.turn.first_turn == "own_line",
        "stuck_ends": rules.turn.stuck == "ends_round",
        "outs": setup.players - 1 if rules.turn.until == "one_left" else 1,
        "team_out": rules.turn.until == "team_out",
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
        "key_points": rules.round.key,
        "less_own": rules.blocked.less_own,
        "out_points": rules.plays.out,
        "shared_to_starter": rules.blocked.shared == "starter_team",
        "out_bonus": rules.round.out_bonus,
        "rounded_up": rules.round.rounded_up,
        "bonus_to_most": rules.round.to == "most_points",
        "blocked_to": _CODES[rules.blocked.to],
        "target": rules.target or 0,
        "exact": rules.exact,
        **_bonuses(rules),
        "least_first": rules.tally.least_first,
        "wiped": _WIPED[rules.tally.wiped],
        "keeps_last": rules.tally.keeps_last,
        "cut_off": rules.tally.cut_off or 0,
        "rounds": rules.most_rounds or 0,
        "match": setup.episode == "match",
        "reward": _CODES[setup.reward],
    }
    crossing = rules.draw.while_crossing
    table["forced_crossing"] = _CODES[rules.draw.forced if crossing == "as_forced" else crossing]
    for name, value in numbers.items():
        table[name] = value
    worths = rules.round.places[: setup.players - 1]  # the last place is worth nothing
    table["places"][0, : len(worths)] = worths
    table["by_round"][0, : len(rules.bonuses.by_round)] = rules.bonuses.by_round
    table["multiples"][0, : len(rules.plays.multiples)] = rules.plays.multiples


def _bonuses(rules: Rules) -> dict[str, Any]:
    bonuses, single = rules.bonuses, rules.bonuses.opening_pass_no_double
    passes = bonuses.opening_pass if single is None else single
    return {
        "rates_last": bonuses.fits_both_ends > 0 or rules.round.key > 0,
        "both_ends": bonuses.fits_both_ends,
        "different_ends": bonuses.different_ends,
        "no_blanks": bonuses.no_blanks,
        "blank_points": bonuses.double_blank,
        "pays_passes": bonuses.opening_pass > 0 or passes > 0 or bonuses.round_pass > 0,
        "opening_pass": bonuses.opening_pass,
        "opening_pass_no_double": passes,
        "round_pass": bonuses.round_pass,
        "own_block": bonuses.own_block,
        "later_bonuses": len(bonuses.by_round),
    }


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
    table["round_doubles"][0] = -1
    table["round_doubles"][0, : len(tiles.round_doubles)] = tiles.round_doubles


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
    return [rank if rules.may_open(tile) else NO_OPENER for tile, rank in enumerate(ranks)]


def _write_actions(table: Any, setup: Setup) -> None:
    table["ends"] = num_ends(setup.rules, setup.players)
    first = setup.rules.num_tiles * int(table["ends"][0]) * 2
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
    table["shows_due"] = rules.layout.doubles_first > 0
    table["most_due"] = most_due(rules)
    table["shows_spinner"] = "spinner" in names
    table["shows_starter"] = "started" in names
    table["shows_layer"] = "laid_last" in names
    table["shows_bonus"] = "bonus" in names
    table["shows_facts"] = bool({"spinner", "started", "laid_last", "bonus"} & names)
    ends = sum(field.size for field in layout if field.group == "ends")
    seats = sum(field.size for field in layout if field.group == "seats")
    table["end_features"] = ends // int(table["ends"][0])
    table["seat_features"] = seats // int(table["seats"][0])
