"""The user's list of approved tool definitions, by server, and of the effects pinned for them.

One private file beside `config.env`. A server is identified by its name and its whole entry: with
another command, it is another server. An effect is pinned for one definition of a tool: once the
definition changes, the tool counts as undeclared again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, Self

from filelock import FileLock, Timeout

from okso_jupyter import private_files
from okso_jupyter.errors import SettingError
from okso_jupyter.mcp.config import ServerEntry
from okso_jupyter.mcp.definitions import ToolDefinition
from okso_jupyter.settings import config_path

FILE: Final = "mcp-approved.json"
_LOCK: Final = "mcp-approved.lock"
_MAX_BYTES: Final = 32 << 20
_LOCK_TIMEOUT_S: Final = 10.0


@dataclass(frozen=True, slots=True)
class Approved:
    """What the user approved of one server.

    Attributes:
        server: Name of the server.
        definitions: Its tools.
        pins: Pinned effects by tool name: the names of effects, or "none".
    """

    server: str
    definitions: tuple[ToolDefinition, ...]
    pins: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @classmethod
    def of_json(cls, data: Mapping[str, Any]) -> Self:
        """Read it from JSON data; KeyError, TypeError or AttributeError if it is none."""
        return cls(
            str(data["server"]),
            tuple(ToolDefinition.of_json(one) for one in data["tools"]),
            {str(name): tuple(map(str, effects)) for name, effects in data["pins"].items()},
        )

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON data."""
        return {
            "server": self.server,
            "tools": [definition.to_json() for definition in self.definitions],
            "pins": {name: list(effects) for name, effects in self.pins.items()},
        }

    def with_definitions(self, definitions: Iterable[ToolDefinition]) -> Approved:
        """Return it with other definitions; pins stay where the definition is the same."""
        new = tuple(definitions)
        same = {one.name for one in new if one in self.definitions}
        pins = {name: effects for name, effects in self.pins.items() if name in same}
        return replace(self, definitions=new, pins=pins)

    def without(self, tools: Container[str]) -> Approved:
        """Return it without some tools."""
        return self.with_definitions(one for one in self.definitions if one.name not in tools)


@dataclass(frozen=True, slots=True)
class ApprovedServers:
    """The approved servers of one user.

    Attributes:
        file: The list; without it, nothing is approved.
    """

    file: Path

    @classmethod
    def of_user(cls) -> Self:
        """Return the list of the user who owns this process."""
        return cls(config_path().with_name(FILE))

    def read(self) -> dict[str, Approved]:
        """Return what is approved, by the hash of the server's entry.

        Raises:
            SettingError: The list cannot be read.
        """
        try:
            content = private_files.read(self.file, max_bytes=_MAX_BYTES)
            document = json.loads(content)["approved"]
            return {key: Approved.of_json(one) for key, one in document.items()}
        except FileNotFoundError:
            return {}
        except OSError as error:
            why = f"cannot be read: {error.strerror}"
            raise self._unusable(why) from error
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            why = "cannot be read: it is damaged"
            raise self._unusable(why) from error

    def approve(self, entry: ServerEntry, definitions: Iterable[ToolDefinition]) -> Approved:
        """Approve the present tools of a server, and return what is approved then.

        Raises:
            SettingError: The list cannot be read or written.
        """
        new = tuple(definitions)
        none = Approved(entry.name, ())
        return self._change(entry, lambda old: (old or none).with_definitions(new))

    def pin(self, entry: ServerEntry, tool: str, effects: tuple[str, ...]) -> None:
        """Pin the effects of an approved tool; none of them removes the pin.

        Raises:
            SettingError: The list cannot be read or written.
        """

        def pinned(old: Approved | None) -> Approved:
            known = old or Approved(entry.name, ())
            others = {name: one for name, one in known.pins.items() if name != tool}
            return replace(known, pins={**others, tool: effects} if effects else others)

        self._change(entry, pinned)

    def forget(self, server: str) -> None:
        """Remove all that was approved of servers of a name.

        Raises:
            SettingError: The list cannot be read or written.
        """
        self._rewrite(lambda all_: {key: one for key, one in all_.items() if one.server != server})

    def _change(
        self, entry: ServerEntry, change: Callable[[Approved | None], Approved]
    ) -> Approved:
        key = entry.sha256
        return self._rewrite(lambda all_: {**all_, key: change(all_.get(key))})[key]

    def _rewrite(
        self, change: Callable[[dict[str, Approved]], dict[str, Approved]]
    ) -> dict[str, Approved]:
        """Rewrite the list under a lock, so that another kernel that changes it waits."""
        try:
            private_files.make_folder(self.file.parent)
            with FileLock(self.file.with_name(_LOCK), timeout=_LOCK_TIMEOUT_S, mode=0o600):
                changed = change(self.read())
                body = {"approved": {key: one.to_json() for key, one in changed.items()}}
                private_files.replace(self.file, json.dumps(body, indent=1).encode())
                return changed
        except OSError as error:
            why = f"cannot be written: {error.strerror}"
            raise self._unusable(why) from error
        except Timeout as error:
            why = "is being written by another kernel"
            raise self._unusable(why) from error

    def _unusable(self, why: str) -> SettingError:
        msg = f"the list of approved MCP tools {str(self.file)!r} {why}"
        return SettingError(msg, hint="repair or remove it; without it, servers are asked anew")
