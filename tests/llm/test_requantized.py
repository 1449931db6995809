"""The faster copy of the bundled weights: made once, trusted only as it was written."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from okso_jupyter.llm.context_size import ContextLimits
from okso_jupyter.llm.downloads import sha256_of
from okso_jupyter.llm.llama import LlamaModel
from okso_jupyter.llm.requantized import requantized
from okso_jupyter.llm.specs import find_weights

_MAKE = """
import sys
from pathlib import Path
from okso_jupyter.llm.requantized import requantized
from okso_jupyter.llm.specs import find_weights
print(requantized(find_weights("bundled"), Path(sys.argv[1])))
"""


@pytest.fixture(scope="module")
def bundled() -> Path:
    """The weights as the package brings them."""
    return find_weights("bundled")


@pytest.fixture(scope="module")
def made(bundled: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy in a cache of its own."""
    return requantized(bundled, tmp_path_factory.mktemp("cache") / "weights")


@pytest.mark.model
def test_a_copy_is_made_once(bundled: Path, made: Path) -> None:
    """The second time it is the same file, and it is for its user alone."""
    before = made.stat()

    assert requantized(bundled, made.parent) == made
    assert made.stat().st_mtime_ns == before.st_mtime_ns
    assert stat.S_IMODE(before.st_mode) == 0o600
    assert stat.S_IMODE(made.parent.stat().st_mode) == 0o700


@pytest.mark.model
def test_two_kernels_make_one_copy(made: Path, tmp_path: Path) -> None:
    """Both get the same file, whole."""
    processes = [
        subprocess.Popen(  # noqa: S603  our own code
            [sys.executable, "-c", _MAKE, str(tmp_path / "weights")],
            stdout=subprocess.PIPE, text=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        )
        for _ in range(2)
    ]  # fmt: skip
    files = {process.communicate()[0].strip() for process in processes}

    assert len(files) == 1
    assert sha256_of(Path(files.pop())) == sha256_of(made)


@pytest.mark.model
@pytest.mark.parametrize("harm", ["cut", "bent", "note lost", "link"])
def test_a_damaged_copy_is_made_again(bundled: Path, made: Path, tmp_path: Path, harm: str) -> None:
    """Nothing but what was once written is ever loaded."""
    good, elsewhere = sha256_of(made), tmp_path / "elsewhere.gguf"
    if harm == "cut":
        os.truncate(made, 1_000_000)
    elif harm == "bent":
        with made.open("r+b") as file:
            file.seek(100_000_000)
            file.write(b"bent")
    elif harm == "note lost":
        made.with_suffix(".sha256").unlink()
    else:
        made.rename(elsewhere)
        made.symlink_to(elsewhere)

    assert requantized(bundled, made.parent) == made
    assert not made.is_symlink()
    assert sha256_of(made) == good


@pytest.mark.model
def test_copies_of_other_versions_are_dropped(bundled: Path, tmp_path: Path) -> None:
    """The folder does not grow with every update."""
    older = tmp_path / "weights" / "0123.gguf"
    older.parent.mkdir()
    older.write_bytes(b"GGUF")
    copy = requantized(bundled, older.parent)

    assert sorted(file.name for file in older.parent.glob("*.gguf")) == [copy.name]


def test_no_place_for_a_copy_means_the_weights_as_they_came(bundled: Path, tmp_path: Path) -> None:
    """A cache that is a file, or whose owner is somebody else, costs nothing but the speed."""
    occupied = tmp_path / "weights"
    occupied.write_text("a file")

    assert requantized(bundled, occupied) == bundled


def test_what_llama_cpp_cannot_read_is_left_as_it_is(tmp_path: Path) -> None:
    """Nothing half made stays behind."""
    odd = tmp_path / "odd.gguf"
    odd.write_bytes(b"GGUF and nothing else")

    assert requantized(odd, tmp_path / "weights") == odd
    assert [file.name for file in (tmp_path / "weights").iterdir()] == ["lock"]


@pytest.mark.model
def test_the_journal_can_tell_which_weights_it_was(made: Path) -> None:
    """A model's hash is that of the file which it computes with; other files are as they came."""
    limits = ContextLimits(default_tokens=256, cap_tokens=256)
    copy = LlamaModel("bundled", limits=limits, threads=1, cache=made.parent.parent)
    plain = LlamaModel(
        str(find_weights("bundled")), limits=limits, threads=1, cache=made.parent.parent
    )
    hashes = copy.identity.sha256, plain.identity.sha256
    copy.close()
    plain.close()

    assert hashes == (sha256_of(made), sha256_of(find_weights("bundled")))
