"""Settings of the algorithms, as the configs in `configs/learn` spell them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from domino_env.config.loader import check, setting
from domino_env.errors import BadOption
from domino_env.games import variants
from domino_env.solve.mini_games import MINI_GAMES
from domino_env.train.settings import CRITICS, NETWORKS, must_be_graph_sizes

TABULAR = ("cfr", "cfr_plus", "discounted_cfr", "predictive_cfr_plus")
LEARNERS = ("ppo_entropy", "mmd", "nfsp", "psro", "escher", "rnad")
ALGORITHMS = (*TABULAR, *LEARNERS)
SHARES = (0.1, 0.25, 0.5, 1.0)  # of the time of a run, when it is measured


@dataclass(frozen=True)
class MmdSettings:
    """Magnetic mirror descent."""

    magnet_coef: float = setting(0.05, "weight of the KL divergence from the magnet", low=0)
    magnet_rate: float = setting(0.02, "how far the magnet follows, each iteration", low=0, high=1)
    step_coef: float = setting(0.5, "weight of the KL divergence from the policy before", low=0)


@dataclass(frozen=True)
class RnadSettings:
    """Regularised Nash dynamics."""

    eta: float = setting(0.1, "what it costs to leave the regularisation policy", low=0)
    every: int = setting(20, "iterations until that policy is replaced by the current one", low=1)
    logit_threshold: float = setting(3.0, "beyond it logits are not driven further", low=0.1)
    largest_ratio: float = setting(20.0, "limit of 1 / probability of what was played", low=1)


@dataclass(frozen=True)
class NfspSettings:
    """Neural fictitious self-play."""

    anticipatory: float = setting(
        0.1, "share of the rounds in which best responses meet each other", low=0, high=1
    )
    epsilon: float = setting(0.1, "of the best response's exploration, at first", low=0, high=1)
    memory: int = setting(100_000, "decisions from which the average is learned", low=1000)
    average_batches: int = setting(8, "minibatches of the average an iteration", low=1)


@dataclass(frozen=True)
class PsroSettings:
    """Policy-space response oracles."""

    response_iterations: int = setting(20, "of PPO, for each new member of the pool", low=1)
    payoff_rounds: int = setting(4096, "to measure what two members earn", low=2)
    members: int = setting(50, "of the pool at most: it ends there", low=2, high=500)


@dataclass(frozen=True)
class EscherSettings:
    """ESCHER, deep regret minimisation without importance sampling."""

    memory: int = setting(100_000, "decisions of each kind that are remembered", low=1000)
    value_epochs: int = setting(2, "passes over a rollout, of the value network", low=1)
    regret_batches: int = setting(16, "minibatches of the regrets an iteration", low=1)
    average_batches: int = setting(8, "minibatches of the average an iteration", low=1)


@dataclass(frozen=True)
class AlgorithmSettings:
    """A run of an algorithm. Whatever decays is halved after `half_life` iterations, is a third of
    what it was after twice as many, and so on."""

    renamed: ClassVar[dict[str, str]] = {}

    algorithm: str = setting("ppo_entropy", "what learns", choices=ALGORITHMS)
    game: str = setting(
        next(iter(MINI_GAMES)),
        "a mini game (`domino exploit --list`), or the id of a game",
        choices=lambda: [*MINI_GAMES, *variants()],
    )
    seed: int = setting(0, "of the networks, the deals and the play", low=0, high=2**31 - 1)
    sweeps: int = setting(10, "iterations of a tabular algorithm in a step", low=1)
    rounds_per_iteration: int = setting(
        1024, "rounds in a rollout, played side by side", low=8, high=1_000_000
    )
    network: str = setting("mlp", "mlp, scorer or graph, as for `domino train`", choices=NETWORKS)
    hidden_sizes: tuple[int, ...] = setting((64, 64), "of the networks", low=1, high=8192)
    graph_sizes: tuple[int, ...] = setting((16, 16, 16), "of network: graph", low=1, high=1024)
    sees_observation: bool = setting(True, "do scorer and graph see the observation besides?")
    critic: str = setting("all_hands", "what critics see in training", choices=CRITICS)
    learning_rate: float = setting(2e-3, "of Adam, at first; it decays", low=0)
    half_life: float = setting(100.0, "iterations", low=1)
    batch_size: int = setting(512, "decisions in a minibatch", low=2)
    n_epochs: int = setting(2, "passes over each rollout", low=1)
    ent_coef: float = setting(0.05, "entropy coefficient, at first; it decays", low=0)
    clip_range: float = setting(0.2, "of PPO", low=0.001, high=1)
    gae_lambda: float = setting(0.95, "of generalised advantage estimation", low=0, high=1)
    vf_coef: float = setting(0.5, "weight of the value loss", low=0)
    max_grad_norm: float = setting(0.5, "gradients are clipped to this norm", low=0.001)
    mmd: MmdSettings = setting(MmdSettings(), "of mmd alone")
    rnad: RnadSettings = setting(RnadSettings(), "of rnad alone")
    nfsp: NfspSettings = setting(NfspSettings(), "of nfsp alone")
    psro: PsroSettings = setting(PsroSettings(), "of psro alone")
    escher: EscherSettings = setting(EscherSettings(), "of escher alone")
    rules: dict[str, Any] = setting({}, "house rules, of a game that is no mini game")

    def __post_init__(self) -> None:
        check(self)
        if self.rules and self.game in MINI_GAMES:
            raise BadOption(f"{self.game} is a mini game: its rules are as they are")
        if self.algorithm in TABULAR and self.game not in MINI_GAMES:
            raise BadOption(f"{self.algorithm} goes over a whole tree: {self.game} has none")
        if not self.hidden_sizes:
            raise BadOption("hidden_sizes must name one layer or more, like [64, 64]")
        must_be_graph_sizes(self.graph_sizes)
