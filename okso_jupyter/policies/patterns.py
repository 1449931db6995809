"""Patterns of a rule: tools and hosts by glob, paths beneath a folder, commands by word or line."""

from __future__ import annotations

import os
import posixpath
import unicodedata
from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase
from typing import Final

#: Returns whether a pattern matches a value.
Fits = Callable[[str, str], bool]

_WILD: Final = frozenset("*?[")
#: Patterns that every value matches.
MATCH_ALL: Final = frozenset({"*", "**", ".", "./", "/", "**/*", "*/**", "/**", "./**"})


def name_fits(pattern: str, name: str) -> bool:
    """Return whether a glob matches a whole name; nothing is appended to the glob."""
    return fnmatchcase(name, pattern)


def host_fits(pattern: str, host: str) -> bool:
    """Return whether a glob matches a host; "*.example.org" does not match "example.org"."""
    return fnmatchcase(host.lower().rstrip("."), pattern.lower().rstrip("."))


def command_fits(pattern: str, line: str) -> bool:
    """Return whether a pattern matches a command line.

    A pattern of one word matches the command's name, one with a blank the whole line; "pwd " is the
    line of that word alone.
    """
    if " " in pattern:
        return fnmatchcase(line, pattern.strip())
    return fnmatchcase(line.partition(" ")[0], pattern)


def path_fits(pattern: str, path: str) -> bool:
    """Return whether a path is the pattern's path or beneath it.

    Both are relative, or both absolute. "*" and "?" match within one name, "**" matches any number
    of folders.
    """
    wanted = [part for part in posixpath.normpath(pattern).split("/") if part != "."]
    return _beneath(wanted, [part for part in path.split("/") if part != "."])


def _beneath(wanted: Sequence[str], parts: Sequence[str]) -> bool:
    """Return whether the first parts of a path match all wanted ones."""
    if not wanted:
        return True
    if wanted[0] == "**":
        return any(_beneath(wanted[1:], parts[start:]) for start in range(len(parts) + 1))
    return bool(parts) and fnmatchcase(parts[0], wanted[0]) and _beneath(wanted[1:], parts[1:])


def rooted_path_fits(root: str) -> Fits:
    """Return `path_fits` for paths below a root; a pattern may be absolute or begin with ~."""

    def fits(pattern: str, path: str) -> bool:
        spelt = os.path.expanduser(pattern)  # noqa: PTH111  a pattern is not a path
        is_absolute = spelt.startswith("/")
        return path_fits(spelt, posixpath.join(root, path) if is_absolute else path)

    return fits


def leniently(fits: Fits) -> Fits:
    """Return a comparison that also ignores letter case and ways to write a character.

    For rules that ask or deny: another spelling of a file must not slip through.
    """

    def either(pattern: str, value: str) -> bool:
        return fits(pattern, value) or fits(_plain(pattern), _plain(value))

    return either


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def reaching(fits: Fits) -> Fits:
    """Return a comparison of paths that a folder passes too if the pattern's path is beneath it.

    For rules that ask or deny: a search of a folder reads what is in it.
    """

    def either(pattern: str, path: str) -> bool:
        return fits(pattern, path) or (not _WILD & set(pattern) and path_fits(path, pattern))

    return either


def is_within(pattern: str, other: str) -> bool:
    """Return whether every value of a pattern is certainly matched by another pattern."""
    if other in MATCH_ALL or pattern == other:
        return True
    return not _WILD & set(pattern) and fnmatchcase(pattern, other)
