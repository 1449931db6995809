"""Holes of a model's file are found, and the bundled weights have none."""

from __future__ import annotations

from pathlib import Path

from okso_jupyter.llm.file_holes import zeroed_bytes
from okso_jupyter.llm.specs import find_weights


def test_holes_of_a_file_are_found(tmp_path: Path) -> None:
    """Blocks that are zero throughout count; the bundled weights have none."""
    path = tmp_path / "holes.gguf"
    full = bytes(range(1, 129)) * 512
    path.write_bytes(full + bytes(2 << 16) + full + bytes(4096) + full + b"end")
    assert zeroed_bytes(path) == 2 << 16
    assert zeroed_bytes(find_weights("bundled")) == 0
