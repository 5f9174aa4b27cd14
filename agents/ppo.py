"""`ppo`: plays a policy trained with `domino train`, whose last phase was PPO."""

from __future__ import annotations

from domino_env.agents.networks.player import WEIGHTS, PolicyPlayer

SHIPPED = WEIGHTS / "ppo"


class Ppo(PolicyPlayer):
    """Plays the action with the highest logit of its policy; options as for `PolicyPlayer`."""

    name = "ppo"
    folders = ("ppo",)
