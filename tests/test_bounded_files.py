"""What is unpacked is bounded before it is unpacked."""

from __future__ import annotations

import io
import struct
import tracemalloc
import zipfile
from pathlib import Path

import numpy as np
import pytest

from domino_env.agents.networks.archive import must_be_whole, read_arrays
from domino_env.agents.networks.policy import read_policy
from domino_env.config.loader import load
from domino_env.config.yaml_source import read
from domino_env.errors import BadOption, BadRecord
from domino_env.evaluate.tournament import TournamentSettings
from domino_env.record import read as read_record

LITTLE = 100_000_000  # bytes


def zipped(parts: dict[str, bytes], packing: int = zipfile.ZIP_DEFLATED) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", packing) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return file.getvalue()


def array(numbers: np.ndarray) -> bytes:
    file = io.BytesIO()
    np.save(file, numbers)
    return file.getvalue()


def refused(content: bytes, folder: Path) -> int:
    """How much memory it takes to refuse a policy file."""
    file = folder / "policy.npz"
    file.write_bytes(content)
    tracemalloc.start()
    with pytest.raises(BadOption, match=r"is damaged, or is not a policy file"):
        read_policy(file)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most


def test_a_policy_that_unpacks_to_gigabytes_is_refused(tmp_path: Path) -> None:
    content = zipped({"weights_0.npy": array(np.zeros((20_000, 10_000), np.float16))})
    assert len(content) < 500_000
    assert refused(content, tmp_path) < LITTLE


def test_a_header_that_says_more_than_there_is(tmp_path: Path) -> None:
    right = array(np.zeros((10, 10), np.float16))
    for shape in (b"(99,99)", b"(-1,-9)"):
        assert right.count(b"(10, 10)") == 1
        wrong = right.replace(b"(10, 10)", shape.ljust(8))
        assert refused(zipped({"weights_0.npy": wrong}), tmp_path) < LITTLE
    huge = array(np.zeros(10, np.float16)).replace(b"(10,), ", b"(9**9,)")
    assert refused(zipped({"weights_0.npy": huge}), tmp_path) < LITTLE
    objects = array(np.zeros(2)).replace(b"<f8", b"|O8")
    assert refused(zipped({"weights_0.npy": objects}), tmp_path) < LITTLE


def test_an_archive_that_lies_about_its_sizes(tmp_path: Path) -> None:
    content = bytearray(zipped({"weights_0.npy": array(np.zeros(10**8, np.uint8))}))
    size = struct.pack("<I", 10**8 + 128)
    assert content.count(size) == 2
    lied = bytes(content).replace(size, struct.pack("<I", 1000))
    assert refused(lied, tmp_path) < LITTLE


@pytest.mark.parametrize("packing", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_other_ways_to_pack_are_refused(packing: int, tmp_path: Path) -> None:
    assert refused(zipped({"weights_0.npy": bytes(10**8)}, packing), tmp_path) < LITTLE


def test_what_is_right_is_read() -> None:
    numbers = np.arange(12, dtype=np.float16).reshape(3, 4)
    content = zipped({"a.npy": array(numbers), "b.npy": array(np.asfortranarray(numbers))})
    found = read_arrays(content, 10_000)
    assert (found["a"] == numbers).all()
    assert (found["b"] == numbers).all()
    with pytest.raises(zipfile.BadZipFile):
        must_be_whole(content, 100)


def test_aliases_of_aliases_are_counted(tmp_path: Path) -> None:
    levels = ["a: &a [x, x, x, x, x, x, x, x, x]"]
    for before, name in zip("abcdefg", "bcdefgh", strict=True):
        levels.append(f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]")
    file = tmp_path / "x.yaml"
    file.write_text("\n".join(levels))
    tracemalloc.start()
    with pytest.raises(BadOption, match="there are more than 10000 values here"):
        read(file)
    assert tracemalloc.get_traced_memory()[1] < 30_000_000
    tracemalloc.stop()


def test_files_without_an_end_are_not_read() -> None:
    zero = Path("/dev/zero")
    if not zero.exists():
        pytest.skip("there is no such file here")
    with pytest.raises(BadOption):
        read(zero)
    with pytest.raises(BadOption):
        read_policy(zero)
    with pytest.raises(BadRecord):
        read_record(zero)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("seed: !!timestamp x", "'x' is no timestamp"),
        ("seed: 2020-01-01", "is read as a date"),
        ("seed: 2020-13-41", "is no timestamp"),
        ("seed: " + "9" * 5000, "is no int"),
        ("seed: 0x" + "f" * 5000, "too long"),
        ('out: "a\\0b"', "letters that no text can have"),
        ("out: 5", "out must be a text"),
        ("agents: [random, {agent: ppo, file: 5}]", "file must be the path"),
        ('agents: [random, {agent: ppo, file: "a\\0b"}]', "letters that no text"),
        ("target_half_width: .nan", "must be"),
        ("deals: " + "[" * 5000, "nested too deeply"),
    ],
)
def test_odd_values_get_one_line(text: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "x.yaml"
    file.write_text(text)
    with pytest.raises(BadOption, match=said) as error:
        load(TournamentSettings, file)
    assert "\n" not in str(error.value)


def test_names_that_no_file_can_have() -> None:
    for name in ("a\0b", "\ud800"):
        with pytest.raises(BadRecord, match="cannot be read"):
            read_record(name)
        with pytest.raises(BadOption, match="cannot be read"):
            read(name)
        with pytest.raises(BadOption, match="cannot be read"):
            read_policy(Path(name))
