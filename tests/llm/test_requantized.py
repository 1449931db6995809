"""The faster copy of the bundled weights is made once and used only while unchanged."""

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
    """The weights as the package contains them."""
    return find_weights("bundled")


@pytest.fixture(scope="module")
def made(bundled: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy in a separate cache."""
    return requantized(bundled, tmp_path_factory.mktemp("cache") / "weights")


@pytest.mark.model
def test_a_copy_is_made_once(bundled: Path, made: Path) -> None:
    """The second call returns the same file, which only its user can access."""
    before = made.stat()

    assert requantized(bundled, made.parent) == made
    assert made.stat().st_mtime_ns == before.st_mtime_ns
    assert stat.S_IMODE(before.st_mode) == 0o600
    assert stat.S_IMODE(made.parent.stat().st_mode) == 0o700


@pytest.mark.model
def test_two_kernels_make_one_copy(made: Path, tmp_path: Path) -> None:
    """Two processes that start at once get the same complete file."""
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
    """A copy that differs from what was written is made again and never loaded."""
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
def test_copies_of_other_versions_are_removed(bundled: Path, tmp_path: Path) -> None:
    """Copies of other versions are removed, so that the folder does not grow with updates."""
    older = tmp_path / "weights" / "0123.gguf"
    older.parent.mkdir()
    older.write_bytes(b"GGUF")
    copy = requantized(bundled, older.parent)

    assert sorted(file.name for file in older.parent.glob("*.gguf")) == [copy.name]


def test_without_a_place_for_a_copy_the_weights_are_used(bundled: Path, tmp_path: Path) -> None:
    """If the cache is a file or has another owner, the original weights are used."""
    occupied = tmp_path / "weights"
    occupied.write_text("a file")

    assert requantized(bundled, occupied) == bundled


def test_an_unreadable_file_is_not_copied(tmp_path: Path) -> None:
    """Weights that llama.cpp cannot read are used unchanged; no partial copy remains."""
    odd = tmp_path / "odd.gguf"
    odd.write_bytes(b"GGUF and nothing else")

    assert requantized(odd, tmp_path / "weights") == odd
    assert [file.name for file in (tmp_path / "weights").iterdir()] == ["lock"]


@pytest.mark.model
def test_the_identity_has_the_hash_of_the_weights_used(made: Path) -> None:
    """The identity has the hash of the file in use: of the copy or of the original."""
    limits = ContextLimits(default_tokens=256, cap_tokens=256)
    copy = LlamaModel("bundled", limits=limits, threads=1, cache=made.parent.parent)
    plain = LlamaModel(
        str(find_weights("bundled")), limits=limits, threads=1, cache=made.parent.parent
    )
    hashes = copy.identity.sha256, plain.identity.sha256
    copy.close()
    plain.close()

    assert hashes == (sha256_of(made), sha256_of(find_weights("bundled")))
