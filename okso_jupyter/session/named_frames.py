"""Named frames: the notebook's tables that a request asks about by their variables.

A Series, an array, a list and a dict are tables, too; a list or dict of texts only where double
braces say that it is meant.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from typing import Any, Final

from okso_jupyter.errors import UsageError
from okso_jupyter.planning.request.facts import Facts
from okso_jupyter.planning.request.wording import paths
from okso_jupyter.sandbox import value_codec
from okso_jupyter.session.templating import names_in
from okso_jupyter.tables.foreign_tables import as_pandas
from okso_jupyter.tables.value_tables import columns_of, table_of

_WORD: Final = re.compile(r"[^\W\d]\w*")
#: Names that are hardly words of a sentence: df, df2, sales_2024.
_DISTINCT: Final = re.compile(r"df\w*|\w*[\d_]\w*")


def named_frames(request: str, variables: Mapping[str, object]) -> dict[str, object]:
    """Return the tables that a request names, by variable; those of other libraries as pandas'.

    In double braces, in backticks, with "dataframe" beside it, or after a word such as "in";
    a name that is no word, such as df, anywhere. A request that writes out a path means the file.

    Args:
        request: The request, with its placeholders.
        variables: The notebook's variables.
    """
    inserted = set(names_in(request))
    found = {}
    for name in dict.fromkeys(_WORD.findall(request)):
        if name not in variables or not (name in inserted or _is_named(name, request)):
            continue
        frame = _table_of(name, variables[name], is_inserted=name in inserted)
        if frame is not None:
            found[name] = frame
    return found


def asked_frames(request: str, frames: Mapping[str, Any]) -> dict[str, object]:
    """Return the one frame that a request is a question about; none where it asks something else.

    Args:
        request: The request, with its placeholders filled in.
        frames: The frames that it names.
    """
    # with the first frame that a request names
    from okso_jupyter.planning.table_questions.recognition import table_named  # noqa: PLC0415

    columns = {name: _columns(name, frame) for name, frame in frames.items()}
    asked = table_named(Facts(request=request), columns)
    return {asked: frames[asked]} if asked else {}


def _table_of(name: str, value: object, *, is_inserted: bool) -> object:
    """Return a value that is a table; None for others."""
    try:
        table = as_pandas(name, value)
    except UsageError:
        return None
    if not (is_inserted or hasattr(table, "dtype") or _has_columns(table) or _is_of_numbers(table)):
        return None
    return table if _columns(name, table) else None


def _is_of_numbers(value: object) -> bool:
    return isinstance(value, list | tuple) and all(type(each) in {int, float} for each in value)


def _has_columns(value: object) -> bool:
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(value, pandas.DataFrame)


def _columns(name: str, value: object) -> tuple[str, ...]:
    """Return the columns of a value as a table; () where it is none."""
    if _has_columns(value):
        return tuple(map(str, value.columns))  # type: ignore[attr-defined]  # it is a frame
    if value_codec.least_bytes(value) > value_codec.MAX_VALUE_BYTES:
        return ()
    try:
        table = table_of(name, value_codec.encode(value))
    except value_codec.ValueCodecError:
        return ()
    return columns_of(table) if table else ()


def _is_named(name: str, request: str) -> bool:
    if paths(request):
        return False
    word = rf"(?<![\w./'\"]){name}(?![\w(/]|\.\w|['\"])"
    if _DISTINCT.fullmatch(name):
        return re.search(word, request) is not None
    led = r"\b(?:in|of|from|within|inside|aus|von)\s+(?:the\s+)?"
    beside = r"\s+(?:data\s?frame|frame|variable)\b"
    file = r"\s+(?:file|csv|column|datei|spalte)\b"
    patterns = (f"`{name}`", f"{word}{beside}", f"{led}{word}(?!{file})")
    return any(re.search(pattern, request) for pattern in patterns)
