"""Trained policies: the layers of a network, and the file that holds them.

A policy file is a NumPy archive of plain arrays and a piece of JSON that says what it was trained
for. Reading one runs no code, and playing one needs no trainer.
"""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from domino_env.agents import Lanes
from domino_env.agents.networks.archive import DAMAGED, read_arrays, read_at_most
from domino_env.agents.networks.heuristic_prior import HeuristicPrior
from domino_env.agents.networks.layers import Numbers, through_layer
from domino_env.batches import Batch
from domino_env.errors import BadOption
from domino_env.games import has_mark

Layer = tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]

ABOUT_KINDS = {"game": str, "changes": dict, "mark": str, "players": int, "notes": dict}
ABOUT = "about"  # the entry of the archive that says what the policy is for
KIND = "domino policy 1"
MOST_BYTES = 1 << 27  # of a policy file, packed or not: 64 million numbers
LEAST_BYTES, MOST_TIMES = 1 << 24, 16  # it may unpack to so many, and to so many times its size


@dataclass(frozen=True)
class Policy:
    """A policy network: logits of all actions from the observation of a seat.

    Attributes:
        game: the id of the game it was trained for.
        changes: the house rules, to be read.
        mark: a hash of the rules with these changes (`mark_of`).
        num_players: seats in a game.
        layers: weights and biases, from the observation to a logit for each action; ReLU between
            them.
        notes: whatever else is worth keeping, how it was trained for example.
        prior: logits that are added to those of the network, if any.
    """

    game: str
    changes: Mapping[str, Any]
    mark: str
    num_players: int
    layers: Sequence[Layer]
    notes: Mapping[str, Any] = field(default_factory=dict)
    prior: HeuristicPrior | None = None

    def logits(self, batch: Batch, lanes: Lanes) -> Numbers:
        """Logits of all actions in some lanes, from what the seat to move sees."""
        logits = self.network_logits(batch.as_floats(batch._observation[lanes]))
        if self.prior is not None:
            logits += self.prior.logits(batch, lanes)
        return logits

    def network_logits(self, observations: Numbers) -> Numbers:
        """Logits of the network alone, for rows of observations."""
        values = observations
        for number, (weights, biases) in enumerate(self.layers):
            if number:
                np.maximum(values, 0.0, out=values)
            values = through_layer(values, weights, biases)
        return values

    def must_fit(self, batch: Batch) -> None:
        """Refuses batches of other games than it was trained for."""
        if self.game != batch.rules.id or self.num_players != batch.num_players:
            raise BadOption(
                f"this policy was trained for {self.game} with {self.num_players} players, "
                f"not for {batch.rules.id} with {batch.num_players}"
            )
        sizes = self.layers[0][0].shape[0], self.layers[-1][0].shape[1]
        if sizes != (batch.num_features, batch.num_actions):
            raise BadOption(
                f"this policy was trained for {self.game} with other house rules, options or "
                f"calls: it takes {sizes[0]} features and scores {sizes[1]} actions, but here are "
                f"{batch.num_features} and {batch.num_actions}"
            )

    def knows(self, batch: Batch) -> bool:
        """Was it trained for exactly these rules and seats?"""
        return self.num_players == batch.num_players and has_mark(batch.rules, self.mark)

    def to_bytes(self) -> bytes:
        """As the content of a file; numbers of half the size are as good to play by."""
        about = {
            "kind": KIND,
            "game": self.game,
            "changes": dict(self.changes),
            "mark": self.mark,
            "players": self.num_players,
            "notes": dict(self.notes),
        }
        if self.prior is not None:
            about["leans"] = self.prior.to_plain()
        arrays: dict[str, Any] = {ABOUT: np.frombuffer(json.dumps(about).encode(), np.uint8)}
        for number, (weights, biases) in enumerate(self.layers):
            arrays[f"weights_{number}"] = _halved(weights)
            arrays[f"biases_{number}"] = _halved(biases)
        file = io.BytesIO()
        np.savez_compressed(file, **arrays)
        return file.getvalue()


def read_policy(file: Path) -> Policy:
    """The policy that a file keeps."""
    try:
        content = read_at_most(file, MOST_BYTES)
    except OSError as error:
        raise BadOption(f"{file} cannot be read: {error.strerror or error}") from error
    except ValueError as error:
        told = f"{str(file)!r} cannot be read, or is too large to be a policy file"
        raise BadOption(told) from error
    try:
        # Trained numbers can hardly be packed; what unpacks to many times its size is none of ours.
        arrays = read_arrays(content, min(MOST_BYTES, LEAST_BYTES + MOST_TIMES * len(content)))
        about = json.loads(bytes(arrays.pop(ABOUT)))
        if about["kind"] != KIND:
            raise ValueError(about["kind"])
        for name, kind in ABOUT_KINDS.items():
            if type(about[name]) is not kind:
                raise ValueError(name)
        pairs = [
            (_numbers(arrays, f"weights_{number}", 2), _numbers(arrays, f"biases_{number}", 1))
            for number in range(len(arrays) // 2)
        ]
        prior = about.get("leans")
        policy = Policy(
            about["game"],
            about["changes"],
            about["mark"],
            about["players"],
            pairs,
            about["notes"],
            prior and HeuristicPrior.from_plain(prior),
        )
        _must_follow(policy.layers)
    except (BadOption, *DAMAGED) as error:
        raise BadOption(f"{file} is damaged, or is not a policy file") from error
    return policy


def game_of(file: Path) -> str:
    """The game that one of our own policy files is for: its numbers are not read."""
    with np.load(file) as arrays:
        return str(json.loads(bytes(arrays[ABOUT]))["game"])


def _halved(numbers: Numbers) -> npt.NDArray[np.float16]:
    with np.errstate(over="ignore"):
        kept = numbers.astype(np.float16)
    if not np.isfinite(kept).all():
        raise BadOption(
            "this policy has weights that are infinite or too large: its training has diverged; "
            "start again with a lower learning_rate"
        )
    return kept


def _numbers(arrays: dict[str, Any], name: str, dimensions: int) -> Numbers:
    found = arrays[name].astype(np.float32)
    if found.ndim != dimensions or not np.isfinite(found).all():
        raise ValueError(name)
    return np.asarray(found, np.float32)


def _must_follow(layers: Sequence[Layer]) -> None:
    """Does each layer take what the one before gives?"""
    if not layers:
        raise ValueError("no layers")
    width = layers[0][0].shape[0]
    for weights, biases in layers:
        if weights.shape != (width, len(biases)):
            raise ValueError(f"{weights.shape} after {width}")
        width = len(biases)
