"""Links Numba's code of the kernels, optimised once more as a whole for a baseline processor, with
a door from Python written in C.

For the usual settings of each shipped game a step is compiled once more, with its rule table as a
constant: the branches on rules are decided then, and loops over seats have their ends.
"""

from __future__ import annotations

import json
import subprocess
import sysconfig
import tempfile
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from domino_env.compiling import fingerprint, forms, object_code
from domino_env.compiling.kernels import Kernel
from domino_env.compiling.linking import (
    Compiled,
    add,
    as_text,
    door_to,
    emitted,
    linked,
    machine,
    parsed,
    with_rules,
)
from tools.object_code import keeping

DOOR = sorted(Path(__file__).parent.glob("*.c"))


class Part(NamedTuple):
    """A module of object code, and what its functions are."""

    code: bytes
    entries: list[dict[str, Any]]


def general_part(all_compiled: list[Compiled]) -> Part:
    """The code for all rules."""
    module = linked(all_compiled)
    entries = []
    for number, each in enumerate(all_compiled):
        symbol = f"domino_general_{number}"
        add(module, door_to(module, each, symbol))
        entries.append(_entry(each, symbol))
    symbols = [entry["symbol"] for entry in entries]
    return Part(emitted(module, symbols, machine(keeping.processor())), entries)


def special_part(step_kernels: list[Compiled], name: str, rule_table: Any) -> Part:
    """The code of a step for one rule table."""
    code, symbols = with_rules(step_kernels, name, rule_table, machine(keeping.processor()))
    mark = object_code.mark_of_rules(rule_table)
    entries = [
        {**_entry(each, symbol), "rules": mark}
        for each, symbol in zip(step_kernels, symbols, strict=True)
    ]
    return Part(code, entries)


def _entry(compiled: Compiled, symbol: str) -> dict[str, Any]:
    module, _, attribute = compiled.kernel.rpartition(".")
    called = fingerprint.all_called(getattr(import_module(module), attribute))
    return {
        "kernel": compiled.kernel,
        "arguments": compiled.arguments,
        "result": compiled.result,
        "symbol": symbol,
        "modules": sorted({each.py_func.__module__ for each in called if hasattr(each, "py_func")}),
        "records": sorted({name for each in compiled.arguments for name in forms.records_in(each)}),
    }


def index_part(parts: list[Part]) -> Part:
    """The list of all functions, and the table that says what they are."""
    entries = []
    for part in parts:
        for entry in part.entries:
            entries.append({**entry, "code": len(entries)})
    modules = {name for entry in entries for name in entry["modules"]}
    records = {name for entry in entries for name in entry["records"]}
    constants = {name: _constants(name) for name in sorted(modules)}
    table = {
        "processor": keeping.processor(),
        "tools": keeping.mark_of_tools(),
        "entries": [{k: v for k, v in entry.items() if k != "symbol"} for entry in entries],
        "modules": {
            name: {"names": names, "mark": object_code.mark_of_module(name, names)}
            for name, names in constants.items()
        },
        "records": {name: object_code.mark_of_record(name) for name in sorted(records)},
    }
    text = np.frombuffer(json.dumps(table, separators=(",", ":")).encode(), np.uint8)
    symbols = [entry["symbol"] for entry in entries]
    lines = [f"declare hidden i64 @{symbol}(ptr)" for symbol in symbols]
    lines += [
        f"@domino_codes = hidden constant [{len(symbols)} x ptr] "
        f"[{', '.join(f'ptr @{symbol}' for symbol in symbols)}]",
        f"@domino_num_codes = hidden constant i64 {len(symbols)}",
        f"@domino_table = hidden constant [{len(text)} x i8] {as_text(text)}",
        f"@domino_table_size = hidden constant i64 {len(text)}",
    ]
    code: bytes = machine(keeping.processor()).emit_object(parsed("\n".join(lines)))
    return Part(code, [])


def _constants(module: str) -> list[str]:
    """What the kernels of a module name that is not compiled itself."""
    found = set()
    for value in vars(import_module(module)).values():
        if isinstance(value, Kernel) and value.py_func.__module__ == module:
            for name, used in fingerprint.named(value.py_func):
                if not fingerprint.is_compiled(used):
                    found.add(name)
    return sorted(found)


def link(parts: list[Part], out: Path) -> None:
    """Links everything into the library that Python loads: the same bytes from the same parts."""
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for number, part in enumerate(parts):
            file = Path(folder) / f"part{number}.o"
            file.write_bytes(part.code)
            files.append(str(file))
        include = sysconfig.get_path("include")
        options = ["-O2", "-fPIC", "-shared", "-fvisibility=hidden", "-Wall", f"-I{include}"]
        sources = [*map(str, DOOR), *files]
        command = [*(keeping.compiler() or ["cc"]), *options, *sources, "-o", str(out)]
        subprocess.run([*command, "-Wl,--gc-sections", "-Wl,-s", "-Wl,--build-id=none"], check=True)
