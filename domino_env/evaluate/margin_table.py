"""Everyone's margin over everyone as a matrix, with standard errors: what alpha-rank and Nash
averaging are computed from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from domino_env.evaluate.pairing import Standing

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class MarginTable:
    """Margins of rows over columns. Pairings that have not been played count as even.

    Attributes:
        margins: float64[N, N], antisymmetric; means where two met in several games.
        errors: float64[N, N], their standard errors.
    """

    margins: Floats
    errors: Floats

    def samples(self, count: int, seed: int) -> Floats:
        """float64[count, N, N]: what the margins may be by their intervals."""
        rng = np.random.default_rng(seed)
        luck = rng.standard_normal((count, *self.errors.shape)) * np.triu(self.errors, 1)
        return self.margins + luck - luck.transpose(0, 2, 1)


def margin_table(names: Sequence[str], standings: Sequence[Standing]) -> MarginTable:
    """The margins of agents in points a round; over several games, each game in the unit of its own
    usual margin."""
    place = {name: number for number, name in enumerate(names)}
    units = usual_margins(standings)
    if len(units) == 1:
        units = dict.fromkeys(units, 1.0)
    total, squares, met = np.zeros((3, len(names), len(names)))
    for standing in standings:
        first, second = place[standing.first], place[standing.second]
        unit = units[standing.game]
        total[first, second] += standing.margin / unit
        total[second, first] -= standing.margin / unit
        for pair in ((first, second), (second, first)):
            squares[pair] += (standing.within / 1.96 / unit) ** 2
            met[pair] += 1
    met = np.maximum(met, 1)
    return MarginTable(total / met, np.sqrt(squares) / met)


def usual_margins(standings: Sequence[Standing]) -> dict[str, float]:
    """The root mean square of the margins of each game."""
    found: dict[str, list[float]] = {}
    for standing in standings:
        found.setdefault(standing.game, []).append(standing.margin**2)
    return {game: float(np.sqrt(np.mean(each))) or 1.0 for game, each in found.items()}
