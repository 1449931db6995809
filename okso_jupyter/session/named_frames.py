"""Named frames: the notebook's tables that a request asks about by their variables."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from typing import Any, Final

from okso_jupyter.errors import UsageError
from okso_jupyter.planning.request.facts import Facts
from okso_jupyter.planning.request.wording import paths
from okso_jupyter.session.templating import names_in
from okso_jupyter.tables.foreign_tables import as_pandas

_WORD: Final = re.compile(r"[^\W\d]\w*")
#: Names that are hardly words of a sentence: df, df2, sales_2024.
_DISTINCT: Final = re.compile(r"df\w*|\w*[\d_]\w*")


def named_frames(request: str, variables: Mapping[str, object]) -> dict[str, object]:
    """Return the tables that a request names, by variable, as pandas frames.

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
        frame = _frame_of(name, variables[name])
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

    columns = {name: tuple(map(str, frame.columns)) for name, frame in frames.items()}
    asked = table_named(Facts(request=request), columns)
    return {asked: frames[asked]} if asked else {}


def _frame_of(name: str, value: object) -> object:
    """Return a table as a pandas frame; None for other values."""
    try:
        frame = as_pandas(name, value)
    except UsageError:
        return None
    pandas = sys.modules.get("pandas")
    return frame if pandas is not None and isinstance(frame, pandas.DataFrame) else None


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
