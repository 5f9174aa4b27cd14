"""RLlib's PPO on self-play rollouts, tolerant of workers that die.

Each iteration is a message: environment runners play its shards, learners train on them. Runners
are stateless, and the learners' state is kept here from one iteration to the next. So whatever is
lost is done again, with the same result.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from statistics import fmean
from typing import Any

import ray
from ray.exceptions import RayError
from ray.rllib.algorithms.ppo import PPO, PPOConfig
from ray.rllib.core import COMPONENT_LEARNER, COMPONENT_OPTIMIZER, COMPONENT_RL_MODULE
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.utils.metrics import LEARNER_RESULTS
from ray.util import placement_group, remove_placement_group

from domino_env.errors import BadOption
from domino_env.train.backend import RunContext
from domino_env.train.rllib.env_runner import SelfPlayEnvRunner
from domino_env.train.rllib.failures import WorkerFailure
from domino_env.train.rllib.learner import SelfPlayLearner
from domino_env.train.rllib.messages import (
    LEARNER,
    IterationMessage,
    ShardResult,
    lanes_of_shards,
    num_groups,
    plan_updates,
)
from domino_env.train.rllib.rl_module import module_spec

RUNNER_CPUS, LEARNER_CPUS = 0.9, 0.02  # runners and learners take turns at a core
TRIES = 5  # of one iteration: if workers die so often, it is the iteration that kills them
PROBE_TIMEOUT = 2.0  # seconds, for a lost runner to say that it is back
PROBE_EVERY = 20.0  # seconds
PLACEMENT_TIMEOUT = 60.0  # seconds, for the cluster to find room for as many learners as before
LOST_TIMEOUT = 300.0  # seconds, for a worker to come back when all are lost
LEARNER_STATE = (
    f"{COMPONENT_LEARNER}/{COMPONENT_RL_MODULE}",
    f"{COMPONENT_LEARNER}/{COMPONENT_OPTIMIZER}",
)


class SelfPlayPPO(PPO):
    """PPO on self-play rollouts.

    Attributes:
        message: the next iteration; to be set before `train`.
        shards: results of the last iteration's shards.
        seconds: time spent on rollouts and on updates in this run.
    """

    message: IterationMessage
    shards: Sequence[ShardResult]
    learner_group: Any

    @classmethod
    def get_default_config(cls) -> PPOConfig:
        """RLlib's configuration of PPO."""
        return PPOConfig(algo_class=cls)

    def setup(self, config: Any) -> None:
        """Starts runners and learners."""
        super().setup(config)
        self.seconds = {"rollouts": 0.0, "updates": 0.0}
        self._probed = 0.0
        self._rebuild_learners = False  # some are lost, or there are better places for them
        self._context: RunContext = self.config.env_config["context"]
        self._groups = num_groups(self._context.settings)
        self._state = self._fetch_state()

    def training_step(self) -> None:
        """Plays the shards of an iteration and trains on them."""
        message = ray.put(self.message)
        cause: Exception | None = None
        for _ in range(TRIES):
            try:
                if self._rebuild_learners:
                    self._new_learner_group()
                self.shards = []  # or the old rows would stay in memory during the rollout
                self.shards = self._rollout(message)
                metrics = self._update(message)
                self._state = self._fetch_state()
                break
            except (RayError, ConnectionError) as error:
                cause, self._rebuild_learners = error, True
        else:
            raise BadOption(
                f"workers have died {TRIES} times in the same iteration; the logs of Ray say why: "
                f"{cause}"
            )
        self.metrics.log_dict(metrics, key=(LEARNER_RESULTS, LEARNER), window=1)

    # Rollouts -----------------------------------------------------------------------------------

    def _rollout(self, message: Any) -> list[ShardResult]:
        """Has all shards played, by whichever runners are healthy."""
        began = time.perf_counter()
        left = {*range(len(lanes_of_shards(self._context.settings)))}
        results: dict[int, ShardResult] = {}
        tries = TRIES
        while left:
            runners = self._healthy_runners()
            split = [sorted(left)[place :: len(runners)] for place in range(len(runners))]
            answers = self.env_runner_group.foreach_env_runner(
                "sample",
                kwargs=[{"message": message, "shards": shards} for shards in split],
                remote_worker_ids=runners,
                local_env_runner=False,
            )
            results.update({each.shard: each for some in answers for each in _unless_failed(some)})
            tries = TRIES if answers else tries - 1
            if not tries:
                raise BadOption(f"all workers have died {TRIES} times during the rollout")
            left -= {*results}
        self.seconds["rollouts"] += time.perf_counter() - began
        return [results[shard] for shard in sorted(results)]

    def _healthy_runners(self) -> list[int]:
        """The healthy runners; waits for one if all are lost."""
        end = time.monotonic() + LOST_TIMEOUT
        while not (runners := self.env_runner_group.healthy_env_runner_ids()):
            if time.monotonic() > end:
                raise BadOption(
                    f"no worker of the cluster has answered for {LOST_TIMEOUT:.0f} seconds"
                )
            self.env_runner_group.probe_unhealthy_env_runners(PROBE_TIMEOUT)
        return list(runners)

    def restore_env_runners(self, env_runner_group: Any) -> list[int]:
        """Asks lost runners, from time to time, whether they are back; there is no state to give
        them."""
        if time.monotonic() - self._probed < PROBE_EVERY:
            return []
        self._probed = time.monotonic()
        back = list(env_runner_group.probe_unhealthy_env_runners(PROBE_TIMEOUT))
        self._rebuild_learners = self._rebuild_learners or bool(back)
        return back

    # Updates ------------------------------------------------------------------------------------

    def _update(self, message: Any) -> dict[str, float]:
        """Has the learners train on the rollout; returns the means of their metrics."""
        began = time.perf_counter()
        plan = plan_updates(self.message, self.shards, self._groups)
        rollouts = [each.rollout for each in self.shards]
        answers = self.learner_group.update(batch_refs=rollouts, message=message, plan=plan)
        metrics = [_unless_failed(each) for each in answers]
        self.seconds["updates"] += time.perf_counter() - began
        return {name: fmean(each[name] for each in metrics) for name in metrics[0]}

    def _fetch_state(self) -> dict[str, Any]:
        """The state of network and optimizer, from the learners."""
        try:
            state = self.learner_group.get_state([*LEARNER_STATE])[COMPONENT_LEARNER]
        except (AssertionError, IndexError) as error:  # so says RLlib when one of them is lost
            raise ConnectionError("learners are lost") from error
        return {part: state[part] for part in (COMPONENT_RL_MODULE, COMPONENT_OPTIMIZER)}

    def _new_learner_group(self) -> None:
        """Replaces the learners, by as many as the settings ask for if there is room, and gives
        them the state they had."""
        with suppress(Exception):
            self.learner_group.shutdown()
        number = self.config.num_learners
        while not (places := _places(number)) and number > 1:
            number //= 2
        if not places:
            raise BadOption(f"no node of the cluster has had room for {LOST_TIMEOUT:.0f} seconds")
        config = self.config.copy(copy_frozen=False).learners(num_learners=number)
        spec = self.config.get_multi_rl_module_spec(spaces=self.spaces, inference_only=False)
        try:
            self.learner_group = config.build_learner_group(
                rl_module_spec=spec, placement_group=places
            )
        except TypeError as error:  # so says Ray of a node that dies meanwhile
            raise ConnectionError("the learners could not be started") from error
        self.learner_state = self._state
        self._rebuild_learners = False

    @property
    def learner_state(self) -> dict[str, Any]:
        """The state of the network and of its optimizer."""
        return self._state

    @learner_state.setter
    def learner_state(self, state: dict[str, Any]) -> None:
        shared = ray.put(state)
        for answer in self.learner_group.foreach_learner(
            lambda learner: learner.set_state(ray.get(shared))
        ):
            if not answer.ok:
                raise answer.get()
        self._state = state

    @property
    def network(self) -> Mapping[str, Any]:
        """The state of the network."""
        state: Mapping[str, Any] = self._state[COMPONENT_RL_MODULE][LEARNER]
        return state


