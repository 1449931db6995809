"""List of the files that a user trusts, by the SHA-256 of their content.

A file beside a notebook comes with the folder: with a clone, an archive or a shared drive. A file
that would configure okso takes effect only after the user trusted its content. There is one private
list per user, beside `config.env`. Content that changes is no longer trusted. What a file means is
up to the packages that read it; this module only compares bytes.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Self

from filelock import FileLock, Timeout

from okso_jupyter import private_files
from okso_jupyter.errors import SettingError
from okso_jupyter.settings import config_path

_FILE: Final = "trusted.json"
_LOCK: Final = "trusted.lock"
_MAX_BYTES: Final = 1 << 20
_LOCK_TIMEOUT_S: Final = 10.0


def is_trusted(sha256: str) -> bool:
    """Return whether the user trusts a content; False if the list cannot be read."""
    try:
        return sha256 in TrustList.of_user().hashes()
    except SettingError:
        return False


def sha256_of(content: bytes) -> str:
    """Return the hash by which content is trusted."""
    return hashlib.sha256(content).hexdigest()


@dataclass(frozen=True, slots=True)
class Trusted:
    """One trusted content.

    Attributes:
        sha256: Hash of the content.
        file: Path of the file when it was trusted.
        at: When it was trusted, UTC.
    """

    sha256: str
    file: str
    at: str

    def __post_init__(self) -> None:
        if not all(isinstance(value, str) for value in (self.sha256, self.file, self.at)):
            raise TypeError("an entry holds texts")  # noqa: EM101, TRY003  the reader has its own words


@dataclass(frozen=True, slots=True)
class TrustList:
    """The trusted contents of one user.

    Attributes:
        file: The list; without it, no content is trusted.
    """

    file: Path

    @classmethod
    def of_user(cls) -> Self:
        """Return the list of the user who owns this process."""
        return cls(config_path().parent / _FILE)

    def hashes(self) -> frozenset[str]:
        """Return the hashes of all trusted contents.

        Raises:
            SettingError: The list cannot be read.
        """
        return frozenset(entry.sha256 for entry in self._read())

    def add(self, content: bytes, file: Path) -> None:
        """Trust a content.

        Args:
            content: The content.
            file: Its path, with links resolved.

        Raises:
            SettingError: The list cannot be read or written.
        """
        now = datetime.now(UTC).isoformat(timespec="seconds")
        new = Trusted(sha256_of(content), str(file), now)
        self._change(lambda known: [*(e for e in known if e.sha256 != new.sha256), new])

    def revoke(self, content: bytes | None, file: Path) -> bool:
        """Stop trusting a content, and any earlier content of the same file.

        Args:
            content: The content; None if the file can no longer be read.
            file: Its path.

        Returns:
            Whether any of it was trusted.

        Raises:
            SettingError: The list cannot be read or written.
        """
        sha256 = None if content is None else sha256_of(content)

        def kept(known: list[Trusted]) -> list[Trusted]:
            return [e for e in known if e.sha256 != sha256 and e.file != str(file)]

        known = self._read()
        if len(kept(known)) == len(known):
            return False
        self._change(kept)
        return True

    def _change(self, change: Callable[[list[Trusted]], Iterable[Trusted]]) -> None:
        """Rewrite the list under a lock, so that another kernel that changes it waits."""
        try:
            private_files.make_folder(self.file.parent)
            with FileLock(self.file.with_name(_LOCK), timeout=_LOCK_TIMEOUT_S, mode=0o600):
                entries = [asdict(entry) for entry in change(self._read())]
                body = json.dumps({"trusted": entries}, ensure_ascii=True, indent=1)
                private_files.replace(self.file, body.encode())
        except OSError as error:
            why = f"cannot be written: {error.strerror}"
            raise self._unusable(why) from error
        except Timeout as error:
            why = "is being written by another kernel"
            raise self._unusable(why) from error

    def _read(self) -> list[Trusted]:
        try:
            content = private_files.read(self.file, max_bytes=_MAX_BYTES)
            return [Trusted(**entry) for entry in json.loads(content)["trusted"]]
        except FileNotFoundError:
            return []
        except OSError as error:
            why = f"cannot be read: {error.strerror}"
            raise self._unusable(why) from error
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            why = "cannot be read: it is damaged"
            raise self._unusable(why) from error

    def _unusable(self, why: str) -> SettingError:
        msg = f"the list of trusted files {str(self.file)!r} {why}"
        return SettingError(msg, hint="repair or remove it; without it, no file is trusted")
