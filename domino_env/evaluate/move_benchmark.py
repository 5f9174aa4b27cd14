"""The benchmark of moves: the points that an agent gives away, a decision, in `text.positions`.

    from domino_env.evaluate import score_moves

    score_moves("greedy_pip", "block_draw").given_away     # points a decision

Every agent answers the same positions, and nothing is played on: there is no luck in it. An agent
that names no legal move has answered illegally; that is counted apart, and costs no points.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np

from domino_env import agents
from domino_env.errors import BadOption
from domino_env.evaluate.entrants import Entrant
from domino_env.evaluate.statistics import ci95_half_width
from domino_env.text import ValuedPosition, position_names, positions
from domino_env.text.valued_positions import rules_of_positions


@dataclass(frozen=True)
class MoveScore:
    """What an agent gives away in the positions of a game.

    Attributes:
        agent: its name.
        game: the name of the collection of positions.
        positions: how many it has answered with a legal move.
        illegal: how many it has not.
        given_away: points a decision that it is behind the best moves; 0 if it answered none.
        within: half the width of the 95 % confidence interval of that, over positions.
        at_random: what somebody gives away who moves at random in the same positions.
        best: how many of its moves were the best.
        why: what was wrong with its first illegal answer; empty if there was none.
    """

    agent: str
    game: str
    positions: int
    illegal: int
    given_away: float
    within: float
    at_random: float
    best: int
    why: str = ""

    @property
    def share(self) -> float:
        """What it gives away as a share of what random moves give away: 0 is perfect."""
        return self.given_away / self.at_random if self.at_random else 0.0


def score_moves(agent: Any, game: Any, seed: int = 0) -> MoveScore:
    """Has an agent answer all positions of a game.

    Args:
        agent: as an entrant of a tournament is written: a name, a reference, a class or an object,
            or a mapping of its options with `agent`.
        game: as for `text.positions`.
        seed: of agents that toss coins.
    """
    every = list(positions(game))
    entrant = agent if isinstance(agent, Entrant) else Entrant.from_plain(agent)
    player = entrant.make(seed)
    agents.must_play(player, every[0].batch)
    answers, why = _answers(player, every)
    legal = {n: action for n, action in enumerate(answers) if action in _actions(every[n])}
    costs = np.array([every[n].cost_of(action) for n, action in legal.items()])
    chance = [_at_random(every[number]) for number in legal]
    return MoveScore(
        entrant.name,
        every[0].name,
        len(legal),
        len(every) - len(legal),
        float(costs.mean()) if len(costs) else 0.0,
        ci95_half_width(costs) if len(costs) > 1 else 0.0,
        float(np.mean(chance)) if chance else 0.0,
        int((costs == 0).sum()),
        why,
    )


def score_everywhere(agent: Any, seed: int = 0) -> list[MoveScore]:
    """Has an agent answer the positions of all games that it plays. A policy that was trained for
    other rules than those of a mini set is not asked about them."""
    entrant = agent if isinstance(agent, Entrant) else Entrant.from_plain(agent)
    player, found = entrant.make(seed), []
    for name in position_names():
        if agents.plays(player, rules_of_positions(name)):
            with suppress(BadOption):
                found.append(score_moves(entrant, name, seed))
    if not found:
        raise BadOption(f"{entrant.name} plays none of the games that have positions")
    return found


def _answers(player: agents.Agent, every: Sequence[ValuedPosition]) -> tuple[list[int], str]:
    """The action of an agent in each position, -1 where it has named none; and why it first did
    so."""
    if agents.is_ours(player):
        chosen = player.act(every[0].batch, np.arange(len(every)))
        return [int(action) for action in chosen], ""
    answers, reasons = [], []
    for position in every:
        action, why = _answer(player, position)
        answers.append(action)
        if action not in _actions(position):
            reasons.append(why or f"{action} is no legal action")
    return answers, reasons[0] if reasons else ""


def _answer(player: agents.Agent, position: ValuedPosition) -> tuple[int, str]:
    """One answer of an agent that may fail."""
    try:
        (action,) = player.act(position.batch, np.array([position.lane]))
        return int(action), ""
    except Exception as error:  # of somebody's agent: whatever it is, it has named no legal move
        return -1, f"{type(error).__name__}: {error}"


def _actions(position: ValuedPosition) -> set[int]:
    return {move.action for move in position.moves}


def _at_random(position: ValuedPosition) -> float:
    return float(np.mean([position.cost_of(move.action) for move in position.moves]))


def total(scores: Iterable[MoveScore]) -> MoveScore:
    """All games together: each counts alike, whatever its points and its number of positions."""
    some = list(scores)
    if not some:
        raise BadOption("there are no scores to add up")
    return MoveScore(
        some[0].agent,
        "all games",
        sum(score.positions for score in some),
        sum(score.illegal for score in some),
        float(np.mean([score.given_away for score in some])),
        sqrt(sum(score.within**2 for score in some)) / len(some),
        float(np.mean([score.at_random for score in some])),
        sum(score.best for score in some),
        next((score.why for score in some if score.why), ""),
    )
