"""What servers of models can do, remembered between kernels in one private file.

An entry is of one address and model, without credentials, and holds for the server's list of
models as it was then. A file that is damaged or cannot be written costs a few questions, no more.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, get_args

from okso_jupyter import private_files
from okso_jupyter.llm.dialect import Dialect

_FILE: Final = "model_servers.json"
_MAX_BYTES: Final = 1 << 20
_MOST_ENTRIES: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered:
    """What is remembered of one model of a server.

    Attributes:
        dialect: How schemas are sent to it.
        models: Hash of the server's list of models; empty if it gives none.
        needs_blanks: Whether its texts have blanks between values, and no grammar spares them.
    """

    dialect: Dialect = "json_schema"
    models: str = ""
    needs_blanks: bool = False


@dataclass(frozen=True, slots=True)
class ServerMemory:
    """The remembered servers.

    Attributes:
        folder: OKSO_HOME.
    """

    folder: Path

    def of(self, spec: str) -> Remembered | None:
        """Return what is remembered of a model; None if nothing."""
        return _entry(self._read().get(spec))

    def keep(self, spec: str, found: Remembered) -> None:
        """Remember what was found, as the newest entry; the oldest is dropped if there are many."""
        entries = {name: one for name, one in self._read().items() if name != spec}
        entries[spec] = asdict(found)
        newest = dict(list(entries.items())[-_MOST_ENTRIES:])
        # not kept, it is found again by the next kernel
        with suppress(OSError):
            private_files.make_private_folder(self.folder)
            private_files.replace(self.folder / _FILE, json.dumps(newest, indent=1).encode())

    def _read(self) -> dict[str, Any]:
        try:
            data = private_files.read(self.folder / _FILE, max_bytes=_MAX_BYTES)
            entries = json.loads(data)
        except (OSError, ValueError, RecursionError):  # the last: too deeply nested
            return {}
        return entries if isinstance(entries, dict) else {}


def _entry(data: object) -> Remembered | None:
    """Return an entry; None if it is none."""
    if not isinstance(data, Mapping) or data.keys() != Remembered.__dataclass_fields__.keys():
        return None
    types = (data["models"], str), (data["needs_blanks"], bool)
    is_valid = data["dialect"] in get_args(Dialect) and all(isinstance(*one) for one in types)
    return Remembered(**data) if is_valid else None
