"""Adapts an example to the request: its file becomes the file of the request, and so on.

A small model copies what it sees. If an example and a request name equally many values of one
kind, the request's values replace the example's in order, both in the example's request and in
its arguments.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from okso_jupyter.plan.text_requests import asks_for_summary
from okso_jupyter.planning.examples.index import ExampleIndex, Match
from okso_jupyter.planning.request.facts import Facts, gather_of_example
from okso_jupyter.planning.request.file_modes import FileModes
from okso_jupyter.planning.request.wording import kind_of, signs
from okso_jupyter.toolkit.tool import Example, Tool

_NUMBER: Final = re.compile(r"-?\d+(?:\.\d+)?")
#: A request to write the summary somewhere asks for two things.
_WRITES: Final = re.compile(
    r"(?i)\b(?:write|save|put|store|append|add|create|make|schreib\w*|speicher\w*)\b"
)


def as_compared(facts: Facts) -> Facts:
    """Return the facts to compare with examples; a plain summary of files is reworded."""
    is_plain = facts.files and not facts.folders and not _WRITES.search(facts.request)
    if not is_plain or not asks_for_summary(facts.request):
        return facts
    return Facts(request=f"Summarize {' and '.join(facts.files)}", files=facts.files)


def adapt_example(match: Match, facts: Facts, index: ExampleIndex) -> Match:
    """Return a match with its example adapted to the values of the request.

    Args:
        match: An example that resembles the request.
        facts: What the request names.
        index: The index that the match comes from.
    """
    example = match.example
    theirs = gather_of_example(example.request)
    places = index.places_of(match)
    folders = tuple(place for place in places if place not in theirs.new_paths)
    files = (*facts.files, *facts.new_paths)
    takes_folder = not files and not folders and bool(places)
    left = () if folders or takes_folder else facts.folders
    pairs: dict[str, str] = {}
    whole = signs(example.request) == signs(facts.request)
    for old, new in (
        (theirs.new_paths, facts.folders if takes_folder else files),
        (folders, facts.folders if folders else ()),
        (theirs.urls, facts.urls),
        (theirs.quotes, facts.quotes),
        (theirs.numbers, facts.numbers),
        *_subjects(example, facts, index, folders, left),
    ):
        if len(old) == len(new):
            whole = whole and [kind_of(name) for name in old] == [kind_of(name) for name in new]
            pairs.update(zip(old, new, strict=True))
            pairs.update(_singular(zip(old, new, strict=True)))
        else:
            whole = False
    renamed = _renamed(example, pairs) if pairs else example
    return replace(match, example=renamed, whole=whole)


def in_mode(match: Match, tool: Tool, facts: Facts) -> Match:
    """Return a match with its example in a file mode that suits the files of this folder."""
    modes = FileModes.of(tool, facts)
    args = None if modes is None else modes.fitted(match.example.args)
    return match if args is None else replace(match, example=replace(match.example, args=args))


def _subjects(
    example: Example,
    facts: Facts,
    index: ExampleIndex,
    folders: tuple[str, ...],
    left: tuple[str, ...],
) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Return the subjects of an example paired with those of the request, kind by kind.

    The folders that the example names are a kind apart; those of the request that have no
    counterpart there are left to replace a word of it.

    For code about a table, columns are one kind and values another. The caller requires equal
    counts, since an extra word may change the question: the variance is not the mean.
    """
    theirs = tuple(name for name in index.subjects_of(example) if name not in folders)
    code = " ".join(value for value in example.args.values() if isinstance(value, str))
    columns = tuple(name for name in theirs if _is_column(name, code))
    if not columns or not facts.columns:
        return [(theirs, (*index.subjects(facts), *left))]
    values = tuple(name for name in theirs if name not in columns)
    return [(columns, facts.named_columns), (values, index.things(facts))]


def _is_column(word: str, code: str) -> bool:
    """Return whether code uses a word, or its singular, as a column name."""
    names = (word, word.removesuffix("s"))
    return any(f"{mark}'{name}'" in code for name in names for mark in ("[", "(", ", "))


def _singular(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the pairs as singulars: an example about errors has "error" in its arguments."""
    return {old[:-1]: new.removesuffix("s") for old, new in pairs if old.endswith("s")}


def _renamed(example: Example, pairs: Mapping[str, str]) -> Example:
    """Return the example with all names replaced in one pass."""
    args = {name: _renamed_value(value, pairs) for name, value in example.args.items()}
    return Example(_exchange(example.request, pairs), args)


def _renamed_value(value: Any, pairs: Mapping[str, str]) -> Any:  # noqa: ANN401  any JSON value
    """Return an argument's value with all names replaced; a number only by a number."""
    if isinstance(value, str):
        return _exchange(value, pairs)
    if isinstance(value, list):
        return [_renamed_value(part, pairs) for part in value]
    if isinstance(value, dict):
        return {name: _renamed_value(part, pairs) for name, part in value.items()}
    written = pairs.get(json.dumps(value), "")
    if isinstance(value, bool) or not _NUMBER.fullmatch(written):
        return value
    return float(written) if "." in written else int(written)


def _exchange(text: str, pairs: Mapping[str, str]) -> str:
    """Return the text with every name replaced that is a whole word."""
    names = "|".join(re.escape(name) for name in _longest_first(pairs))
    return re.sub(rf"(?<!\w)(?:{names})(?!\w)", lambda match: pairs[match[0]], text)


def _longest_first(names: Mapping[str, str]) -> Sequence[str]:
    return sorted(names, key=len, reverse=True)
