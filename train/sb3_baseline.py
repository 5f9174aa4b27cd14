"""The baseline: sb3-contrib's MaskablePPO on `SB3VecEnv`, as anybody would write it.

    domino train sb3/block_draw

Nothing of ours is added but the games: no prior, no teacher, no pool, and the usual network. Its
policies play like any other.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import torch
from sb3_contrib import MaskablePPO

from domino_env.adapters.sb3 import SB3VecEnv
from domino_env.agents.networks.policy import Layer, Policy
from domino_env.config.game_settings import house_rules, must_be_for
from domino_env.config.loader import check, setting
from domino_env.evaluate.policy_files import POLICY
from domino_env.files import must_be_writable, write_whole
from domino_env.games import DEFAULT_GAME, mark_of, variants
from domino_env.locks import locked
from domino_env.ruleset import MAX_SEATS


@dataclass(frozen=True)
class Sb3Settings:
    """A run of the baseline, in the words of Stable-Baselines3."""

    renamed: ClassVar[dict[str, str]] = {}

    game: str = setting(DEFAULT_GAME, "the id of a game", choices=variants)
    rules: dict[str, Any] = setting({}, "house rules, like {hand_size: 7}")
    num_players: int | None = setting(
        None, "seats; null: the game's usual number", low=2, high=MAX_SEATS
    )
    seed: int = setting(0, "of the network, the deals and the play", low=0, high=2**32 - 1)
    opponents: str = setting("self", "self: the learner in every seat; or the name of an agent")
    num_envs: int = setting(256, "games side by side", low=1, high=100_000)
    total_timesteps: int = setting(1_000_000, "decisions", low=1)
    n_steps: int = setting(64, "decisions of each game between two updates", low=2)
    batch_size: int = setting(2048, "decisions in a minibatch", low=2)
    n_epochs: int = setting(4, "passes over each rollout", low=1)
    learning_rate: float = setting(1e-3, "of Adam", low=0)
    ent_coef: float = setting(0.05, "entropy coefficient", low=0)
    gamma: float = setting(1.0, "discount", low=0, high=1)
    hidden_sizes: tuple[int, ...] = setting((256, 256), "of the networks", low=1, high=8192)
    out: str | None = setting(None, "the folder of the run; null: runs/, by the config's name")

    def __post_init__(self) -> None:
        check(self)
        must_be_for(house_rules(self.game, self.rules), self.num_players)


def train_baseline(settings: Sb3Settings, folder: Path) -> Policy:
    """Trains, and writes the policy into a folder."""
    must_be_writable(folder)
    with locked(folder):
        model = new_model(settings)
        model.learn(settings.total_timesteps)
        policy = policy_of(model, settings)
        write_whole(folder / POLICY, policy.to_bytes())
    print(f"written into {folder}: {POLICY}")
    print(f"play against it: agents.make('ppo', file='{folder / POLICY}')")
    return policy


def new_model(settings: Sb3Settings, critic_sizes: tuple[int, ...] | None = None) -> MaskablePPO:
    """MaskablePPO on an environment of the game; its critic is as large as its policy, unless it is
    told otherwise."""
    rules = house_rules(settings.game, settings.rules)
    seats: dict[str, Any] = (
        {} if settings.num_players is None else {"num_players": settings.num_players}
    )
    env = SB3VecEnv(
        rules, settings.num_envs, opponents=settings.opponents, seed=settings.seed, **seats
    )
    return MaskablePPO(
        "MlpPolicy",
        env,
        n_steps=settings.n_steps,
        batch_size=settings.batch_size,
        n_epochs=settings.n_epochs,
        learning_rate=settings.learning_rate,
        ent_coef=settings.ent_coef,
        gamma=settings.gamma,
        policy_kwargs={
            "net_arch": {
                "pi": [*settings.hidden_sizes],
                "vf": [*(settings.hidden_sizes if critic_sizes is None else critic_sizes)],
            },
            "activation_fn": torch.nn.ReLU,  # which policy files have between layers
        },
        seed=settings.seed,
        device="cpu",
    )


def policy_of(model: MaskablePPO, settings: Sb3Settings) -> Policy:
    """The policy that a model has learned."""
    rules, network = house_rules(settings.game, settings.rules), model.policy
    parts = [*network.mlp_extractor.policy_net, network.action_net]
    layers: list[Layer] = [
        (part.weight.detach().numpy().T.copy(), part.bias.detach().numpy().copy())
        for part in parts
        if isinstance(part, torch.nn.Linear)
    ]
    return Policy(
        rules.id,
        dict(settings.rules),
        mark_of(rules),
        settings.num_players or rules.players[0],
        layers,
        {"decisions": settings.total_timesteps, "seed": settings.seed, "trainer": "sb3-contrib"},
    )
