"""Measures the ladder of agents in every game, for docs/ladder.md.

    python -m tools.ladder                        # all that is missing or stale; `make ladder`
    python -m tools.ladder --list                 # what there is, what is missing, what is stale
    python -m tools.ladder matador "block_draw, 7 tiles"
    python -m tools.ladder --fast                 # only pairings without a search
    python -m tools.ladder --only net             # the pairings that an agent takes part in
    python -m tools.ladder --only search --only net    # the one of two
    python -m tools.ladder --stale                # only what other weights have played
    python -m tools.ladder --only pimc --budget 60     # at most 60 CPU seconds each

Every chunk of deals is kept in docs/ladder at once. A run that is stopped goes on where it was, and
with a larger budget or more deals a pairing goes on from those that it has. Runs side by side share
the work: none measures what another is at. Fast agents come first.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.status import Status

from domino_env.errors import BadOption, did_you_mean
from tools.claims import Taken, claimed
from tools.ladder.figures import Figures
from tools.ladder.pairings import ALL_PAIRS, FAST_DEALS, Meeting, meetings
from tools.ladder.playing import Plan, claim_of, forget, is_stale, measure, row_of
from tools.ladder.rungs import Rung, rungs

AGENTS = sorted({name for pair in ALL_PAIRS for name in pair})


def main(arguments: list[str] | None = None) -> int:
    """Measures what is missing, or what is asked for."""
    parser = _parser()
    options = parser.parse_args(arguments)
    plan = Plan(options.deals, options.search_deals, options.budget)
    try:
        chosen = chosen_meetings(named(options.games), options.only)
    except BadOption as error:
        parser.error(str(error))
    if options.fast:
        chosen = [meeting for meeting in chosen if not meeting.searches]
    if options.list:
        for meeting in chosen:
            print(f"{meeting}: {state_of(meeting, plan)}")
        return 0
    run(chosen, plan, again=options.again, stale=options.stale)
    return 0


def _parser() -> argparse.ArgumentParser:
    what, _, examples = (__doc__ or "").partition("\n")
    parser = argparse.ArgumentParser(
        prog="python -m tools.ladder",
        description=what,
        epilog=examples,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "games", nargs="*", metavar="GAME", help="as --list calls them; all if none"
    )
    parser.add_argument(
        "--only",
        action="append",
        default=[],
        choices=AGENTS,
        metavar="AGENT",
        help=f"pairings that it takes part in; given twice, that of the two: {', '.join(AGENTS)}",
    )
    parser.add_argument("--fast", action="store_true", help="only pairings without a search")
    parser.add_argument(
        "--deals", type=int, default=FAST_DEALS, help=f"of fast agents ({FAST_DEALS:,})"
    )
    parser.add_argument("--search-deals", type=int, help="of searches (the config's)")
    parser.add_argument(
        "--budget", type=float, metavar="SECONDS", help="of CPU after which a pairing stops"
    )
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--stale", action="store_true", help="only these")
    which.add_argument("--again", action="store_true", help="all anew, from the first deal")
    which.add_argument("--list", action="store_true", help="measure nothing")
    return parser


def named(names: Sequence[str]) -> list[Rung]:
    """The rungs of these names, or all."""
    known = rungs()
    for name in names:
        if name not in known:
            raise BadOption(f"unknown game {name!r}{did_you_mean(name, known)}")
    return [known[name] for name in names] or list(known.values())


def chosen_meetings(some: Iterable[Rung], only: Sequence[str]) -> list[Meeting]:
    """The pairings of some rungs that all of these agents take part in, the fast ones first."""
    found = [
        each for rung in some for each in meetings(rung) if {each.first, each.second} >= {*only}
    ]
    return sorted(found, key=lambda each: each.searches)


def state_of(meeting: Meeting, plan: Plan) -> str:
    """What there is of a pairing."""
    row = row_of(meeting)
    if row is None:
        return "given up, too large" if plan.is_met(meeting, row) else "missing"
    missing = "" if plan.is_met(meeting, row) else f" of {plan.deals(meeting):,}"
    stale = ", stale" if is_stale(meeting) else ""
    return f"{told(row, missing)}{stale}"


def told(row: Figures, of: str = "") -> str:
    """A pairing in a line."""
    margin = f"{row.margin:+.2f} ± {row.within:.2f}"
    return f"{margin}, {row.deals:,}{of} deals, {row.cpu_seconds:,.0f} CPU seconds"


def run(chosen: Sequence[Meeting], plan: Plan, *, again: bool = False, stale: bool = False) -> None:
    """Measures pairings one after the other: what is missing, short or stale."""
    console = Console(stderr=True)
    with console.status("") as status:
        for number, meeting in enumerate(chosen, 1):
            is_old = is_stale(meeting)
            is_done = not is_old and (stale or plan.is_met(meeting, row_of(meeting)))
            if again or not is_done:
                _measure(meeting, plan, console, status, f"{number}/{len(chosen)}", again or is_old)


def _measure(
    meeting: Meeting, plan: Plan, console: Console, status: Status, place: str, anew: bool
) -> None:
    """One of them, unless another process is at it."""

    def moved(row: Figures) -> None:
        status.update(f"{place} {meeting}: {told(row, f' of {plan.deals(meeting):,}')}")

    status.update(f"{place} {meeting}")
    try:
        with claimed(claim_of(meeting)):
            if anew:
                forget(meeting)
            measure(meeting, plan, moved)
    except Taken as error:
        console.print(f"{place} {meeting}: left out, {error}", highlight=False, soft_wrap=True)
        return
    row = row_of(meeting)
    came = "given up, too large" if row is None else told(row)
    console.print(f"{place} {meeting}: {came}", highlight=False, soft_wrap=True)


if __name__ == "__main__":
    sys.exit(main())
