"""What no table can say of a game: can it be dealt, can a round begin, can a match end?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from domino_env.errors import BadRules
from domino_env.ruleset.limits import LISTED, MAX_CURVED_TILES, MAX_TILES, MAX_VALUES
from domino_env.ruleset.values import refuse

if TYPE_CHECKING:
    from domino_env.ruleset.declaration import Rules


def check(rules: Rules) -> None:
    """Refuses games that could not be dealt, would be dealt again for ever, or never end."""
    _check_tiles(rules)
    for players in rules.players:
        _check_hand(rules, players)
        _check_opening(rules, players)
    _check_rounding(rules)
    _check_rounds(rules)
    _check_least_first(rules)
    if rules.exact:
        _check_exact(rules)


# Can it be dealt? --------------------------------------------------------------------------------


def _check_tiles(rules: Rules) -> None:
    most = MAX_CURVED_TILES if rules.layout.tiles == "curved" else MAX_TILES
    if not 2 <= rules.num_tiles <= most:
        name = "tiles" if rules.set == LISTED else f"set {rules.set!r}"
        raise BadRules(
            f"{name} has {rules.num_tiles} tiles: where layout.tiles is {rules.layout.tiles!r} "
            f"there must be from 2 to {most}"
        )
    values = len(rules.tile_set.values)
    if values > MAX_VALUES:
        raise BadRules(f"tiles must show {MAX_VALUES} different halves or fewer, not {values}")


def _check_hand(rules: Rules, players: int) -> None:
    each = rules.hand_size_for(players)
    # A player who opens with their only tile is out before anybody has had a decision (G5).
    least = 2 if rules.opening.tile in ("that_double", "top_of_row") else 1
    if each < least:
        refuse("hand_size", f"{least} or more where opening.tile is {rules.opening.tile!r}", each)
    beside = max(_spare(rules), rules.draw.reserve + rules.opening.from_boneyard)
    played = rules.num_tiles - len(rules.left_out_with(players))
    if each * players + beside > played:
        raise BadRules(
            f"hand_size {each} for {players} players{_beside(rules)} takes more than the "
            f"{played} tiles of {rules.set}; deal fewer, or take {players} off players"
        )


def _spare(rules: Rules) -> int:
    """Tiles that the boneyard must have for the opening, whatever their order."""
    if rules.opening.tile == "from_boneyard":  # one of them is no double
        return 1 + rules.tile_set.num_doubles
    return rules.opening.from_boneyard


def _beside(rules: Rules) -> str:
    """What is not dealt, in words."""
    if _spare(rules):
        return f" and {_spare(rules)} tiles to open with"
    return f" and a draw.reserve of {rules.draw.reserve}" if rules.draw.reserve else ""


# Can a round begin? ------------------------------------------------------------------------------


def _check_opening(rules: Rules, players: int) -> None:
    asked = rules.set == LISTED or rules.opening.lowest or rules.left_out_with(players)
    if asked and not _can_begin(rules, players):
        raise BadRules(
            "tiles must have some that open a round, and some that can follow them: with "
            f"opening.tile {rules.opening.tile!r} and {rules.hand_size_for(players)} for each of "
            f"{players} players every deal would be dealt again"
        )


def _can_begin(rules: Rules, players: int) -> bool:
    """Is there a deal in which somebody has a decision? (G3, G5)"""
    tiles, opening, every = rules.tile_set, rules.opening, _played_with(rules, players)
    if not _anything_opens(rules) and not any(map(rules.may_open, every)):
        return False
    if opening.tile == "any":
        return True
    if opening.tile != "that_double":
        doubles_too = opening.tile != "from_boneyard"
        return any(
            {*tiles.follow(t)} & {*every} for t in every if doubles_too or not tiles.is_double(t)
        )
    return _can_follow_the_double(rules, players)


def _played_with(rules: Rules, players: int) -> list[int]:
    """The tiles that are not left out."""
    return [t for t in range(rules.num_tiles) if t not in rules.left_out_with(players)]


def _anything_opens(rules: Rules) -> bool:
    """May a tile open that is no double?"""
    by_double = rules.opening.starter in ("highest_double", "lowest_double")
    return not by_double or rules.opening.without_double == "highest_tile"


def _can_follow_the_double(rules: Rules, players: int) -> bool:
    """Is there a tile that may open, while the better ones lie in the boneyard, and one in a hand
    that fits it?"""
    tiles, every = rules.tile_set, _played_with(rules, players)
    usual = tiles.opening_ranks(lowest=rules.opening.starter == "lowest_double")
    ranks = [rank if rules.may_open(tile) else len(usual) for tile, rank in enumerate(usual)]
    undealt = len(every) - players * rules.hand_size_for(players)
    return any(
        any(ranks[other] >= ranks[tile] for other in tiles.follow(tile) if other in every)
        for tile in every
        if rules.may_open(tile) and sum(ranks[t] < ranks[tile] for t in every) <= undealt
    )


# Can a match end? --------------------------------------------------------------------------------


def _check_rounding(rules: Rules) -> None:
    heaviest = max(map(rules.tile_set.pips, range(rules.num_tiles)))
    if rules.round.nearest > heaviest:
        refuse(
            "round.nearest",
            f"{heaviest} or less, the pips of the heaviest tile, or rounds would be worth nothing "
            "and no target reached",
            rules.round.nearest,
        )


def _check_rounds(rules: Rules) -> None:
    """Is there a double for each round, where each has its own?"""
    doubles = len(rules.tile_set.round_doubles)
    if rules.has_round_doubles and not 1 <= (rules.most_rounds or 0) <= doubles:
        refuse("rounds", f"from 1 to {doubles}, one for each double", rules.rounds)


def _check_least_first(rules: Rules) -> None:
    """There must be rounds that are worth so much."""
    pips = sum(map(rules.counted, range(rules.num_tiles)))
    most = pips // rules.round.pips_a_point
    if rules.tally.least_first > most:
        refuse(
            "tally.least_first",
            f"{most} or less, which all tiles together are worth",
            rules.tally.least_first,
        )


def _check_exact(rules: Rules) -> None:
    """Whatever a player has, the least that can be scored must lead on to the target."""
    worths, bonuses = _worths(rules), rules.bonuses.of_rounds
    if not worths:  # a bonus that comes with a round that is worth nothing comes alone
        worths, bonuses = bonuses, []
    if any(points % min(worths) for points in (*worths, *bonuses, rules.target or 0)):
        told = " and ".join(map(str, [*worths, *bonuses]))
        raise BadRules(
            f"points come as {told} here: players can get stuck below "
            f"an exact target of {rules.target}"
        )


def _worths(rules: Rules) -> list[int]:
    """The points that can be scored alone, bonuses of rounds aside."""
    plays, whole = rules.plays, rules.round
    multiples = list(plays.multiples) if plays.points == "pips" else [1]
    found = {"nothing": [], "multiples": multiples, "same_ends": [2, 3]}[plays.by]
    if whole.counts_pips:
        found = [*found, whole.rounding // whole.pips_a_point]
    if whole.worth == "points":
        found = [*found, whole.points, whole.key]
    found = [*found, plays.out, *rules.bonuses.of_passes]
    return sorted({*found} - {0})