def _unless_failed(answer: Any) -> Any:
    """A worker's answer; raises the error if it failed."""
    if not isinstance(answer, WorkerFailure):
        return answer
    if answer.lost:
        raise ConnectionError(str(answer.error)) from answer.error
    raise answer.error


def config_of(context: RunContext, runners: int, learners: int) -> PPOConfig:
    """RLlib's configuration of a run."""
    settings = context.settings
    network = module_spec(context.self_play(1), settings.hidden_sizes, settings.seed)
    return (
        SelfPlayPPO.get_default_config()
        .framework("torch")
        .environment(env_config={"context": context})
        .env_runners(
            env_runner_cls=SelfPlayEnvRunner,
            num_env_runners=runners,
            num_cpus_per_env_runner=RUNNER_CPUS,
            create_local_env_runner=False,
            validate_env_runners_after_construction=False,
            add_default_connectors_to_env_to_module_pipeline=False,
            add_default_connectors_to_module_to_env_pipeline=False,
        )
        .learners(num_learners=learners, num_cpus_per_learner=LEARNER_CPUS)
        .multi_agent(policies={LEARNER}, policy_mapping_fn=_every_seat)
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={LEARNER: network}))
        .training(
            learner_class=SelfPlayLearner,
            add_default_connectors_to_learner_pipeline=False,
            clip_param=settings.clip_range,
            vf_loss_coeff=settings.vf_coef,
            vf_clip_param=float("inf"),
            grad_clip=settings.max_grad_norm,
            grad_clip_by="global_norm",
            use_kl_loss=False,
            entropy_coeff=0.0,  # `SelfPlayLearner` adds the annealed one
        )
        .fault_tolerance(restart_failed_env_runners=True, delay_between_env_runner_restarts_s=0.0)
        .debugging(log_level="ERROR")
        .reporting(min_time_s_per_iteration=None)
    )


def _places(number: int) -> Any | None:
    """Places for so many learners, spread over nodes if possible; None if there is no room soon."""
    places = placement_group([{"CPU": LEARNER_CPUS}] * number, strategy="SPREAD")
    if places.wait(LOST_TIMEOUT if number == 1 else PLACEMENT_TIMEOUT):
        return places
    remove_placement_group(places)
    return None


def _every_seat(*_: Any, **__: Any) -> str:
    """All of the learner's seats share one module."""
    return LEARNER
