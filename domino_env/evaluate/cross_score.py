"""The score of cross-play: a matrix of partners, and what trained apart earn of what trained
together earn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from domino_env.errors import BadOption
from domino_env.evaluate import markdown
from domino_env.evaluate.statistics import Ratio, ci95_half_width, ratio_of_means

Floats = npt.NDArray[np.float64]
Rows = tuple[tuple[float, ...], ...]


@dataclass(frozen=True)
class CrossScore:
    """What policies earn as partners, in points a round over a team of the opponent.

    Attributes:
        game: its id.
        against: the agent that the other team consists of.
        names: of the policies.
        deals: duplicate deals that every pair has played.
        margins: of each pair; the row has the first seat of the team, the column the second. On the
            diagonal are partners trained together: a policy with itself.
        within: half the widths of their 95 % confidence intervals.
        together: the mean of the diagonal; `together_within` half its interval.
        apart: the mean off the diagonal; `apart_within` half its interval.
        ratio: of `apart` to `together`, with half its interval (the delta method, over deals); None
            if what partners trained together earn is not clear of nothing.
        forfeits: games forfeited by agents from outside this package; they count, at their cost.
    """

    game: str
    against: str
    names: tuple[str, ...]
    deals: int
    margins: Rows
    within: Rows
    together: float
    together_within: float
    apart: float
    apart_within: float
    ratio: Ratio | None
    forfeits: int = 0

    def to_plain(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            **vars(self),
            "names": [*self.names],
            "margins": [[*row] for row in self.margins],
            "within": [[*row] for row in self.within],
            "ratio": self.ratio.value if self.ratio else None,
            "ratio_within": self.ratio.within if self.ratio else None,
        }


def score_of(
    game: str, against: str, names: Sequence[str], margins: Floats, forfeits: int = 0
) -> CrossScore:
    """Sums up what was played.

    Args:
        game: its id.
        against: the name of the opponent.
        names: of the policies.
        margins: float[deals, N, N], of each pair on each deal.
        forfeits: how many games were forfeited.
    """
    if len(names) < 2 or len(margins) < 2:
        raise BadOption("cross-play is of two policies or more, on two deals or more")
    same = np.eye(len(names), dtype=bool)
    together, apart = margins[:, same].mean(1), margins[:, ~same].mean(1)
    return CrossScore(
        game,
        against,
        tuple(names),
        len(margins),
        _rows(margins.mean(0)),
        _rows(
            np.array(
                [[ci95_half_width(pair) for pair in row] for row in margins.transpose(1, 2, 0)]
            )
        ),
        float(together.mean()),
        ci95_half_width(together),
        float(apart.mean()),
        ci95_half_width(apart),
        ratio_of_means(apart, together),
        forfeits,
    )


def _rows(matrix: Floats) -> Rows:
    return tuple(tuple(map(float, row)) for row in matrix)


# In words -----------------------------------------------------------------------------------------


def as_markdown(score: CrossScore) -> str:
    """The matrix as a table, and a line about it."""
    heads = [f"first \\ second partner, {score.game}", *score.names]
    rows = [
        [name, *map(margin, row, half)]
        for name, row, half in zip(score.names, score.margins, score.within, strict=True)
    ]
    return f"{markdown.table(heads, rows)}\n{summary(score)}\n"


def summary(score: CrossScore) -> str:
    """What the matrix comes to."""
    told = (
        f"Points a round over two of {score.against}, {score.deals:,} duplicate deals: trained "
        f"together {margin(score.together, score.together_within)}, trained apart "
        f"{margin(score.apart, score.apart_within)}; "
    )
    if score.ratio is None:
        told += "no ratio: what partners trained together earn is not clear of nothing."
    else:
        told += f"that is {share(score.ratio)} of it."
    return told + (f" Forfeited games: {score.forfeits:,}." if score.forfeits else "")


def margin(mean: float, within: float) -> str:
    """Points with their interval."""
    return f"{round(mean, 2) + 0.0:+.2f} ± {within:.2f}"  # nothing is not less than nothing


def share(ratio: Ratio) -> str:
    """A ratio with its interval."""
    return f"{100 * ratio.value:.0f} ± {100 * ratio.within:.0f} %"
