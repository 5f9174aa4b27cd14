"""What a training run does: its settings, as configs in `configs/train` have them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from domino_env import agents
from domino_env.config.loader import check, setting
from domino_env.config.yaml_source import BadSetting, about
from domino_env.errors import BadOption
from domino_env.evaluate.entrants import Entrant
from domino_env.evaluate.tournament import house_rules, must_have_opponents, must_seat
from domino_env.games import variants

PARTS = ("imitate", "foresee", "reinforce")
Pair = tuple[float, float]


@dataclass(frozen=True)
class Part:
    """A part of a training run. What has two values goes evenly from the first to the second."""

    iterations: int = setting(0, "how long", low=0)
    learning_rate: Pair = setting((1e-3, 1e-4), "of Adam, at the start and at the end", low=0)
    entropy: Pair = setting((0.01, 0.01), "how much variety is worth, likewise", low=0)
    minibatch: int = setting(2048, "decisions for one step of the optimizer", low=2)
    epochs: int = setting(1, "how often it goes through the rounds of an iteration", low=1)


@dataclass(frozen=True)
class Pool:
    """Who plays against the learner, beside itself."""

    rivals: dict[str, float] = setting(
        {"greedy_pip": 0.05, "heuristic": 0.1}, "agents, each with its share of the rounds", low=0
    )
    past: float = setting(0.15, "the share of the rounds that are against a past self", low=0)
    kept: int = setting(8, "how many past selves are kept", low=1, high=100)
    every: int = setting(10, "iterations from one to the next", low=1)

    def __post_init__(self) -> None:
        with about("rivals"):
            for name in self.rivals:
                agents.make(name)
        if sum(self.rivals.values()) + self.past > 1:
            raise BadOption("the shares of the rivals and of past selves are more than all rounds")


@dataclass(frozen=True)
class Evaluation:
    """How it is measured on the way: on the same duplicate deals each time."""

    every: int = setting(20, "iterations from one to the next", low=1)
    deals: int = setting(1000, "duplicate deals against each", low=2)
    against: tuple[str, ...] = setting(("greedy_pip", "heuristic"), "agents")
    seed: int = setting(1_000_000_000, "of the first deal", low=0, high=10**15)


@dataclass(frozen=True)
class TrainSettings:
    """What is trained, and how."""

    game: str = setting("block_draw", "the id of a game", choices=variants)
    rules: dict[str, Any] = setting({}, "house rules, like {hand_size: 7}")
    num_players: int | None = setting(None, "seats; null: the game's usual number", low=2, high=5)
    seed: int = setting(0, "of the network, the deals and the play", low=0, high=2**32 - 1)
    threads: int = setting(1, "processor cores for the network", low=1, high=256)
    deals: int = setting(4096, "rounds of one iteration, side by side", low=8, high=1_000_000)
    widths: tuple[int, ...] = setting((256, 256), "of the network's layers", low=1, high=8192)
    lean: float = setting(
        2.0, "how much it leans on the weights of `heuristic`; 0: not at all", low=0, high=100
    )
    imitate: Part = setting(
        Part(0, (1e-3, 1e-3), (0.0, 0.0), minibatch=1024), "do as `heuristic` does; if lean is 0"
    )
    foresee: Part = setting(Part(100), "do what would have gained most")
    reinforce: Part = setting(
        Part(100, (3e-4, 3e-5), (0.05, 0.005), minibatch=4096, epochs=3), "PPO against the pool"
    )
    clip: float = setting(0.2, "PPO's clip range", low=0.001, high=1)
    smoothing: float = setting(0.95, "lambda of the advantage estimate", low=0, high=1)
    value_weight: float = setting(0.5, "of the value loss", low=0)
    steepest: float = setting(0.5, "the most that a gradient may be long", low=0.001)
    pool: Pool = setting(Pool(), "who plays against the learner, beside itself")
    evaluation: Evaluation = setting(Evaluation(), "how it is measured on the way")
    checkpoint: int = setting(10, "iterations from one checkpoint to the next", low=1)
    out: str | None = setting(None, "the folder of the run; null: runs/, by the config's name")

    def __post_init__(self) -> None:
        check(self)
        rules = house_rules(self.game, self.rules)
        with about("game"):
            must_have_opponents(rules)
        with about("num_players"):
            must_seat(rules, self.num_players)
        with about("pool.rivals"):
            _must_play(rules, self.pool.rivals)
        with about("evaluation.against"):
            _must_play(rules, self.evaluation.against)
        if not self.widths:
            raise BadSetting("widths", "widths must name one layer or more, like [256, 256]")
        if self.iterations == 0:
            raise BadOption("there is nothing to do: all parts have 0 iterations")

    @property
    def iterations(self) -> int:
        """Of all parts."""
        return sum(getattr(self, part).iterations for part in PARTS)


def _must_play(rules: Any, names: Iterable[str]) -> None:
    for name in names:
        Entrant(name).must_play(rules)
