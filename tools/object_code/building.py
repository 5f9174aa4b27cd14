"""What is done in a process of its own, in which Numba compiles for the baseline."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from inspect import signature
from pathlib import Path
from typing import Any

from domino_env.batches.batch import Batch
from domino_env.compiling import forms, object_code
from domino_env.compiling.linking import Compiled, compile_one
from domino_env.games import variants
from tools.object_code import keeping, link_library, recording

SPECIALISED = tuple(
    f"domino_env.lanes.{name}"
    for name in ("step_checked", "step_lanes", "play_others", "restart_lanes")
)
DESCRIBED = "domino_env.engine.move_features.describe.describe_lanes"


def build(out: Path) -> None:
    """Builds the library."""
    compiled = list(compile_all())
    with ProcessPoolExecutor(2) as pool:
        general = pool.submit(link_library.general_part, compiled)
        special = [
            pool.submit(link_library.special_part, steps, f"{name}_{kind}", batch._rule_table)
            for name, batch in shipped_games().items()
            for kind, steps in _steps_for(compiled, batch).items()
        ]
        parts = [general.result(), *(part.result() for part in special)]
    link_library.link([*parts, link_library.index_part(parts)], out)


def compile_all() -> Iterator[Compiled]:
    """Compiles every kernel that Python calls. Numba must have been set to the baseline before it
    was imported: see `keeping.numba_settings`."""
    for name, several in recording.read().items():
        for arguments in several:
            yield compile_one(_kernel_of(name), arguments)


def _kernel_of(name: str) -> Any:
    module, _, attribute = name.rpartition(".")
    return getattr(import_module(module), attribute)


def shipped_games() -> dict[str, Batch]:
    """A batch of each game at its usual settings and number of seats."""
    return {variant: Batch(variant, 1) for variant in variants()}


def _steps_for(compiled: list[Compiled], batch: Batch) -> dict[str, list[Compiled]]:
    """The kernels that are compiled for the rules of a batch, which take its rule table and its
    records: those that play by the dtype of the observations that they write, for together they
    would share functions, which apart are copied into each; and the one that describes moves."""
    taken = [batch._rule_table.dtype, batch._games.dtype]
    found: dict[str, list[Compiled]] = {}
    for each in compiled:
        if each.kernel not in (*SPECIALISED, DESCRIBED):
            continue
        if [forms.dtype_of(form[1]) for form in each.arguments[:2]] != taken:
            continue
        if each.kernel == DESCRIBED:
            found["moves"] = [each]
        else:
            place = [*signature(_kernel_of(each.kernel)).parameters].index("observation")
            found.setdefault(str(forms.dtype_of(each.arguments[place][1])), []).append(each)
    return found


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
