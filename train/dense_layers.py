"""Dense layers with ReLU between them, computed by oneDNN where PyTorch comes with it.

PyTorch multiplies matrices of 32-bit floats by MKL, which on processors that are not Intel's uses
half of a vector unit. oneDNN comes in the same wheel and has kernels for each kind. It is up to
twice as fast on those; the parameters, their names and the derivatives are those of the
`torch.nn.Sequential` that this is.
"""

from __future__ import annotations

import platform
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch


def _has_onednn() -> bool:
    """Does PyTorch come with oneDNN, on processors where it is the faster one?"""
    known: bool = torch.backends.mkldnn.is_available()  # type: ignore[no-untyped-call]
    return known and platform.machine() in ("x86_64", "AMD64")


HAS_ONEDNN = _has_onednn()
LEAST = 100  # rows and columns: of smaller matrices it takes longer to hand over the numbers


def rounded(rows: int) -> int:
    """The next number of rows of which there are eight to each doubling. oneDNN makes code for each
    shape, once, which takes as long as a product of some hundred rows: so there must be few."""
    step = 1 << max(0, rows.bit_length() - 4)
    return -(-rows // step) * step


def with_rows(inputs: torch.Tensor, rows: int) -> torch.Tensor:
    """The same with so many rows: those behind are zeros."""
    if rows == len(inputs):
        return inputs
    return torch.cat([inputs, inputs.new_zeros(rows - len(inputs), *inputs.shape[1:])])


def product(
    inputs: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None, relu: bool = False
) -> torch.Tensor:
    """`inputs @ weight.T + bias`, and what is negative of it replaced by 0; without derivatives."""
    found: torch.Tensor
    if HAS_ONEDNN and inputs.dtype == torch.float32 and min(*inputs.shape, *weight.shape) >= LEAST:
        biases = None if bias is None else bias.to_mkldnn()
        found = torch.nn.functional.linear(
            inputs.to_mkldnn(), weight.to_mkldnn(), biases
        ).to_dense()
    else:
        found = torch.nn.functional.linear(inputs, weight, bias)
    return found.relu_() if relu else found


class _Chain(torch.autograd.Function):
    """Layers in their order, each with a ReLU behind it or without: the weight and the bias of
    each are the `parameters`."""

    @staticmethod
    def forward(
        ctx: Any, inputs: torch.Tensor, relus: Sequence[bool], *parameters: torch.Tensor | None
    ) -> torch.Tensor:
        """What the last layer gives."""
        given = [inputs]
        for layer, relu in enumerate(relus):
            weight, bias = parameters[2 * layer : 2 * layer + 2]
            assert weight is not None
            given.append(product(given[-1], weight, bias, relu))
        ctx.relus = relus
        ctx.save_for_backward(*given, *parameters[::2])
        return given[-1]

    @staticmethod
    def backward(ctx: Any, gradient: torch.Tensor) -> Any:
        """What they pass back."""
        number = len(ctx.relus)
        given, weights = ctx.saved_tensors[: number + 1], ctx.saved_tensors[number + 1 :]
        found: list[torch.Tensor | None] = [None] * (2 * number)
        for layer in reversed(range(number)):
            if ctx.relus[layer]:
                ours = layer < number - 1  # a gradient that nobody else has
                gradient = _where_positive(gradient, given[layer + 1], ours)
            found[2 * layer] = product(gradient.t(), given[layer].t(), None)
            if ctx.needs_input_grad[2 * layer + 3]:
                found[2 * layer + 1] = gradient.sum(0)
            if layer or ctx.needs_input_grad[0]:
                gradient = product(gradient, weights[layer].t(), None)
        return gradient if ctx.needs_input_grad[0] else None, None, *found


def _where_positive(gradient: torch.Tensor, given: torch.Tensor, in_place: bool) -> torch.Tensor:
    """A gradient where a ReLU let something through."""
    found = gradient if in_place else gradient.clone()
    return found.masked_fill_(given <= 0, 0.0)


class _Entries(torch.autograd.Function):
    """Some entries of what a layer gives: a few to each row, where the whole would be many."""

    @staticmethod
    def forward(
        ctx: Any,
        inputs: torch.Tensor,
        weight: torch.Tensor,
        bias: torch.Tensor,
        rows: torch.Tensor,
        columns: torch.Tensor,
    ) -> torch.Tensor:
        """The entries."""
        ctx.save_for_backward(inputs, weight, rows, columns)
        return entries(inputs, weight, bias, rows, columns)

    @staticmethod
    def backward(ctx: Any, gradient: torch.Tensor) -> Any:
        """What they pass back: weighted sums of the rows of the weight, and of the inputs."""
        inputs, weight, rows, columns = ctx.saved_tensors
        order = _order(columns, len(weight))
        to_inputs = _sums(weight, columns, rows, gradient, len(inputs))
        to_weight = _sums(inputs, rows[order], columns, gradient[order], len(weight))
        to_bias = torch.zeros(len(weight)).index_add(0, columns, gradient)
        return to_inputs, to_weight, to_bias, None, None


def entries(
    inputs: torch.Tensor,
    weight: torch.Tensor,
    bias: torch.Tensor,
    rows: torch.Tensor,
    columns: torch.Tensor,
) -> torch.Tensor:
    """`product(inputs, weight, bias)[rows, columns]`, and nothing else of it, for rows in ascending
    order; without derivatives."""
    return (inputs[rows] * weight[columns]).sum(1) + bias[columns]


def _order(columns: torch.Tensor, number: int) -> torch.Tensor:
    """The places of columns in their order. Of small integers NumPy finds it by counting."""
    small = columns.numpy().astype(np.min_scalar_type(number))
    return torch.as_tensor(small.argsort(kind="stable"))


def _sums(
    table: torch.Tensor,
    places: torch.Tensor,
    owners: torch.Tensor,
    factors: torch.Tensor,
    number: int,
) -> torch.Tensor:
    """For each owner the sum of its rows of a table, each times its factor."""
    return torch.nn.functional.embedding_bag(
        places, table, _firsts(owners, number), mode="sum", per_sample_weights=factors
    )


def _firsts(owners: torch.Tensor, number: int) -> torch.Tensor:
    """Where the entries of each owner begin, once they stand in the order of these."""
    counts = owners.bincount(minlength=number)
    return counts.cumsum(0) - counts


class Dense(torch.nn.Linear):
    """A layer."""

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        """What it gives."""
        return through([self], inputs)

    def entries(
        self, inputs: torch.Tensor, rows: torch.Tensor, columns: torch.Tensor
    ) -> torch.Tensor:
        """Some entries of what it gives: of rows in ascending order, in some columns."""
        some = _Entries.apply if torch.is_grad_enabled() else entries
        found: torch.Tensor = some(inputs, self.weight, self.bias, rows, columns)
        return found


class DenseLayers(torch.nn.Sequential):
    """Layers with ReLU between them, and before or behind them if it is among the parts."""

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        """What the last part gives."""
        return through(list(self), inputs)


def through(parts: Sequence[torch.nn.Module], inputs: torch.Tensor) -> torch.Tensor:
    """What the last of some parts gives: layers and ReLU. Where nothing is learned there may be any
    number of rows, and inputs may always have dimensions before the last two."""
    if inputs.ndim > 2:
        flat = through(parts, inputs.flatten(0, -2))
        return flat.reshape(*inputs.shape[:-1], flat.shape[-1])
    if parts and not isinstance(parts[0], torch.nn.Linear):
        return through(parts[1:], parts[0](inputs))
    following = [*parts[1:], None]
    layers = [
        (part, isinstance(after, torch.nn.ReLU))
        for part, after in zip(parts, following, strict=True)
        if isinstance(part, torch.nn.Linear)
    ]
    if torch.is_grad_enabled():
        return _learning(layers, inputs)
    found = with_rows(inputs, rounded(len(inputs)))
    for layer, relu in layers:
        found = product(found, layer.weight, layer.bias, relu)
    return found[: len(inputs)]


def _learning(layers: list[tuple[torch.nn.Linear, bool]], inputs: torch.Tensor) -> torch.Tensor:
    """What the last layer gives, with derivatives."""
    parameters = [each for layer, _ in layers for each in (layer.weight, layer.bias)]
    relus = [relu for _, relu in layers]
    found: torch.Tensor = _Chain.apply(inputs, relus, *parameters)  # type: ignore[no-untyped-call]
    return found
