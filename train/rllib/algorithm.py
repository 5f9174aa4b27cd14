"""RLlib's PPO on whole rounds of self-play, which goes on when workers die.

An iteration is an order: runners play its rounds, learners learn from them. Runners remember
nothing, and what the learners know is kept here from one iteration to the next. So whatever is lost
on the way is done again, and comes out the same.
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
from domino_env.train.backend import Course
from domino_env.train.rllib.env_runner import Table
from domino_env.train.rllib.failures import Failed
from domino_env.train.rllib.learner import Student
from domino_env.train.rllib.messages import (
    LEARNER,
    Order,
    Played,
    lanes_of_tables,
    num_groups,
    plan_of,
)
from domino_env.train.rllib.rl_module import network_at

PLAYS, LEARNS = 0.9, 0.02  # of a core: who plays and who learns take turns at it
TRIES = 5  # at one iteration: workers that die so often die of it
ANSWER = 2.0  # seconds, for a runner that was lost to say that it is back
PAUSE = 20.0  # seconds, from one such question to the next
ROOM = 60.0  # seconds, for the cluster to find room for as many learners as there were
PATIENCE = 300.0  # seconds, for somebody to come back when all are lost
LEARNT = (
    f"{COMPONENT_LEARNER}/{COMPONENT_RL_MODULE}",
    f"{COMPONENT_LEARNER}/{COMPONENT_OPTIMIZER}",
)


class SelfPlayPPO(PPO):
    """PPO whose rounds are played at tables.

    Attributes:
        order: what the next iteration is about; to be set before `train`.
        played: what was played in the last.
        spent: seconds of this run that went to playing, and to learning.
    """

    order: Order
    played: Sequence[Played]
    learner_group: Any

    @classmethod
    def get_default_config(cls) -> PPOConfig:
        """RLlib's own."""
        return PPOConfig(algo_class=cls)

    def setup(self, config: Any) -> None:
        """Brings up runners and learners."""
        super().setup(config)
        self.spent = {"playing": 0.0, "learning": 0.0}
        self._asked = 0.0
        self._scattered = False  # are learners lost, or are there better places for them?
        self._course: Course = self.config.env_config["course"]
        self._groups = num_groups(self._course.settings)
        self._learnt = self._known()

    def training_step(self) -> None:
        """Plays the rounds of an order, and learns from them."""
        order = ray.put(self.order)
        failure: Exception | None = None
        for _ in range(TRIES):
            try:
                if self._scattered:
                    self._gather()
                self.played = []  # its rows would be kept while others are played
                self.played = self._play(order)
                figures = self._learn(order)
                self._learnt = self._known()
                break
            except (RayError, ConnectionError) as error:
                failure, self._scattered = error, True
        else:
            raise BadOption(
                f"workers have died {TRIES} times of the same iteration; the logs of Ray say why: "
                f"{failure}"
            )
        self.metrics.log_dict(figures, key=(LEARNER_RESULTS, LEARNER), window=1)

    # Playing ------------------------------------------------------------------------------------

    def _play(self, order: Any) -> list[Played]:
        """Has all tables played, by whoever is there."""
        began = time.perf_counter()
        left = {*range(len(lanes_of_tables(self._course.settings)))}
        played: dict[int, Played] = {}
        tries = TRIES
        while left:
            runners = self._runners()
            shares = [sorted(left)[place :: len(runners)] for place in range(len(runners))]
            told = self.env_runner_group.foreach_env_runner(
                "sample",
                kwargs=[{"order": order, "tables": share} for share in shares],
                remote_worker_ids=runners,
                local_env_runner=False,
            )
            played.update({each.table: each for some in told for each in _unless_failed(some)})
            tries = TRIES if told else tries - 1
            if not tries:
                raise BadOption(f"all workers have died {TRIES} times while they played")
            left -= {*played}
        self.spent["playing"] += time.perf_counter() - began
        return [played[table] for table in sorted(played)]

    def _runners(self) -> list[int]:
        """Those that are there; waits for one, if all are lost."""
        end = time.monotonic() + PATIENCE
        while not (runners := self.env_runner_group.healthy_env_runner_ids()):
            if time.monotonic() > end:
                raise BadOption(f"no worker of the cluster has answered for {PATIENCE:.0f} seconds")
            self.env_runner_group.probe_unhealthy_env_runners(ANSWER)
        return list(runners)

    def restore_env_runners(self, env_runner_group: Any) -> list[int]:
        """Asks lost runners, from time to time, whether they are back: there is nothing that they
        would have to be told."""
        if time.monotonic() - self._asked < PAUSE:
            return []
        self._asked = time.monotonic()
        back = list(env_runner_group.probe_unhealthy_env_runners(ANSWER))
        self._scattered = self._scattered or bool(back)
        return back

    # Learning -----------------------------------------------------------------------------------

    def _learn(self, order: Any) -> dict[str, float]:
        """Has the learners learn from what was played; answers with the means of their figures."""
        began = time.perf_counter()
        plan = plan_of(self.order, self.played, self._groups)
        rounds = [each.rounds for each in self.played]
        told = self.learner_group.update(batch_refs=rounds, order=order, plan=plan)
        figures = [_unless_failed(each) for each in told]
        self.spent["learning"] += time.perf_counter() - began
        return {name: fmean(each[name] for each in figures) for name in figures[0]}

    def _known(self) -> dict[str, Any]:
        """What the learners know."""
        try:
            state = self.learner_group.get_state([*LEARNT])[COMPONENT_LEARNER]
        except (AssertionError, IndexError) as error:  # so says RLlib when one of them is lost
            raise ConnectionError("learners are lost") from error
        return {part: state[part] for part in (COMPONENT_RL_MODULE, COMPONENT_OPTIMIZER)}

    def _gather(self) -> None:
        """Makes new learners in place of those that there are, as many as were wanted if there is
        room for them, with what was known before."""
        with suppress(Exception):
            self.learner_group.shutdown()
        number = self.config.num_learners
        while not (places := _places(number)) and number > 1:
            number //= 2
        if not places:
            raise BadOption(f"no node of the cluster has had room for {PATIENCE:.0f} seconds")
        config = self.config.copy(copy_frozen=False).learners(num_learners=number)
        spec = self.config.get_multi_rl_module_spec(spaces=self.spaces, inference_only=False)
        try:
            self.learner_group = config.build_learner_group(
                rl_module_spec=spec, placement_group=places
            )
        except TypeError as error:  # so says Ray of a node that dies meanwhile
            raise ConnectionError("learners could not begin") from error
        self.learnt = self._learnt
        self._scattered = False

    @property
    def learnt(self) -> dict[str, Any]:
        """What has been learnt: the states of the network and of its optimizer."""
        return self._learnt

    @learnt.setter
    def learnt(self, learnt: dict[str, Any]) -> None:
        shared = ray.put(learnt)
        for told in self.learner_group.foreach_learner(
            lambda learner: learner.set_state(ray.get(shared))
        ):
            if not told.ok:
                raise told.get()
        self._learnt = learnt

    @property
    def network(self) -> Mapping[str, Any]:
        """The state of the network."""
        state: Mapping[str, Any] = self._learnt[COMPONENT_RL_MODULE][LEARNER]
        return state


