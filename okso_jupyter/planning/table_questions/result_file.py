"""Result file: the new file into which a request asks for the answer to a table's question."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from okso_jupyter.planning.request.facts import Facts
from okso_jupyter.planning.request.written_fragments import describes_content

_SAVE: Final = r"(?:write|save|store|put|export|output|schreibe?|speichere?|sichere?)"
_INTO: Final = r"(?:to|in|into|as|under|nach|unter|als)"
_FILE: Final = (
    r"(?:(?:an?|the|new|text|csv|file|called|named|"
    r"eine[rnm]?|de[rnm]|die|neue[nr]?|(?:text-?|csv-?)?datei|namens) )*"
)
_RESULT: Final = (
    r"(?:it|them|that|this|(?:the|its) (?:results?|answers?|table|output|rows|numbers?)|"
    r"es|sie|das ergebnis|die tabelle)"
)
#: An answer is a text or a table; a picture or a workbook is neither.
_SUFFIXES: Final = frozenset({".csv", ".md", ".tsv", ".txt"})
#: The answer to a question is saved, in a clause behind the question.
_BEHIND: Final = re.compile(
    rf"(?is)(?P<question>.+?)(?:[,;.?!]|,? (?:and|then|und|dann))+ {_SAVE} {_RESULT}"
)
#: What is to be saved is said at once: "save the mean of price in a.csv".
_BEFORE: Final = re.compile(rf"(?is)(?:please |bitte )?{_SAVE} (?P<question>.+)")
#: A file that is made with what a question asks for: "make a.txt with the names of all who ...".
_MADE: Final = (
    r"(?is)(?:please |bitte )?(?:make|create|write|start|erstelle?|mache?|schreibe?|lege?) "
    rf"{_FILE}{{path}} (?:an )?(?:with|containing|of|mit|that (?:has|lists|contains)|die) "
    r"(?P<question>.+)"
)
_OF_NAMES: Final = re.compile(
    r"(?i)(?:(?:a list of|the|all|every|die|alle|allen|den) )*(?:names?|namen|titles?|titeln?)\b"
)


@dataclass(frozen=True, slots=True)
class ResultFile:
    """A question whose answer goes into a file.

    Attributes:
        question: The question alone.
        path: The file, which is not there.
        is_of_names: Whether the file is to hold names alone, and no other columns.
    """

    question: str
    path: str
    is_of_names: bool = False


def result_file_of(request: str, facts: Facts) -> ResultFile | None:
    """Return question and file of a request to save an answer; None for any other request."""
    text = re.sub(r"[\s.?!]+$", "", request)
    if made := _made(text, facts):
        return made
    path = next((new for new in facts.new_paths if text.endswith(f" {new}")), "")
    if PurePosixPath(path).suffix.lower() not in _SUFFIXES:
        return None
    asked = re.sub(rf"(?i) {_INTO} {_FILE}$", "", text.removesuffix(path))
    if asked == text.removesuffix(path):
        return None
    if found := _BEHIND.fullmatch(asked):
        return ResultFile(found["question"].strip(" ,;."), path)
    # what is saved is what would be shown
    found = _BEFORE.fullmatch(asked)
    return ResultFile(f"show {found['question'].strip(' ,;.')}", path) if found else None


def _made(text: str, facts: Facts) -> ResultFile | None:
    """Return the question whose answer a new file is made with; None where it is a text itself."""
    if len(facts.new_paths) != 1 or facts.quotes:
        return None
    (path,) = facts.new_paths
    found = re.fullmatch(_MADE.format(path=re.escape(path)), text)
    if found is None or PurePosixPath(path).suffix.lower() not in _SUFFIXES:
        return None
    question = found["question"].strip(" ,;.")
    is_of_names = _OF_NAMES.match(question) is not None
    asked = ResultFile(f"show {question}", path, is_of_names=is_of_names)
    return asked if describes_content(question) else None
