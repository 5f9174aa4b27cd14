"""The shipped object code: it is of these sources, needs no Numba, and plays the same games."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import domino_env
from domino_env import lanes
from domino_env.compiling import forms, kernels, object_code, source
from domino_env.engine import rounds
from domino_env.engine.lane_checks import first_foreign, place_actions
from domino_env.games import variants
from tools.object_code import building, keeping, recording

ROOT = Path(__file__).parent.parent
REQUIRED = os.environ.get("DOMINO_ENV_OBJECT_CODE") == "required"

pytestmark = pytest.mark.skipif(
    object_code.library() is None and not REQUIRED, reason="no object code: `make object-code`"
)


def run(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env={**os.environ, **environment},
    )
    assert done.returncode == 0, done.stderr
    return done


# Of these sources --------------------------------------------------------------------------------


def test_it_is_built_from_the_sources_that_are_here() -> None:
    assert building.is_current(), "`make object-code` builds it anew"


def test_it_has_every_kernel_that_python_calls() -> None:
    shipped = {entry["kernel"] for entry in object_code.table()["entries"]}
    assert shipped == {*recording.read()}


@pytest.mark.parametrize("dtype", ["float32", "uint8"])
def test_a_step_is_compiled_for_the_rules_of_every_game(dtype: str) -> None:
    for variant in variants():
        batch = domino_env.batch(variant, 2, observation_dtype=dtype)
        assert repr(batch).endswith("step: object code for these rules>")
    batch = domino_env.batch("block_draw", 2, 3, observation_dtype=dtype)
    assert "object code for all rules" in repr(batch)


def test_code_for_these_rules_is_only_for_the_observations_that_it_writes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    own = object_code._own

    def of_floats(kernel: Any, rules: str) -> list[Any]:
        return [
            each
            for each in own(kernel, rules)
            if ["array", "|u1", 2, True] not in each["arguments"]
        ]

    monkeypatch.setattr(object_code, "_own", of_floats)
    assert "object code for these rules" in repr(domino_env.batch("five_up", 2))
    as_bytes = domino_env.batch("five_up", 2, observation_dtype="uint8")
    assert "object code for all rules" in repr(as_bytes)


CHANGED = """
import sys
import domino_env
from domino_env import lanes
from domino_env.compiling import object_code
from domino_env.engine import rounds
from domino_env.engine.lane_checks import first_foreign
{change}
assert object_code.found(lanes.step_checked) is None
assert object_code.found(lanes.sample_lanes) is not None, "nothing of it has changed"
"""


@pytest.mark.parametrize(
    "change",
    [
        "rounds.NO_STEP = 77",
        "rounds.__file__ = lanes.__file__",
        "from domino_env.engine import state; import numpy as np;"
        "state.GAME = np.dtype([('rng', np.uint64)])",
    ],
    ids=["a constant", "a text", "a record"],
)
def test_what_is_not_of_these_sources_is_noticed_and_never_run(change: str) -> None:
    assert hasattr(rounds, "NO_STEP")
    done = run(CHANGED.format(change=change))
    assert "is not what the object code was built from" in done.stderr
    assert done.stderr.count("\n") == 1, "it is said once"


OTHER = """
from domino_env.compiling import _object_code
import types, sys
names = set(dir(_object_code)) - {{{lacks!r}}}
other = types.SimpleNamespace(**{{name: getattr(_object_code, name) for name in names}})
other.runs_here = lambda: {runs}
sys.modules["domino_env.compiling._object_code"] = other
from domino_env.compiling import object_code
assert object_code.library() is None
assert object_code.table()["entries"] == []
"""


def test_on_a_processor_that_lacks_something_it_is_left_aside() -> None:
    assert run(OTHER.format(lacks="", runs=False)).stderr == ""


def test_a_library_that_is_called_in_another_way_is_noticed_and_left_aside() -> None:
    done = run(OTHER.format(lacks="prepared", runs=True))
    assert "the way in which kernels are called is not what" in done.stderr


# Without Numba -----------------------------------------------------------------------------------

ALL = """
import sys
sys.modules["numba"] = None  # whoever imports it fails
sys.modules["llvmlite"] = None
from tools.object_code import workload
workload.use_everything()
"""


@pytest.mark.slow
def test_everything_runs_where_there_is_no_numba() -> None:
    run(ALL.replace("import sys\n", "import sys, warnings\nwarnings.simplefilter('ignore')\n"))


def test_nothing_is_written_and_little_is_waited_for_before_the_first_step(tmp_path: Path) -> None:
    code = """
