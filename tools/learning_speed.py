"""How fast is learning? PPO of `domino train` beside sb3-contrib's MaskablePPO on `SB3VecEnv`.

    python -m tools.learning_speed           # prints the figures; some four minutes
    python -m tools.learning_speed --keep    # also keeps them in docs/learning_speed.json

Both play themselves at the same game, on one core, PyTorch on one thread, with networks of the same
sizes, minibatches and passes over each rollout; and both learn from some `ROLLOUT` decisions at a
time. They take turns, and medians count. What counts is CPU time, from the first deal to the last
gradient step, and the decisions that were learned from:

- MaskablePPO learns from every step of the environment, also where but one action is legal.
- Ours learns only where there is a choice: other steps are collected, but nothing is learned there.

So like is compared with like: decisions with a choice learned from, and steps collected; both must
be `LEAST_RATIO` times those of MaskablePPO. A third ratio, which understates ours, holds what we
learn from against every step of theirs.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from statistics import median
from typing import Any

from rich.console import Console

from domino_env.bench.one_core import on_one_core, processor
from domino_env.errors import BadOption
from domino_env.files import write_whole
from domino_env.games import DEFAULT_GAME
from domino_env.train.local_backend import LocalBackend, torch_threads
from domino_env.train.sb3_baseline import Sb3Settings, new_model
from domino_env.train.settings import Phase, Pool, TrainSettings
from domino_env.train.training import Training
from tools.architecture import ROOT

KEPT = ROOT / "docs" / "learning_speed.json"
ROLLOUT = 16_384  # decisions, of both
MINIBATCH, PASSES = 2048, 4
RATE, ENTROPY = 1e-3, 0.05
REPEATS = 5
LEAST_RATIO, MOST_PLAYED = 3.0, 0.15  # what is asked of us


@dataclass(frozen=True)
class Case:
    """A game, and the network that learns it: an MLP for both."""

    rules: dict[str, Any]
    hidden_sizes: tuple[int, ...]
    game: str = DEFAULT_GAME

    def theirs(self, rollout: int) -> Any:
        """MaskablePPO, as `domino train sb3/...` has it, with a critic of the size of ours."""
        baseline = Sb3Settings(
            game=self.game,
            rules=self.rules,
            n_steps=rollout // Sb3Settings.num_envs,
            batch_size=min(MINIBATCH, rollout),
            n_epochs=PASSES,
            learning_rate=RATE,
            ent_coef=ENTROPY,
            hidden_sizes=self.hidden_sizes,
        )
        return new_model(baseline, self.hidden_sizes[:1])

    def ours(self, rollout: int, network: str = "mlp", phase: str = "ppo") -> Training:
        """Our learner, against itself alone, in rollouts of about so many decisions."""
        rounds = 256
        while True:
            training = Training(self._settings(rounds, min(MINIBATCH, rollout), network, phase))
            training.iterate()
            needed = max(8, round(rounds * rollout / training.decisions))
            if abs(needed - rounds) < 0.1 * needed:
                return training
            rounds = needed

    def _settings(self, rounds: int, minibatch: int, network: str, phase: str) -> TrainSettings:
        begun = Phase(10**6, (RATE, RATE), (ENTROPY, ENTROPY), minibatch, PASSES)
        if phase == "distill":  # as the configs have it
            begun = Phase(10**6, (RATE, RATE), (ENTROPY, ENTROPY), min(1024, minibatch), 1)
        phases = {"distill": Phase(0), "ppo": Phase(0), phase: begun}
        return TrainSettings(
            game=self.game,
            rules=self.rules,
            rounds_per_iteration=rounds,
            network=network,
            hidden_sizes=self.hidden_sizes,
            prior_weight=0,
            pool=Pool({}, 0.0),
            vf_coef=0.0 if phase == "distill" else 0.5,
            **phases,
        )

    @property
    def plain(self) -> dict[str, Any]:
        """For JSON."""
        return {"game": self.game, "rules": self.rules, "hidden_sizes": [*self.hidden_sizes]}


CASES = tuple(
    Case(rules, sizes) for rules in ({"hand_size": 7}, {}) for sizes in ((256, 256), (64, 64))
)
RUNS = (
    ("mlp", (256, 256), "ppo"),
    ("scorer", (128, 128), "ppo"),
    ("scorer", (128, 128), "distill"),
)


def main(arguments: list[str] | None = None) -> int:
    """Measures all cases; fails if one misses what is asked."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--keep", action="store_true", help="keep the figures for the docs")
    parser.add_argument("--repeats", type=int, default=REPEATS, help=f"of each ({REPEATS})")
    options = parser.parse_args(arguments)
    if options.repeats < 1:
        parser.error("there must be a repeat at least")
    found: dict[str, Any] = {
        "machine": processor(),
        "versions": {name: version(name) for name in ("torch", "stable-baselines3", "sb3-contrib")},
        "repeats": options.repeats,
        "beside": [],
        "shares": [],
    }
    with on_one_core(), torch_threads(1):
        for case in CASES:
            found["beside"].append(_told(beside(case, options.repeats)))
        for network, sizes, phase in RUNS:
            case = Case({"hand_size": 7}, sizes)
            found["shares"].append(_told(shares(case, network, phase, options.repeats)))
    if options.keep:
        write_whole(KEPT, json.dumps(found, indent=1) + "\n")
    return int(bool(missed(found)))


