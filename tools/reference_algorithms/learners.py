"""OpenSpiel's learners: NFSP, Deep CFR and ESCHER, in the versions that it has for PyTorch.

Networks have the layers of ours, memories their size. The other settings are such as learn
something within seconds: five were tried for NFSP, in a game of 1,710 information states, and one
for each of the others.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from domino_env import solve
from domino_env.solve.tree import Tree
from tools.reference_algorithms.door import SEATS, Door, Networks, Numbers

LAYERS = [64, 64]
MEMORY = 100_000
NFSP_SETTINGS: dict[str, Any] = {
    "anticipatory_param": 0.1,
    "optimizer_str": "adam",
    "rl_learning_rate": 0.005,
    "sl_learning_rate": 0.005,
    "learn_every": 16,
    "min_buffer_size_to_learn": 200,
    "update_target_network_every": 300,
    "epsilon_start": 0.1,
    "epsilon_end": 0.01,
    "epsilon_decay_duration": 20_000,
}
"""As OpenSpiel has it, it explores for a million decisions, and learns nothing in ten seconds."""


class Nfsp:
    """Neural fictitious self-play."""

    rounds_in_step = 20

    def __init__(self, door: Door, seed: int) -> None:
        from open_spiel.python import rl_environment
        from open_spiel.python.pytorch.nfsp import NFSP

        self.iterations = self.rounds = 0
        self._env = rl_environment.Environment(door)
        self._env.seed(seed)
        sizes = door.information_state_tensor_size(), door.num_distinct_actions()
        self._players = [
            NFSP(seat, *sizes, LAYERS, MEMORY, seed=SEATS * seed + seat, **NFSP_SETTINGS)
            for seat in range(SEATS)
        ]

    def step(self) -> None:
        """Some rounds."""
        for _ in range(self.rounds_in_step):
            self._play()
        self.iterations += 1
        self.rounds += self.rounds_in_step

    def _play(self) -> None:
        """A round, from which both seats learn."""
        at = self._env.reset()
        while not at.last():
            mover = self._players[at.observations["current_player"]]
            at = self._env.step([mover.step(at).action])
        for player in self._players:
            player.step(at)

    def policy(self, tree: Tree) -> solve.Policy:
        """The average of the best responses."""
        networks = [player._avg_network for player in self._players]
        return solve.policy_of(tree, Networks(lambda seat, seen: soft(networks[seat], seen)))


class DeepCfr:
    """Deep counterfactual regret minimisation, by external sampling.

    A step is an iteration of it, and then some minibatches for the average policy, whose network
    goes on from where it was.
    """

    traversals = 100  # of each seat in an iteration

    def __init__(self, door: Door, seed: int) -> None:
        from open_spiel.python.pytorch.deep_cfr import DeepCFRSolver

        self.iterations = self.rounds = 0
        self._solver = DeepCFRSolver(
            door,
            LAYERS,
            LAYERS,
            num_iterations=1,
            num_traversals=self.traversals,
            learning_rate=1e-3,
            batch_size_advantage=256,
            batch_size_strategy=256,
            memory_capacity=MEMORY,
            policy_network_train_steps=50,
            advantage_network_train_steps=100,
            seed=seed,
        )

    def step(self) -> None:
        """An iteration."""
        self._solver.solve()
        self.iterations += 1
        self.rounds += SEATS * self.traversals

    def policy(self, tree: Tree) -> solve.Policy:
        """The average policy."""
        network = self._solver._policy_network  # its last layer is a softmax over all actions
        return solve.policy_of(tree, Networks(lambda seat, seen: asked(network, seen)))


class Escher:
    """ESCHER. A step is an iteration, in which each network learns from its memory."""

    traversals = 256

    def __init__(self, door: Door, seed: int) -> None:
        from open_spiel.python.pytorch import escher
        from open_spiel.python.pytorch.deep_cfr import set_seed

        self.iterations = self.rounds = 0
        self._train, config = escher.train, escher.Config()
        for kind in ("value", "regret", "avg_policy"):
            setattr(config, f"{kind}_memory_capacity", MEMORY)
            setattr(config, f"{kind}_net", LAYERS)
            setattr(config, f"{kind}_batch_steps", 128)
        config.value_traversals = config.regret_traversals = self.traversals
        self._agent = escher.Agent(door, config)
        self._once = escher.TrainConfig(door)
        self._once.iterations, self._once.games_vs_random = 1, 1
        set_seed(seed)

    def step(self) -> None:
        """An iteration."""
        self._train(self._once, self._agent)
        self.iterations += 1
        self.rounds += 2 * SEATS * self.traversals

    def policy(self, tree: Tree) -> solve.Policy:
        """The average policy."""
        network = self._agent.avg_policy_net
        return solve.policy_of(tree, Networks(lambda seat, seen: soft(network, seen)))


def asked(network: Any, seen: Numbers) -> npt.NDArray[Any]:
    """What a network says of each state."""
    import torch

    with torch.no_grad():
        found: npt.NDArray[Any] = network(torch.as_tensor(seen)).double().numpy()
    return found


def soft(network: Any, seen: Numbers) -> npt.NDArray[Any]:
    """What it says as logits, made chances of; those of illegal actions count nothing later."""
    logits = asked(network, seen)
    found: npt.NDArray[Any] = np.exp(logits - logits.max(1, keepdims=True))
    return found


LEARNERS = {"deep_cfr": DeepCfr, "nfsp": Nfsp, "escher": Escher}
