"""The Hugging Face cache of the user: files with a verified hash are used, others are not."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from okso_jupyter.errors import ModelUnavailableError
from okso_jupyter.llm.hub_cache import HubCache
from okso_jupyter.llm.specs import find_weights, look_up
from tests.llm.hub_server import COMMIT, REPO

GGUF = b"GGUF" + bytes(range(256))
FILE = "tiny-q4_k_m.gguf"


def put(hub: Path, name: str, content: bytes, *, sha256: str = "") -> Path:
    """Write a file as the hub's library does: a blob, and a link to it in the snapshot."""
    repo = hub / f"models--{REPO.replace('/', '--')}"
    blob = repo / "blobs" / (sha256 or hashlib.sha256(content).hexdigest())
    link = repo / "snapshots" / COMMIT / name
    for folder in (blob.parent, link.parent, repo / "refs"):
        folder.mkdir(parents=True, exist_ok=True)
    (repo / "refs" / "main").write_text(COMMIT)
    blob.write_bytes(content)
    link.symlink_to(blob)
    return link


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of an empty cache; the hub itself cannot be reached."""
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    return tmp_path / "hub"


def test_a_file_of_the_user_s_cache_is_used(hub: Path, tmp_path: Path) -> None:
    """A model that another program has downloaded is neither downloaded nor copied again."""
    link = put(hub, FILE, GGUF)
    assert [spec for spec, _, _ in HubCache.of_user().models()] == [f"{REPO}:{FILE}"]
    assert find_weights(f"{REPO}:{FILE}", home=tmp_path / "home") == link
    assert not (tmp_path / "home").exists()


@pytest.mark.parametrize("name", [FILE, "tiny-00001-of-00002.gguf"])
def test_a_damaged_or_incomplete_file_is_passed_over(hub: Path, tmp_path: Path, name: str) -> None:
    """A blob with another hash, or one part of two, leads to the hub; the cache stays as it is."""
    link = put(hub, name, GGUF, sha256="0" * 64 if name == FILE else "")
    with pytest.raises(ModelUnavailableError):
        find_weights(f"{REPO}:{name}", home=tmp_path / "home")
    assert link.read_bytes() == GGUF


def test_looking_up_verifies_and_loads_nothing(hub: Path, tmp_path: Path) -> None:
    """`look_up` of a model that is not there is no error: it would be downloaded."""
    put(hub, "other.gguf", GGUF)
    assert look_up(f"{REPO}:{FILE}", home=tmp_path / "home").path is None
    assert list(HubCache(tmp_path / "none").models()) == []


def test_foreign_files_in_the_cache_are_no_models(hub: Path) -> None:
    """A broken link, a file without a hash as its name, and a bad reference are left out."""
    link = put(hub, FILE, GGUF)
    link.resolve().unlink()
    (link.parent / "loose.gguf").write_bytes(GGUF)
    assert list(HubCache.of_user().models()) == []
    (hub / f"models--{REPO.replace('/', '--')}" / "refs" / "main").write_text("../../etc")
    assert list(HubCache.of_user().models()) == []
