"""The algorithms by their names."""

from __future__ import annotations

from domino_env.train.algorithms.arena import arena_of
from domino_env.train.algorithms.contract import Algorithm
from domino_env.train.algorithms.escher import Escher
from domino_env.train.algorithms.hyperparameters import TABULAR, AlgorithmSettings
from domino_env.train.algorithms.mmd import Mmd
from domino_env.train.algorithms.nfsp import Nfsp
from domino_env.train.algorithms.ppo_entropy import PpoEntropy
from domino_env.train.algorithms.psro import Psro
from domino_env.train.algorithms.rnad import Rnad
from domino_env.train.algorithms.tabular import Tabular

LEARNERS = {
    "ppo_entropy": PpoEntropy,
    "mmd": Mmd,
    "nfsp": Nfsp,
    "psro": Psro,
    "escher": Escher,
    "rnad": Rnad,
}


def start(settings: AlgorithmSettings) -> Algorithm:
    """An algorithm that has learned nothing yet."""
    arena = arena_of(settings.game, settings.rules)
    if settings.algorithm in TABULAR:
        return Tabular(arena, settings)
    return LEARNERS[settings.algorithm](arena, settings)
