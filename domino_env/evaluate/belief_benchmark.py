"""The benchmark of beliefs: how well somebody guesses who holds what, in `belief.holdings`.

    from domino_env import belief
    from domino_env.evaluate import score_guess

    score_guess(belief.counting, "block_draw").gap         # nats a tile behind an exact counter

A guess gives shares (`belief.Guess`). Its log loss in a position is the mean over the tiles that
the seat has not seen of -log of the share in the place where the tile really is. The gap is how far
that is behind the exact shares, in which all deals that agree with what was seen are as likely. A
guess that also reads what the others chose can be ahead of them: its gap is negative. The
divergence from the exact shares cannot, and has no luck in it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from domino_env.belief import Guess, Holdings, holdings
from domino_env.errors import BadOption
from domino_env.evaluate.statistics import ci95_half_width

Floats = npt.NDArray[np.float64]

LEAST = 1e-6  # no guess loses more than by this share: what is impossible may be so by an oversight
ENOUGH_WORLDS = 50.0  # of equal weights, to know what play shows


@dataclass(frozen=True)
class GuessScore:
    """How well somebody guesses in the positions of a game; losses are nats a hidden tile.

    Attributes:
        game: whose positions.
        positions: how many.
        loss: the log loss, over the tiles as they really are.
        exact: that of the exact shares.
        gap: how far it is behind them, `loss - exact`.
        within: half the width of the 95 % confidence interval of the gap, over positions.
        divergence: the Kullback-Leibler divergence of the exact shares from it.
    """

    game: str
    positions: int
    loss: float
    exact: float
    gap: float
    within: float
    divergence: float


def score_guess(guess: Guess, game: str | Holdings) -> GuessScore:
    """Scores a guess in all positions of a game."""
    some = holdings(game) if isinstance(game, str) else game
    shares = np.asarray(some.guessed(guess), np.float64)
    if shares.shape != some.shares.shape or not np.isfinite(shares).all():
        raise BadOption(
            f"a guess answers with numbers of shape {some.shares.shape}, tiles by columns for each "
            f"position, not of shape {shares.shape}"
        )
    losses, exact = log_losses(shares, some.holders), log_losses(some.shares, some.holders)
    apart = divergences(some.shares, shares, some.hidden)
    return _score(some.name, losses, exact, float(apart.mean()))


def score_play_aware(game: str | Holdings) -> GuessScore:
    """The same for one who knows who the others are and how they play, where that is known from
    worlds enough; its divergence is not known."""
    some = holdings(game) if isinstance(game, str) else game
    known = some.play_aware_worlds >= ENOUGH_WORLDS
    exact = log_losses(some.shares, some.holders)[known]
    return _score(some.name, some.play_aware_losses[known], exact, float("nan"))


def _score(game: str, losses: Floats, exact: Floats, divergence: float) -> GuessScore:
    gaps = losses - exact
    within = ci95_half_width(gaps) if len(gaps) > 1 else 0.0
    loss, right, gap = (float(each.mean()) if len(each) else 0.0 for each in (losses, exact, gaps))
    return GuessScore(game, len(losses), loss, right, gap, within, divergence)


def log_losses(shares: Floats, holders: npt.NDArray[np.int8]) -> Floats:
    """float64[N]: the mean over hidden tiles of -log of the share where each really is."""
    hidden = holders >= 0
    where = np.maximum(holders, 0)[:, :, None].astype(np.int64)
    likely = np.take_along_axis(_likely(shares), where, 2)[:, :, 0]
    return _over_tiles(-np.log(likely), hidden)


def divergences(exact: Floats, shares: Floats, hidden: npt.NDArray[np.bool_]) -> Floats:
    """float64[N]: the mean over hidden tiles of the divergence of exact shares from others."""
    with np.errstate(divide="ignore", invalid="ignore"):
        parts = np.where(exact > 0, exact * np.log(exact / _likely(shares)), 0.0)
    return _over_tiles(parts.sum(2), hidden)


def _likely(shares: Floats) -> Floats:
    """Shares of which none is quite 0, with the sum 1 for each tile."""
    some = np.maximum(shares, LEAST)
    return np.asarray(some / some.sum(2, keepdims=True))


def _over_tiles(numbers: Floats, hidden: npt.NDArray[np.bool_]) -> Floats:
    number = np.maximum(hidden.sum(1), 1)
    return np.asarray((numbers * hidden).sum(1) / number)
