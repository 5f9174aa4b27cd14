"""Object code of kernels: Numba's own code of them, with a function around each that takes a block
of words, optimised once more as a whole.

With a rule table as a constant the branches on rules are decided then, and loops over seats have
their ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import llvmlite.binding as llvm
from numba import typeof

from domino_env.compiling import forms
from domino_env.compiling.kernels import Kernel
from domino_env.compiling.source import inner_of

RESULTS = 4
"""Words at the beginning of a block that are for results, as the door has it."""


class Compiled(NamedTuple):
    """A kernel as Numba has compiled it for one form."""

    kernel: str
    arguments: list[Any]
    result: str
    symbol: str
    bitcode: bytes


def compile_one(kernel: Kernel, arguments: list[Any]) -> Compiled:
    """Compiles a kernel for one form."""
    kinds = tuple(map(_kind_of, arguments))
    dispatcher = inner_of(kernel)
    dispatcher.compile(kinds)
    made = dispatcher.overloads[kinds]
    result = _result(made.signature.return_type)
    module = made.library._get_module_for_linking().clone()
    symbol = made.fndesc.llvm_func_name
    function = module.get_function(symbol)
    function.linkage = "external"  # so that it is linked although nothing calls it yet
    read_only = _read_only(_understood(module, symbol))
    marked = [_marked(each, read_only) for each in arguments]
    return Compiled(kernel.name, marked, result, symbol, module.as_bitcode())


def _kind_of(form: Any) -> Any:
    return typeof(forms.example_of(form))  # type: ignore[no-untyped-call]


def _result(kind: Any) -> str:
    """What a kernel answers with, a letter for each number; None is no number."""
    parts = list(kind) if hasattr(kind, "__iter__") else [kind]
    letters = {"int64": "i", "bool": "b", "float64": "f", "none": ""}
    return "".join(letters[str(part)] for part in parts)


def _understood(module: Any, symbol: str) -> Any:
    """The function as LLVM knows it once it has looked at all that it calls: which of its arguments
    are only read."""
    copied = module.clone()
    _keep_only(copied, [symbol])
    _optimise(copied, machine(""), 2)
    return copied.get_function(symbol)


def _read_only(function: Any) -> Iterator[bool]:
    """For each array among the arguments, in their order: is it never written to? An array is five
    values and two for each of its axes; the fifth points to its numbers."""
    given = list(function.arguments)[2:]
    for argument in given:
        if str(argument.type) == "ptr" and argument.name.endswith(".4"):
            marks = b" ".join(argument.attributes)
            yield b"readonly" in marks or b"readnone" in marks


def _marked(form: Any, read_only: Iterator[bool]) -> Any:
    if isinstance(form, str):
        return form
    if form[0] == "tuple":
        return [*form[:2], [_marked(part, read_only) for part in form[2]]]
    return [*form[:3], not next(read_only) and form[3]]


def linked(all_compiled: Iterable[Compiled]) -> Any:
    """One module of all of them."""
    module = parsed("")
    for each in all_compiled:
        module.link_in(llvm.parse_bitcode(each.bitcode))
    return module


def parsed(text: str) -> Any:
    """A module written as text."""
    here = machine("")
    head = f'target triple = "{here.triple}"\ntarget datalayout = "{here.target_data}"\n'
    return llvm.parse_assembly(head + text)


def add(module: Any, text: str) -> None:
    """Links a module written as text into another."""
    module.link_in(parsed(text))


def door_to(module: Any, compiled: Compiled, symbol: str, rule_table: str = "") -> str:
    """A function of one block of words that calls a kernel: first the results, and then come the
    arguments; of an array where it begins, and its length along each axis."""
    function = module.get_function(compiled.symbol)
    kinds = [str(argument.type) for argument in function.arguments]
    each = [{"i": "i64", "b": "i8", "f": "double"}[letter] for letter in compiled.result]
    whole = each[0] if len(each) == 1 else f"{{{', '.join(each)}}}" if each else "ptr"
    lines = [
        f"declare i32 @{compiled.symbol}({', '.join(kinds)})",
        f"define i64 @{symbol}(ptr %block) {{",
        f"  %result = alloca {whole}",
        "  %raised = alloca ptr",
        f"  store {whole} zeroinitializer, ptr %result",
        "  store ptr null, ptr %raised",
    ]
    words = _Words(lines)
    given = ["ptr %result", "ptr %raised"]
    for number, form in enumerate(compiled.arguments):
        begins = f"@{rule_table}" if rule_table and number == 0 else ""
        given += words.of(form, begins)
    typed = [
        f"{kind} {words.as_kind(value.partition(' ')[2], value.partition(' ')[0], kind)}"
        for kind, value in zip(kinds, given, strict=True)
    ]
    lines += [
        f"  %failed = call i32 @{compiled.symbol}({', '.join(typed)})",
        f"  %found = load {whole}, ptr %result",
    ]
    for place, kind in enumerate(each):
        part = "%found" if len(each) == 1 else words.new(f"extractvalue {whole} %found, {place}")
        part = words.new(f"zext i8 {part} to i64") if kind == "i8" else part
        at = words.new(f"getelementptr i64, ptr %block, i64 {place}")
        lines.append(f"  store {'i64' if kind == 'i8' else kind} {part}, ptr {at}")
    lines += ["  %code = sext i32 %failed to i64", "  ret i64 %code", "}"]
    return "\n".join(lines)


class _Words:
    """Writes the instructions that read the words of a block, and what follows from them."""

    def __init__(self, lines: list[str]) -> None:
        self.lines, self.made, self.place = lines, 0, RESULTS

    def of(self, form: Any, begins: str = "") -> list[str]:
        """The values that Numba passes for an argument, each with its type."""
        if isinstance(form, str):
            return [f"double {self._word('double')}" if form == "float" else f"i64 {self._word()}"]
        if form[0] == "tuple":
            return [value for part in form[2] for value in self.of(part)]
        data = self._word("ptr")
        shape = [self._word() for _ in range(form[2])]
        if begins:  # a rule table that is known: there is one
            data, shape = begins, ["1"]
        size = forms.dtype_of(form[1]).itemsize
        strides = [str(size)]
        for length in reversed(shape[1:]):
            strides.insert(0, self.new(f"mul i64 {strides[0]}, {length}"))
        number = shape[0]
        for length in shape[1:]:
            number = self.new(f"mul i64 {number}, {length}")
        values = [f"i64 {number}", f"i64 {size}", f"ptr {data}"]
        values += [f"i64 {each}" for each in (*shape, *strides)]
        return ["ptr null", "ptr null", *values]

    def as_kind(self, value: str, kind: str, wanted: str) -> str:
        """A value as the kernel takes it."""
        if kind == wanted:
            return value
        if kind == "i64" and wanted in ("i1", "i8", "i16", "i32"):
            return self.new(f"trunc i64 {value} to {wanted}")
        raise TypeError(f"a kernel takes {wanted}, and is given {kind}")

    def _word(self, kind: str = "i64") -> str:
        place = self.new(f"getelementptr i64, ptr %block, i64 {self.place}")
        self.place += 1
        return self.new(f"load {kind}, ptr {place}")

    def new(self, instruction: str) -> str:
        """The name of what an instruction makes."""
        self.made += 1
        self.lines.append(f"  %v{self.made} = {instruction}")
        return f"%v{self.made}"


def as_text(array: Any) -> str:
    """Bytes as LLVM writes them."""
    return 'c"' + "".join(f"\\{byte:02X}" for byte in array.tobytes()) + '"'


def machine(processor: str, features: str = "") -> Any:
    """What emits code for a kind of processor."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    options = {"cpu": processor, "features": features, "opt": 3, "reloc": "pic"}
    return llvm.Target.from_default_triple().create_target_machine(**options, codemodel="small")


