"""The files and folders that a call names: what it needs, what it makes and what it takes away.

A tool declares it by "x-ground", or by a function of its own; nothing is looked at for that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

Kind = Literal["file", "folder", "place"]

#: What an argument with this "x-ground" names, if it is to be there before the call.
NEEDED: Final[Mapping[str, Kind]] = {"file": "file", "folder": "folder", "place": "place"}


@dataclass(frozen=True, slots=True)
class Need:
    """Something that a call cannot do without.

    Attributes:
        argument: Name of the argument that names it.
        path: Its path, as the argument has it.
        kind: What it is to be; a place is either.
    """

    argument: str
    path: str
    kind: Kind = "file"


@dataclass(frozen=True, slots=True, kw_only=True)
class Paths:
    """What a call would need, make and take away, as far as its arguments tell.

    Attributes:
        needs: What has to be there before.
        makes: Paths that are there afterwards, and may be anything.
        takes: Paths that are not there any more afterwards.
        folder: Folder that the next call of the tool starts in; None where it stays.
        is_open: Whether it may make other paths besides.
    """

    needs: tuple[Need, ...] = ()
    makes: tuple[str, ...] = ()
    takes: tuple[str, ...] = ()
    folder: str | None = None
    is_open: bool = False


PathsOf = Callable[[Mapping[str, Any]], Paths]


def grounded(properties: Mapping[str, Any], args: Mapping[str, Any], *, writes: bool) -> Paths:
    """Return what arguments name by the "x-ground" of their schemas.

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
    # a tool that changes files and names none of them may make any
    return Paths(needs=tuple(needs), makes=tuple(makes), is_open=writes and not (needs or makes))


def _listed(value: object) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else [value]
