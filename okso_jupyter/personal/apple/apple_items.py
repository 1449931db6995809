"""AppleItems: the items of one folder, list or calendar of an application, by their ids."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import quote, unquote

from okso_jupyter.effects.file_changes import Changes, FileChange
from okso_jupyter.errors import ToolError, ToolFailedError, ToolRefusedError
from okso_jupyter.personal.apple.application import AppleApplication
from okso_jupyter.personal.served_place import ServedEntry
from okso_jupyter.workspace import Workspace

#: An item as a script tells it: its id, and each property that is compared before a change.
Item = dict[str, Any]
_SCHEME: Final = "apple"


@dataclass(frozen=True, slots=True, kw_only=True)
class AppleItems:
    """The items of a place in an application; see `ServedPlace`.

    A version of an item is its content: a script compares it before it changes the item.

    Attributes:
        application: The application.
        place: Name of the folder, list or calendar.
    """

    application: AppleApplication
    place: str

    def __str__(self) -> str:
        """Return the place in words, such as "Notes of the application Notes"."""
        return f"{self.place} of the application {self.application.name}"

    def listed(self, **values: object) -> list[Item]:
        """Return the items; see the application's script."""
        found: list[Item] = self.application.ask("list", place=self.place, **values)
        return found

    def path_of(self, item_id: str) -> str:
        """Return the address of an item."""
        return f"{self._root}{quote(item_id, safe='')}"

    def id_of(self, path: str) -> str:
        """Return the id in an address."""
        return unquote(path.removeprefix(self._root))

    def holds(self, path: str) -> bool:
        """Return whether an address is one of an item here, where there may be none."""
        return path.startswith(self._root) and "/" not in path.removeprefix(self._root)

    def get(self, path: str) -> ServedEntry | None:
        """Return the item at an address; None if there is none."""
        found = self.application.ask("get", place=self.place, id=self.id_of(path))
        return self.entry(found) if found else None

    def put(self, path: str, data: bytes, *, version: str | None) -> None:
        """Write an item in place of a version of it; a new one would get another id."""
        if version is None:
            msg = f"{self.application.name} does not make {path} again under its id"
            raise ToolRefusedError(msg, hint="ask for it again")
        item = json.loads(data)
        self._changed("put", path, expected=json.loads(version), item=item)

    def delete(self, path: str, *, version: str) -> None:
        """Remove an item in one version."""
        self._changed("delete", path, expected=json.loads(version))

    def entry(self, item: Item) -> ServedEntry:
        """Return an item, as a script tells it, with its address."""
        data = _data(item)
        return ServedEntry(path=self.path_of(item["id"]), version=data.decode("ascii"), data=data)

    def create(self, **values: object) -> Changes:
        """Add an item; see the application's script."""
        made = self.entry(self.application.change("create", place=self.place, **values))
        change = FileChange(kind="created", path=made.path, after=made.state)
        return Changes(created=(made.path,), details=(change,))

    def edit(self, item_id: str, keeper: Workspace, edited: Callable[[Item], Item]) -> Changes:
        """Change an item.

        Args:
            item_id: Its id.
            keeper: Keeps the item as it was, for undo.
            edited: Returns the item as it is to be, given as it is.

        Raises:
            ToolFailedError: It is no longer there.
        """
        path = self.path_of(item_id)
        before = self.get(path)
        if before is None:
            msg = f"{path} is no longer there"
            raise ToolFailedError(msg, hint="nothing was changed")
        keeper.keep(before.data)
        data = _data(edited(json.loads(before.data)))
        self.put(path, data, version=before.version)
        after = self._left(path, data).state
        change = FileChange(kind="overwritten", path=path, before=before.state, after=after)
        return Changes(updated=(path,), details=(change,))

    @property
    def _root(self) -> str:
        return f"{_SCHEME}:{self.application.name.lower()}/{quote(self.place, safe='')}/"

    def _changed(self, what: str, path: str, **values: object) -> None:
        self.application.change(what, place=self.place, id=self.id_of(path), **values)

    def _left(self, path: str, data: bytes) -> ServedEntry:
        """Return an item as the application keeps it.

        The change was made, so an error says nothing: undo looks at the item before it acts.
        """
        with suppress(ToolError):
            found = self.get(path)
            if found is not None:
                return found
        return ServedEntry(path=path, version="", data=data)


def _data(item: Item) -> bytes:
    return json.dumps(item).encode("ascii")
