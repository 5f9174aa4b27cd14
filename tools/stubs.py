"""Writes the stubs of the engine's records: what a type checker knows of their fields.

    python -m tools.stubs            # rewrites them
    python -m tools.stubs --check    # fails if one is out of date

A kernel takes a record of an array and reads its fields like attributes (`game.hands[seat]`), which
type checkers know nothing of. So each record is declared as a class too, made from its dtype. These
classes exist for the type checker alone: they are imported under `TYPE_CHECKING`.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import numpy as np

import domino_env
from domino_env.agents.determinised import PLAN, WAY
from domino_env.agents.searching import double_dummy
from domino_env.engine.hidden import information_set
from domino_env.engine.layout import trace
from domino_env.engine.move_features.known import KNOWN
from domino_env.engine.rule_table import RULE_TABLE
from domino_env.engine.state import GAME
from domino_env.puzzles.puzzle_state import PUZZLE, PUZZLE_TABLE

ROOT = Path(domino_env.__file__).parent.parent

# The file of each package's stubs, and the records in it by the names of their classes.
STUBS: dict[str, dict[str, np.dtype[Any]]] = {
    "domino_env/engine/record_types.pyi": {
        "Game": GAME,
        "RuleTable": RULE_TABLE,
        "Piece": information_set.PIECE,
        "Slots": information_set.SLOTS,
        "Check": information_set.CHECK,
        "Take": information_set.TAKE,
        "SlotClass": information_set.CLASS,
        "Unit": information_set.UNIT,
        "Evidence": information_set.EVIDENCE,
        "OpenedEnd": trace.OPENED,
        "ArcPlace": trace.ARC,
        "Known": KNOWN,
    },
    "domino_env/puzzles/puzzle_types.pyi": {"Puzzle": PUZZLE, "PuzzleTable": PUZZLE_TABLE},
    "agents/searching/plan_types.pyi": {"Plan": PLAN, "Way": WAY},
    "agents/searching/node_types.pyi": {
        "Node": double_dummy.NODE,
        "Noted": double_dummy.NOTED,
        "Place": double_dummy.PLACE,
    },
}

_HEAD = '''"""Made by `python -m tools.stubs` from the dtypes; not to be edited.

Whole numbers are `int`, as Numba widens them all alike. Sets of bits are `np.uint64`: with an `int`
they would make a float in compiled code, and here an error.
"""

'''
_IMPORTS = (
    ("Generic[", "from typing import Any, Generic, TypeVar\n\n"),
    ("np.", "import numpy as np\n"),
    ("npt.", "import numpy.typing as npt\n"),
    (": Puzzle\n", "from domino_env.puzzles.puzzle_types import Puzzle\n"),
)
_RECORDS = '''
Record = TypeVar("Record")

class Records(Generic[Record]):
    """An array of records: an item is a view of one, and not a copy."""

    def __getitem__(self, place: int | np.integer[Any], /) -> Record: ...
    def __setitem__(self, place: int | np.integer[Any], record: Record, /) -> None: ...
    def __len__(self) -> int: ...
'''


def stub_of(file: str) -> str:
    """The text of a file of stubs."""
    classes = "".join(_class(name, dtype) for name, dtype in STUBS[file].items())
    body = (_RECORDS if "class Game:" in classes else "") + classes
    return _HEAD + "".join(line for needle, line in _IMPORTS if needle in body) + body


def _class(name: str, dtype: np.dtype[Any]) -> str:
    assert dtype.names is not None
    fields = "".join(_field(field, dtype[field]) for field in dtype.names)
    return f"\nclass {name}:\n{fields}"


def _field(name: str, dtype: np.dtype[Any]) -> str:
    base, shape = (dtype.base, dtype.shape) if dtype.subdtype else (dtype, ())
    if shape:
        sizes = ", ".join(map(str, shape))
        return f"    {name}: npt.NDArray[np.{base.name}]  # [{sizes}]\n"
    return f"    {name}: {_scalar(base)}\n"


def _scalar(dtype: np.dtype[Any]) -> str:
    if dtype.names:
        return next(name for each in STUBS.values() for name, d in each.items() if d == dtype)
    if dtype == np.uint64:
        return "np.uint64"
    return "float" if dtype.kind == "f" else "int"


def main(given: list[str] | None = None) -> int:
    """Rewrites the stubs, or says which are out of date."""
    parser = argparse.ArgumentParser(description="Writes the stubs of the engine's records.")
    parser.add_argument("--check", action="store_true", help="write nothing, fail if one is old")
    check = parser.parse_args(given).check
    old = 0
    for file in STUBS:
        path, text = ROOT / file, stub_of(file)
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            print(f"{file} is out of date" if check else f"writing {file}")
            old += 1
            if not check:
                path.write_text(text, encoding="utf-8")
    return 1 if check and old else 0


if __name__ == "__main__":
    sys.exit(main())
