"""The list of trusted files: per user, private, by content."""

from __future__ import annotations

import stat
import threading
from pathlib import Path

import pytest

from okso_jupyter.errors import SettingError
from okso_jupyter.trust import TrustList, sha256_of


@pytest.fixture
def trusted(tmp_path: Path) -> TrustList:
    """A list that is not there yet."""
    return TrustList(tmp_path / "config" / "okso" / "trusted.json")


def test_content_is_trusted_wherever_it_lies(trusted: TrustList, tmp_path: Path) -> None:
    """One byte more is other content; the list is for its user alone."""
    assert trusted.hashes() == frozenset()

    trusted.add(b"steps", tmp_path / "a.yaml")
    trusted.add(b"steps", tmp_path / "b.yaml")

    assert trusted.hashes() == {sha256_of(b"steps")}
    assert sha256_of(b"steps ") not in trusted.hashes()
    assert stat.S_IMODE(trusted.file.stat().st_mode) == 0o600
    assert stat.S_IMODE(trusted.file.parent.stat().st_mode) == 0o700


def test_a_file_is_revoked_with_what_it_held_before(trusted: TrustList, tmp_path: Path) -> None:
    """Otherwise an earlier content would count when it comes back."""
    file = tmp_path / "a.yaml"
    trusted.add(b"one", file)
    trusted.add(b"two", file)
    trusted.add(b"other", tmp_path / "b.yaml")

    assert trusted.revoke(None, file)
    assert not trusted.revoke(b"two", file)
    assert trusted.hashes() == {sha256_of(b"other")}
    assert trusted.revoke(b"other", tmp_path / "elsewhere.yaml")
    assert trusted.hashes() == frozenset()


def test_kernels_that_trust_at_once_lose_nothing(trusted: TrustList, tmp_path: Path) -> None:
    """The list is written by one of them at a time."""
    contents = [b"%d" % number for number in range(24)]
    threads = [
        threading.Thread(target=trusted.add, args=(content, tmp_path / content.decode()))
        for content in contents
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert trusted.hashes() == {sha256_of(content) for content in contents}


@pytest.mark.parametrize(
    "damage",
    [b"", b"{", b"\xff", b"[]", b"[1]", b'{"trusted": 3}', b'{"trusted": [1]}', b"[" * 100_000,
     b'{"trusted": [{"sha256": 1, "file": "a", "at": "b"}]}', b'{"trusted": [{"sha256": "a"}]}'],
)  # fmt: skip
def test_a_damaged_list_trusts_nothing_and_is_not_replaced(
    trusted: TrustList, tmp_path: Path, damage: bytes
) -> None:
    """One sentence says which file it is, and what to do."""
    trusted.file.parent.mkdir(parents=True)
    trusted.file.write_bytes(damage)

    for call in (trusted.hashes, lambda: trusted.add(b"x", tmp_path)):
        with pytest.raises(SettingError, match=r"trusted\.json' cannot be read: .*remove it"):
            call()
    assert trusted.file.read_bytes() == damage


def test_a_link_is_not_followed(trusted: TrustList, tmp_path: Path) -> None:
    """A list that somebody else put there is none."""
    other = TrustList(tmp_path / "other.json")
    other.add(b"x", tmp_path)
    trusted.file.parent.mkdir(parents=True)
    trusted.file.symlink_to(other.file)

    with pytest.raises(SettingError, match="symbolic link"):
        trusted.hashes()
