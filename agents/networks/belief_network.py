"""A trained network that guesses who holds what, and the file that holds it.

From the observation of the seat to move it gives a number to each tile and place, which is added to
the logarithm of what counting says (`belief.shown_lacks`): so it begins as a counter, and learns
what the others' choices reveal. Reading a file runs no code, and guessing needs no trainer.
"""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from domino_env.agents import Lanes
from domino_env.agents.networks.archive import DAMAGED, read_arrays, read_at_most
from domino_env.agents.networks.layer_arrays import Layer, arrays_of, layers_in
from domino_env.agents.networks.layers import Numbers, through_layer
from domino_env.batches import Batch
from domino_env.belief.guesses import (
    Shares,
    hidden_tiles,
    lanes_to_guess,
    normalised,
    places_of,
    shown_lacks,
)
from domino_env.errors import BadOption, did_you_mean
from domino_env.games import has_mark

KIND, ABOUT = "domino belief 1", "about"
KINDS = {"game": str, "mark": str, "players": int, "notes": dict}
MOST_BYTES = 1 << 25
LEAST = 1e-4  # the share that counting gives at the least, to a network that may know better
WEIGHTS = Path(__file__).parent.parent / "weights" / "belief"


@dataclass(frozen=True)
class BeliefNetwork:
    """Guesses who holds what from an observation: a `belief.Guess`.

    Attributes:
        game: the id of the game it was trained for.
        mark: a hash of its rules (`mark_of`).
        num_players: seats in a game.
        layers: from the observation to a number for each tile and column; ReLU between them.
        notes: whatever else is worth keeping, how it was trained for example.
    """

    game: str
    mark: str
    num_players: int
    layers: Sequence[Layer]
    notes: Mapping[str, Any] = field(default_factory=dict)

    def __call__(self, batch: Batch, lanes: Lanes) -> Shares:
        """How likely which tile is where, by what the seats to move see."""
        self.must_fit(batch)
        lanes = lanes_to_guess(batch, lanes)
        logits = self.through(batch.as_floats(batch._observation[lanes]))
        return shares_from(logits, batch, lanes)

    def through(self, observations: Numbers) -> Numbers:
        """The numbers of the network for rows of observations."""
        values = through_layer(observations, *self.layers[0])
        for weights, biases in self.layers[1:]:
            np.maximum(values, 0.0, out=values)
            values = through_layer(values, weights, biases)
        return values

    def must_fit(self, batch: Batch) -> None:
        """Refuses batches of other games than it was trained for."""
        if not has_mark(batch.rules, self.mark) or self.num_players != batch.num_players:
            raise BadOption(
                f"this network was trained for {self.game} with {self.num_players} players and "
                f"its usual rules, not for this {batch.rules.id} with {batch.num_players}"
            )
        sizes = (batch.num_features, batch.rules.num_tiles * (batch.num_players + 1))
        if (len(self.layers[0][0]), len(self.layers[-1][1])) != sizes:
            raise BadOption(f"this network of {self.game} has other sizes than {sizes}")

    def to_bytes(self) -> bytes:
        """As the content of a file."""
        about = {
            "kind": KIND,
            "game": self.game,
            "mark": self.mark,
            "players": self.num_players,
            "notes": dict(self.notes),
        }
        told = np.frombuffer(json.dumps(about).encode(), np.uint8)
        file = io.BytesIO()
        arrays: dict[str, Any] = {ABOUT: told, **arrays_of(self.layers)}
        np.savez_compressed(file, **arrays)
        return file.getvalue()


def shares_from(logits: npt.NDArray[Any], batch: Batch, lanes: Lanes) -> Shares:
    """Shares from the numbers of a network and what counting says."""
    hidden, prior = hidden_tiles(batch, lanes), log_prior(batch, lanes)
    sums = prior + logits.reshape(prior.shape)
    shares = np.exp(sums - sums.max(2, keepdims=True))
    possible = hidden[:, :, None] & (places_of(batch, lanes, hidden) > 0)[:, None, :]
    return normalised(shares * possible)


def log_prior(batch: Batch, lanes: Lanes) -> Shares:
    """The logarithm of what counting says, of which nothing is quite impossible."""
    return np.log(np.maximum(shown_lacks(batch, lanes), LEAST))


def read_belief_network(file: Path) -> BeliefNetwork:
    """The network that a file keeps."""
    try:
        content = read_at_most(file, MOST_BYTES)
    except (OSError, ValueError) as error:
        raise BadOption(f"{str(file)!r} cannot be read: {error}") from error
    try:
        arrays = read_arrays(content, MOST_BYTES)
        about = json.loads(bytes(arrays.pop(ABOUT)))
        if about["kind"] != KIND or any(type(about[name]) is not KINDS[name] for name in KINDS):
            raise ValueError(about["kind"])
        return BeliefNetwork(
            about["game"], about["mark"], about["players"], layers_in(arrays), about["notes"]
        )
    except (BadOption, *DAMAGED) as error:
        raise BadOption(f"{file} is damaged, or is not the file of a belief network") from error


def belief_networks() -> list[str]:
    """The games that a network comes with."""
    return sorted(file.stem for file in WEIGHTS.glob("*.npz"))


@cache
def belief_network(game: str) -> BeliefNetwork:
    """The network that comes with the package for a game."""
    known = belief_networks()
    if game not in known:
        raise BadOption(f"no belief network comes with {game!r}{did_you_mean(game, known)}")
    return read_belief_network(WEIGHTS / f"{game}.npz")
