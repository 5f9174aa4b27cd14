"""Trains a network that guesses who holds what (`agents.networks.belief_network`).

    from domino_env.train.belief_learner import BeliefSettings, learn_beliefs

    network = learn_beliefs(BeliefSettings(game="matador", iterations=20))

Each iteration plays some games between agents who are seated by lot and now and then play at
random (`evaluate.mixed_play`), and learns from every decision in them where the hidden tiles really
are, by cross-entropy. No game is seen twice, so there is nothing to overfit; and nobody's posterior
is needed: the shares that lose the least are those of the deals as the players' choices make them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch

from domino_env.agents.networks.belief_network import BeliefNetwork, log_prior
from domino_env.agents.networks.policy import Layer
from domino_env.batches import Batch
from domino_env.belief.guesses import holders
from domino_env.config.game_settings import must_be_for
from domino_env.config.loader import check, setting
from domino_env.evaluate.mixed_play import MixedPlay, usual_players
from domino_env.games import DEFAULT_GAME, mark_of, rules, variants
from domino_env.train.local_backend import torch_threads

SEEN = -1  # the target of a tile that is not hidden


@dataclass(frozen=True)
class BeliefSettings:
    """How a belief network is trained."""

    game: str = setting(DEFAULT_GAME, "the id of a game", choices=variants)
    seed: int = setting(0, "of the network, the deals and the play", low=0, high=2**32 - 1)
    threads: int = setting(1, "processor cores for the network", low=1, high=256)
    hidden_sizes: tuple[int, ...] = setting((64,), "of the network", low=1, high=8192)
    iterations: int = setting(200, "of playing and learning", low=1)
    games: int = setting(256, "played in each iteration", low=1, high=1_000_000)
    batch_size: int = setting(512, "decisions in a minibatch", low=2)
    learning_rate: float = setting(3e-3, "of Adam, annealed linearly to 0", low=0)

    def __post_init__(self) -> None:
        check(self)
        must_be_for(rules(self.game), None)


class Seen(NamedTuple):
    """Decisions to learn from."""

    observations: torch.Tensor
    prior: torch.Tensor
    """float32[N, tiles, columns]: the logarithm of what counting says."""
    targets: torch.Tensor
    """int64[N, tiles]: where each tile is; SEEN for one that is not hidden."""

    def of(self, rows: Any) -> Seen:
        """Some of them."""
        return Seen(*(each[rows] for each in self))


def learn_beliefs(
    settings: BeliefSettings, on_progress: Callable[[int, float], None] = lambda done, loss: None
) -> BeliefNetwork:
    """Trains a network; the same settings give the same one on the same machine.

    Args:
        settings: of the training.
        on_progress: is called after each iteration with their number and the loss, in nats a tile.
    """
    torch.manual_seed(settings.seed)
    played = _Play(settings)
    network = _network(settings, played.batch)
    optimizer = torch.optim.Adam(network.parameters(), settings.learning_rate)
    anneal = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 1e-3, settings.iterations)
    loss = 0.0
    with torch_threads(settings.threads):
        for iteration in range(settings.iterations):
            loss = _learn(network, optimizer, played.decisions(iteration), settings)
            anneal.step()
            on_progress(iteration + 1, loss)
    return _as_network(settings, played.batch, network, loss)


class _Play:
    """Plays the games that are learned from."""

    def __init__(self, settings: BeliefSettings) -> None:
        self._settings, game = settings, rules(settings.game)
        self._play = MixedPlay(usual_players(game))
        self.batch = Batch(game, settings.games, game.players[0], autoreset=False)

    def decisions(self, iteration: int) -> Seen:
        """The decisions of the games of an iteration, in random order."""
        rng = np.random.default_rng([self._settings.seed, iteration, 23])
        self.batch.reset(seed=rng.integers(2**62, size=self.batch.num_games).tolist())
        parts = list(self._play_on(rng))
        joined = [torch.as_tensor(np.concatenate(each)) for each in zip(*parts, strict=True)]
        return Seen(*joined).of(torch.as_tensor(rng.permutation(len(joined[0]))))

    def _play_on(self, rng: np.random.Generator) -> Iterator[tuple[npt.NDArray[Any], ...]]:
        batch = self.batch
        seating = self._play.seats(batch, rng)
        while (batch.seat >= 0).any():
            lanes = np.flatnonzero(batch.num_legal > 1)
            if len(lanes):
                targets = holders(batch, lanes).astype(np.int64)
                prior = log_prior(batch, lanes).astype(np.float32)
                yield batch.observation[lanes], prior, targets
            batch.step(self._play.actions(batch, seating, rng))


def _network(settings: BeliefSettings, batch: Batch) -> torch.nn.Sequential:
    """The last layer begins at zero: at first it says what counting says."""
    columns = batch.num_players + 1
    sizes = [batch.num_features, *settings.hidden_sizes, batch.rules.num_tiles * columns]
    layers: list[torch.nn.Module] = []
    for takes, gives in pairwise(sizes):
        layers += [torch.nn.Linear(takes, gives), torch.nn.ReLU()]
    last = layers[-2]
    assert isinstance(last, torch.nn.Linear)
    torch.nn.init.zeros_(last.weight)
    torch.nn.init.zeros_(last.bias)
    return torch.nn.Sequential(*layers[:-1])


def _learn(
    network: torch.nn.Sequential,
    optimizer: torch.optim.Optimizer,
    decisions: Seen,
    settings: BeliefSettings,
) -> float:
    """Goes through the decisions once; their mean loss before each step."""
    losses = []
    for first in range(0, len(decisions.targets), settings.batch_size):
        some = decisions.of(slice(first, first + settings.batch_size))
        logits = network(some.observations).reshape(some.prior.shape) + some.prior
        flat, targets = logits.flatten(0, 1), some.targets.flatten()
        loss = torch.nn.functional.cross_entropy(flat, targets, ignore_index=SEEN)
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        losses.append(loss.item())
    return float(np.mean(losses))


def _as_network(
    settings: BeliefSettings, batch: Batch, network: torch.nn.Sequential, loss: float
) -> BeliefNetwork:
    linear = [layer for layer in network if isinstance(layer, torch.nn.Linear)]
    layers: list[Layer] = [
        (layer.weight.detach().numpy().T.copy(), layer.bias.detach().numpy().copy())
        for layer in linear
    ]
    notes = {"iterations": settings.iterations, "games": settings.games, "loss": round(loss, 4)}
    mark = mark_of(batch.rules)
    return BeliefNetwork(settings.game, mark, batch.num_players, layers, notes)
