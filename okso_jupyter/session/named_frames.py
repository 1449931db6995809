"""Named frames: the notebook's tables that a request asks about by their variables."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from typing import Any, Final

from okso_jupyter.planning.request.facts import Facts
from okso_jupyter.planning.request.wording import paths
from okso_jupyter.planning.table_questions.recognition import table_named
from okso_jupyter.session.templating import names_in

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
        frame = _frame_of(variables.get(name))
        if frame is not None and (name in inserted or _is_named(name, request)):
            found[name] = frame
    return found


def asked_frames(request: str, frames: Mapping[str, Any]) -> dict[str, object]:
    """Return the one frame that a request is a question about; none where it asks something else.

    Args:
        request: The request, with its placeholders filled in.
        frames: The frames that it names.
    """
    columns = {name: tuple(map(str, frame.columns)) for name, frame in frames.items()}
    asked = table_named(Facts(request=request), columns)
    return {asked: frames[asked]} if asked else {}


def _frame_of(value: object) -> object:
    """Return a table as a pandas frame; None for other values."""
    pandas, polars, arrow = map(sys.modules.get, ("pandas", "polars", "pyarrow"))
    if pandas is not None and isinstance(value, pandas.DataFrame):
        return value
    if polars is not None and isinstance(value, polars.DataFrame):
        return value.to_pandas()
    if arrow is not None and isinstance(value, arrow.Table):
        return value.to_pandas()
    return None


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
