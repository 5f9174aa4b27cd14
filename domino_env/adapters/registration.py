"""Registers every game: all in PettingZoo and in Gymnasium, as `domino/<id>-v0`."""

from __future__ import annotations

import gymnasium
import pettingzoo

from domino_env.games import variants


def register_all() -> None:
    """Registers the games, in PettingZoo where it has a registry (1.26 or newer)."""
    for variant in variants():
        name = f"domino/{variant}-v0"
        if name not in gymnasium.registry:
            gymnasium.register(
                name,
                entry_point="domino_env.adapters.single:SingleEnv",
                vector_entry_point="domino_env.adapters.single:SingleVectorEnv",
                kwargs={"game": variant},
            )
    register = getattr(pettingzoo, "register", None)
    if register is None:
        return
    for variant in variants():
        name = f"domino/{variant}-v0"
        if name not in pettingzoo.aec_registry:
            register("aec", name, "domino_env.adapters.aec:aec", kwargs={"game": variant})
