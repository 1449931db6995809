"""HubCache: GGUF files in a folder with the layout of the Hugging Face hub's own cache.

A file there is a link to a blob whose name is the SHA-256 of its content, so it can be verified
without asking the hub. Nothing here opens a connection or writes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from okso_jupyter.llm.downloads import HubFile, HubSpec
from okso_jupyter.settings import environment

_SHA256: Final = re.compile(r"[0-9a-f]{64}")
_COMMIT: Final = re.compile(r"[0-9a-f]{40}")
_PREFIX: Final = "models--"


@dataclass(frozen=True, slots=True)
class HubCache:
    """A cache folder of the hub's library."""

    folder: Path

    @classmethod
    def of_user(cls) -> Self:
        """Return the cache that the user's other programs share."""
        known = environment()
        if known.get("HF_HUB_CACHE"):
            return cls(Path(known["HF_HUB_CACHE"]).expanduser())
        home = known.get("HF_HOME") or Path(
            known.get("XDG_CACHE_HOME") or "~/.cache", "huggingface"
        )
        return cls(Path(home).expanduser() / "hub")

    def files(self, spec: HubSpec) -> dict[str, tuple[HubFile, Path]]:
        """Return the GGUF files of a repository's revision by name, each with its path."""
        repo = self.folder / (_PREFIX + spec.repo.replace("/", "--"))
        commit = (
            spec.revision
            if _COMMIT.fullmatch(spec.revision)
            else _read(repo / "refs" / spec.revision)
        )
        return dict(self._of_snapshot(repo / "snapshots" / commit)) if commit else {}

    def models(self) -> Iterator[tuple[str, HubFile, Path]]:
        """Yield every GGUF file of the main branches: its spec, its size and hash, its path."""
        for repo in sorted(self.folder.glob(f"{_PREFIX}*--*")):
            name = repo.name.removeprefix(_PREFIX).replace("--", "/", 1)
            commit = _read(repo / "refs" / "main")
            for file, path in dict(self._of_snapshot(repo / "snapshots" / commit)).values():
                yield f"{name}:{file.name}", file, path

    @staticmethod
    def _of_snapshot(snapshot: Path) -> Iterator[tuple[str, tuple[HubFile, Path]]]:
        """Yield the GGUF files of a snapshot whose blobs are named by their hash."""
        for path in sorted(snapshot.rglob("*.gguf")):
            blob = path.resolve()
            if blob.is_file() and _SHA256.fullmatch(blob.name):
                name = path.relative_to(snapshot).as_posix()
                size = blob.stat().st_size
                yield name, (HubFile(name=name, size_bytes=size, sha256=blob.name), path)


def _read(file: Path) -> str:
    """Return the commit in a file of references; empty if there is none."""
    try:
        text = file.read_text("ascii").strip()
    except (OSError, ValueError):
        return ""
    return text if _COMMIT.fullmatch(text) else ""
