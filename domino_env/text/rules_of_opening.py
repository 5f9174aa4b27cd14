"""Who begins a round and with what, in sentences made from the parts of `Rules`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

_TILES = {
    "that_double": "That tile is laid by itself, and the next player has the first decision.",
    "any": "The first tile may be any.",
    "top_of_row": "The top tile of the first player's row is laid first.",
    "from_boneyard": "A start tile from the boneyard, nobody's and no double, begins.",
    "middle": (
        "A double lies in the middle first, nobody's and taken out before the deal: the highest in "
        "the first round of a match, and the next lower in each that follows."
    ),
    "two_from_boneyard": "Two tiles from the boneyard lie there first, back to back.",
}
_LEADERS = {
    "winner": "the seat that won the round before",
    "next_seat": "the seat after the one that began the round before",
    "same_seat": "the seat that began the round before",
}


def opening(rules: Any) -> Iterator[str]:
    """Who begins, and with what."""
    how = rules.opening
    yield _starter(how)
    yield _TILES[how.tile]
    yield from _later(how)
    if how.yields:
        yield "A winner who is to begin first answers LEAD, or YIELD to leave it to the partner."
    if how.direction == "chosen":
        yield "The owner of the first tile then chooses which way turns go: CLOCKWISE or COUNTER."


def _starter(how: Any) -> str:
    if how.starter in ("highest_double", "lowest_double"):
        best = "lowest" if how.starter == "lowest_double" else "highest"
        above = f", but none below {how.lowest}|{how.lowest}," if how.lowest else ""
        return f"Whoever holds the {best} double{above} begins{_without(how, best)}."
    if how.starter == "round_double":
        return (
            "Each round has a double, the highest first and then the next lower: whoever holds it "
            "begins; if nobody does, all is dealt again."
        )
    if how.starter == "lot":
        return "The first player is drawn by lot."
    return "Seat 0 begins the first round of a match, and then each seat in its turn."


def _without(how: Any, best: str) -> str:
    if how.without_double == "deal_again":
        return "; if nobody has one, all is dealt again"
    return f"; if nobody has one, the {best} tile stands in for it"


def _later(how: Any) -> Iterator[str]:
    """Who begins the later rounds of a match."""
    free = ", with any tile" if how.tile == "that_double" else ""
    if how.later != "as_first":
        yield f"In later rounds of a match {_LEADERS[how.later]} begins{free}."
    if how.after_draw == how.later or (how.later == "next_seat" and how.after_draw == "next_seat"):
        return
    if how.after_draw == "as_first":
        yield "After a round that nobody won, the opening is as in the first."
    else:
        yield f"After a round that nobody won, {_LEADERS[how.after_draw]} begins{free}."
