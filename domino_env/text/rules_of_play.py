"""The rules of a game at a table in sentences, up to its scoring: tiles, the table, drawing and
turns. Each sentence is made from one part of `Rules`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from domino_env.ruleset import LISTED

_SET_NAMES = ("zero", "one", "two", "three", "four", "five", "six")


def tiles(rules: Any, seats: Sequence[int]) -> Iterator[str]:
    """The set, the seats and the deal."""
    seats = sorted(seats)
    yield _set(rules)
    yield f"The game is for {_or(seats)} players, whose seats are numbered clockwise from 0."
    if rules.teams:
        yield "Seats 0 and 2 are partners against seats 1 and 3; partners score as one."
    sizes = _sizes(rules, seats)
    if rules.rows:
        yield f"Each is dealt {sizes}, which lie face down in a row; nobody looks at them."
    else:
        yield f"Each is dealt {sizes}; only their owner sees them."
    yield from _left_out(rules, seats)
    if rules.draws:
        kept = rules.draw.reserve
        never = f"; its last {kept} are never drawn" if kept else ""
        yield f"The others lie face down in the boneyard{never}."
    else:
        yield "Any others are out of play, unseen."


def _left_out(rules: Any, seats: Sequence[int]) -> Iterator[str]:
    """The tiles that some numbers of players do not play with."""
    for players, tile in rules.left_out:
        if players in seats:
            yield f"With {players} players {tile} is left out of the set."


def _sizes(rules: Any, seats: Sequence[int]) -> str:
    """How many tiles each is dealt, by the number of players."""
    dealt: dict[int, list[int]] = {}
    for players in seats:
        dealt.setdefault(rules.hand_size_for(players), []).append(players)
    if len(dealt) == 1:
        return f"{next(iter(dealt))} tiles"
    (size, some), *others = sorted(dealt.items(), key=lambda each: min(each[1]))
    more = [f"{tiles} with {_or(players)}" for tiles, players in others]
    return ", ".join([f"{size} tiles with {_or(some)} players", *more])


def _set(rules: Any) -> str:
    if rules.set == LISTED:
        written = " ".join(f"{first}|{second}" for first, second in rules.tile_set.faces)
        return f"The {rules.num_tiles} tiles are {written}.{_symbols(rules)}"
    top = rules.max_pip
    return (
        f"There are {rules.num_tiles} tiles, one for each pair of numbers from 0 (a blank) to "
        f"{top}; a double has the same number on both halves."
    )


def _symbols(rules: Any) -> str:
    """What the symbols of a listed set mean."""
    values = rules.tile_set.values
    told = []
    if any(value.text[0] == ">" for value in values):
        told.append(
            " >4 is PLAY AGAIN in the colour of 4: if it becomes the open half, its player moves "
            "again, drawing until able to."
        )
    if any(value.text[0] == "+" for value in values):
        told.append(
            " +4 is DRAW in the colour of 4: if it becomes the open half, the next player draws a "
            "tile (from the mover's hand, if the boneyard is empty)."
        )
    if any(value.text == "*" for value in values):
        told.append(" * is a star, which matches every half.")
    return "".join(told)


# The table ----------------------------------------------------------------------------------------


def table(rules: Any) -> Iterator[str]:
    """What may join what, and where."""
    if rules.match.by == "same":
        by = "colour (numbers and symbols of one colour match)" if rules.set == LISTED else "number"
        yield f"A tile is played on an open end with a half that matches it by {by}."
    else:
        wild = [str(tile) for tile in _wild(rules)]
        yield (
            f"A tile is played on an open end with a half that makes {rules.max_pip + 1} with "
            f"it. {', '.join(wild)} are wild: they fit any end by either half, and only they fit a "
            "blank."
        )
    yield from _curved(rules) if rules.is_curved else _straight(rules)


def _wild(rules: Any) -> list[str]:
    top = rules.max_pip + 1
    return [f"{a}|{b}" for a, b in rules.tile_set.faces if a + b in (top, 0)]


def _curved(rules: Any) -> Iterator[str]:
    yield (
        "Tiles are curved, and must fit: each fills a corner of a cell of a honeycomb, whose two "
        "neighbouring corners must be free. A tile that joins by its first (lower) half turns "
        "right, by its second half left; a double may do either, and turns right unless you say "
        '"turning left". An end where neither turn fits is dead.'
    )
    if rules.layout.meeting == "allowed":
        yield "Two ends may meet where their halves match; both are then closed."
    else:
        yield "Two ends may never meet."


def _straight(rules: Any) -> Iterator[str]:
    arms, doubles = rules.layout.arms, rules.layout.doubles
    if arms == "one":
        yield "There is only one open end, end 0."
    elif arms == "two":
        yield "The line has two ends: end 0 is its left end, end 1 its right."
    elif arms == "own":
        yield (
            "Trains begin at the opening double: end 0 is everybody's train, end 1 that of seat "
            "0, end 2 that of seat 1 and so on. You may play on your own train, on everybody's, "
            "and on any that has a marker, whether begun or not; a move may name a train instead "
            "of its end."
        )
    else:
        number = {"four": "four open sides, ends 0 to 3", "six": "six open sides, ends 0 to 5"}[
            arms
        ]
        yield f"The opening tile has {number}."
    if doubles in _DOUBLES:
        yield _DOUBLES[doubles]
    yield from _duties(rules)
    if rules.layout.opening_first:
        sides = rules.layout.opening_first
        yield (
            f"Until {sides} side{'s' if sides > 1 else ''} of the opening double "
            f"{'have tiles' if sides > 1 else 'has a tile'}, no tile may be played elsewhere."
        )
    if arms not in ("one", "own"):
        yield "The untouched sides of a double are alike; name the lowest-numbered one."


_DOUBLES = {
    "spinner": (
        "Every double is a spinner: its crosswise sides open, as further ends with the next "
        "numbers, once it has a tile on another side."
    ),
    "first_spinner": (
        "The first double of a round is its spinner: its crosswise sides open, as further ends "
        "with the next numbers, once it has tiles on both sides. Other doubles are like any tile."
    ),
    "fork": (
        "A later double lies crosswise and opens its two short sides instead of one end; the "
        "second has the next number."
    ),
    "foot": (
        "A later double opens three ends, its toes: the end that it was laid on, and the next two "
        "numbers."
    ),
}


def _duties(rules: Any) -> Iterator[str]:
    """Doubles that must have tiles before anything else."""
    number = rules.layout.doubles_first
    if number:
        tiles = f"{number} tile{'s' if number > 1 else ''}"
        yield (
            f"Until a later double has {tiles} on it, nobody may play anywhere else"
            f"{_whosever(rules)}."
        )
    if rules.layout.hopeless == "blocks":
        yield "If no tile that could be played on such a double is left, the round is blocked."
    elif rules.layout.hopeless == "lifted":
        yield "If no tile that could be played on such a double is left, it needs none."


def _whosever(rules: Any) -> str:
    return ", whoever's train it is on" if rules.layout.arms == "own" else ""


# Turns --------------------------------------------------------------------------------------------


def turns(rules: Any) -> Iterator[str]:
    """What a player does who can play, or cannot."""
    if rules.rows:
        yield (
            "On your turn you flip the top tile of your row. If it fits, you must play it, and you "
            "choose the end and the half; if not, it goes to the bottom of the row, known to all, "
            "and your turn ends."
        )
    else:
        yield "On your turn you play one tile; if you can play, you may not pass."
        yield from _drawing(rules)
    yield from _going_on(rules)
    if rules.turn.stuck == "ends_round":
        yield "If you can neither play nor draw, the round ends at once."
    elif not rules.rows:
        yield "If you can neither play nor draw, your turn is passed for you."
    if rules.layout.arms == "own":
        cover = ", or to cover their double," if rules.turn.again == "to_cover" else ""
        yield (
            f"Whoever was not able to play{cover} gets a marker on their own train, which stays "
            "until they play on it again."
        )
    yield from _twists(rules)


def _drawing(rules: Any) -> Iterator[str]:
    how = rules.draw
    yield f"If you cannot play, {_forced(how.forced, how.then)}."
    if how.while_crossing not in ("as_forced", how.forced):
        yield (
            "While the opening double still lacks tiles this holds instead: if you cannot play, "
            f"{_forced(how.while_crossing, how.then)}."
        )
    if how.voluntary:
        ends = "which ends the turn" if how.voluntary_then == "end_turn" else "any number of times"
        yield f"If you can play, you may DRAW a tile first, {ends}."


def _forced(forced: str, then: str) -> str:
    if forced == "until_playable":
        return "tiles are drawn for you until one can be played"
    if forced == "none":
        return "nothing is drawn"
    return {
        "play": "one tile is drawn for you, and then you must play if you can",
        "end_turn": "one tile is drawn for you, and your turn is over",
        "may_pass": "one tile is drawn for you, and you may then play or PASS",
    }[then]


def _going_on(rules: Any) -> Iterator[str]:
    again = rules.turn.again
    if rules.turn.first_turn == "own_line":
        yield (
            "In your first turn, after a tile on your own train, you may play another along it, "
            "or END TURN."
        )
    if again == "to_cover":
        yield "Whoever plays such a double goes on at once, with a tile on it."
    if again in ("never", "to_cover"):
        return
    after = "a tile" if again == "after_any" else "a double"
    if rules.rows:
        yield f"After {after} you flip again."
    else:
        yield f"After {after} you may play another, without drawing, or END TURN."


def _twists(rules: Any) -> Iterator[str]:
    if rules.turn.reversed_by == "double":
        yield (
            "Whoever plays a double, except as the first tile, answers REVERSE or KEEP: does the "
            "direction of play change?"
        )
    if rules.turn.raised_by:
        yield (
            f"Whoever plays {rules.turn.raised_by} answers RAISE or HOLD. If they raise, each "
            "opponent answers ACCEPT or REFUSE: if all accept, the round counts twice; if one "
            "refuses, it ends at once as if blocked."
        )


def _or(numbers: Sequence[int]) -> str:
    """Numbers as alternatives, each once."""
    *first, last = map(str, sorted({*numbers}))
    return f"{', '.join(first)} or {last}" if first else last
