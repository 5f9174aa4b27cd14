"""Who sits where in a game of text: the seats that answer prompts, and agents in the others."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from domino_env import agents
from domino_env.batches import Batch
from domino_env.deals import is_list
from domino_env.errors import BadAction, BadOption, IllegalMove, is_whole

_LANE = np.zeros(1, np.int64)


class Players:
    """The seats of one game.

    Args:
        batch: a batch of one.
        opponents: "self", an agent for all other seats, or a list of agents, clockwise from the
            first seat that answers; an agent is a name, a mapping with its options, or an object.
        seat: a seat that answers, several of them, or "random" for each episode.

    Attributes:
        answering: the seats that answer prompts in this episode.
    """

    def __init__(self, batch: Batch, opponents: Any, seat: Any) -> None:
        self._batch, self._every = batch, list(range(batch.num_players))
        self.is_self_play = isinstance(opponents, str) and opponents == "self"
        if self.is_self_play and not (isinstance(seat, str) and seat == "random"):
            raise BadOption("with opponents='self' every seat answers: leave seat out")
        self._seat = self._every if self.is_self_play else _read_seat(seat, batch)
        self.answering: list[int] = []
        self._opponents = [] if self.is_self_play else self._read(opponents)
        self._agents: dict[int, Any] = {}
        if not self.is_self_play:
            self.seat_all(0)

    def _read(self, opponents: Any) -> list[Any]:
        """The agents, clockwise from the first seat that answers."""
        others = self._batch.num_players - (len(self._seat) if self._seat else 1)
        if not is_list(opponents):
            return [opponents] * others
        if len(opponents) != others:
            raise BadOption(
                f"opponents is one for all, or a list of {others}, clockwise from the first seat "
                f"that answers; not {len(opponents)} of them"
            )
        return list(opponents)

    def seat_all(self, seed: int) -> None:
        """Seats everybody for an episode; the same seed seats them alike, with the same luck."""
        drawn = random.Random(f"seat {seed}").randrange(len(self._every))
        self.answering = self._seat or [drawn]
        clockwise = self._every[self.answering[0] :] + self._every[: self.answering[0]]
        others = [seat for seat in clockwise if seat not in self.answering]
        self._agents = {
            seat: _made(agent, (seed + seat) % 2**63, self._batch)
            for seat, agent in zip(others, self._opponents, strict=True)
        }

    def move(self, seat: int) -> None:
        """Has the agent in a seat take its decision."""
        agent = self._agents[seat]
        try:
            actions = np.asarray(agent.act(self._batch, _LANE.copy()))
            self._batch.step(actions)
        except (BadAction, IllegalMove) as error:
            name = agents.name_of(agent)
            raise type(error)(f"opponent {name!r} moved wrongly: {error}") from None


def _read_seat(seat: Any, batch: Batch) -> list[int]:
    """The seats that answer; none where one is drawn for each episode."""
    if isinstance(seat, str) and seat == "random":
        return []
    seats = list(seat) if isinstance(seat, Sequence) and not isinstance(seat, str) else [seat]
    known = all(is_whole(each) and 0 <= each < batch.num_players for each in seats)
    if not seats or not known or len({*seats}) < len(seats):
        raise BadOption(
            f"seat is 'random', one of 0 to {batch.num_players - 1}, or several of them; "
            f"not {seat!r}"
        )
    return [int(each) for each in seats]


def _made(agent: Any, seed: int, batch: Batch) -> Any:
    options: dict[str, Any] = {}
    if isinstance(agent, Mapping):
        if "agent" not in agent:
            raise BadOption(f"an opponent's settings name its 'agent'; {agent!r} do not")
        options = {name: value for name, value in agent.items() if name != "agent"}
        agent = agent["agent"]
    chosen = agents.make if "seed" in options else _seeded(seed)
    made = chosen(agent, **options)
    agents.must_play(made, batch)
    return made


def _seeded(seed: int) -> Any:
    return lambda agent, **options: agents.make_seeded(agent, seed, **options)
