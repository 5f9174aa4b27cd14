"""Settings of a training run, as the configs in `configs/train` spell them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

from domino_env import agents
from domino_env.config.game_settings import house_rules, must_be_for
from domino_env.config.loader import check, setting
from domino_env.config.yaml_source import BadSetting, about
from domino_env.errors import BadOption
from domino_env.evaluate.entrants import Entrant
from domino_env.games import DEFAULT_GAME, variants
from domino_env.ruleset import MAX_SEATS

PHASES = ("imitate", "distill", "ppo")
CALLS = ("automatic", "explicit")
NETWORKS = ("mlp", "scorer", "graph")
SCORERS = NETWORKS[1:]
HISTORIES = ("none", "recurrent", "attention")
CRITICS = ("observation", "all_hands")
DISTILL_LOSSES = ("expected_gain", "regression")
Pair = tuple[float, float]


@dataclass(frozen=True)
class Phase:
    """A phase of a training run. Pairs are annealed linearly from the first value to the second."""

    renamed: ClassVar = {"entropy": "ent_coef", "minibatch": "batch_size", "epochs": "n_epochs"}

    iterations: int = setting(0, "length of the phase", low=0)
    learning_rate: Pair = setting((1e-3, 1e-4), "of Adam, from start to end", low=0)
    ent_coef: Pair = setting((0.01, 0.01), "entropy coefficient, from start to end", low=0)
    batch_size: int = setting(2048, "decisions in a minibatch", low=2)
    n_epochs: int = setting(1, "passes over each rollout", low=1)


@dataclass(frozen=True)
class Pool:
    """The opponent pool of the ppo phase."""

    renamed: ClassVar = {"rivals": "opponents"}

    opponents: dict[str, float] = setting(
        {"greedy_pip": 0.05, "heuristic": 0.1}, "agents, each with its share of the rounds", low=0
    )
    past: float = setting(0.15, "share of the rounds that are against a past self", low=0)
    kept: int = setting(8, "past selves that are kept", low=1, high=100)
    every: int = setting(10, "iterations between two past selves", low=1)

    def __post_init__(self) -> None:
        with about("opponents"):
            for name in self.opponents:
                agents.make(name)
        if sum(self.opponents.values()) + self.past > 1:
            raise BadOption("the shares of opponents and of past selves add up to more than 1")


@dataclass(frozen=True)
class Evaluation:
    """Evaluation during the run, on the same duplicate deals each time."""

    every: int = setting(20, "iterations between two evaluations", low=1)
    deals: int = setting(1000, "duplicate deals against each agent", low=2)
    against: tuple[str, ...] = setting(("greedy_pip", "heuristic"), "agents")
    seed: int = setting(1_000_000_000, "of the first deal", low=0, high=10**15)


@dataclass(frozen=True)
class TrainSettings:
    """A training run."""

    renamed: ClassVar = {
        "deals": "rounds_per_iteration",
        "widths": "hidden_sizes",
        "lean": "prior_weight",
        "foresee": "distill",
        "reinforce": "ppo",
        "clip": "clip_range",
        "smoothing": "gae_lambda",
        "value_weight": "vf_coef",
        "steepest": "max_grad_norm",
    }

    game: str = setting(DEFAULT_GAME, "the id of a game", choices=variants)
    rules: dict[str, Any] = setting({}, "house rules, like {hand_size: 7}")
    num_players: int | None = setting(
        None, "seats; null: the game's usual number", low=2, high=MAX_SEATS
    )
    calls: str = setting(
        "automatic",
        "automatic: points are counted for the players; explicit: they call them themselves",
        choices=CALLS,
    )
    seed: int = setting(0, "of the network, the deals and the play", low=0, high=2**32 - 1)
    threads: int = setting(1, "processor cores for the network", low=1, high=256)
    rounds_per_iteration: int = setting(
        4096, "rounds in a rollout, played side by side", low=8, high=1_000_000
    )
    start: str | None = setting(
        None, "the policy file whose network the run begins with; null: a new network"
    )
    network: str = setting(
        "mlp",
        "mlp: a logit for each action of the action space, from the observation; scorer: scores "
        "each legal action by its features and the observation; graph: by the graph that it "
        "leaves, too, whose nodes are numbers and whose edges are tiles",
        choices=NETWORKS,
    )
    hidden_sizes: tuple[int, ...] = setting((256, 256), "of the policy network", low=1, high=8192)
    graph_sizes: tuple[int, ...] = setting(
        (32, 32, 32),
        "of network: graph; values of each number, and again for each round in which they are "
        "passed on: all the same",
        low=1,
        high=1024,
    )
    sees_observation: bool = setting(
        True, "do networks that score actions see the observation besides?"
    )
    history: str = setting(
        "none",
        "of a scorer, what it reads besides: none; recurrent: the events of the round, by a GRU; "
        "attention: the events that matter to the observation",
        choices=HISTORIES,
    )
    history_size: int = setting(
        32, "of the GRU's state, or of an event and of each query", low=1, high=1024
    )
    critic: str = setting(
        "observation",
        "what the critic sees in training: the observation, or all_hands; the policy never does",
        choices=CRITICS,
    )
    prior_weight: float = setting(
        2.0, "scale of the logits that `heuristic` contributes; 0: none", low=0, high=100
    )
    imitate: Phase = setting(
        Phase(0, (1e-3, 1e-3), (0.0, 0.0), batch_size=1024),
        "behaviour cloning of `heuristic`; useful with prior_weight 0",
    )
    distill: Phase = setting(Phase(100), "the gains of a teacher that sees all tiles")
    distill_loss: str = setting(
        "expected_gain",
        "of the distill phase; expected_gain: of the policy's moves, to be maximised; regression: "
        "logits are estimates of the gains of all moves",
        choices=DISTILL_LOSSES,
    )
    distill_worlds: int = setting(
        0,
        "worlds in which the teacher tries each move, sampled from what the seat can believe; 0: "
        "the actual deal alone",
        low=0,
        high=100_000,
    )
    ppo: Phase = setting(
        Phase(100, (3e-4, 3e-5), (0.05, 0.005), batch_size=4096, n_epochs=3),
        "PPO against itself and the pool",
    )
    magnet_coef: float = setting(
        0.0, "weight of the KL divergence from the policy that the ppo phase begins with", low=0
    )
    clip_range: float = setting(0.2, "of PPO", low=0.001, high=1)
    gae_lambda: float = setting(0.95, "of generalised advantage estimation", low=0, high=1)
    vf_coef: float = setting(0.5, "weight of the value loss; 0: no critic", low=0)
    max_grad_norm: float = setting(0.5, "gradients are clipped to this norm", low=0.001)
    averaging: float = setting(
        0.0,
        "the policy is an average of the weights so far, of which each step keeps this share, like "
        "0.999; 0: the latest weights",
        low=0,
        high=0.999999,
    )
    pool: Pool = setting(Pool(), "the opponents in the ppo phase, besides the learner itself")
    evaluation: Evaluation = setting(Evaluation(), "evaluation during the run")
    checkpoint: int = setting(10, "iterations between two checkpoints", low=1)
    out: str | None = setting(None, "the folder of the run; null: runs/, by the config's name")

    def __post_init__(self) -> None:
        check(self)
        rules = house_rules(self.game, self.rules)
        must_be_for(rules, self.num_players)
        with about("pool.opponents"):
            _must_play(rules, self.pool.opponents)
        with about("evaluation.against"):
            _must_play(rules, self.evaluation.against)
        if not self.hidden_sizes:
            raise BadSetting(
                "hidden_sizes", "hidden_sizes must name one layer or more, like [256, 256]"
            )
        must_be_graph_sizes(self.graph_sizes)
        must_read_histories(self.history, self.network, self.sees_observation)
        if self.iterations == 0:
            raise BadOption("there is nothing to do: all phases have 0 iterations")

    @property
    def iterations(self) -> int:
        """The number of iterations of all phases together."""
        return sum(getattr(self, phase).iterations for phase in PHASES)


def must_read_histories(history: str, network: str, sees_observation: bool) -> None:
    """Refuses a history where no network reads it."""
    if history == "none":
        return
    if network != "scorer":
        raise BadSetting(
            "history", f"history: {history} is for network: scorer, not for network: {network}"
        )
    if not sees_observation:
        raise BadSetting("history", f"history: {history} needs sees_observation: true")


def must_be_graph_sizes(sizes: tuple[int, ...]) -> None:
    """Refuses numbers of values that cannot be added to one another."""
    if len({*sizes}) != 1:
        raise BadSetting(
            "graph_sizes", "graph_sizes must be one number or more, all the same: [32, 32, 32]"
        )


def _must_play(rules: Any, names: Iterable[str]) -> None:
    for name in names:
        Entrant(name).must_play(rules)
