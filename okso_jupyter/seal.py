"""Seals: proof that this user's okso wrote a record.

Anyone who can write a recording can put "approved by the user" into it. A seal is the HMAC-SHA256
of a record under a key that only this user can read; the key lies beside `config.env`.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

from okso_jupyter import private_files
from okso_jupyter.log import LOGGER
from okso_jupyter.settings import config_path

_FILE: Final = "seal.key"
_KEY_BYTES: Final = 32
_MAX_BYTES: Final = 1024


@dataclass(frozen=True, slots=True)
class Sealer:
    """Seals records and checks seals.

    Attributes:
        file: The key file, created on first use.
    """

    file: Path

    @classmethod
    def of_user(cls) -> Self:
        """Return the sealer of the user who owns this process."""
        return cls(config_path().parent / _FILE)

    def seal(self, record: Mapping[str, Any]) -> str:
        """Return the seal of a JSON document; "" if the key cannot be created or read."""
        try:
            with suppress(FileExistsError):
                private_files.create(self.file, secrets.token_bytes(_KEY_BYTES))
            return self._seal(record)
        except OSError as error:
            detail = f"{self.file}: {error.strerror}"
            LOGGER.warning("a decision cannot be sealed for replays", extra={"detail": detail})
            return ""

    def fits(self, record: Mapping[str, Any], seal: object) -> bool:
        """Return whether this user's okso made this seal for this record."""
        try:
            return isinstance(seal, str) and hmac.compare_digest(self._seal(record), seal)
        except (OSError, TypeError):  # no key, or a seal that is not ASCII
            return False

    def _seal(self, record: Mapping[str, Any]) -> str:
        key = private_files.read(self.file, max_bytes=_MAX_BYTES)
        if len(key) < _KEY_BYTES:  # a key that could be guessed
            raise OSError(0, "it holds no key", str(self.file))
        text = json.dumps(record, sort_keys=True, separators=(",", ":"))
        return hmac.new(key, text.encode(), hashlib.sha256).hexdigest()
