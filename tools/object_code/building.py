"""What is done in a process of its own, in which Numba compiles for the baseline."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from pathlib import Path

from domino_env.batches.batch import Batch
from domino_env.compiling import forms, object_code
from domino_env.compiling.linking import Compiled, compile_one
from domino_env.games import variants
from tools.object_code import keeping, linking, recording

SPECIALISED = ("domino_env.lanes.step_checked", "domino_env.lanes.step_lanes")


def build(out: Path) -> None:
    """Builds the library."""
    compiled = list(compile_all())
    with ProcessPoolExecutor(2) as pool:
        general = pool.submit(linking.general_part, compiled)
        special = [
            pool.submit(linking.special_part, _steps_for(compiled, batch), name, batch._rule_table)
            for name, batch in shipped_games().items()
        ]
        parts = [general.result(), *(part.result() for part in special)]
    linking.link([*parts, linking.index_part(parts)], out)


def compile_all() -> Iterator[Compiled]:
    """Compiles every kernel that Python calls. Numba must have been set to the baseline before it
    was imported: see `keeping.numba_settings`."""
    for name, several in recording.read().items():
        module, _, attribute = name.rpartition(".")
        kernel = getattr(import_module(module), attribute)
        for arguments in several:
            yield compile_one(kernel, arguments)


def shipped_games() -> dict[str, Batch]:
    """A batch of each game at its usual settings and number of seats."""
    return {variant: Batch(variant, 1) for variant in variants()}


def _steps_for(compiled: list[Compiled], batch: Batch) -> list[Compiled]:
    """The kernels of a step that take the rule table and the records of a batch."""
    taken = [batch._rule_table.dtype, batch._games.dtype]
    return [
        each
        for each in compiled
        if each.kernel in SPECIALISED
        and [forms.dtype_of(form[1]) for form in each.arguments[:2]] == taken
    ]


def is_current() -> bool:
    """Is the library of this tree the one that would be built?"""
    table = object_code.table()
    games = shipped_games().values()
    marks = {object_code.mark_of_rules(batch._rule_table) for batch in games}
    return (
        table.get("tools") == keeping.mark_of_tools()
        and all(map(object_code.is_as_built, table["modules"]))
        and all(map(object_code.is_laid_out_as_built, table["records"]))
        and marks == {entry["rules"] for entry in table["entries"] if "rules" in entry}
    )


def record() -> None:
    """Writes down what Python calls."""
    from tools.object_code import workload

    with recording.recording() as recorder:
        workload.use_everything()
    recording.write(recorder.seen)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["record"]:
            record()
        case ["check"]:
            sys.exit(0 if is_current() else 1)
        case ["build", out]:
            build(Path(out))
