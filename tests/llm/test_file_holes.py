"""Holes of a model's file are found, and the bundled weights have none."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from okso_jupyter.llm.file_holes import zeroed_bytes
from okso_jupyter.llm.specs import find_weights


def test_holes_of_a_file_are_found(tmp_path: Path) -> None:
    """Blocks that are zero throughout count; the bundled weights have none."""
    path = tmp_path / "holes.gguf"
    full = bytes(range(1, 129)) * 512
    path.write_bytes(full + bytes(2 << 16) + full + bytes(4096) + full + b"end")
    assert zeroed_bytes(path) == 2 << 16
    assert zeroed_bytes(find_weights("bundled")) == 0


@pytest.mark.process
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_looking_for_holes_takes_no_memory(tmp_path: Path) -> None:
    """The pages of a large file are not added to the memory that the process held at most."""
    path = tmp_path / "large.gguf"
    path.write_bytes(b"x" * (64 << 20))
    code = (
        "import re, sys; from pathlib import Path\n"
        "from okso_jupyter.llm.file_holes import zeroed_bytes\n"
        "status = Path('/proc/self/status').read_text\n"
        "held = lambda: int(re.search('VmHWM:\\\\s+(\\\\d+)', status()).group(1)) // 1024\n"
        "before = held(); zeroed_bytes(Path(sys.argv[1])); print(held() - before)"
    )
    done = subprocess.run(  # noqa: S603  this interpreter
        [sys.executable, "-c", code, path], capture_output=True, text=True, check=True
    )

    assert int(done.stdout) < 16
