"""What only developers run: it reads the code as it is, and counts what a call passes through."""

from __future__ import annotations

import ast

import pytest

from tools import architecture, hops, import_diagram


def test_a_module_that_is_named_in_a_string_is_imported() -> None:
    found = architecture.imports("domino_env.adapters.registration")
    assert {"domino_env.adapters.aec", "domino_env.adapters.single"} <= found


def test_what_only_a_type_checker_sees_is_not_imported() -> None:
    assert "domino_env.evaluate.tournament" not in architecture.imports(
        "domino_env.evaluate.journal"
    )


def test_an_import_inside_a_function_is_one() -> None:
    source = ast.parse(architecture.modules()["domino_env.adapters.opponents"].read_text())
    at_the_top = {node.module for node in source.body if isinstance(node, ast.ImportFrom)}
    assert not any((name or "").startswith("domino_env.agents") for name in at_the_top)
    assert "domino_env.agents" in architecture.imports("domino_env.adapters.opponents")


def test_a_room_without_a_layer_is_an_error_that_says_what_to_do() -> None:
    with pytest.raises(LookupError, match=r"put it into the lists of tools/architecture\.py"):
        architecture.layer_of("domino_env.somewhere")


def test_the_diagram_has_every_room_and_draws_no_way_that_another_way_has() -> None:
    drawn = import_diagram.diagram()
    for room in import_diagram.rooms():
        assert f'["{room or "domino_env"}"]' in drawn
    assert "cli --> play" in drawn
    assert "cli" in architecture.arrows()["tools"]
    assert "evaluate" in architecture.arrows()["cli"]
    assert "cli --> evaluate" not in drawn, "by way of play"


def test_every_room_says_what_it_is_for() -> None:
    for room in import_diagram.rooms():
        assert import_diagram.purpose(room), room


def outer() -> int:
    return architecture.layer_of("domino_env.engine.rng")


def test_hops_are_the_functions_of_ours_in_their_order() -> None:
    names = [code.co_name for code in hops.passed_through(outer)]
    assert names == ["layer_of", "room_of", "_place"]
    assert hops.hops(outer) == {"functions": 3, "files": 1, "rooms": ["tools"]}


@pytest.mark.parametrize("name", hops.CALLS)
def test_calls_that_are_counted_can_be_made(name: str) -> None:
    found = hops.hops(hops.CALLS[name]())
    assert 0 < found["files"] <= found["functions"]
