"""Fuzzy file names: replaces missing names in a request by the most similar existing ones."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from okso_jupyter.plan.plan import Step

#: Names, paths, addresses and options in a text, as opposed to its plain words.
NAME: Final = re.compile(r"[\w./:@~-]*[./:@~\d_-][\w./:@~-]*\w")
#: Least similarity of a missing name to the existing one that replaces it, from 0 to 1.
_ALIKE: Final = 0.7


@dataclass(frozen=True, slots=True)
class NearestNames:
    """A request with existing names.

    Attributes:
        request: The request.
        notes: The replacements in words; empty if there were none.
    """

    request: str
    notes: tuple[str, ...] = ()


def nearest_names(request: str, failed: Iterable[Step], files: Sequence[str]) -> NearestNames:
    """Return a request in which files that failed steps did not find are replaced by similar ones.

    The planner is offered the names in the request, so a missing name would be planned again.

    Args:
        request: The request in plain words.
        failed: The steps that failed.
        files: The existing names.
    """
    notes = []
    for name in dict.fromkeys(text for step in failed for text in texts_in(step.args)):
        pattern = rf"(?<![\w./-]){re.escape(name)}(?![\w/-])"
        near = difflib.get_close_matches(name, files, n=1, cutoff=_ALIKE)
        if name in files or not near or not re.search(pattern, request):
            continue
        request = near[0].join(re.split(pattern, request))
        notes.append(f"{name} does not exist: planned with {near[0]}, the nearest name")
    return NearestNames(request, tuple(notes))


def texts_in(value: object) -> Iterator[str]:
    """Yield every text in a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from texts_in(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from texts_in(inner)
