"""Dense layers: what PyTorch's own give, whoever multiplies, in whole and entry by entry."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
import torch

from domino_env.train import dense_layers
from domino_env.train.dense_layers import Dense, DenseLayers, product, rounded, with_rows
from domino_env.train.networks import layers_of_sizes

SIZES = (31, 40, 24, 9)


@pytest.fixture(params=["as it comes", "without oneDNN"], autouse=True)
def multiplied(request: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test is run with what the machine has, and with PyTorch's usual products."""
    if request.param == "without oneDNN":
        monkeypatch.setattr(dense_layers, "HAS_ONEDNN", False)
    else:
        monkeypatch.setattr(dense_layers, "LEAST", 1)


def pair() -> tuple[DenseLayers, torch.nn.Sequential]:
    """Layers, and PyTorch's own with the same weights."""
    ours = layers_of_sizes(SIZES, 1.0, torch.Generator().manual_seed(3))
    parts: list[torch.nn.Module] = []
    for before, after in pairwise(SIZES):
        parts += [torch.nn.Linear(before, after), torch.nn.ReLU()]
    theirs = torch.nn.Sequential(*parts[:-1])
    theirs.load_state_dict(ours.state_dict())
    return ours, theirs


def seen(rows: int) -> torch.Tensor:
    return torch.randn(rows, SIZES[0], generator=torch.Generator().manual_seed(rows))


@pytest.mark.parametrize("rows", [0, 1, 7, 100])
def test_layers_and_their_derivatives_are_those_of_pytorch(rows: int) -> None:
    inputs = [seen(rows).requires_grad_() for _ in range(2)]
    found = [layers(each) for layers, each in zip(pair(), inputs, strict=True)]
    assert found[0].shape == (rows, SIZES[-1])
    ours, theirs = pair()
    for layers, each in zip((ours, theirs), inputs, strict=True):
        (layers(each) ** 2).sum().backward()
    torch.testing.assert_close(found[0], found[1])
    torch.testing.assert_close(inputs[0].grad, inputs[1].grad)
    for mine, other in zip(ours.parameters(), theirs.parameters(), strict=True):
        torch.testing.assert_close(mine.grad, other.grad, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("rows", [0, 1, 9, 17, 1000])
def test_what_is_only_looked_at_is_the_same(rows: int) -> None:
    ours, theirs = pair()
    with torch.no_grad():
        torch.testing.assert_close(ours(seen(rows)), theirs(seen(rows)))


def test_layers_may_begin_with_relu() -> None:
    ours, theirs = pair()
    parts = DenseLayers(*list(ours)[1:]), torch.nn.Sequential(*list(theirs)[1:])
    inputs = torch.randn(12, SIZES[1], generator=torch.Generator().manual_seed(0))
    torch.testing.assert_close(parts[0](inputs), parts[1](inputs))
    assert (inputs < 0).any(), "nothing that is given is changed"


def test_inputs_may_have_dimensions_more() -> None:
    ours, theirs = pair()
    inputs = seen(35).reshape(5, 7, SIZES[0])
    torch.testing.assert_close(ours(inputs), theirs(inputs))
    with torch.no_grad():
        torch.testing.assert_close(ours(inputs), theirs(inputs))


@pytest.mark.parametrize("decisions", [0, 1, 50])
def test_entries_are_those_of_the_whole(decisions: int) -> None:
    chance = torch.Generator().manual_seed(decisions)
    rows = torch.randint(0, max(1, decisions), (3 * decisions,), generator=chance).sort()[0]
    columns = torch.randint(0, SIZES[1], (3 * decisions,), generator=chance)
    ours, theirs = (layers[0] for layers in pair())
    assert isinstance(ours, Dense)
    inputs = [seen(decisions).requires_grad_() for _ in range(2)]
    found = ours.entries(inputs[0], rows, columns)
    expected = theirs(inputs[1])[rows, columns]
    torch.testing.assert_close(found, expected)
    with torch.no_grad():
        torch.testing.assert_close(ours.entries(inputs[0], rows, columns), expected)
    (found**2).sum().backward()  # type: ignore[no-untyped-call]
    (expected**2).sum().backward()
    torch.testing.assert_close(inputs[0].grad, inputs[1].grad)
    for mine, other in zip(ours.parameters(), theirs.parameters(), strict=True):
        torch.testing.assert_close(mine.grad, other.grad, rtol=1e-4, atol=1e-4)


def test_a_product_without_relu_keeps_what_is_negative() -> None:
    inputs, weight = seen(8), torch.eye(SIZES[0])
    torch.testing.assert_close(product(inputs, weight, None), inputs)
    torch.testing.assert_close(product(inputs, weight, None, relu=True), inputs.clamp(min=0))


def test_numbers_of_rows_are_few_and_not_much_larger() -> None:
    sizes = [rounded(rows) for rows in range(1, 5000)]
    assert all(rows <= size <= rows * 1.125 + 1 for rows, size in enumerate(sizes, 1))
    assert len({size for size in sizes if size > 1000}) <= 8 * 3
    assert rounded(0) == 0
    assert [rounded(size) for size in sizes] == sizes


def test_rows_that_are_added_are_zeros() -> None:
    inputs = seen(5)
    assert with_rows(inputs, 5) is inputs
    longer = with_rows(inputs, 8)
    assert longer[:5].equal(inputs)
    assert not longer[5:].any()
