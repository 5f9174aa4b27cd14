"""Loading agents of your own: from files, modules and installed packages.

`"bots/my_agent.py:MyAgent"` is a class in a file, `"my_agent:MyAgent"` one in a module; a package
that declares an entry point in the group `domino_env.agents` makes its name available. This is the
only place that runs such code, and only for what somebody has typed or written in a config: names
of agents in records, journals and manifests never reach this module.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from hashlib import blake2b
from importlib import import_module
from pathlib import Path
from threading import RLock
from types import ModuleType
from typing import Any

from domino_env.errors import BadOption, DominoError, did_you_mean

GROUP = "domino_env.agents"
WRITTEN = "an agent of your own is written file.py:Class or module:Class"
_OURS = str(Path(__file__).absolute().parents[2])
_lock = RLock()
_modules: dict[tuple[str, bytes], ModuleType] = {}
_folders: list[str] = []  # where modules are looked for, beyond Python's path


@dataclass(frozen=True)
class Source:
    """An agent's code, for machines that do not have it, and unchanged while a run lasts.

    Attributes:
        reference: where it comes from, as it was written.
        code: the text of the file.
    """

    reference: str
    code: bytes = field(repr=False)

    def load(self) -> Any:
        """The class, or whatever the reference names."""
        return _named_in(_run(_split(self.reference)[0], self.code), self.reference)


def name_of(agent: Any) -> str:
    """The name of an agent or of a class of agents: its `name`, or that of the class."""
    name = getattr(agent, "name", None)
    kind = agent if isinstance(agent, type) else type(agent)
    return name if isinstance(name, str) and name else kind.__name__


def look_in(folder: str) -> None:
    """Has modules looked for in a folder too, after all others: the command line's own folder."""
    if folder not in _folders:
        _folders.append(folder)


def is_reference(text: str) -> bool:
    """Does this name a file or a module, and not an agent that is known by its name?"""
    return ":" in text


def load(reference: str) -> Any:
    """What a reference names."""
    where, _ = _split(reference)
    if _is_file(where):
        return source(reference).load()
    return _named_in(_imported(where), reference)


def source(reference: str) -> Any:
    """The code of a reference; the reference itself if the code is part of an installed package,
    which other machines must have, too."""
    where, _ = _split(reference)
    if _is_file(where):
        return Source(reference, _read(where))
    module = _imported(where)
    file = getattr(module, "__file__", None)
    if "." in where or hasattr(module, "__path__") or not str(file).endswith(".py"):
        return reference
    if _is_installed(str(file)):
        return reference
    code = _read(str(file))
    with _lock:
        _modules.setdefault((where, code), module)  # here it is not run twice
    return Source(reference, code)


@cache
def listed() -> dict[str, Any]:
    """The entry points of installed packages, by their names; nothing is imported yet."""
    from importlib.metadata import entry_points  # which takes longer than all else here

    return {entry.name: entry for entry in entry_points(group=GROUP)}


def load_listed(name: str) -> Any:
    """What an entry point names."""
    came = _tried(name)
    if isinstance(came, DominoError):
        raise came
    return came


@cache
def _tried(name: str) -> Any:
    """It is imported once; if it cannot be, that is what comes."""
    entry = listed()[name]
    try:
        return _guarded(f"the agent {name!r} ({entry.value})", entry.load)
    except DominoError as error:
        return error


def told(error: BaseException) -> str:
    """An error in one line, with the line of the code that is to blame."""
    said = " ".join(str(error).split())
    line = "" if isinstance(error, SyntaxError) else _where(error)
    return f"{type(error).__name__}{': ' if said else ''}{said:.300}{line}"


def _where(error: BaseException) -> str:
    """The last line that is neither Python's, nor a package's, nor ours."""
    import traceback

    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if Path(frame.filename).suffix == ".py" and not _is_installed(frame.filename):
            return f" ({Path(frame.filename).name}, line {frame.lineno})"
    return ""


def _is_installed(file: str) -> bool:
    folders = [_OURS, *_libraries()]
    return any(folder is not None and Path(file).is_relative_to(folder) for folder in folders)


@cache
def _libraries() -> set[str]:
    """Where Python's own modules are, and those of packages."""
    import sysconfig

    names = ("stdlib", "platstdlib", "purelib", "platlib")
    return {sysconfig.get_path(name) for name in names}


def _split(reference: str) -> tuple[str, str]:
    where, _, what = reference.rpartition(":")
    module = re.fullmatch(r"\w+(\.\w+)*", where) is not None
    if not what.isidentifier() or not (module or _is_file(where)):
        raise BadOption(f"{WRITTEN}, not {reference!r}")
    return where, what


def _is_file(where: str) -> bool:
    return where.endswith(".py")


def _read(file: str) -> bytes:
    try:
        return Path(file).expanduser().read_bytes()
    except (OSError, ValueError) as error:
        raise BadOption(f"{file} cannot be read: {getattr(error, 'strerror', error)}") from error


def _run(where: str, code: bytes) -> ModuleType:
    """Code as a module of its own, run once for each text that it has had."""
    with _lock:
        if (where, code) not in _modules:
            _modules[where, code] = _guarded(where, lambda: _ran(where, code))
        return _modules[where, code]


def _ran(where: str, code: bytes) -> ModuleType:
    file = Path(where).expanduser().absolute()
    name = re.sub(r"\W", "_", file.stem)
    module = ModuleType(f"{name}_{blake2b(code, digest_size=4).hexdigest()}")
    module.__file__ = str(file)
    if file.exists():
        _also_in(str(file.parent))  # for what it imports from beside it
    sys.modules[module.__name__] = module
    try:
        exec(compile(code, str(file), "exec"), module.__dict__)
    except BaseException:
        del sys.modules[module.__name__]
        raise
    return module


def _imported(name: str) -> ModuleType:
    for folder in _folders:
        _also_in(folder)
    return _guarded(name, lambda: import_module(name))


def _also_in(folder: str) -> None:
    if folder not in sys.path:
        sys.path.append(folder)  # last, so that it hides nothing


def _guarded(what: str, importing: Callable[[], Any]) -> Any:
    """Says in a line what is wrong with code that cannot be imported."""
    try:
        return importing()
    except DominoError:
        raise
    except ModuleNotFoundError as error:
        missing = str(error.name)
        if what == missing or what.startswith(f"{missing}."):
            raise BadOption(f"there is no module {what!r}: {WRITTEN}") from error
        raise BadOption(f"{what} cannot be imported: {told(error)}") from error
    except (Exception, SystemExit) as error:
        raise BadOption(f"{what} cannot be imported: {told(error)}") from error


def _named_in(module: ModuleType, reference: str) -> Any:
    where, what = _split(reference)
    if hasattr(module, what):
        return getattr(module, what)
    known = [
        name
        for name, value in vars(module).items()
        if isinstance(value, type) and (hasattr(value, "act") or hasattr(value, "choose"))
    ]
    raise _unknown(module, where, what, known)


def _unknown(module: ModuleType, where: str, what: str, known: list[str]) -> BadOption:
    file = getattr(module, "__file__", None)
    place = f"{where} ({file})" if file and not _is_file(where) else where
    hint = did_you_mean(what, known) if known else ", nor any other agent"
    return BadOption(f"{place} has no {what!r}{hint}")
