"""Trained policies: layers of numbers, and the file that keeps them.

A policy file is a NumPy archive of plain arrays and a piece of JSON that says what it was trained
for. Reading one runs no code, and playing one needs no trainer.
"""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from domino_env.agents import Lanes
from domino_env.agents.archive import DAMAGED, read_arrays, read_at_most
from domino_env.agents.heuristic_prior import Leaning
from domino_env.agents.layers import Numbers, through_layer
from domino_env.batches import Batch
from domino_env.errors import BadOption
from domino_env.games import mark_of

Layer = tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]

ABOUT_KINDS = {"game": str, "changes": dict, "mark": str, "players": int, "notes": dict}
ABOUT = "about"  # the entry of the archive that says what the policy is for
KIND = "domino policy 1"
MOST_BYTES = 1 << 27  # of a policy file, packed or not: 64 million numbers
LEAST_BYTES, MOST_TIMES = 1 << 24, 16  # it may unpack to so many, and to so many times its size


@dataclass(frozen=True)
class Policy:
    """What a policy thinks of each action, from what a seat sees.

    Attributes:
        game: the id of the game it was trained for.
        changes: the house rules, to be read.
        mark: of the rules with these changes, by which they are known again (`mark_of`).
        num_players: the seats at the table.
        layers: weights and biases, from the observation to a score for each action; below the last
            what is negative is cut off.
        notes: whatever else is worth keeping, how it was trained for example.
        leans: what is added to the scores of its layers, if anything is.
    """

    game: str
    changes: Mapping[str, Any]
    mark: str
    num_players: int
    layers: Sequence[Layer]
    notes: Mapping[str, Any] = field(default_factory=dict)
    leans: Leaning | None = None

    def scores(self, batch: Batch, lanes: Lanes) -> Numbers:
        """A score for each action in some lanes, as good as the seat to move may think it."""
        scores = self.scores_of(batch._observation[lanes])
        if self.leans is not None:
            scores += self.leans.scores(batch, lanes)
        return scores

    def scores_of(self, observations: Numbers) -> Numbers:
        """What the layers alone make of rows of observations."""
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
                f"calls: it takes {sizes[0]} numbers and scores {sizes[1]} actions, but here are "
                f"{batch.num_features} and {batch.num_actions}"
            )

    def knows(self, batch: Batch) -> bool:
        """Was it trained for exactly these rules and seats?"""
        return self.num_players == batch.num_players and self.mark == mark_of(batch.rules)

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
        if self.leans is not None:
            about["leans"] = asdict(self.leans)
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
        told = f"{str(file)!r} cannot be read, or is longer than a policy file ever is"
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
        leans = about.get("leans")
        policy = Policy(
            about["game"],
            about["changes"],
            about["mark"],
            about["players"],
            pairs,
            about["notes"],
            leans and Leaning(dict(leans["weights"]), float(leans["keenness"])),
        )
        _must_follow(policy.layers)
    except (BadOption, *DAMAGED) as error:
        raise BadOption(f"{file} is damaged, or is not a policy file") from error
    return policy


def _halved(numbers: Numbers) -> npt.NDArray[np.float16]:
    with np.errstate(over="ignore"):
        kept = numbers.astype(np.float16)
    if not np.isfinite(kept).all():
        raise BadOption(
            "this policy's numbers are beyond all bounds: its training has diverged; begin anew "
            "with a lower learning_rate"
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
