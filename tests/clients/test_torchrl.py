"""PPO (ClipPPOLoss, MaskedCategorical) at Matador, in 128 games at once and over the AEC.

An illegal action would be refused by the engine with an error, so a test that ends has seen none.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from tensordict import TensorDict
from tensordict.nn import TensorDictModule, TensorDictSequential
from torch import nn
from torchrl.collectors import Collector
from torchrl.envs import (
    ActionMask,
    Compose,
    PettingZooWrapper,
    RewardSum,
    TransformedEnv,
    check_env_specs,
)
from torchrl.envs.utils import step_mdp
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

import domino_env
from domino_env.adapters.single import SingleEnv
from domino_env.adapters.torchrl import TorchRLEnv
from domino_env.errors import IllegalMove, NotReset
from tests.clients.examples import examples, run

Record = Callable[[str, float | str], None]
SEED = 0


# The batched environment ---------------------------------------------------------------------


@pytest.mark.parametrize("variant", domino_env.variants())
def test_a_game_is_that_of_the_single_environment(variant: str) -> None:
    """Every reward, every mask, every last observation; and only what has ended begins anew."""
    env = TorchRLEnv(variant, 3, seed=5)
    single = [SingleEnv(variant) for _ in range(3)]
    seen = env.reset()
    own = [each.reset(seed=5 + lane)[0] for lane, each in enumerate(single)]
    ended = 0
    for _ in range(450 if variant in ("elimination", "solitaire") else 60):
        assert np.array_equal(seen["observation"].numpy(), own)
        masks = seen["action_mask"].numpy()
        assert np.array_equal(masks, [each.action_masks() for each in single])
        assert seen["seat"].tolist() == [each.table.learner[0] for each in single]
        assert not seen["done"].any()
        seen["action"] = torch.from_numpy(masks.argmax(1))
        told, seen = env.step_and_maybe_reset(seen)
        for lane, each in enumerate(single):
            own[lane], reward, terminated, truncated, _ = each.step(int(told["action"][lane]))
            last = told["next"][lane]
            assert last["reward"].item() == np.float32(reward)
            assert (last["terminated"].item(), last["truncated"].item()) == (terminated, truncated)
            assert last["done"].item() == (terminated or truncated)
            assert np.array_equal(last["observation"].numpy(), own[lane])
            if terminated or truncated:
                assert last["action_mask"].all()  # nothing to choose
                own[lane], _ = each.reset()
                ended += 1
    assert ended


OPTIONS: list[dict[str, Any]] = [
    {},
    {"opponents": "self"},
    {"opponents": "greedy_pip", "seat": "in_turn"},
    {"categorical_actions": False},
    {"num_players": 3, "episode": "match", "device": "cpu"},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_specs_are_true(options: dict[str, Any]) -> None:
    for variant in ("matador", "all_fives", "fundomino"):
        check_env_specs(TorchRLEnv(variant, 5, seed=0, **options), break_when_any_done="both")


@pytest.mark.parametrize("variant", ["elimination", "solitaire", "knock_out"])
def test_specs_are_true_of_games_for_one(variant: str) -> None:
    check_env_specs(TorchRLEnv(variant, 5, seed=0), break_when_any_done="both")


@pytest.mark.parametrize("one_hot", [False, True])
def test_no_point_is_lost(one_hot: bool) -> None:
    """In random play all that a learner has been paid in a round are its points there."""
    env = TorchRLEnv("all_fives", 64, reward="points", categorical_actions=not one_hot, seed=1)
    seen, paid, rounds = env.reset(), torch.zeros(64), 0
    while rounds < 500:
        told = env.step(env.rand_action(seen))
        paid += told["next", "reward"][:, 0]
        for lane in told["next", "done"][:, 0].nonzero()[:, 0].tolist():
            seat = env.table.learner[lane]
            assert paid[lane] == env.batch.position(lane).scores[seat]
            paid[lane] = 0
            rounds += 1
        seen = env.maybe_reset(step_mdp(told))


def test_against_itself_every_seat_is_told_what_it_has_earned() -> None:
    env = TorchRLEnv("five_up", 32, opponents="self", reward="points", num_players=3, seed=1)
    seen, paid, rounds = env.reset(), torch.zeros(32, 3), 0
    while rounds < 100:
        assert np.array_equal(seen["seat"].numpy(), env.batch.seat)
        told = env.step(env.rand_action(seen))
        paid += told["next", "rewards"]
        for lane in told["next", "done"][:, 0].nonzero()[:, 0].tolist():
            assert paid[lane].tolist() == env.batch.position(lane).scores
            paid[lane] = 0
            rounds += 1
        seen = env.maybe_reset(step_mdp(told))


def test_a_seed_gives_the_same_games() -> None:
    env, other = TorchRLEnv("bergen", 4, seed=9), TorchRLEnv("bergen", 4)
    other.set_seed(9)
    seen = env.reset()["observation"]
    assert torch.equal(seen, other.reset()["observation"])
    assert not torch.equal(seen, env.reset()["observation"])
    env.set_seed(9)
    assert torch.equal(seen, env.reset()["observation"])


def test_games_that_are_over_can_wait_for_the_others() -> None:
    env = TorchRLEnv("block_draw", 16, seed=2)
    told = env.rollout(1000, break_when_all_done=True)
    assert told["next", "done"][:, -1].all()
    lengths = 1 + (~told["next", "done"]).sum(1)
    assert lengths.min() < lengths.max() == told.shape[1]


def test_random_moves_are_legal_under_transforms_too() -> None:
    """A transformed environment has a spec of its own, which `ActionMask` keeps up to date."""
    env = TransformedEnv(TorchRLEnv("matador", 8, seed=0), Compose(RewardSum(), ActionMask()))
    check_env_specs(env)
    assert env.rollout(100, break_when_any_done=False)["next", "done"].any()


def test_it_says_what_is_wrong() -> None:
    env = TorchRLEnv("block_draw", 4, seed=2)
    some = torch.tensor([[True], [False], [False], [True]])
    with pytest.raises(NotReset):
        env.reset(TensorDict({"_reset": some}, [4]))
    seen = env.reset()
    seen["action"] = (~seen["action_mask"]).long().argmax(1)
    with pytest.raises(IllegalMove):
        env.step(seen)


# Training ------------------------------------------------------------------------------------


def network(env: TorchRLEnv, outputs: int) -> nn.Module:
    inputs = env.batch.num_features
    hidden = [nn.Linear(inputs, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh()]
    return nn.Sequential(*hidden, nn.Linear(64, outputs))


def actor_of(net: nn.Module, seen: Any, *group: str) -> Any:
    """A policy for what is seen, which reads the mask and writes its choice beside it."""
    logits = TensorDictModule(net, [seen], [(*group, "logits")])
    return ProbabilisticActor(
        logits,
        in_keys={"logits": (*group, "logits"), "mask": (*group, "action_mask")},
        out_keys=[(*group, "action")],
        distribution_class=MaskedCategorical,
        return_log_prob=True,
        log_prob_key=(*group, "action_log_prob"),
    )


class Learner:
    """PPO for one kind of game."""

    def __init__(self, env: TorchRLEnv, gamma: float) -> None:
        self.net = network(env, env.batch.num_actions)
        self.actor = actor_of(self.net, "observation")
        critic = ValueOperator(network(env, 1), in_keys=["observation"])
        self.loss = ClipPPOLoss(
            self.actor, critic, entropy_coeff=0.05, critic_coeff=0.5, normalize_advantage=True
        )
        self.advantage = GAE(gamma=gamma, lmbda=0.95, value_network=critic)
        self.optimizer = torch.optim.Adam(self.loss.parameters(), 2e-3)

    def learn(self, data: Any) -> None:
        """Takes some small steps along decisions whose advantages are known."""
        for some in torch.randperm(len(data)).split(1024):
            parts = self.loss(data[some])
            self.optimizer.zero_grad()
            sum(parts[f"loss_{part}"] for part in ("objective", "critic", "entropy")).backward()
            nn.utils.clip_grad_norm_(self.loss.parameters(), 0.5)
            self.optimizer.step()

    @torch.no_grad()
    def margins(self, game: str, rounds: int) -> Any:
        """What it earns in rounds against random play."""
        env = TorchRLEnv(game, 128, seed=10_000)
        seen, paid, earned = env.reset(), torch.zeros(128), []
        while len(earned) < rounds:
            told, seen = env.step_and_maybe_reset(self.actor(seen))
            paid += told["next", "reward"][:, 0]
            over = told["next", "done"][:, 0]
            earned += paid[over].tolist()
            paid[over] = 0
        return np.array(earned)


def report(record: Record, what: str, margins: Any) -> None:
    error = margins.std() / len(margins) ** 0.5
    record(f"{what}, margin", f"{margins.mean():+.1f} ± {error:.1f} in {len(margins)} rounds")


def test_ppo_learns_in_many_games_at_once(record_figure: Record) -> None:
    torch.set_num_threads(1)
    torch.manual_seed(SEED)
    env = TorchRLEnv("matador", 128, seed=SEED)
    learner = Learner(env, gamma=0.99)
    for data in Collector(env, learner.actor, frames_per_batch=8192, total_frames=81_920):
        for _ in range(4):
            with torch.no_grad():
                learner.advantage(data)
            learner.learn(data.reshape(-1))
    margins = learner.margins("matador", 2000)
    report(record_figure, "PPO, 82k decisions", margins)
    assert margins.mean() > 8  # random play earns 0, with an error of 0.8


# Over the AEC environment --------------------------------------------------------------------


def over_the_table(game: str, **options: Any) -> Any:
    return PettingZooWrapper(domino_env.raw_aec(game, **options), use_mask=True, seed=SEED)


@pytest.mark.parametrize("variant", domino_env.variants())
def test_the_wrapper_of_torchrl_takes_the_aec_environment(variant: str) -> None:
    for make in (domino_env.aec, domino_env.raw_aec):
        check_env_specs(PettingZooWrapper(make(variant), use_mask=True, seed=0))


def test_the_wrapper_loses_no_point() -> None:
    env = over_the_table("all_fives", num_players=3, reward="points")
    for _ in range(20):
        told = env.rollout(1000)
        assert told["next", "done"][-1]
        paid = [told["next", f"player_{seat}", "reward"].sum() for seat in range(3)]
        assert paid == env.batch.position(0).scores


def decisions(told: Any, group: str, learner: Learner) -> Any:
    """The decisions of one seat in a rollout, with their advantages.

    Its rewards come at everybody's moves, and it sees the table all the time: so advantages are
    reckoned over all moves, and its own are picked out then.
    """
    mine, after = told[group].squeeze(-1), told["next", group].squeeze(-1)
    ends = {name: after[name] for name in ("done", "terminated")}
    later = {"observation": after["observation", "observation"], "reward": after["reward"], **ends}
    flat = {name: mine[name] for name in ("action", "action_mask", "action_log_prob")}
    seen = {
        "observation": mine["observation", "observation"],
        "next": TensorDict(later, mine.shape),
    }
    data = TensorDict({**flat, **seen}, mine.shape)
    with torch.no_grad():
        learner.advantage(data)
    return data[mine["mask"]]


def test_ppo_learns_against_itself_over_the_wrapper(record_figure: Record) -> None:
    """Both seats of one AEC game are played, and learnt from, by the same network."""
    torch.set_num_threads(1)
    torch.manual_seed(SEED)
    env, groups = over_the_table("matador", num_players=2), ("player_0", "player_1")
    learner = Learner(TorchRLEnv("matador", 1), gamma=0.99)
    seats = [actor_of(learner.net, (each, "observation", "observation"), each) for each in groups]
    for _ in range(8):
        with torch.no_grad():
            told = env.rollout(2000, TensorDictSequential(*seats), break_when_any_done=False)
        for _ in range(6):
            learner.learn(torch.cat([decisions(told, group, learner) for group in groups]))
    margins = learner.margins("matador", 2000)
    report(record_figure, "PPO over the AEC, 16k moves", margins)
    assert margins.mean() > 6


@pytest.mark.parametrize("code", examples("torchrl"))
def test_the_examples_in_the_docs_run(code: str) -> None:
    run(code)
