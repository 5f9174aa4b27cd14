"""What `net` and `ppo` have in common: an agent that plays a policy from a file."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from types import NoneType
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from domino_env.agents import Actions, Lanes, Shown, at_decisions, is_against_others, must_play
from domino_env.agents.networks.policy import Policy, game_of, read_policy
from domino_env.batches import Batch
from domino_env.compiling import kernel
from domino_env.errors import BadOption

COMPILED = ("the agent ppo", 2)

WEIGHTS = Path(__file__).parent.parent / "weights"
CHUNK = 4096  # rows that stay in the processor's cache between the layers


class PolicyPlayer(Shown):
    """Plays the action with the highest logit of its policy.

    Args:
        file: of the policy; the one that comes with the package if none is given.
        temperature: of the softmax that actions are sampled from; 0 for the best action.
        seed: of the samples, if the temperature is above 0.
        policy: one that has been read already, instead of a file.
    """

    name: ClassVar[str]
    folders: ClassVar[tuple[str, ...]]
    """Of `agents/weights`: where its policies are, the best first."""

    def __init__(
        self,
        file: str | Path | None = None,
        temperature: float = 0.0,
        seed: int | None = None,
        policy: Policy | None = None,
    ) -> None:
        if not isinstance(temperature, (int, float)) or not 0 <= temperature <= 100:
            raise BadOption(f"temperature must be a number from 0 to 100, not {temperature!r}")
        if not isinstance(file, (str, Path, NoneType)):
            raise BadOption(f"file must be the path of a policy file, not {file!r}")
        self._policy = read_policy(Path(file)) if policy is None and file is not None else policy
        if self._policy is not None:
            self.plays = is_against_others  # type: ignore[method-assign]
        self._temperature = float(temperature)
        self._rng = np.random.default_rng(seed)
        self._found: tuple[Batch, Policy] | None = None

    @property
    def reads_histories(self) -> bool:
        """Was it given a policy that reads histories? None of those that come with the package
        does."""
        return self._policy is not None and self._policy.history is not None

    @classmethod
    def plays(cls, rules: Any) -> bool:
        """It plays the games that a policy comes with; with a policy of its own, whatever that was
        trained for."""
        return is_against_others(rules) and rules.id in files_of(cls.folders)

    @staticmethod
    def packed(file: str | Path | None = None, **options: Any) -> dict[str, Any]:
        """Options with the policy itself, and not its file."""
        return options if file is None else {**options, "policy": read_policy(Path(file))}

    @at_decisions
    def act(self, batch: Batch, lanes: Lanes) -> Actions:
        """A legal action for each of the lanes."""
        policy = self.policy_for(batch)
        chosen = batch._legal[lanes, 0].astype(np.int64)
        asked = np.flatnonzero(batch._num_legal[lanes] > 1)
        for first in range(0, len(asked), CHUNK):
            some = asked[first : first + CHUNK]
            rows = lanes[some]
            logits = policy.logits(batch, rows)
            if self._temperature:
                logits /= self._temperature
                logits += self._rng.gumbel(size=logits.shape).astype(np.float32)
            best = np.empty(len(some), np.int64)
            best_lanes(logits, batch._legal, batch._num_legal, rows, best)
            chosen[some] = best
        return chosen

    def probabilities(self, batch: Batch, lanes: Lanes) -> npt.NDArray[np.float64]:
        """For each of the lanes how likely each action of the game is to be chosen."""
        chances = np.zeros((len(lanes), batch.num_actions))
        rows = np.arange(len(lanes))
        if not self._temperature:
            chances[rows, self.act(batch, lanes)] = 1.0
            return chances
        logits = self.policy_for(batch).logits(batch, lanes) / self._temperature
        numbers = batch._num_legal[lanes]
        within = np.arange(batch._legal.shape[1]) < numbers[:, None]
        owner, actions = np.repeat(rows, numbers), batch._legal[lanes][within]
        best = np.maximum.reduceat(logits, np.cumsum(numbers) - numbers)
        chances[owner, actions] = np.exp(logits - best[owner])
        return chances / chances.sum(1, keepdims=True)

    def policy_for(self, batch: Batch) -> Policy:
        """The policy that it plays a batch's game by."""
        if self._found is None or self._found[0] is not batch:
            must_play(self, batch)
            policy = shipped_for(self.folders, batch) if self._policy is None else self._policy
            policy.must_fit(batch)
            self._found = batch, policy
        return self._found[1]


@kernel
def best_lanes(logits: Any, legal: Any, num_legal: Any, lanes: Any, best: Any) -> None:
    """The legal action with the highest logit, for each of some lanes: the first of several. The
    logits are those of the legal actions, lane after lane."""
    first = 0
    for row in range(len(lanes)):
        lane: Any = np.uint64(lanes[row])
        found = 0
        for k in range(1, num_legal[lane]):
            if logits[first + k] > logits[first + found]:
                found = k
        best[row] = legal[lane, found]
        first += num_legal[lane]


# Policies that come with the package --------------------------------------------------------------


@cache
def files_of(folders: tuple[str, ...]) -> dict[str, list[Path]]:
    """The policies in some folders, by the games that they are for; those of the first folder come
    first."""
    found: dict[str, list[Path]] = {}
    for folder in folders:
        for file in sorted((WEIGHTS / folder).glob("*.npz")):
            found.setdefault(game_of(file), []).append(file)
    return found


_read_once = cache(read_policy)


def shipped(*folders: str) -> Sequence[Policy]:
    """The policies that come with the package, each read once."""
    return [_read_once(file) for files in files_of(folders).values() for file in files]


def shipped_for(folders: tuple[str, ...], batch: Batch) -> Policy:
    """The first that was trained for these rules, or else for the same game and seats."""
    same = [_read_once(file) for file in files_of(folders).get(batch.rules.id, ())]
    fitting = [each for each in same if each.num_players == batch.num_players]
    if not fitting:
        trained = ", ".join(str(each.num_players) for each in same) or "none"
        raise BadOption(
            f"no policy comes with {batch.rules.id} for {batch.num_players} players (there is one "
            f"for: {trained}); train one with `domino train`, and give its file"
        )
    return next((each for each in fitting if each.knows(batch)), fitting[0])
