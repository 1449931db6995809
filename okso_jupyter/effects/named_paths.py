"""Paths named by a call: files and folders that it needs, makes and removes.

A tool declares them by "x-ground" or by its own function; the file system is not accessed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

Kind = Literal["file", "folder", "place"]

#: Kind of path by the "x-ground" of an argument, for paths that must exist before the call.
NEEDED: Final[Mapping[str, Kind]] = {"file": "file", "folder": "folder", "place": "place"}


@dataclass(frozen=True, slots=True)
class Need:
    """A path that must exist before a call.

    Attributes:
        argument: Name of the argument that names it.
        path: Its path, as given in the argument.
        kind: The required kind; a place is either.
    """

    argument: str
    path: str
    kind: Kind = "file"


@dataclass(frozen=True, slots=True, kw_only=True)
class Paths:
    """Paths that a call would need, make and remove, as far as its arguments show.

    Attributes:
        needs: Paths that must exist before.
        makes: Paths that exist afterwards, of any kind.
        takes: Paths that no longer exist afterwards.
        folder: Folder that the next call of the tool starts in; None if it does not change.
        is_open: Whether it may make other paths, too.
    """

    needs: tuple[Need, ...] = ()
    makes: tuple[str, ...] = ()
    takes: tuple[str, ...] = ()
    folder: str | None = None
    is_open: bool = False


PathsOf = Callable[[Mapping[str, Any]], Paths]


def grounded(properties: Mapping[str, Any], args: Mapping[str, Any], *, writes: bool) -> Paths:
    """Return the paths that arguments name, by the "x-ground" of their schemas.

    Args:
        properties: Schemas of the arguments, by name.
        args: The arguments.
        writes: Whether the call may change files.
    """
    needs: list[Need] = []
    makes: list[str] = []
    for name, value in args.items():
        ground = properties.get(name, {}).get("x-ground")
        texts = [text for text in _listed(value) if isinstance(text, str) and text]
        if ground in NEEDED:
            needs += [Need(name, text, NEEDED[ground]) for text in texts]
        elif ground == "path" and writes:
            makes += texts
    # a tool that changes files and names none of them may make any path
    return Paths(needs=tuple(needs), makes=tuple(makes), is_open=writes and not (needs or makes))


def _listed(value: object) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else [value]
