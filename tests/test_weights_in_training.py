"""Which weights a run begins with, and which ones it keeps."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from domino_env.batches import Batch
from domino_env.errors import BadOption
from domino_env.train.training import Training
from tests.test_training import short


@pytest.mark.parametrize("network", ["mlp", "scorer", "graph"])
def test_a_run_begins_with_a_policy_that_was_trained_before(network: str, tmp_path: Path) -> None:
    changes = ("prior_weight=0", f"network={network}", "averaging=0.5")
    before = Training(short(*changes))
    before.iterate()
    (tmp_path / "policy.npz").write_bytes(before.policy().to_bytes())
    file = f"start={tmp_path / 'policy.npz'}"
    after = Training(short(*changes, "seed=8", file))
    batch, every = Batch("block_draw", 20, 2, seed=3), np.arange(20)
    batch.reset()
    logits = before.policy().logits(batch, every)
    assert after.policy().logits(batch, every) == pytest.approx(logits, abs=1e-2, rel=1e-2)
    after.iterate()
    with pytest.raises(BadOption, match="another shape"):
        Training(short(*changes, file, "hidden_sizes=[9]"))
    with pytest.raises(BadOption, match="without a prior"):
        Training(short(f"network={network}", "prior_weight=1", file))
    with pytest.raises(BadOption, match="is a policy for block_draw"):
        Training(short(*changes, file, "game=all_fives"))


def test_an_average_of_weights_lies_between_them() -> None:
    plain, averaged = (
        Training(short("prior_weight=0", f"averaging={share}")) for share in (0, 0.9)
    )
    first = averaged.policy().layers[0][0]
    for training in (plain, averaged):
        training.iterate()
    latest, mean = (training.policy().layers[0][0] for training in (plain, averaged))
    assert 0 < np.abs(mean - first).sum() < np.abs(latest - first).sum()
