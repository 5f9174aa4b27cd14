"""Records: games as small text files that people can read and programs can replay.

    from domino_env.record import Recorder, read, replay, to_batch

    recorder = Recorder(batch, lane=0, names=("ann", "bob"))  # at the first decision of an episode
    recorder.note(action)                                     # at every step of that lane
    file.write_text(recorder.record.text(), encoding="utf-8")

    record = read(file)                    # verified by replaying it
    for step in replay(record):            # every decision, and finally the end of the game
        print(step.batch.position(), step.move)
    batch = to_batch(record)               # after its last move, to continue the game
    record.without_last()                  # one move earlier

`docs/records.md` describes the format.
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
