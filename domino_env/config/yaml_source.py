"""What was written in a YAML file or on the command line, with the place of every value: an error
can then say which line to look at."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import NoneType
from typing import Any

import yaml

from domino_env.errors import BadOption, DominoError

MOST_BYTES = 1_000_000  # of a file of settings
MOST_VALUES = 10_000  # of settings, each as often as it stands somewhere by an alias
MOST_BITS = 128  # of a whole number
MOST_SAID = 400  # letters of a value that an error quotes


class BadSetting(BadOption):
    """What is wrong with a setting, by its name: whoever knows where that is written adds it."""

    def __init__(self, name: str, said: str) -> None:
        super().__init__(said)
        self.name = name


@contextmanager
def about(name: str) -> Iterator[None]:
    """What is refused in here, is refused for a setting."""
    try:
        yield
    except DominoError as error:
        raise BadSetting(getattr(error, "name", name), str(error)) from error


@dataclass(frozen=True)
class Written:
    """A value as it was written, and where. Of a mapping the value is `dict[str, Written]`, of a
    list `list[Written]`."""

    value: Any
    where: str = ""
    """Like `configs/demo.yaml, line 4` or `--set deals`; nothing for a value of the code's own."""
    name: str = ""
    """Of the setting, for such a value: `rules.hand_size`."""

    def wrong(self, said: str) -> BadOption:
        """The error that says it, and where."""
        return BadOption(f"{self.where}: {said}") if self.where else BadSetting(self.name, said)

    def part(self, name: str) -> Written:
        """What a setting inside is written as, or the nearest thing around it."""
        found = self
        for word in name.split("."):
            if not isinstance(found.value, dict) or word not in found.value:
                break
            found = found.value[word]
        return found

    @property
    def plain(self) -> Any:
        """The value without its places."""
        if isinstance(self.value, dict):
            return {name: part.plain for name, part in self.value.items()}
        if isinstance(self.value, list):
            return [part.plain for part in self.value]
        return self.value

    @property
    def shown(self) -> str:
        """The value as an error quotes it."""
        said = "null" if self.value is None else repr(self.plain)
        return said if len(said) <= MOST_SAID else f"{said[:MOST_SAID]} ..."


def written(value: Any, name: str = "") -> Written:
    """A value of Python's own as if it had been written somewhere, by the name of a setting."""
    if isinstance(value, dict):
        parts = {key: written(part, f"{name}.{key}") for key, part in value.items()}
        return Written(parts, name=name)
    if isinstance(value, (list, tuple)):
        return Written([written(part, name) for part in value], name=name)
    return Written(value, name=name)


def read(file: Path | str | None, changes: Sequence[str] = ()) -> Written:
    """A file's mapping, or an empty one, with changes like `deals=100` or `part.name=[1, 2]`."""
    top = Written({}) if file is None else _read_file(Path(file))
    if top.value is None:
        top = Written({}, top.where)
    if not isinstance(top.value, dict):
        raise top.wrong(f"settings are written like 'name: value', not {top.shown}")
    for change in changes:
        _put(top.value, change)
    where = " with ".join(filter(None, [top.where, _told(changes)]))
    return Written(top.value, where)


def _told(changes: Sequence[str]) -> str:
    return " ".join(f"--set {change}" for change in changes)


