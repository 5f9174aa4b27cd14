"""Measures a pairing of the ladder, some deals at a time, and keeps each of these chunks."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from pathlib import Path

from domino_env.evaluate.pairing import Pairing
from domino_env.evaluate.tournament import check_entrants
from tools.ladder import face_up
from tools.ladder.figures import RUNS, Figures, Kept, change, figures_of, kept
from tools.ladder.pairings import FAST_DEALS, Meeting


@dataclass(frozen=True)
class Plan:
    """How much of a pairing is to be measured."""

    fast_deals: int = FAST_DEALS
    search_deals: int | None = None
    """Of searches, and where a pairing is played for the ratings alone; None: as many as the config
    says."""
    budget: float | None = None
    """CPU seconds, those of earlier runs included, after which a pairing stops; None: no bound,
    but where all tiles are face up."""

    def deals(self, meeting: Meeting) -> int:
        """On how many deals a pairing is to be played."""
        if meeting.searches or meeting.is_for_ratings:
            return self.search_deals or meeting.rung.deals
        return self.fast_deals

    def seconds(self, meeting: Meeting) -> float:
        """The budget of a pairing."""
        if self.budget is not None:
            return self.budget
        return face_up.BUDGET if meeting.is_face_up else inf

    def is_met(self, meeting: Meeting, row: Figures | None) -> bool:
        """Is this enough, or as much as the budget allows?"""
        if meeting.is_face_up and face_up.is_given_up(meeting.rung):
            return True
        if row is None:
            return False
        return row.cpu_seconds >= self.seconds(meeting) or row.deals >= self.deals(meeting)


def row_of(meeting: Meeting) -> Figures | None:
    """What is kept of a pairing."""
    return kept(meeting.rung.stem).pairings.get((meeting.first, meeting.second))


def is_stale(meeting: Meeting) -> bool:
    """Is it kept, and played by other weights than those that come with the package now?"""
    row = row_of(meeting)
    return row is not None and dict(row.weights) != meeting.weights()


def claim_of(meeting: Meeting) -> Path:
    """The folder that stands for measuring a pairing: see `tools.claims`."""
    return RUNS / meeting.rung.stem / f"{meeting.first}-{meeting.second}"


def measure(
    meeting: Meeting, plan: Plan, on_chunk: Callable[[Figures], None] = lambda row: None
) -> None:
    """Plays on from what is kept until there is enough, and keeps every chunk."""
    _prepare(meeting, plan)
    row = row_of(meeting)
    while not plan.is_met(meeting, row):
        fresh = _next_chunk(meeting, plan, row.deals if row else 0)
        if fresh is None:
            return
        row = row.and_then(fresh) if row else fresh
        keep(meeting, row)
        on_chunk(row)


def _prepare(meeting: Meeting, plan: Plan) -> None:
    """Solves the deals first, where all tiles are face up: some may be too large."""
    rung = meeting.rung
    if meeting.is_face_up:
        face_up.measure_values(rung, plan.deals(meeting), plan.seconds(meeting))
    else:
        check_entrants(rung.rules, rung.num_players, meeting.sides, rung.seed, None)


def _next_chunk(meeting: Meeting, plan: Plan, first: int) -> Figures | None:
    """The deals from a number on; None if one of them has a position that is too large."""
    rung, began = meeting.rung, time.process_time()
    pairing = Pairing(rung.rules, rung.num_players, *meeting.sides, rung.seed, None)
    deals = min(meeting.chunk, max(plan.deals(meeting) - first, 2))
    pairing.add(pairing.play_deals(first, deals))
    spent = time.process_time() - began
    if pairing.forfeits:
        face_up.give_up(rung, pairing.forfeits[0].why)
        return None
    names = meeting.first, meeting.second
    return figures_of(pairing.standing, names, spent, meeting.weights())


def keep(meeting: Meeting, row: Figures) -> None:
    """Puts a pairing into the file of its rung."""

    def put(found: Kept) -> None:
        rung = meeting.rung
        found.facts |= {"rung": rung.name, "num_players": rung.num_players}
        found.pairings[row.first, row.second] = row

    change(meeting.rung.stem, put)


def forget(meeting: Meeting) -> None:
    """Takes a pairing out of the file of its rung, so that it is measured from its first deal."""

    def take(found: Kept) -> None:
        found.pairings.pop((meeting.first, meeting.second), None)
        if meeting.is_face_up and "given_up" in found.facts.get(face_up.NAME, {}):
            del found.facts[face_up.NAME]

    change(meeting.rung.stem, take)