import numpy, gymnasium, pettingzoo, time, sys
began = time.process_time()
import domino_env
batch = domino_env.batch("block_draw", 64, seed=0)
batch.reset()
batch.step(batch.sample())
took = time.process_time() - began
assert "numba" not in sys.modules
assert took < 0.5, took
"""
    done = run(code, NUMBA_CACHE_DIR=str(tmp_path / "kept"), HOME=str(tmp_path / "home"))
    assert done.stderr == ""
    assert not list(tmp_path.iterdir())


# The door ----------------------------------------------------------------------------------------


@pytest.fixture
def compiled_here(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Any]]:
    """The calls that came to Numba."""
    calls: list[Any] = []
    monkeypatch.setattr(
        kernels.Kernel, "from_source", lambda self, *arguments: calls.append(arguments)
    )
    object_code._found.cache_clear()
    yield calls
    object_code._found.cache_clear()


def test_what_it_was_not_compiled_for_goes_to_numba(compiled_here: list[Any]) -> None:
    door: Any = object_code.found(first_foreign)  # type: ignore[arg-type]
    assert door(np.array([0, 5]), 5) == 1
    assert door(np.array([0, 4]), np.int16(5)) == -1
    read_only = np.array([5])
    read_only.flags.writeable = False
    assert door(read_only, 5) == 0, "it is not written to"
    assert door(np.zeros(0, np.int64), 5) == -1
    for misfit in (
        (np.array([0, 5]), 5.0),
        (np.array([0, 5]), True),
        (np.array([0, 5]), np.array(5)),
        (np.array([0, 5]), 2**70),
        (np.array([0, 5]), "5"),
        (np.array([0, 5], np.int32), 5),
        (np.array([[0, 5]]), 5),
        (np.arange(10)[::2], 5),
        ([0, 5], 5),
        (np.array([0, 5]),),
        (),
    ):
        assert door(*misfit) is None
        assert compiled_here.pop() == misfit
    assert not compiled_here


def test_nothing_is_written_to_a_read_only_array(compiled_here: list[Any]) -> None:
    door: Any = object_code.found(place_actions)  # type: ignore[arg-type]
    lane, action, out = np.array([1]), np.array([7]), np.zeros(3, np.int64)
    door(lane, action, out)
    assert out[1] == 7
    out.flags.writeable = False
    door(lane, action, out)
    assert len(compiled_here) == 1


def test_equal_dtypes_are_as_good_as_the_same(compiled_here: list[Any]) -> None:
    batch = domino_env.batch("block_draw", 2, seed=0)
    batch.reset()
    door: Any = object_code.found(lanes.seed_lanes)  # type: ignore[arg-type]
    games = batch.state()
    other = pickle.loads(pickle.dumps(games))
    assert games.dtype is not other.dtype
    for array in (games, other):
        assert door(array, np.zeros(2, np.uint64), np.arange(2), np.ones(2, np.uint64)) is None
    assert not compiled_here
    assert (games["rng"] == other["rng"]).all()


class Pair(NamedTuple):
    one: Any
    other: Any


def test_forms_are_read_back_as_they_were_written() -> None:
    arguments = (3, 0.5, True, np.zeros((2, 3), np.float32), Pair(np.zeros(1, np.int8), 1))
    for each in arguments:
        form = forms.form_of(each)
        if not isinstance(each, Pair):
            assert forms.form_of(forms.example_of(form)) == form
    assert forms.slot_of(forms.form_of(arguments[3])) == ("w", np.dtype("f4"), 2)
    with pytest.raises(TypeError, match="not contiguous"):
        forms.form_of(np.zeros((4, 4))[:, 1])
    with pytest.raises(TypeError, match="no kernel is shipped"):
        forms.form_of("text")


# The same games ----------------------------------------------------------------------------------

GENERAL = """
import numpy as np, hashlib, sys
import domino_env
from domino_env.compiling import object_code
if sys.argv[1:] == ["general"]:
    object_code._own = lambda kernel, rules: []
for variant in domino_env.variants():
    for dtype in ("float32", "uint8"):
        batch = domino_env.batch(variant, 16, seed=3, threads=2, observation_dtype=dtype)
        batch.reset()
        seen = hashlib.sha256()
        for _ in range(150):
            batch.step(batch.sample())
            for array in (batch.observation, batch.legal, batch.reward, batch.games, batch.events):
                seen.update(np.ascontiguousarray(array).tobytes())
        print(variant, dtype, seen.hexdigest(), file=sys.stdout)
"""


def test_specialised_and_general_code_play_the_same_games_to_the_bit() -> None:
    both = [
        subprocess.run(
            [sys.executable, "-c", GENERAL, kind], cwd=ROOT, capture_output=True, check=True
        ).stdout
        for kind in ("special", "general")
    ]
    assert both[0].count(b"\n") == 2 * len(variants())
    assert both[0] == both[1]


OWN = """
import numpy as np, hashlib, sys
import domino_env
rules = domino_env.rules("five_up", hand_size=4)
seen = []
for own in (False, True):
    batch = domino_env.batch(rules, 16, 3, seed=3, specialize=own)
    batch.reset()
    clone = batch.clone()
    for each in (batch, clone):
        digest = hashlib.sha256()
        for _ in range(200):
            each.step(each.sample())
            for array in (each.observation, each.legal, each.reward, each.games):
                digest.update(np.ascontiguousarray(array).tobytes())
        seen.append(digest.hexdigest())
    print(repr(batch))
assert len(set(seen)) == 1
print("numba" in sys.modules)
"""


@pytest.mark.slow
def test_rules_of_the_house_are_specialised_once_for_a_machine(tmp_path: Path) -> None:
    first = run(OWN, XDG_CACHE_HOME=str(tmp_path)).stdout.splitlines()
    assert "object code for all rules" in first[0]
    assert "compiled here for these rules" in first[1]
    again = run(OWN, XDG_CACHE_HOME=str(tmp_path)).stdout.splitlines()
    assert again[:2] == first[:2]
    assert again[2] == "False", "it was kept"
    (kept,) = (tmp_path / "domino_env" / "specialised").iterdir()
    kept.write_bytes(b"damaged")
    assert run(OWN, XDG_CACHE_HOME=str(tmp_path)).stdout.splitlines()[:2] == first[:2]


# As it is built ----------------------------------------------------------------------------------


def test_a_wheel_with_it_says_where_it_runs() -> None:
    library = ROOT / "domino_env" / "compiling" / keeping.NAME
    assert keeping.tag(library).startswith("cp311-abi3-")
    assert "manylinux_2_17" in keeping.tag(library), "it needs no newer C library"


def test_kernels_have_two_dispatchers_and_only_one_has_a_door() -> None:
    inner, outer = source.inner_of(lanes.rest), source.dispatcher_of(lanes.rest)  # type: ignore[arg-type]
    assert inner.targetoptions["no_cpython_wrapper"]
    assert "no_cpython_wrapper" not in outer.targetoptions
