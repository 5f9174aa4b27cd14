"""Shell completion for the `domino` command, made from its own parser.

The script lists every word that can be completed, so that pressing TAB starts no Python. Write it
again after an upgrade:

    domino completion bash > ~/.local/share/bash-completion/completions/domino
    domino completion zsh > "${fpath[1]}/_domino"
    domino completion fish > ~/.config/fish/completions/domino.fish
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass, field
from shlex import quote
from typing import Any

from domino_env import agents
from domino_env.config import shipped
from domino_env.games import variants


@dataclass
class Option:
    """A word that begins with dashes, and the values it takes: None if none, [] if any."""

    word: str
    help: str
    values: list[str] | None = None


@dataclass
class Command:
    """A command: the words that complete its arguments, and its options."""

    name: str
    help: str
    words: list[str] = field(default_factory=list)
    options: list[Option] = field(default_factory=list)


def script(subparsers: Any, shell: str) -> str:
    """The completion script of a shell for these commands (argparse's group of subparsers)."""
    commands = list(_commands(subparsers))
    return {"bash": _bash, "zsh": _zsh, "fish": _fish}[shell](commands)


def _commands(subparsers: Any) -> Iterator[Command]:
    """The commands, read from what argparse knows of them."""
    helps = {each.dest: each.help or "" for each in subparsers._get_subactions()}
    for name, sub in subparsers.choices.items():
        command = Command(name, helps[name])
        for action in sub._actions:
            if action.help == argparse.SUPPRESS:
                continue
            values = _values(name, action)
            if not action.option_strings:
                command.words += values
                continue
            takes = None if action.nargs == 0 else values
            text = action.help or ""
            command.options += [Option(word, text, takes) for word in action.option_strings]
        yield command


def _values(command: str, action: argparse.Action) -> list[str]:
    """What may be written for an argument; nothing if it may be anything."""
    if action.choices is not None:
        return [str(choice) for choice in action.choices]
    if action.dest == "game" and action.metavar == "id":
        return variants()
    if action.dest in ("against", "watch"):
        return agents.names()
    names = list(shipped.shipped())
    if command == "configs" and action.dest == "name":
        return names
    if action.dest in ("file", "config"):
        ours = [name for name in names if shipped.COMMANDS[name.rpartition("/")[0]] == command]
        return [name.partition("/")[2] or name for name in ours]
    return []


# One shell each ----------------------------------------------------------------------------------


def _bash(commands: list[Command]) -> str:
    lines = [
        "_domino() {",
        "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}",
        "    COMPREPLY=()",
        '    if [ "$COMP_CWORD" -eq 1 ]; then',
        f"        {_reply([each.name for each in commands] + ['--help', '--version'])}",
        "        return",
        "    fi",
        '    case "${COMP_WORDS[1]} $before" in',
    ]
    for values, places in _by_values(commands):
        lines += [f"        {'|'.join(places)})", f"            {_reply(values)}; return ;;"]
    lines += ["    esac", '    case "${COMP_WORDS[1]}" in']
    for command in commands:
        words = command.words + [option.word for option in command.options]
        lines += [f"        {command.name})", f"            {_reply(words)} ;;"]
    lines += ["    esac", "}", "complete -o default -F _domino domino"]
    return "\n".join(lines)


def _reply(words: list[str]) -> str:
    """With no answer the shell offers files, by `-o default`."""
    return f'COMPREPLY=($(compgen -W {quote(" ".join(words))} -- "$word"))'


def _zsh(commands: list[Command]) -> str:
    lines = [
        "#compdef domino",
        "_domino() {",
        "    if (( CURRENT == 2 )); then",
        f"        compadd -- {_quoted([each.name for each in commands])} --help --version",
        "        return",
        "    fi",
        '    case "$words[2] $words[CURRENT-1]" in',
    ]
    for values, places in _by_values(commands):
        act = f"compadd -- {_quoted(values)}" if values else "_files"
        lines.append(f"        ({'|'.join(places)}) {act}; return ;;")
    lines += ["    esac", '    case "$words[2]" in']
    for command in commands:
        words = command.words + [option.word for option in command.options]
        lines.append(f"        ({command.name}) compadd -- {_quoted(words)}; _files ;;")
    lines += [
        "    esac",
        "}",
        'if [ "$funcstack[1]" = "_domino" ]; then _domino "$@"; else compdef _domino domino; fi',
    ]
    return "\n".join(lines)


def _fish(commands: list[Command]) -> str:
    lines = []
    for command in commands:
        about = f"-a {command.name} -d {quote(command.help)}"
        lines.append(f"complete -c domino -f -n __fish_use_subcommand {about}")
        inside = f"complete -c domino -n {quote(f'__fish_seen_subcommand_from {command.name}')}"
        if command.words:
            lines.append(f"{inside} -a {quote(' '.join(command.words))}")
        for option in command.options:
            dashes = option.word.lstrip("-")
            line = f"{inside} {'-l' if option.word.startswith('--') else '-s'} {dashes}"
            if option.values is not None:
                line += " -r"
            if option.values:
                line += f" -f -a {quote(' '.join(option.values))}"
            lines.append(f"{line} -d {quote(option.help)}")
    return "\n".join(lines)


def _by_values(commands: list[Command]) -> list[tuple[list[str], list[str]]]:
    """What may follow an option, and the places where it is that: `'train --engine'`."""
    found: dict[tuple[str, ...], list[str]] = {}
    for command in commands:
        for option in command.options:
            if option.values is not None:
                place = quote(f"{command.name} {option.word}")
                found.setdefault(tuple(option.values), []).append(place)
    return [(list(values), places) for values, places in found.items()]


def _quoted(words: list[str]) -> str:
    return " ".join(map(quote, words))
