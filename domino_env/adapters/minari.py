"""Converts records to a Minari data set, for offline reinforcement learning.

    from domino_env.adapters.minari import to_dataset
    from domino_env.record import read_all

    records = read_all("runs/block_draw/records.jsonl")
    dataset = to_dataset(records, "domino/block_draw/heuristic-v0", player="heuristic")

An episode is what one seat saw, did and earned in one game, exactly as the Gymnasium environment of
the game (`adapters.single`) would present it: an observation for each of its decisions and one at
the end, the action, and as reward everything it earned until its next decision.
`infos["action_mask"]` has the mask of each observation, `infos["seat"]` its seat. A game that is
unfinished or was truncated ends in a truncation. For games without house rules
`dataset.recover_environment()` creates that environment.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import gymnasium
import minari
import numpy as np
from gymnasium import spaces
from minari.data_collector import EpisodeBuffer

from domino_env.adapters.common import observation_box
from domino_env.batches import Batch
from domino_env.errors import BadOption
from domino_env.record import Record, replay, to_batch


def to_dataset(
    records: Iterable[Record],
    dataset_id: str,
    *,
    player: str | None = None,
    reward: str = "margin",
    observation_dtype: Any = "float32",
    **about: Any,
) -> Any:
    """Creates a Minari data set from records of the same kind of game. With `player` it has only
    the decisions of seats with that name; `observation_dtype` is that of `Batch`. `about` is passed
    to `minari.create_dataset_from_buffers`, like `author` or `description`."""
    kept = list(records)
    _must_be_alike(kept)
    played = {"reward": reward, "observation_dtype": observation_dtype}
    episodes = [each for record in kept for each in episodes_of(record, player, **played)]
    if not episodes:
        raise BadOption(f"there is no decision of {player or 'anybody'} in these records")
    batch = to_batch(kept[0], **played)
    about.setdefault("algorithm_name", player)
    about.setdefault("description", f"{len(kept)} games of {batch.rules.title}")
    return minari.create_dataset_from_buffers(
        dataset_id,
        episodes,
        env=_environment(kept[0], reward, str(batch.observation_dtype)),
        observation_space=observation_box(batch),
        action_space=spaces.Discrete(batch.num_actions),
        **about,
    )


def episodes_of(
    record: Record,
    player: str | None = None,
    reward: str = "margin",
    observation_dtype: Any = "float32",
) -> Iterator[EpisodeBuffer]:
    """An episode for each seat that has decided anything."""
    views = [_View(seat) for seat in range(record.num_players)]
    for step in replay(record, reward, observation_dtype=observation_dtype):
        for view in views:
            view.earn(float(step.batch.reward[0, view.seat]))
        if step.action is not None:
            views[int(step.batch.seat[0])].decide(step.batch, step.action)
    for view, name in zip(views, record.names, strict=True):
        if view.actions and player in (None, name):
            yield view.episode(step.batch)


class _View:
    """A game as one seat has seen it."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.observations: list[Any] = []
        self.masks: list[Any] = []
        self.actions: list[int] = []
        self.rewards: list[float] = []
        self._owed = 0.0

    def earn(self, reward: float) -> None:
        """Notes a reward: it is paid at the seat's next decision, or at the end of the game."""
        self._owed += reward

    def decide(self, batch: Batch, action: int) -> None:
        """Notes a decision of the seat."""
        self._pay()
        self.observations.append(batch.observation[0].copy())
        self.masks.append(batch.mask[0].copy())
        self.actions.append(action)

    def _pay(self) -> None:
        if self.actions:
            self.rewards.append(self._owed)
            self._owed = 0.0

    def episode(self, batch: Batch) -> EpisodeBuffer:
        """All of it, once the game stands as it was left."""
        self._pay()
        to_move = int(batch.seat[0]) == self.seat
        mask = batch.mask[0].copy() if to_move else np.zeros_like(batch.mask[0])
        masks = np.stack([*self.masks, mask])
        observations: Any = np.stack([*self.observations, batch.observe(0, self.seat)])
        actions: Any = np.array(self.actions)
        ended = bool(batch.done[0]) and not batch.truncated[0]
        before = [False] * (len(actions) - 1)
        return EpisodeBuffer(
            observations=observations,
            actions=actions,
            rewards=self.rewards,
            terminations=[*before, ended],
            truncations=[*before, not ended],
            infos={"action_mask": masks, "seat": np.full(len(masks), self.seat)},
        )


def _must_be_alike(records: list[Record]) -> None:
    """Refuses records that do not share their spaces."""
    if not records:
        raise BadOption("a data set is made of one record or more")
    kinds = {(each.mark, each.num_players, each.episode, each.calls) for each in records}
    if len(kinds) > 1:
        told = ", ".join(
            sorted({f"{each.game} with {each.num_players} players" for each in records})
        )
        raise BadOption(
            "a data set is of one game, with the same house rules, players, episodes and calls: "
            f"these are of {told}"
        )


def _environment(record: Record, reward: str, observation_dtype: str) -> Any:
    """The environment that plays such games, if a name and plain options tell it."""
    if record.rules:
        return None
    return gymnasium.make(
        gymnasium.spec(f"domino/{record.game}-v0"),
        num_players=record.num_players,
        episode=record.episode,
        calls=record.calls,
        reward=reward,
        observation_dtype=observation_dtype,
    )
