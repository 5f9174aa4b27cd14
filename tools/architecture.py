"""The architecture of the code, read from its imports: rooms, their order, and who imports whom.

A *room* is a package of `domino_env`, or a single module of it. `LAYERS` is the order in which
rooms stand on one another, and `INSIDE` the order of the modules in the larger rooms; tests hold
the code to both, and docs/architecture.md shows them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import domino_env

ROOT = Path(domino_env.__file__).parent.parent
FOLDERS = ("domino_env", "agents", "train", "tools")

# From the bottom up. A room may import those of its own layer and of the layers below.
LAYERS = [
    ["errors", "lazy", "words"],
    ["plain", "tileset", "arrays", "extras", "files", "locks", "position_archive"],
    ["ruleset", "puzzles.rules"],
    ["game_facts"],
    ["compiling"],
    ["engine"],
    ["puzzles"],
    ["engine_kernels"],
    ["lanes", "learner_lanes"],
    ["games"],
    ["actions", "deals", "laid"],
    ["hex_text"],
    ["position"],
    ["table_reader"],
    ["solo"],
    ["engines"],
    ["batches"],
    ["belief", "record", "text"],
    ["render", "protocol"],
    ["agents"],
    ["solve", "protocol.serving", "protocol.checking"],
    ["text.env"],
    ["adapters"],
    ["warming"],
    [""],
    ["config", "execution"],
    ["evaluate"],
    ["data"],
    ["train"],
    ["play", "bench"],
    ["cli"],
    ["__main__"],
    ["tools"],
]

# The same inside the rooms that have more than a few modules; "" is the room's own module.
INSIDE: dict[str, list[list[str]]] = {
    "compiling": [
        ["announce", "kernels"],
        ["fingerprint", "forms", "inner", "instructions"],
        ["object_code", "source"],
        ["linking"],
        ["specialising"],
        ["running"],
        [""],
    ],
    "engine": [
        ["state"],
        ["bits", "eights", "events", "scaled", "prefetch", "rng", "seats", "lane_checks"],
        ["game_setup"],
        ["features"],
        ["rule_table", "log"],
        ["sizes"],
        ["layout"],
        ["deal", "moves", "points"],
        ["bonuses", "rewards", "tally", "round_facts"],
        ["drawing", "observe", "recall", "scoring"],
        ["questions", "turn"],
        ["playing"],
        ["move_features"],
        ["move_graphs"],
        ["rounds"],
        ["hidden"],
        ["table_game"],
        [""],
    ],
    "batches": [
        ["workers"],
        ["options", "memory"],
        ["observations"],
        ["checks"],
        ["move_features", "histories"],
        ["move_graphs"],
        ["batch"],
        ["playing_on"],
        [""],
    ],
    "render": [
        ["scene", "occupancy", "text_canvas", "theme"],
        ["hex_text", "straight_room", "antialias"],
        ["straight_layout", "fold"],
        ["table_layout"],
        ["compose"],
        ["ansi", "svg", "raster"],
        ["film", "replay", "window"],
        [""],
    ],
    "text": [
        ["lexer", "trains", "word_lists", "wrapping"],
        [
            "rules_alone",
            "rules_of_bonuses",
            "rules_of_opening",
            "rules_of_play",
            "rules_of_scoring",
        ],
        ["objects", "rulebook"],
        ["clauses"],
        ["statements"],
        ["vocabulary"],
        ["matching", "events"],
        ["parsing"],
        ["facts"],
        ["plain_style"],
        ["prompting", "positions_file"],
        ["valued_positions"],
        [""],
    ],
    "protocol": [
        ["keeper", "faults", "clocks", "terms", "descriptions"],
        ["process", "seen", "spelling"],
        ["composing"],
        ["states", "answers"],
        ["rules_message", "recollection"],
        ["session"],
        [""],
    ],
    "adapters": [
        ["action_space", "common", "history", "onnx_nodes", "opponents"],
        ["learner_seat"],
        ["aec", "single"],
        ["registration"],
        [
            "gymnasium_text",
            "inspect_ai",
            "minari",
            "onnx_export",
            "openenv",
            "openspiel",
            "pufferlib",
            "rlcard",
            "rllib",
            "sb3",
            "textarena",
            "tianshou",
            "torchrl",
            "trl",
            "verifiers",
        ],
        ["kaggle", "verifiers_moves"],
        [""],
    ],
    "agents": [
        ["custom"],
        [""],
        ["features", "language"],
        ["random", "greedy_pip", "heuristic", "optimal", "turn_first"],
        ["networks"],
        ["searching"],
        ["clairvoyant", "determinised", "engine", "llm", "net", "pimc", "ppo", "search"],
    ],
    "belief": [
        ["sampling"],
        ["marginals", "weighing"],
        ["public", "guesses"],
        ["holdings_file"],
        ["holdings"],
        [""],
    ],
    "solve": [
        ["records", "all_deals", "sweeps", "lots", "double_dummy"],
        ["witnessed", "retracing"],
        ["growing"],
        ["growth"],
        ["tree"],
        ["plans", "gambit"],
        ["solvers", "policies"],
        ["mini_games"],
        [""],
    ],
    "evaluate": [
        ["statistics", "rollout", "entrants", "watchdog", "paired_gains", "markdown"],
        ["move_benchmark", "move_values", "belief_benchmark", "mixed_play", "policy_files"],
        ["aivat", "forfeits", "cross_score"],
        ["pairing", "solo_scores"],
        ["margin_table"],
        ["ratings", "alpha_rank", "nash_averaging", "scoresheet", "journal"],
        ["mixed_tables", "rich_tables"],
        ["table_ratings"],
        ["results"],
        ["tournament"],
        ["benchmark", "chart", "report", "cross_play"],
        ["benchmark_run"],
        ["benchmark_report"],
        ["console"],
        [""],
    ],
    "data": [
        ["reader", "holdings_reader", "splits"],
        ["torch_reader", "generate"],
        ["writer"],
        ["move_values_writer"],
        ["canonical"],
        [""],
    ],
    "train": [
        ["settings", "losses", "rng_state", "decisions", "metric_log", "measuring", "sb3_baseline"],
        ["encoders", "dense_layers"],
        ["self_play", "oracle_teacher", "networks"],
        ["search_teacher", "graph_network"],
        ["backend"],
        ["local_learner"],
        ["local_backend"],
        ["training", "belief_learner", "offline_baselines"],
        ["checkpoints", "learning_curve", "best_response", "algorithms"],
        ["runner", "tune"],
        ["seeds"],
        ["rllib"],
        [""],
    ],
    "play": [
        ["setup", "guard", "compile_watch", "connection_timeouts"],
        ["session", "hints", "phrases", "saved_games"],
        ["game_host"],
        ["views", "terminal"],
        ["server"],
        ["start"],
        [""],
    ],
    "bench": [
        ["one_core", "baselines"],
        ["peers"],
        ["benchmark"],
        ["workloads", "render", "startup", "engine_overhead"],
        ["suite", "tables"],
        ["speed"],
        [""],
    ],
    "cli": [
        [
            "arguments",
            "completion",
            "new_agent",
            "record_viewer",
            "demo",
            "exploiting",
            "learning",
        ],
        ["*_command"],
        ["main"],
        [""],
    ],
    "ruleset": [
        ["limits", "values", "conditions"],
        ["needs_of_play", "needs_of_scoring"],
        ["own_fields", "playable", "needs", "former", "options"],
        ["part"],
        ["parts", "points"],
        ["declaration"],
        [""],
    ],
}
INNER = ("puzzles.rules", "text.env", "protocol.serving", "protocol.checking")
"""Rooms inside others, in a layer of their own."""
UTILITIES = {"errors", "lazy", "plain", "arrays", "extras", "files", "locks", "tileset", "__main__"}
"""Left out of the diagram: everything may import them."""


@cache
def modules() -> dict[str, Path]:
    """Every module of the code, by its name: `domino_env.engine.rng`, `tools.docs`."""
    found = {}
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            parts = ("domino_env", *parts) if folder in ("agents", "train") else parts
            found[".".join(parts).removesuffix(".__init__")] = path
    return found


@cache
def imports(name: str) -> set[str]:
    """The modules of ours that a module imports, by a statement or by their names in a string."""
    return {each for word in [*statements(name), *strings(name)] if (each := _module(word))}


def statements(name: str) -> Iterator[str]:
    """What a module's import statements name, but for what only a type checker sees."""
    tree = syntax_tree(name)
    guarded = {
        id(node)
        for block in ast.walk(tree)
        if isinstance(block, ast.If) and ast.unparse(block.test) == "TYPE_CHECKING"
        for node in ast.walk(block)
    }
    for node in ast.walk(tree):
        if id(node) in guarded:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def strings(name: str) -> Iterator[str]:
    """Strings that are the name of a module, or of something in one, like those of entry points:
    `domino_env.adapters.aec:raw_aec`. One that names a module's own package imports nothing."""
    for node in ast.walk(syntax_tree(name)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if re.fullmatch(r"domino_env(\.\w+)+(:\w+)?", node.value):
                if not name.startswith(f"{node.value}."):
                    yield node.value.replace(":", ".")


def computed(name: str) -> list[str]:
    """The arguments of calls that import whatever they are given, unless that is plain text."""
    return [
        ast.unparse(node.args[0])
        for node in ast.walk(syntax_tree(name))
        if isinstance(node, ast.Call)
        and ast.unparse(node.func).rpartition(".")[2] in ("import_module", "__import__")
        and not isinstance(node.args[0], ast.Constant)
    ]


@cache
def syntax_tree(name: str) -> ast.Module:
    """A module, parsed."""
    return ast.parse(modules()[name].read_text(encoding="utf-8"))


def _module(word: str) -> str | None:
    """The module that is meant by a name of one, or of something in one."""
    while word and word not in modules():
        word = word.rpartition(".")[0]
    return word or None


def room_of(name: str) -> str:
    """The room of a module: `engine`, `batches`; the package itself is ""."""
    if name.startswith("tools"):
        return "tools"
    for room in INNER:
        if f"{name}.".startswith(f"domino_env.{room}."):
            return room
    return f"{name}.".split(".")[1]


def layer_of(name: str) -> int:
    """The number of a module's layer, from the bottom."""
    return _place(LAYERS, room_of(name))


def inner_layer_of(name: str) -> int:
    """The number of a module's layer in its room."""
    return _place(INSIDE[room_of(name)], f"{name}.".split(".")[2])


def _place(layers: list[list[str]], name: str) -> int:
    for number, names in enumerate(layers):
        if name in names or any(
            each[0] == "*" and name.endswith(each[1:]) for each in names if each
        ):
            return number
    raise LookupError(f"{name!r} has no layer: put it into the lists of tools/architecture.py")


@cache
def arrows() -> dict[str, set[str]]:
    """For each room the rooms that it imports."""
    found: dict[str, set[str]] = {}
    for name in modules():
        room = room_of(name)
        found.setdefault(room, set()).update(room_of(each) for each in imports(name))
        found[room].discard(room)
    return found