def _told(row: dict[str, Any]) -> dict[str, Any]:
    Console(soft_wrap=True).print(row)
    return row


def missed(found: dict[str, Any]) -> list[dict[str, Any]]:
    """The rows that are not what is asked of them."""
    slow = [
        row
        for row in found["beside"]
        if min(row["free_ratio"], row["collected_ratio"]) < LEAST_RATIO
    ]
    return slow + [row for row in found["shares"] if played(row) > MOST_PLAYED]


def played(row: dict[str, Any]) -> float:
    """The share of the environment and of the features."""
    return float(row["shares"]["environment"] + row["shares"]["features"])


def beside(case: Case, repeats: int = REPEATS, rollout: int = ROLLOUT) -> dict[str, Any]:
    """Rates of both, in turn: medians, and the median of the ratios."""
    theirs, ours = case.theirs(rollout), case.ours(rollout)
    theirs.learn(rollout)  # what is made but once
    both = [(_theirs(theirs, rollout), _ours(ours)) for _ in range(repeats)]
    found = {
        "sb3_learned": median(one.learned for one, _ in both),
        "sb3_free": median(one.free for one, _ in both),
        "learned": median(other.learned for _, other in both),
        "collected": median(other.collected for _, other in both),
        "free_ratio": median(other.free / one.free for one, other in both),
        "collected_ratio": median(other.collected / one.collected for one, other in both),
        "learned_ratio": median(other.learned / one.learned for one, other in both),
    }
    return {**case.plain, **found}


@dataclass(frozen=True)
class Rates:
    """What was done in a CPU second.

    Attributes:
        learned: decisions learned from.
        free: ... of them those that had more than one legal action.
        collected: steps of games.
    """

    learned: float
    free: float
    collected: float


def _theirs(model: Any, rollout: int) -> Rates:
    """Two iterations of MaskablePPO."""
    before = model.num_timesteps
    more: Callable[[], Any] = lambda: model.learn(2 * rollout, reset_num_timesteps=False)  # noqa: E731
    seconds = cpu_seconds(more)
    steps = (model.num_timesteps - before) / seconds
    masks = model.rollout_buffer.action_masks
    choice = masks.reshape(-1, masks.shape[-1]).sum(1) > 1
    return Rates(steps, steps * float(choice.mean()), steps)


def _ours(training: Training) -> Rates:
    """As many seconds or more of ours."""
    collector = _local(training).self_play
    before, steps, seconds = training.decisions, collector.steps, 0.0
    for _ in range(4):
        seconds += cpu_seconds(training.iterate)
    learned = (training.decisions - before) / seconds
    return Rates(learned, learned, (collector.steps - steps) / seconds)


def shares(
    case: Case, network: str, phase: str, repeats: int = REPEATS, rollout: int = ROLLOUT
) -> dict[str, Any]:
    """Where the CPU time of our runs goes, and how fast they are."""
    training = case.ours(rollout, network, phase)
    collector = _local(training).self_play
    collector.clock = time.process_time
    before, done = dict(collector.seconds), training.decisions
    seconds = sum(cpu_seconds(training.iterate) for _ in range(4 * repeats))
    spent = {name: collector.seconds[name] - before[name] for name in before}
    parts = {
        "environment": spent["environment"],
        "features": spent["features"],
        "teacher": spent["teacher"],
        "choosing": spent["learner"],
    }
    parts["learning"] = seconds - sum(parts.values())
    return {
        **case.plain,
        "network": network,
        "phase": phase,
        "passes": getattr(training.settings, phase).n_epochs,
        "learned": (training.decisions - done) / seconds,
        "shares": {name: part / seconds for name, part in parts.items()},
    }


def _local(training: Training) -> LocalBackend:
    if not isinstance(training.backend, LocalBackend):
        raise BadOption("what is measured is a run in this process")
    return training.backend


def cpu_seconds(work: Callable[[], Any]) -> float:
    """Seconds of processor time that something takes."""
    began = time.process_time()
    work()
    return time.process_time() - began


def kept(file: Path = KEPT) -> Any:
    """What was measured last."""
    return json.loads(file.read_text(encoding="utf-8"))


if __name__ == "__main__":
    sys.exit(main())
