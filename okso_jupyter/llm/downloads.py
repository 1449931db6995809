"""Records of downloads from the hub: which files a spec resolved to, and whether they are intact.

Nothing here opens a connection. A record beside the files holds the hash of each.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, Self

from okso_jupyter import private_files

_MAX_RECORD_BYTES: Final = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class HubSpec:
    """A spec on the hub.

    Attributes:
        repo: `owner/name`.
        file: A GGUF file in it; if empty, `hub.choose` chooses.
        revision: Branch, tag or commit.
    """

    repo: str
    file: str
    revision: str

    def __str__(self) -> str:
        """Return the spec as it was written, with the revision unless it is the default."""
        written = f"{self.repo}:{self.file}" if self.file else self.repo
        return written if self.revision == "main" else f"{written} at {self.revision}"


@dataclass(frozen=True, slots=True, kw_only=True)
class HubFile:
    """One file of a repository: its name, size and hash there."""

    name: str
    size_bytes: int
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DownloadRecord:
    """What a spec resolved to: a commit and its files; several if a model is split."""

    commit: str
    files: tuple[HubFile, ...]

    @classmethod
    def of(cls, data: Any) -> Self:  # noqa: ANN401  JSON from disk
        """Return a record from its JSON data; KeyError, TypeError or ValueError if invalid."""
        commit, files = data["commit"], tuple(HubFile(**file) for file in data["files"])
        texts = [commit, *(text for file in files for text in (file.name, file.sha256))]
        if not files or not all(isinstance(text, str) for text in texts):
            msg = "a record of nothing, or of what has no name"
            raise ValueError(msg)
        return cls(commit=commit, files=files)


@dataclass(frozen=True, slots=True)
class Downloads:
    """The downloaded weights below OKSO_HOME."""

    home: Path

    @property
    def files(self) -> Path:
        """Folder of the files, in the layout of huggingface_hub."""
        return self.home / "models" / "hub"

    def path(self, spec: HubSpec, commit: str, name: str) -> Path:
        """Return the path of a file of a commit."""
        repo = "--".join(("models", *spec.repo.split("/")))
        return self.files / repo / "snapshots" / commit / name

    def recorded(self, spec: HubSpec) -> Path | None:
        """Return the first file of a spec if all files have their full size, unhashed."""
        record = self._read(spec)
        if record is None:
            return None
        paths = [self.path(spec, record.commit, file.name) for file in record.files]
        sizes = [path.stat().st_size if path.is_file() else -1 for path in paths]
        return paths[0] if sizes == [file.size_bytes for file in record.files] else None

    def verified(self, spec: HubSpec) -> Path | None:
        """Return the first file of a spec if all files are there and their hashes match."""
        record = self._read(spec)
        if record is None or self.recorded(spec) is None:
            return None
        paths = [self.path(spec, record.commit, file.name) for file in record.files]
        whole = all(
            sha256_of(path) == file.sha256 for path, file in zip(paths, record.files, strict=True)
        )
        return paths[0] if whole else None

    def keep(self, spec: HubSpec, commit: str, files: Iterable[HubFile]) -> None:
        """Record what a spec resolved to; called once its files are there and verified."""
        record = DownloadRecord(commit=commit, files=tuple(files))
        target = self._record_file(spec)
        # Replaced in one go: another kernel may be reading it.
        text = json.dumps({"spec": str(spec), **asdict(record)}, indent=1)
        private_files.replace(target, text.encode())

    def _read(self, spec: HubSpec) -> DownloadRecord | None:
        try:
            data = private_files.read(self._record_file(spec), max_bytes=_MAX_RECORD_BYTES)
            return DownloadRecord.of(json.loads(data))
        except (OSError, ValueError, KeyError, TypeError):
            return None  # never downloaded, or the record is damaged: download again

    def _record_file(self, spec: HubSpec) -> Path:
        # Revisions and names may contain slashes and be long: their hash makes a file name.
        asked = json.dumps(asdict(spec), sort_keys=True)
        name = hashlib.sha256(asked.encode()).hexdigest()[:32]
        return self.home / "models" / "records" / f"{name}.json"


def sha256_of(path: Path) -> str:
    """Return the hash of a file's content; cached in this process until the file changes."""
    stat = path.stat()
    return _hashed(path, (stat.st_ino, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns))


@cache
def _hashed(path: Path, _state: tuple[int, ...]) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
