"""Records: games as small text files, that a person can read and a program can play again.

    from domino_env.record import Recorder, read, replay, to_batch

    recorder = Recorder(batch, lane=0, names=("ann", "bob"))  # at the first decision of an episode
    recorder.note(action)                                     # beside every step of that lane
    file.write_text(recorder.record.text(), encoding="utf-8")

    record = read(file)                    # checked: it has been played through
    for step in replay(record):            # every decision, and then how it stands
        print(step.batch.position(), step.move)
    batch = to_batch(record)               # after its last move, to go on from there
    record.without_last()                  # as it was a move before

`docs/records.md` describes the file.
"""

from __future__ import annotations

from domino_env.record.game import Record, Recorder, Result, Round, Step, replay, to_batch
from domino_env.record.reading import parse, read, read_all

__all__ = [
    "Record",
    "Recorder",
    "Result",
    "Round",
    "Step",
    "parse",
    "read",
    "read_all",
    "replay",
    "to_batch",
]
