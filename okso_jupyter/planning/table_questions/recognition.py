"""Recognition: whether a request is a question about one table, and nothing else."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Final

from okso_jupyter.errors import ToolError
from okso_jupyter.planning.request.facts import Facts
from okso_jupyter.planning.table_questions.table_sample import TableSample
from okso_jupyter.workspace import Workspace

SEPARATORS: Final = {".csv": ",;\t|", ".tsv": "\t"}
_MOST_BYTES: Final = 4 << 20
_MOST_ROWS: Final = 20_000
_SNIFFED: Final = 4096
#: A table has a header and a row, and two columns.
_FEWEST: Final = 2
#: Words that ask for a change, a picture or a file, wherever they stand.
_ACTS: Final = re.compile(
    r"""(?ix)\b(?:
    write|save|store|export|create|make|append|insert|delete|remove|rename|move|copy|convert|
    replace|update|change|edit|fix|clean|fill|split|merge|join|zip|backup|send|mail|upload|download|
    plot|chart|graph|draw|histogram|diagram|visuali[sz]e|picture|figure|
    schreib\w*|speicher\w*|erstell\w*|lösch\w*|kopier\w*|verschieb\w*|umbenenn\w*|zeichne\w*|
    grafik|diagramm|folder|directory|web|
    (?:train|fit|build)\ (?:a|an|the)|predict|machine\ learning
    )\b | \bthen\b | ; | https?:// | `"""
)
#: Words of a question that is not about the rows of a table.
_ELSE: Final = re.compile(
    r"""(?ix)\b(?:
    translate|summari[sz]e|describe|explain|model|regression|classify|
    lines?|words?|characters?|chars?|bytes?|size|modified|content|contents|header|headers|
    zusammenfass\w*|übersetz\w*|zeilenanzahl|
    python|pandas|sql|code|script|function|notebook|variable|search|
    columns?\s+(?:are|does|do|names?|has|have)|(?:which|what|list|all|show)(?:\s+\w+){0,2}\s+columns|
    spalten
    )\b"""
)
#: How a sentence begins that asks something.
_ASKS: Final = re.compile(
    r"""(?ix)^\W*(?:please\s+|bitte\s+|(?:can|could)\s+you\s+)?(?:
    what|which|who|whose|when|where|how|is|are|do|does|did|was|were|
    find|calculate|compute|give|show|list|count|tell|determine|get|identify|display|sum|
    average|mean|total|number|check|report|sort|rank|compare|top|
    was|welche\w*|wer|wann|wo|wie|zeige?|nenne?|berechne|finde|gib
    )\b"""
)
_SENTENCES: Final = re.compile(r"(?<=[.?!])\s+(?=[A-Z\d\"'(])")
#: What numbers a question in a list of questions.
_LIST_MARK: Final = re.compile(r"^\s*(?:(?i:question|q|frage)\s*)?\(?\d{1,2}[.):]\s+")
_CONNECTING: Final = r"(?:in|of|from|for|within|inside|out\ of|using|with|by|aus|von|in\ der|der)"
_FILE_WORDS: Final = (
    r"(?:the\s+|die\s+|der\s+)?(?:(?:csv|tsv|data)?\s*(?:file|table|datei|tabelle|dataset)\s+)?"
)


def table_named(facts: Facts) -> str:
    """Return the one table that a request is a question about; "" where it is something else."""
    files = facts.files
    if len(files) != 1 or facts.urls or facts.new_paths or facts.folders:
        return ""
    file, request = files[0], facts.request
    if PurePosixPath(file).suffix.lower() not in SEPARATORS or not _named(file).search(request):
        return ""
    whole = _without_names(_named(file).sub(" ", request), facts.columns)
    asked = _without_names(question_of(request, file), facts.columns)
    return "" if _ACTS.search(whole) or _ELSE.search(asked) else file


def question_of(request: str, file: str) -> str:
    """Return a request without the file's name and the words that lead to it."""
    path = PurePosixPath(file)
    names = "|".join(re.escape(name) for name in (file, path.name, f"{path.stem} file"))
    data_is_in = rf"(?i)\b(?:the\s+)?data\s+(?:is|are)\s+in\s+[\"'`]?(?:{names})[\"'`]?\.?"
    text = re.sub(data_is_in, " ", request)
    text = _LIST_MARK.sub("", " ".join(_named(file).sub(" ", text).split()))
    return _asking(text).strip(" ,:?.")


def _asking(text: str) -> str:
    """Return the sentences of a text that ask; the first one if the others say how to answer."""
    sentences = _SENTENCES.split(text)
    questions = [sentence for sentence in sentences if sentence.rstrip().endswith("?")]
    if questions:
        return " ".join(questions)
    return next((sentence for sentence in sentences if _ASKS.search(sentence)), text)


def _named(file: str) -> re.Pattern[str]:
    """Return the pattern of a file's name, with the words that lead to it."""
    path = PurePosixPath(file)
    stem = re.escape(path.stem)
    names = "|".join((re.escape(file), re.escape(path.name), rf"{stem}(?=\s+(?:file|table|datei))"))
    return re.compile(
        rf"(?i)(?:\b{_CONNECTING}\s+)?{_FILE_WORDS}[\"'`]?(?:\./)?(?<![\w.])(?:{names})[\"'`]?"
        r"(?:\s+(?:file|table|datei))?(?!\w)"
    )


def head_of(workspace: Workspace, file: str) -> TableSample | None:
    """Return the beginning of a table; None where the file is none."""
    try:
        with workspace.open(file) as opened:
            data = opened.read(_MOST_BYTES)
    except ToolError:
        return None
    text = _decoded(data)
    if len(data) == _MOST_BYTES:
        text = text.rpartition("\n")[0]
    rows = list(_rows(text, SEPARATORS[PurePosixPath(file).suffix.lower()]))[: _MOST_ROWS + 1]
    if len(rows) < _FEWEST or len(rows[0]) < _FEWEST:
        return None
    return TableSample(file, rows[0], rows[1:])


def _decoded(data: bytes) -> str:
    """Return the text of a file: UTF-8 or UTF-16 by its mark, else Latin-1."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", errors="replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        is_cut = error.end >= len(data) - 3 and len(data) == _MOST_BYTES
        return data.decode("utf-8-sig" if is_cut else "latin-1", errors="replace")


def _rows(text: str, separators: str) -> list[list[str]]:
    """Return the rows of a table, without blank ones."""
    first = text[:_SNIFFED].split("\n", 1)[0]
    separator = max(separators, key=first.count)
    try:
        return [
            row
            for row in csv.reader(text.splitlines(keepends=True), delimiter=separator)
            if any(row)
        ]
    except csv.Error:
        return []


def _without_names(text: str, columns: Sequence[str]) -> str:
    """Return a text without the names of columns: "size" asks for nothing if it is a column."""
    for name in sorted(columns, key=len, reverse=True):
        for form in {name, name.replace("_", " ")}:
            text = re.sub(rf"(?i)(?<!\w){re.escape(form)}s?(?!\w)", " ", text)
    return text
