"""`ppo`: plays a policy trained with `domino train`, whose last phase was PPO."""

from __future__ import annotations

from domino_env.agents.networks.player import WEIGHTS, PolicyPlayer

SHIPPED = WEIGHTS / "ppo@1"


class Ppo(PolicyPlayer):
    """Plays the action with the highest logit of its policy; options as for `PolicyPlayer`. Of
    several policies that come with a game it plays the newest."""

    name = "ppo"
    folders = ("ppo", "ppo@1")


class FirstPpo(PolicyPlayer):
    """The first policies that were published, to be measured against: they stay as they are."""

    name = "ppo@1"
    folders = ("ppo@1",)
