"""What `domino demo` does: trains for a minute, then plays a round robin with the result."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from domino_env.config.loader import setting
from domino_env.errors import BadOption
from domino_env.evaluate import console, report
from domino_env.evaluate.entrants import Entrant
from domino_env.evaluate.journal import JOURNAL
from domino_env.evaluate.policy_files import POLICY
from domino_env.evaluate.results import Results
from domino_env.evaluate.tournament import TournamentSettings
from domino_env.files import must_be_writable
from domino_env.train import runner
from domino_env.train.checkpoints import CHECKPOINT
from domino_env.train.settings import TrainSettings

TRAINED = "trained just now"


@dataclass(frozen=True)
class DemoSettings:
    """What is trained, and the tournament it then plays in."""

    train: TrainSettings = setting(TrainSettings(), "the training run, as for `domino train`")
    tournament: TournamentSettings = setting(
        TournamentSettings(), "the tournament, as for `domino tournament`"
    )
    out: str = setting("runs/demo", "folder for all results")

    def __post_init__(self) -> None:
        if self.tournament.games != (self.train.game,):
            raise BadOption("train.game and tournament.games must be the same one game")
        if self.tournament.rules != self.train.rules:
            raise BadOption("train.rules and tournament.rules must be the same")


def run(settings: DemoSettings, folder: Path) -> Results:
    """Trains, plays the tournament, and says where its picture is."""
    training, tournament = folder / "training", folder / "tournament"
    must_be_writable(training)
    for begun in (training / CHECKPOINT, tournament / JOURNAL):  # a demo always starts afresh
        begun.unlink(missing_ok=True)
    runner.run(settings.train, training)
    trained = Entrant("ppo", TRAINED, {"file": str(training / POLICY)})
    entrants = (*settings.tournament.agents, trained)
    results = console.run(replace(settings.tournament, agents=entrants), tournament)
    print(f"picture: {tournament / report.CHART}")
    return results
