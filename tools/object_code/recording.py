"""Finds out which kernels Python calls, and with what: by using all there is, and looking on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from domino_env.compiling import forms, kernels, object_code, source
from domino_env.engine.state import GAMES

ENTRIES = Path(__file__).parent / "entries.json"


class Recorder:
    """The calls that were seen."""

    def __init__(self) -> None:
        self.seen: dict[str, list[Any]] = {}

    def note(self, kernel: kernels.Kernel, arguments: Any) -> None:
        """Remembers a call, if nothing like it was seen before."""
        if not kernel.name.startswith("domino_env."):
            return
        try:
            form = [forms.form_of(each) for each in arguments]
        except TypeError as error:
            print(f"{kernel.name}: {error}")
            return
        known = self.seen.setdefault(kernel.name, [])
        if form not in known:
            known.append(form)


@contextmanager
def recording() -> Iterator[Recorder]:
    """Notes the calls of all kernels."""
    recorder = Recorder()
    found, compiled_for = object_code.found, source.compiled_for

    def noted(kernel: kernels.Kernel, rule_table: Any = None) -> Any:
        def run(*arguments: Any) -> Any:
            recorder.note(kernel, arguments)
            return kernel.from_source(*arguments)

        return None if rule_table is not None else run

    def noted_for(kernel: kernels.Kernel, arguments: Any) -> Any:
        recorder.note(kernel, arguments)
        return compiled_for(kernel, arguments)

    object_code.found, source.compiled_for = noted, noted_for
    try:
        yield recorder
    finally:
        object_code.found, source.compiled_for = found, compiled_for


def merged(seen: dict[str, list[Any]]) -> dict[str, list[Any]]:
    """With one form for those that differ only in which arrays could be written to: Numba has
    compiled each of them, so what was once read-only is never written to. What takes a game's
    record of one size takes those of all sizes."""
    kept: dict[str, list[Any]] = {}
    for name, several in sorted(seen.items()):
        alike: dict[str, Any] = {}
        for form in (each for one in several for each in in_all_sizes(one)):
            key = json.dumps(_writable(form))
            alike[key] = _least(alike.get(key, form), form)
        kept[name] = [form for _, form in sorted(alike.items())]
    return kept


def in_all_sizes(form: Any) -> list[Any]:
    """A form, with the record of a game in every size."""
    records = [f'"{forms.name_of(record)}"' for record in GAMES]
    text = json.dumps(form)
    used = [record for record in records if record in text]
    return [json.loads(text.replace(used[0], record)) for record in records] if used else [form]


def _writable(form: Any) -> Any:
    if isinstance(form, str):
        return form
    if form and form[0] == "array":
        return [*form[:3], True]
    return [_writable(each) for each in form]


def _least(one: Any, other: Any) -> Any:
    """A form in which an array is written to only if it is in both."""
    if isinstance(one, bool):
        return one and other
    if isinstance(one, list):
        return [_least(mine, its) for mine, its in zip(one, other, strict=True)]
    return one


def write(seen: dict[str, list[Any]]) -> None:
    """Keeps what was seen."""
    lines = [
        f'"{name}": [\n  {_each(several)}\n]' for name, several in sorted(merged(seen).items())
    ]
    ENTRIES.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def _each(several: list[Any]) -> str:
    return ",\n  ".join(map(json.dumps, several))


def read() -> dict[str, list[Any]]:
    """What is kept."""
    kept: dict[str, list[Any]] = json.loads(ENTRIES.read_text(encoding="utf-8"))
    return kept
