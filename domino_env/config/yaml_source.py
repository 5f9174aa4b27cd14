"""Settings from YAML and the command line, with the location of every value: an error can then say
which line to look at."""

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
    """An invalid setting, by its name; the loader adds the location, which it knows."""

    def __init__(self, name: str, said: str) -> None:
        super().__init__(said)
        self.name = name


@contextmanager
def about(name: str) -> Iterator[None]:
    """Errors in the block are errors of this setting."""
    try:
        yield
    except DominoError as error:
        raise BadSetting(getattr(error, "name", name), str(error)) from error


@dataclass(frozen=True)
class Located:
    """A value and its location in the source. The value of a mapping is `dict[str, Located]`, of a
    list `list[Located]`."""

    value: Any
    where: str = ""
    """Like `configs/demo.yaml, line 4` or `--set deals`; empty for a value from Python."""
    name: str = ""
    """Of the setting, for such a value: `rules.hand_size`."""

    def wrong(self, said: str) -> BadOption:
        """The error with this message, and the location."""
        return BadOption(f"{self.where}: {said}") if self.where else BadSetting(self.name, said)

    def part(self, name: str) -> Located:
        """The value of a setting inside, or the nearest thing around it."""
        found = self
        for word in name.split("."):
            if not isinstance(found.value, dict) or word not in found.value:
                break
            found = found.value[word]
        return found

    @property
    def plain(self) -> Any:
        """The value without locations."""
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


def located(value: Any, name: str = "") -> Located:
    """A value from Python, which has the name of its setting for a location."""
    if isinstance(value, dict):
        parts = {key: located(part, f"{name}.{key}") for key, part in value.items()}
        return Located(parts, name=name)
    if isinstance(value, (list, tuple)):
        return Located([located(part, name) for part in value], name=name)
    return Located(value, name=name)


def read(file: Path | str | None, changes: Sequence[str] = ()) -> Located:
    """A file's mapping, or an empty one, with changes like `deals=100` or `part.name=[1, 2]`."""
    top = Located({}) if file is None else _read_file(Path(file))
    if top.value is None:
        top = Located({}, top.where)
    if not isinstance(top.value, dict):
        raise top.wrong(f"settings are written like 'name: value', not {top.shown}")
    for change in changes:
        _apply_change(top.value, change)
    where = " with ".join(filter(None, [top.where, _told(changes)]))
    return Located(top.value, where)


def _told(changes: Sequence[str]) -> str:
    return " ".join(f"--set {_one_line(change)}" for change in changes)


def _one_line(text: str) -> str:
    """A text as an error quotes it: without line breaks, or whatever else cannot be seen."""
    return text if text.isprintable() else repr(text)


def _read_file(file: Path) -> Located:
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
    return Located(_parse(text, str(file), lines=True).value, str(file))


def _apply_change(top: dict[str, Located], change: str) -> None:
    """Puts one override of the command line over what the file has there."""
    path, sign, text = change.partition("=")
    name, where = path.strip(), f"--set {_one_line(path.strip())}"
    if not sign or not all(name.split(".")):
        raise BadOption(f"--set {_one_line(change)}: write it as name=value, or part.name=value")
    *parts, last = name.split(".")
    for part in parts:
        inside = top.get(part)
        if inside is None or not isinstance(inside.value, dict):
            inside = Located({}, where)
        top[part] = Located(dict(inside.value), inside.where)
        top = top[part].value
    top[last] = _parse(text, where, lines=False)


class _Loader(yaml.SafeLoader):
    """YAML 1.1, but for numbers like 1e-3, which it would read as text."""


_Loader.add_implicit_resolver(
    "tag:yaml.org,2002:float",
    re.compile(r"[-+]?(\d+\.?\d*|\.\d+)[eE][-+]?\d+$"),
    list("-+.0123456789"),
)


def _parse(text: str, source: str, lines: bool) -> Located:
    try:
        loader = _Loader(text)
        node = loader.get_single_node()
        return (
            Located(None, source) if node is None else _NodeReader(loader, source, lines).read(node)
        )
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
        raise BadOption(f"{source}: a tag does not fit its value") from error


def _place(source: str, line: int | None) -> str:
    return source if line is None else f"{source}, line {line}"


def _is_text(value: str) -> bool:
    """Can this be written into a file, or be the name of one?"""
    return "\0" not in value and not re.search("[\ud800-\udfff]", value)


class _NodeReader:
    """Turns the nodes of one YAML text into located values."""

    def __init__(self, loader: _Loader, source: str, lines: bool) -> None:
        self._loader, self._source, self._lines = loader, source, lines
        self._values = 0

    def read(self, node: yaml.Node) -> Located:
        """A node and all below it."""
        where = self._where(node)
        self._values += 1
        if self._values > MOST_VALUES:  # a few aliases of aliases come to billions
            raise BadOption(f"{where}: there are more than {MOST_VALUES} values here")
        if isinstance(node, yaml.MappingNode):
            return Located(self._mapping(node), where)
        if isinstance(node, yaml.SequenceNode):
            return Located([self.read(part) for part in node.value], where)
        return Located(self._single(node, where), where)

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

    def _mapping(self, node: yaml.MappingNode) -> dict[str, Located]:
        found: dict[str, Located] = {}
        for key, value in node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise BadOption(f"{self._where(key)}: a name is a word, not a list or a mapping")
            name = str(key.value)  # as it stands: YAML would take `on` for True
            if name in found:
                raise BadOption(
                    f"{self._where(key)}: {name!r} is given twice; before: {found[name].where}"
                )
            part = self.read(value)
            found[name] = Located(part.value, self._where(key))
        return found

    def _where(self, node: yaml.Node) -> str:
        return _place(self._source, node.start_mark.line + 1 if self._lines else None)
