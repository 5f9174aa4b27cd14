"""What a type checker knows of the engine's records is what their dtypes say, and is of use."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tools import stubs

TYPED = ("domino_env/engine", "domino_env/puzzles")
RECORDS = [
    (file, name, dtype) for file, classes in stubs.STUBS.items() for name, dtype in classes.items()
]


def declared(file: str, name: str) -> dict[str, str]:
    """The fields of a class in a file of stubs, each with its type."""
    for node in ast.parse((stubs.ROOT / file).read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ClassDef) and node.name == name:
            fields = [field for field in node.body if isinstance(field, ast.AnnAssign)]
            return {ast.unparse(field.target): ast.unparse(field.annotation) for field in fields}
    raise AssertionError(f"{file} has no class {name}")


def kind_of(scalar: np.dtype[Any]) -> str:
    if scalar.names:
        return "record"
    return (
        "np.uint64" if scalar == np.uint64 else {"i": "int", "u": "int", "f": "float"}[scalar.kind]
    )


@pytest.mark.parametrize("file", stubs.STUBS)
def test_the_stubs_are_current(file: str) -> None:
    kept = (stubs.ROOT / file).read_text(encoding="utf-8")
    assert kept == stubs.stub_of(file), "run make docs"


@pytest.mark.parametrize(("file", "name", "dtype"), RECORDS, ids=[name for _, name, _ in RECORDS])
def test_a_record_has_the_fields_of_its_dtype(file: str, name: str, dtype: np.dtype[Any]) -> None:
    fields = declared(file, name)
    assert list(fields) == list(dtype.names or ())
    for field, annotation in fields.items():
        scalar, shape = dtype[field].base, dtype[field].shape
        if shape:
            assert annotation == f"npt.NDArray[np.{scalar.name}]"
        elif kind_of(scalar) == "record":
            assert annotation in {each for _, each, _ in RECORDS}
        else:
            assert annotation == kind_of(scalar)


def test_every_record_of_the_engine_has_a_stub() -> None:
    """A dtype of records stands in its module under a name in capitals."""
    known = [dtype for _, _, dtype in RECORDS]
    for folder in (*TYPED, "agents"):
        for path in (stubs.ROOT / folder).rglob("*.py"):
            for name in records_in(path):
                module = ".".join(path.relative_to(stubs.ROOT).with_suffix("").parts)
                prefix = "" if module.startswith("domino_env") else "domino_env."
                found = getattr(__import__(prefix + module, fromlist=[name]), name)
                assert found in known, f"{module}.{name} has no stub: add it to tools/stubs.py"


def records_in(path: Path) -> list[str]:
    """The names that a module gives to dtypes of records."""
    return [
        node.targets[0].id
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and ast.unparse(node.value).startswith("np.dtype((np.record")
    ]


def test_every_parameter_of_a_kernel_has_a_type() -> None:
    """With `Any` a type checker would find no field that is misspelt."""
    opaque, parameters = [], 0
    for path, kernel in kernels():
        for given in [*kernel.args.posonlyargs, *kernel.args.args]:
            parameters += 1
            if given.annotation is None or ast.unparse(given.annotation) == "Any":
                opaque.append(f"{path.name}: {kernel.name}({given.arg})")
    assert parameters > 600
    assert not opaque


def kernels() -> list[tuple[Path, ast.FunctionDef]]:
    """The kernels of both engines, and the loops over their lanes, each with its file."""
    paths = [path for folder in TYPED for path in sorted((stubs.ROOT / folder).rglob("*.py"))]
    loops = [stubs.ROOT / "domino_env" / f"{name}.py" for name in ("lanes", "learner_lanes")]
    return [
        (path, node)
        for path in [*paths, *loops]
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef)
        and {"kernel", "small"} & {ast.unparse(each) for each in node.decorator_list}
    ]
