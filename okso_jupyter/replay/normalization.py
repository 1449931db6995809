"""Normalization of questions: replaces what depends on the machine by placeholders.

Only questions are normalized, and only for look-up. Answers are kept unchanged.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Any, Final, Self

#: Placeholder of each folder, by the field of `Places` that holds its path.
FOLDERS: Final[Mapping[str, str]] = {
    "root": "{root}",
    "okso_home": "{okso_home}",
    "home": "{home}",
    "temporary": "{temporary}",
}
#: Placeholder of each kind of generated value, by its pattern. Times and words in a user's request
#: are kept: two requests that differ in a date are two requests.
MADE_UP: Final[Mapping[str, str]] = {
    r"\b\d{8}T\d{6}Z-[0-9a-f]{6}\b": "{run}",  # runs/run_ids.py
    r"\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00": "{time}",  # journal/store.py
}
#: Shorter paths, such as "/", are not replaced: too many other paths contain them.
_LEAST_CHARACTERS: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """Paths of the folders whose location differs between machines.

    Attributes:
        root: The folder that the tools work in.
        okso_home: The folder of the journal.
        home: The user's own folder.
        temporary: The folder of temporary files.
    """

    root: str
    okso_home: str
    home: str
    temporary: str

    @classmethod
    def here(cls, root: Path, okso_home: Path) -> Self:
        """Return the places of this machine."""
        return cls(
            root=str(root.resolve()),
            okso_home=str(okso_home.absolute()),
            home=str(Path.home()),
            temporary=tempfile.gettempdir(),
        )

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Read the output of `to_dict`; a missing place is an empty path."""
        return cls(**{spec.name: str(data.get(spec.name, "")) for spec in fields(cls)})

    def to_dict(self) -> dict[str, str]:
        """Return the places as JSON data."""
        return asdict(self)


class Normalization:
    """Replaces everything in a question that depends on a machine.

    Args:
        places: Folders of the known machines: this one, and that of a recording.
    """

    def __init__(self, *places: Places) -> None:
        paths = {
            path: mark
            for known in places
            for name, mark in FOLDERS.items()
            if len(path := getattr(known, name)) >= _LEAST_CHARACTERS
        }
        self._marks = dict(sorted(paths.items(), key=lambda item: -len(item[0])))

    @cached_property
    def _paths(self) -> re.Pattern[str]:
        return _any_of(self._marks)

    def text(self, text: str) -> str:
        """Return a text with placeholders for machine-dependent parts."""
        if any(path in text for path in self._marks):  # else no pattern has to be compiled
            text = self._paths.sub(lambda match: self._marks[match[0]], text)
        for pattern, mark in MADE_UP.items():
            text = re.sub(pattern, mark, text)
        return text

    def json(self, value: Any) -> Any:  # noqa: ANN401  any JSON value
        """Return a JSON value whose texts and keys are normalized."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, Mapping):
            return {self.text(str(key)): self.json(part) for key, part in value.items()}
        return [self.json(part) for part in value] if isinstance(value, list | tuple) else value


def _any_of(paths: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern that matches whole paths only: /a/b is not matched in /a/bc or /x/a/b."""
    joined = "|".join(map(re.escape, paths))
    return re.compile(rf"(?<![\w/.-])(?:{joined})(?![\w.-])" if joined else r"(?!)")