def _unless_failed(told: Any) -> Any:
    """What somebody has answered; raises what was wrong, if something was."""
    if not isinstance(told, Failed):
        return told
    if told.lost:
        raise ConnectionError(str(told.error)) from told.error
    raise told.error


def config_of(course: Course, runners: int, learners: int) -> PPOConfig:
    """RLlib's settings for a run."""
    settings = course.settings
    network = network_at(course.table(1), settings.widths, settings.seed)
    return (
        SelfPlayPPO.get_default_config()
        .framework("torch")
        .environment(env_config={"course": course})
        .env_runners(
            env_runner_cls=Table,
            num_env_runners=runners,
            num_cpus_per_env_runner=PLAYS,
            create_local_env_runner=False,
            validate_env_runners_after_construction=False,
            add_default_connectors_to_env_to_module_pipeline=False,
            add_default_connectors_to_module_to_env_pipeline=False,
        )
        .learners(num_learners=learners, num_cpus_per_learner=LEARNS)
        .multi_agent(policies={LEARNER}, policy_mapping_fn=_learns)
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={LEARNER: network}))
        .training(
            learner_class=Student,
            add_default_connectors_to_learner_pipeline=False,
            clip_param=settings.clip,
            vf_loss_coeff=settings.value_weight,
            vf_clip_param=float("inf"),
            grad_clip=settings.steepest,
            grad_clip_by="global_norm",
            use_kl_loss=False,
            entropy_coeff=0.0,  # `Student` adds what variety is worth in this iteration
        )
        .fault_tolerance(restart_failed_env_runners=True, delay_between_env_runner_restarts_s=0.0)
        .debugging(log_level="ERROR")
        .reporting(min_time_s_per_iteration=None)
    )


def _places(number: int) -> Any | None:
    """Places for so many learners, apart from each other if they can be; None if the cluster has no
    room for them soon."""
    places = placement_group([{"CPU": LEARNS}] * number, strategy="SPREAD")
    if places.wait(PATIENCE if number == 1 else ROOM):
        return places
    remove_placement_group(places)
    return None


def _learns(*_: Any, **__: Any) -> str:
    """Every seat of the learner's."""
    return LEARNER
