"""What is paid beside plays and rounds, and what a match makes of points, in sentences made from
the parts of `Rules`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def bonuses(rules: Any) -> Iterator[str]:
    """What is paid beside the points of plays and rounds."""
    how = rules.bonuses
    if how.fits_both_ends:
        yield _fits_both(how)
    if how.double_blank:
        yield f"Going out with 0|0 pays {how.double_blank} more."
    yield from _passes(how)
    if how.own_block:
        yield f"Winning a round that your own side blocked pays {how.own_block} more."
    if how.by_round:
        points = ", ".join(map(str, how.by_round))
        yield f"In a match the first rounds that are won pay {points} more, in this order."


def _fits_both(how: Any) -> str:
    ends = "both ends, which differ," if how.different_ends else "both ends"
    blank = " and has no blank" if how.no_blanks else ""
    return (
        f"Going out with a tile, no double, that fits {ends}{blank} pays {how.fits_both_ends} more."
    )


def _passes(how: Any) -> Iterator[str]:
    double, other = how.opening_pass, how.opening_pass_no_double
    if other not in (None, double):
        yield (
            f"An opening tile that the next player cannot answer pays {double} if it is a double, "
            f"else {other}."
        )
    elif double:
        yield f"An opening tile that the next player cannot answer pays {double}."
    if how.round_pass:
        yield (
            "A tile after which everybody else passes, so that its player plays again, pays "
            f"{how.round_pass}."
        )


def tally(rules: Any) -> Iterator[str]:
    """What happens to the points of a match."""
    how = rules.tally
    if how.least_first:
        yield (
            f"A side without points yet scores nothing for a round that is worth less than "
            f"{how.least_first}."
        )
    if how.wiped != "never":
        yield _wiped(how)
    if how.cut_off is not None:
        yield f"A match that is not won after {how.cut_off} rounds is drawn."


def _wiped(how: Any) -> str:
    when = {
        "by_a_win": "After a round won by one side while the other has points,",
        "when_all_have_won": "After a round with which everybody has points,",
    }[how.wiped]
    kept = "but the winner keeps those of that round" if how.keeps_last else "its own included"
    return f"{when} everybody's points go back to 0, {kept}."
