"""Reading the header of a GGUF file; a damaged header yields no figures."""

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
    """Return the header of a GGUF file with these entries for an architecture "x"."""
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


def test_the_shape_of_the_bundled_model_is_read() -> None:
    """30 layers with 3 key-value heads of 64, 2 bytes each; trained for 8192 tokens."""
    shape = read_shape(find_weights("bundled"))

    assert shape == Shape(trained_tokens=8192, bytes_per_token=30 * 3 * (64 + 64) * 2)


def test_head_counts_and_widths_are_read(tmp_path: Path) -> None:
    """By default a head's width is its share of the embedding; given values override it.

    Both the number of key-value heads and the key length can be given.
    """
    plain = 10 * 8 * (64 + 64) * 2
    assert _shape(tmp_path, _gguf(**FULL)).bytes_per_token == plain
    shared = _gguf(**FULL, attention__head_count_kv=2, attention__key_length=128)
    assert _shape(tmp_path, shared).bytes_per_token == 10 * 2 * (128 + 64) * 2


def test_layers_with_different_heads_give_no_memory_figure(tmp_path: Path) -> None:
    """With a list of heads per layer, only the trained length is known, not the memory."""
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
def test_a_damaged_header_gives_no_figures(tmp_path: Path, data: bytes) -> None:
    """A damaged header raises no error and yields no figures."""
    assert _shape(tmp_path, data) == NOTHING


@given(st.integers(0, len(_gguf(**FULL))), st.binary(max_size=40))
def test_a_truncated_header_raises_no_error(
    tmp_path_factory: pytest.TempPathFactory, cut: int, rest: bytes
) -> None:
    """A header cut anywhere and followed by any bytes yields a shape, perhaps empty."""
    whole = _gguf(**FULL)

    assert isinstance(_shape(tmp_path_factory.mktemp("x"), whole[:cut] + rest), Shape)


def test_a_missing_file_gives_no_figures(tmp_path: Path) -> None:
    """A missing file raises no error and yields no figures."""
    assert read_shape(tmp_path / "none.gguf") == NOTHING