def emitted(module: Any, symbols: list[str], target: Any) -> bytes:
    """The module as an object file, in which only these symbols are seen."""
    _keep_only(module, symbols)
    for name in symbols:
        module.get_function(name).visibility = "hidden"
    module.verify()
    _optimise(module, target, 3)
    found: bytes = target.emit_object(module)
    return found


def _keep_only(module: Any, symbols: list[str]) -> None:
    for thing in (*module.functions, *module.global_variables):
        if not thing.is_declaration and thing.name not in symbols:
            thing.linkage = "internal"


def _optimise(module: Any, target: Any, level: int) -> None:
    tuning = llvm.create_pipeline_tuning_options(speed_level=level)
    tuning.loop_vectorization = tuning.slp_vectorization = level > 2
    builder = llvm.create_pass_builder(target, tuning)
    builder.getModulePassManager().run(module, builder)


def with_rules(
    kernels: list[Compiled], name: str, rule_table: Any, target: Any
) -> tuple[bytes, list[str]]:
    """An object file of kernels for one rule table, and the symbols of their functions."""
    module = linked(kernels)
    table = f"domino_rules_{name}"
    size, text = rule_table.nbytes, as_text(rule_table)
    added, symbols = [f"@{table} = internal constant [{size} x i8] {text}, align 64"], []
    for number, each in enumerate(kernels):
        symbols.append(f"domino_{name}_{number}")
        added.append(door_to(module, each, symbols[-1], table))
    add(module, "\n".join(added))
    return emitted(module, symbols, target), symbols
