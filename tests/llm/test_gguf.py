"""What the first pages of a GGUF file say, and that a damaged one says nothing."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from okso_jupyter.llm.gguf import Shape, read_shape
from okso_jupyter.llm.specs import find_weights

NOTHING = Shape()


def _text(text: str) -> bytes:
    return struct.pack("<Q", len(text.encode())) + text.encode()


def _gguf(**entries: int | str | list[int]) -> bytes:
    """Return the header of a GGUF file with these entries of an architecture "x"."""
    data = b"GGUF" + struct.pack("<IQQ", 3, 0, len(entries))
    for name, value in entries.items():
        data += _text(f"x.{name.replace('__', '.')}")
        if isinstance(value, str):
            data += struct.pack("<I", 8) + _text(value)
        elif isinstance(value, list):
            data += struct.pack(f"<IIQ{len(value)}I", 9, 4, len(value), *value)
        else:
            data += struct.pack("<II", 4, value)
    return data


FULL = {"block_count": 10, "context_length": 2048, "embedding_length": 512,
        "attention__head_count": 8}  # fmt: skip


def _shape(folder: Path, data: bytes) -> Shape:
    file = folder / "x.gguf"
    file.write_bytes(data)
    return read_shape(file)


def test_the_bundled_model_says_its_shape() -> None:
    """30 layers with 3 key-value heads of 64, at 2 bytes; trained for 8192 tokens."""
    shape = read_shape(find_weights("bundled"))

    assert shape == Shape(trained_tokens=8192, bytes_per_token=30 * 3 * (64 + 64) * 2)


def test_heads_are_as_wide_as_is_said(tmp_path: Path) -> None:
    """Without a word, a head has its share of the width; shared heads and own widths count."""
    plain = 10 * 8 * (64 + 64) * 2
    assert _shape(tmp_path, _gguf(**FULL)).bytes_per_token == plain
    shared = _gguf(**FULL, attention__head_count_kv=2, attention__key_length=128)
    assert _shape(tmp_path, shared).bytes_per_token == 10 * 2 * (128 + 64) * 2


def test_layers_that_differ_have_no_one_figure(tmp_path: Path) -> None:
    """A list of heads per layer leaves the memory open; the trained length is still known."""
    data = _gguf(name="a text", **FULL, attention__head_count_kv=[1, 2, 3])

    assert _shape(tmp_path, data) == Shape(trained_tokens=2048)


@pytest.mark.parametrize(
    "data",
    [
        b"", b"GGU", b"PK\3\4", b"GGUF", b"GGUF" + b"\xff" * 100,
        b"GGUF" + struct.pack("<IQQQ", 3, 0, 1, 1 << 60),
        b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + _text("x.a") + struct.pack("<I", 99),
        b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + _text("x.a") + struct.pack("<I", 9) * 5000,
        b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + struct.pack("<Q", 2) + b"\xff\xfe",
    ],
)  # fmt: skip
def test_damage_says_nothing(tmp_path: Path, data: bytes) -> None:
    """Neither an error nor a guess."""
    assert _shape(tmp_path, data) == NOTHING


@given(st.integers(0, len(_gguf(**FULL))), st.binary(max_size=40))
def test_any_end_is_survived(
    tmp_path_factory: pytest.TempPathFactory, cut: int, rest: bytes
) -> None:
    """Cut anywhere and followed by anything, a header gives a shape or nothing."""
    whole = _gguf(**FULL)

    assert isinstance(_shape(tmp_path_factory.mktemp("x"), whole[:cut] + rest), Shape)


def test_no_file_says_nothing(tmp_path: Path) -> None:
    """A file that is not there is no error here."""
    assert read_shape(tmp_path / "none.gguf") == NOTHING
