"""Records for tests: games played at random beside a recorder, and the golden ones."""

from pathlib import Path
from typing import Any

from domino_env.batches import Batch
from domino_env.record import Record, Recorder

FOLDER = Path(__file__).parent / "records"
GOLDEN = sorted(FOLDER.glob("*.json"))


def play(batch: Batch, moves: int = 10**6, names: tuple[str, ...] = ()) -> Recorder:
    """Plays lane 0 at random for some moves, beside a recorder."""
    recorder = Recorder(batch, 0, names)
    while moves and not recorder.over:
        actions = batch.sample()
        recorder.note(int(actions[0]))
        batch.step(actions)
        moves -= 1
    return recorder


def small_game(game: str = "block_draw", moves: int = 10**6, **options: Any) -> Record:
    batch = Batch(game, 1, seed=3, autoreset=False, **options)
    batch.reset()
    return play(batch, moves).record
