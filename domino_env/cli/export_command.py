"""`domino export`: a trained policy as an ONNX file, compared with our own play of it."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

CHECKED = 2000  # decisions in which the file's logits are compared with ours
GAMES = 100  # that are played at once, for these decisions


def add(commands: Any) -> None:
    """Declares its arguments."""
    command = commands.add_parser("export", help="write a trained policy as an ONNX file")
    command.add_argument(
        "policy",
        metavar="POLICY",
        help="a policy file, as `domino train` writes it, or an agent that has policies (net, ppo)",
    )
    command.add_argument("--game", metavar="ID", help="for an agent: the game whose policy it is")
    command.add_argument("--hand-size", type=int, help="... and a house rule: tiles dealt to each")
    command.add_argument(
        "--out", metavar="FILE", help="the file to write (default: the game's id, .onnx)"
    )
    command.set_defaults(run=run, extra="onnx")


def run(options: argparse.Namespace) -> int:
    """Writes the file, once onnxruntime has found the same logits in it as we do."""
    from domino_env.extras import must_have

    must_have("onnx", "onnxruntime", extra="onnx")
    from domino_env.adapters.onnx_export import must_agree, to_onnx
    from domino_env.files import must_be_writable, write_whole

    policy, batch = _found(options)
    out = Path(options.out or f"{policy.game}.onnx")
    must_be_writable(out.parent)
    content = to_onnx(policy)
    apart = must_agree(policy, content, batch, CHECKED)
    write_whole(out, content)
    print(
        f"{out}: {policy.game}, {policy.num_players} players, {len(content):,} bytes; in "
        f"{CHECKED:,} decisions its logits are ours, to within {apart:.1e}"
    )
    return 0


def _found(options: argparse.Namespace) -> tuple[Any, Any]:
    """The policy, and games that it is for."""
    import domino_env
    from domino_env.agents.networks.player import shipped_for
    from domino_env.agents.networks.policy import read_policy
    from domino_env.batches import Batch
    from domino_env.errors import BadOption

    players = _policy_players()
    if options.policy not in players:
        policy = read_policy(Path(options.policy))
        rules = domino_env.rules(policy.game, **policy.changes)
        return policy, Batch(rules, GAMES, policy.num_players, seed=0)
    if options.game is None:
        raise BadOption(f"{options.policy} has policies for many games: say which, by --game ID")
    changes = {} if options.hand_size is None else {"hand_size": options.hand_size}
    batch = Batch(domino_env.rules(options.game, **changes), GAMES, seed=0)
    return shipped_for(players[options.policy].folders, batch), batch


def _policy_players() -> dict[str, Any]:
    """The agents whose policies come with the package."""
    from domino_env import agents
    from domino_env.agents.networks.player import PolicyPlayer

    names = ("net", "ppo", *agents.former_versions())
    kinds = {name: agents.found(name) for name in names}
    return {name: kind for name, kind in kinds.items() if issubclass(kind, PolicyPlayer)}
