"""Kernels specialised for rules that no object code was shipped for: compiled here, and kept.

It takes Numba and LLVM once for each set of rules; afterwards the code is loaded from the user's
cache. It is called by the door of the shipped object code: where that cannot be used, nothing can
be specialised.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm

from domino_env.compiling import forms, object_code
from domino_env.compiling.fingerprint import fingerprint
from domino_env.compiling.kernels import Kernel
from domino_env.files import write_whole

_NAME = "own"
_made: dict[str, Any] = {}
_loaded: list[Any] = []  # code stays as long as the process: somebody may hold a function of it


def specialised(
    kernel: Kernel, arguments: tuple[Any, ...], rule_table: Any
) -> Callable[..., Any] | None:
    """A kernel for just these rules, or None where there is no door to call it by."""
    library = object_code.library()
    if library is None:
        return None
    form = [forms.form_of(each) for each in arguments]
    form[0] = [*form[0][:3], False]  # nobody writes to rules
    mark = _mark(kernel, form, rule_table)
    if mark not in _made:
        said, code = _kept(mark) or _compiled(mark, kernel, form, rule_table)
        slots = tuple(map(forms.slot_of, said["arguments"]))
        entry = (_address(code), said["result"], slots)
        _made[mark] = library.callable((entry,), kernel.from_source)
    made: Callable[..., Any] = _made[mark]
    return made


def _compiled(mark: str, kernel: Kernel, form: Any, rule_table: Any) -> tuple[Any, bytes]:
    from domino_env.compiling.linking import compile_one, machine, with_rules

    made = compile_one(kernel, form)
    target = machine(llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten())
    code, _ = with_rules([made], _NAME, rule_table, target)
    said = {"arguments": made.arguments, "result": made.result}
    try:
        _place(mark).parent.mkdir(parents=True, exist_ok=True)
        write_whole(_place(mark), json.dumps(said).encode() + b"\n" + code, synced=False)
    except OSError:
        pass  # it is compiled anew the next time
    return said, code


def _kept(mark: str) -> tuple[Any, bytes] | None:
    try:
        said, _, code = _place(mark).read_bytes().partition(b"\n")
        return json.loads(said), code
    except (OSError, ValueError):
        return None


def _place(mark: str) -> Path:
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return cache / "domino_env" / "specialised" / mark


def _mark(kernel: Kernel, form: Any, rule_table: Any) -> str:
    """What changes with the source, the rules, the processor, or the compiler."""
    words = [kernel.name, fingerprint(kernel), repr(form), object_code.mark_of_rules(rule_table)]
    words += [object_code.mark_of_record(name) for part in form for name in forms.records_in(part)]
    words += [llvm.get_host_cpu_name(), version("numba"), version("llvmlite")]
    return blake2b("\n".join(words).encode(), digest_size=16).hexdigest()


def _address(code: bytes) -> int:
    """Loads an object file; where its function is."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    target = llvm.Target.from_default_triple().create_target_machine(jit=True)
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), target)
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    _loaded.append(engine)
    address: int = engine.get_function_address(f"domino_{_NAME}_0")
    return address
