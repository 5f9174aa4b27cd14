"""Ratings from mixed tables, by openskill: a Plackett-Luce model of who comes before whom.

Each deal is a match of all who sat at the table; teams are rated as teams. openskill goes through
the matches one by one, as it does with people, who change with time. Agents do not: so its `tau`,
by which ratings stay open to change, is 0, and ratings are means over some orders of the deals,
drawn by lot, since one order alone gives too much weight to what comes last.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from domino_env.evaluate.mixed_tables import MixedTables
from domino_env.evaluate.statistics import ci95_half_width
from domino_env.extras import must_have

Floats = npt.NDArray[np.float64]
Skills = dict[str, tuple[float, float]]
"""mu and sigma of each agent."""
EXTRA = "ratings"
ORDERS = 10
"""In which the deals are gone through: what comes last moves ratings most, and by much."""


@dataclass(frozen=True)
class TableRating:
    """How well an agent does at mixed tables.

    Attributes:
        name: of the agent.
        mu, sigma: of openskill: where everybody begins is 25 ± 8.33.
        margin, within: points a game over the opponents at its tables, and half the 95 % interval;
            over several games the mean of theirs.
        deals: at which it sat.
    """

    name: str
    mu: float
    sigma: float
    margin: float
    within: float
    deals: int

    @property
    def half_width(self) -> float:
        """Half the 95 % interval of mu, as openskill sees it."""
        return 1.96 * self.sigma


def must_have_openskill() -> None:
    """Refuses to go on without it."""
    must_have("openskill", extra=EXTRA)


def table_ratings(every: Sequence[MixedTables]) -> list[TableRating]:
    """The ratings at the mixed tables of one game or several, the highest first."""
    if not any(each.deals for each in every):
        return []
    names = [each.name for each in every[0].entrants]
    skills = _rated(names, every)
    found = []
    for name in names:
        (mu, sigma), (margin, within, deals) = skills[name], _margin(every, name)
        found.append(TableRating(name, mu, sigma, margin, within, deals))
    return sorted(found, key=lambda rating: -rating.mu)


def _margin(every: Sequence[MixedTables], name: str) -> tuple[float, float, int]:
    """The margin of an agent, half its interval, and the deals."""
    samples = [sample for each in every if len(sample := _margins_of(each, name)) > 1]
    if not samples:
        return 0.0, 0.0, 0
    squares = sum(ci95_half_width(sample) ** 2 for sample in samples)
    margin = sum(float(sample.mean()) for sample in samples) / len(samples)
    return margin, float(squares**0.5) / len(samples), sum(map(len, samples))


def _margins_of(tables: MixedTables, name: str) -> Floats:
    """Of an agent on each deal at which it sat, the mean over its places."""
    number = [each.name for each in tables.entrants].index(name)
    at = tables.lineups == number
    there = at.any(1)
    return np.asarray((tables.margins * at).sum(1)[there] / at.sum(1)[there])


# openskill ----------------------------------------------------------------------------------------


def _rated(names: list[str], every: Sequence[MixedTables]) -> Skills:
    """The skills after all deals, the mean over some orders of them."""
    must_have_openskill()
    from openskill.models import PlackettLuce

    model: Any = PlackettLuce(tau=0.0)
    matches = [(tables, deal) for tables in every for deal in range(tables.deals)]
    lots = np.random.default_rng(0)
    found: list[Skills] = []
    for _ in range(ORDERS):
        skills = dict.fromkeys(names, (model.mu, model.sigma))
        for number in lots.permutation(len(matches)):
            skills |= after(model, skills, *_match(names, *matches[number]))
        found.append(skills)
    return {name: _mean([skills[name] for skills in found]) for name in names}


def _match(names: list[str], tables: MixedTables, deal: int) -> tuple[list[list[str]], list[float]]:
    """Who sat together at a deal, and their points."""
    sides = tables.partners()
    seated = [[names[tables.lineups[deal, place]] for place in side] for side in sides]
    return seated, [float(tables.margins[deal, side[0]]) for side in sides]


def after(model: Any, skills: Skills, sides: list[list[str]], points: list[float]) -> Skills:
    """The skills of those who have played a deal. Who sits at a table twice is rated there as two
    who are equally good, and has learned from both: what mu gains adds up, sigma shrinks twice."""
    rated = [[model.rating(*skills[name]) for name in side] for side in sides]
    ranks = [float(1 + sum(other > own for other in points)) for own in points]
    found: Skills = {}
    for side, side_rated in zip(sides, model.rate(rated, ranks=ranks), strict=True):
        for name, rating in zip(side, side_rated, strict=True):
            (mu, sigma), (before, width) = found.get(name, skills[name]), skills[name]
            found[name] = mu + rating.mu - before, sigma * rating.sigma / width
    return found


def _mean(skills: list[tuple[float, float]]) -> tuple[float, float]:
    mus, sigmas = zip(*skills, strict=True)
    return sum(mus) / len(mus), sum(sigmas) / len(sigmas)