def _read_file(file: Path) -> Written:
    try:
        with open(file, "rb") as stream:
            content = stream.read(MOST_BYTES + 1)
        text = content.decode("utf-8")
    except OSError as error:
        raise BadOption(f"{file} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise BadOption(f"{file} is not a text in UTF-8") from error
    except ValueError as error:  # of a name that no file can have
        raise BadOption(f"{str(file)!r} cannot be read: {error}") from error
    if len(content) > MOST_BYTES:
        raise BadOption(f"{file} has more than {MOST_BYTES} bytes: it holds no settings")
    return Written(_parse(text, str(file), lines=True).value, str(file))


def _put(top: dict[str, Written], change: str) -> None:
    """Puts one change of the command line in its place, over what the file has there."""
    path, sign, text = change.partition("=")
    name, where = path.strip(), f"--set {path.strip()}"
    if not path.isprintable():
        raise BadOption(f"--set {change[:80]!r}: a name has no letters that cannot be printed")
    if not sign or not all(name.split(".")):
        raise BadOption(f"--set {change}: write it as name=value, or part.name=value")
    *parts, last = name.split(".")
    for part in parts:
        inside = top.get(part)
        if inside is None or not isinstance(inside.value, dict):
            inside = Written({}, where)
        top[part] = Written(dict(inside.value), inside.where)
        top = top[part].value
    top[last] = _parse(text, where, lines=False)


class _Loader(yaml.SafeLoader):
    """YAML 1.1, but for numbers like 1e-3, which it would read as text."""


_Loader.add_implicit_resolver(
    "tag:yaml.org,2002:float",
    re.compile(r"[-+]?(\d+\.?\d*|\.\d+)[eE][-+]?\d+$"),
    list("-+.0123456789"),
)


def _parse(text: str, source: str, lines: bool) -> Written:
    try:
        loader = _Loader(text)
        node = loader.get_single_node()
        return Written(None, source) if node is None else _Reading(loader, source, lines).read(node)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark and lines else None
        raise BadOption(f"{_place(source, line)}: this is not YAML: {error.problem}") from error
    except yaml.YAMLError as error:
        raise BadOption(f"{source} is not YAML: {' '.join(str(error).split())}") from error
    except ValueError as error:  # of a date that does not exist, or a number too long
        if isinstance(error, BadOption):
            raise
        raise BadOption(f"{source}: {error}") from error
    except RecursionError as error:
        raise BadOption(f"{source}: a value holds itself, or is nested too deeply") from error
    except (AttributeError, LookupError, TypeError) as error:  # of a tag that does not fit
        raise BadOption(f"{source}: there is a tag that does not fit its value") from error


def _place(source: str, line: int | None) -> str:
    return source if line is None else f"{source}, line {line}"


def _is_text(value: str) -> bool:
    """Can this be written into a file, or be the name of one?"""
    return "\0" not in value and not re.search("[\ud800-\udfff]", value)


class _Reading:
    """Turns the nodes of one YAML text into values with their places."""

    def __init__(self, loader: _Loader, source: str, lines: bool) -> None:
        self._loader, self._source, self._lines = loader, source, lines
        self._values = 0

    def read(self, node: yaml.Node) -> Written:
        """A node and all below it."""
        where = self._where(node)
        self._values += 1
        if self._values > MOST_VALUES:  # a few aliases of aliases come to billions
            raise BadOption(f"{where}: there are more than {MOST_VALUES} values here")
        if isinstance(node, yaml.MappingNode):
            return Written(self._mapping(node), where)
        if isinstance(node, yaml.SequenceNode):
            return Written([self.read(part) for part in node.value], where)
        return Written(self._single(node, where), where)

    def _single(self, node: yaml.Node, where: str) -> Any:
        """A single value: a switch, a number or a text, or nothing at all."""
        try:
            value = self._loader.construct_object(node)
        except (ValueError, AttributeError, LookupError, TypeError, OverflowError) as error:
            told = f"{str(node.value)[:40]!r} is no {node.tag.rpartition(':')[2]}"
            why = f": {error}" if isinstance(error, ValueError) else ""
            raise BadOption(f"{where}: {told}{why}") from error
        if isinstance(value, int) and value.bit_length() > MOST_BITS:
            raise BadOption(f"{where}: a number of more than {MOST_BITS} bits is too long")
        if not isinstance(value, (str, int, float, NoneType)):
            raise BadOption(
                f"{where}: {str(node.value)[:40]!r} is read as a {type(value).__name__}: put it in "
                "quotes if it is a text"
            )
        if isinstance(value, str) and not _is_text(value):
            raise BadOption(f"{where}: {value[:40]!r} has letters that no text can have")
        return value

    def _mapping(self, node: yaml.MappingNode) -> dict[str, Written]:
        found: dict[str, Written] = {}
        for key, value in node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise BadOption(f"{self._where(key)}: a name is a word, not a list or a mapping")
            name = str(key.value)  # as it stands: YAML would take `on` for True
            if name in found:
                raise BadOption(
                    f"{self._where(key)}: {name!r} is given twice; before: {found[name].where}"
                )
            part = self.read(value)
            found[name] = Written(part.value, self._where(key))
        return found

    def _where(self, node: yaml.Node) -> str:
        return _place(self._source, node.start_mark.line + 1 if self._lines else None)
