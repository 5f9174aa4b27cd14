"""Domino games as reinforcement-learning environments, on one compiled, batched rules engine."""

from __future__ import annotations

from domino_env import actions
from domino_env.batches import Batch
from domino_env.ruleset import Rules
from domino_env.games import rules, variants

batch = Batch

__all__ = ["Batch", "Rules", "actions", "batch", "rules", "variants"]
