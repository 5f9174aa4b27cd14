"""Who begins a round and with what, in sentences made from the parts of `Rules`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

_TILES = {
    "that_double": "That tile is played for its holder, and the next player decides first.",
    "any": "Any tile may be played first.",
    "top_of_row": "The top tile of the first player's row is laid first.",
    "from_boneyard": "A tile from the boneyard that is no double is laid first; nobody plays it.",
    "middle": (
        "A double, taken out before the deal, is laid in the middle first: the highest in the "
        "first round of a match, and the next lower one in each that follows."
    ),
    "two_from_boneyard": "Two tiles from the boneyard are laid first, back to back.",
}
_LEADERS = {
    "winner": "the seat that won the last round",
    "next_seat": "the seat after the one that began the last round",
    "same_seat": "the seat that began the last round",
}


def opening(rules: Any) -> Iterator[str]:
    """Who begins, and with what."""
    how = rules.opening
    yield _starter(how)
    yield _TILES[how.tile]
    yield from _later(how)
    if rules.teams and how.later == "winner":
        yield _winning_seat(rules)
    if how.yields:
        yield "A winner who is to begin answers LEAD, or YIELD to leave it to their partner."
    if how.direction == "chosen":
        yield (
            "Whoever played the first tile then chooses the direction of play: CLOCKWISE or "
            "COUNTER."
        )


def _starter(how: Any) -> str:
    if how.starter in ("highest_double", "lowest_double"):
        best = "lowest" if how.starter == "lowest_double" else "highest"
        above = f", but none below {how.lowest}|{how.lowest}," if how.lowest else ""
        return f"Whoever holds the {best} double{above} begins{_without(how, best)}."
    if how.starter == "round_double":
        return (
            "Each round has a double, first the highest and then the next lower: whoever holds it "
            "begins; if nobody does, the tiles are dealt again."
        )
    if how.starter == "lot":
        return "The first player is drawn by lot."
    return "Seat 0 begins the first round of a match, and each seat in turn those that follow."


def _without(how: Any, best: str) -> str:
    if how.without_double == "deal_again":
        return "; if nobody has one, the tiles are dealt again"
    return f"; if nobody has one, the {best} tile takes its place"


def _winning_seat(rules: Any) -> str:
    """Which of two partners has won a round that nobody went out of (W3)."""
    if rules.round.worth == "places":
        return "Of a team that is the lower of its seats."
    if rules.blocked.to == "lowest_team":
        return (
            "If it was blocked, that is whoever played the last tile, if their team won; else the "
            "seat after theirs."
        )
    return (
        "If it was blocked, that is the partner whose hand won it; if both hands are as good, the "
        "one whose turn would have come first."
    )


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
