"""`net`: plays the strongest trained policy of a game, whichever way it was trained."""

from __future__ import annotations

from domino_env.agents.networks.player import PolicyPlayer
from domino_env.agents.ppo import Ppo


class Net(PolicyPlayer):
    """Plays the action with the highest logit of its policy: one of a network that scores moves, by
    their features (`Batch.move_features`) and mostly by the graphs that they leave
    (`Batch.move_graphs`), where such a policy comes with the package, and else that of `ppo`;
    options as for `PolicyPlayer`."""

    name = "net"
    folders = ("net", *Ppo.folders)
