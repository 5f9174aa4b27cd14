"""PPO (PuffeRL) at Matador, in 128 games at once.

An illegal action would be refused by the engine with an error, so a test that ends has seen none.
"""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pufferlib.vector
import pytest
import torch
from pufferlib import pufferl
from torch import nn

import domino_env
from domino_env.adapters.pufferlib import DominoPufferEnv
from domino_env.adapters.single import SingleEnv
from domino_env.errors import IllegalMove
from tests.clients.examples import examples, run

Record = Callable[[str, float | str], None]
SEED = 0


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """PufferLib writes where it stands, and reads the command line."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["puffer"])


def seen_and_mask(env: DominoPufferEnv) -> tuple[Any, Any]:
    return np.split(env.observations, [env.batch.num_features], 1)


@pytest.mark.parametrize("variant", domino_env.variants())
def test_a_game_is_that_of_the_single_environment(variant: str) -> None:
    """Every reward and every mask; and it begins anew in the same step."""
    env = DominoPufferEnv(variant, 3, seed=5)
    single = [SingleEnv(variant) for _ in range(3)]
    env.reset()
    own = [each.reset(seed=5 + lane)[0] for lane, each in enumerate(single)]
    earned, ended = np.zeros(3), 0
    for _ in range(450 if variant in ("elimination", "solitaire") else 60):
        seen, mask = seen_and_mask(env)
        assert np.array_equal(seen, own)
        assert np.array_equal(mask, [each.action_masks() for each in single])
        actions = mask.argmax(1)
        *_, infos = env.step(actions)
        brought = []
        for lane, each in enumerate(single):
            own[lane], reward, terminated, truncated, _ = each.step(actions[lane])
            assert env.rewards[lane] == np.float32(reward)
            assert (env.terminals[lane], env.truncations[lane]) == (terminated, truncated)
            earned[lane] += reward
            if terminated or truncated:
                brought.append(earned[lane])
                own[lane], _ = each.reset()
                earned[lane] = 0
                ended += 1
        assert [value for info in infos for value in info["episode_return"]] == brought
    assert ended


def test_pufferlib_writes_and_reads_in_its_own_memory() -> None:
    settings = {"game": "five_up", "num_envs": 4, "reward_unit": 50.0}
    envs = pufferlib.vector.make(
        DominoPufferEnv, env_kwargs=settings, num_envs=2, backend=pufferlib.vector.Serial
    )
    seen, _ = envs.reset(seed=3)
    twins = [DominoPufferEnv("five_up", 4) for _ in range(2)]
    for place, twin in enumerate(twins):
        twin.reset(3 + place)  # PufferLib counts seeds by environments: their games overlap
    for _ in range(50):
        assert np.array_equal(seen, np.concatenate([twin.observations for twin in twins]))
        actions = seen[:, -twins[0].batch.num_actions :].argmax(1)
        seen, rewards, *_ = envs.step(actions)
        for twin, own in zip(twins, np.split(actions, 2), strict=True):
            twin.step(own)
        points = np.concatenate([twin.rewards for twin in twins])
        assert rewards == pytest.approx(points / 50)
    envs.close()


def test_illegal_actions_are_refused() -> None:
    env = DominoPufferEnv("matador", 4, seed=0)
    env.reset()
    with pytest.raises(IllegalMove):
        env.step(seen_and_mask(env)[1].argmin(1))


class Policy(nn.Module):
    """Masks by the last numbers of what it sees."""

    def __init__(self, env: DominoPufferEnv) -> None:
        super().__init__()
        self.parts = [env.batch.num_features, env.batch.num_actions]
        self.choice, self.value = self.network(env.batch.num_actions), self.network(1)

    def network(self, outputs: int) -> nn.Module:
        hidden = [nn.Linear(self.parts[0], 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh()]
        return nn.Sequential(*hidden, nn.Linear(64, outputs))

    def forward_eval(self, observations: torch.Tensor, state: Any = None) -> Any:
        seen, mask = observations.split(self.parts, -1)
        return self.choice(seen).masked_fill(mask == 0, -1e9), self.value(seen)

    def forward(self, observations: torch.Tensor, state: Any = None) -> Any:
        return self.forward_eval(observations.flatten(0, -2))


def margins_of(policy: Policy, game: str, rounds: int) -> Any:
    """What it earns in rounds against random play."""
    env, earned = DominoPufferEnv(game, 128, seed=10_000), []
    env.reset()
    while len(earned) < rounds:
        with torch.no_grad():
            logits, _ = policy.forward_eval(torch.from_numpy(env.observations))
        actions = torch.distributions.Categorical(logits=logits).sample()
        *_, infos = env.step(actions.numpy())
        earned += [value for info in infos for value in info["episode_return"]]
    return np.array(earned)


def test_ppo_learns_in_many_games_at_once(record_figure: Record) -> None:
    torch.set_num_threads(1)
    torch.manual_seed(SEED)
    settings = {"game": "matador", "num_envs": 128, "reward_unit": 100.0, "seed": SEED}
    env = pufferlib.vector.make(
        DominoPufferEnv, env_kwargs=settings, backend=pufferlib.PufferEnv, seed=SEED
    )
    config = pufferl.load_config("default")["train"]
    config.update(env="matador", device="cpu", optimizer="adam", anneal_lr=False, seed=SEED)
    config.update(learning_rate=2e-3, ent_coef=0.01, max_grad_norm=0.5, vf_coef=0.5, adam_eps=1e-5)
    config.update(gamma=0.99, gae_lambda=0.95, prio_alpha=0.0, update_epochs=4)
    config.update(minibatch_size=2048, bptt_horizon=64, total_timesteps=100_000)
    policy = Policy(env)
    with contextlib.redirect_stdout(io.StringIO()):  # it draws a dashboard
        trainer = pufferl.PuffeRL(config, env, policy)
        while trainer.global_step < 80_000:
            trainer.evaluate()
            trainer.train()
        trainer.close()  # it keeps a thread, which would never end
    margins = margins_of(policy, "matador", 2000)
    error = margins.std() / len(margins) ** 0.5
    record_figure("PPO, 82k decisions, margin", f"{margins.mean():+.1f} ± {error:.1f}")
    assert margins.mean() > 8  # random play earns 0, with an error of 0.8


@pytest.mark.parametrize("code", examples("pufferlib"))
def test_the_examples_in_the_docs_run(code: str) -> None:
    run(code)
