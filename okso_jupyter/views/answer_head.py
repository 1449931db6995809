"""The head of an answer: one value in large, what it is, and a note; and the calls behind it.

The answer itself is a sentence (`Run.answer`). Here it is taken apart for people who look for the
value: by the call that gave it, never by guessing at words of a model.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from okso_jupyter.plan.plan import FINAL_TOOL
from okso_jupyter.plan.records import Observation
from okso_jupyter.tables.query import Query
from okso_jupyter.tables.query_wording import heading, sentence

#: A longer answer is not one value.
_MOST_CHARS: Final = 120
#: Signs between a calculation and its result.
_EQUALS: Final = (" = ", " ≈ ")
_MARKDOWN: Final = (".md", ".markdown")
_QUERY_TOOL: Final = "table_query"
_CALCULATOR: Final = "calculator"


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerHead:
    """An answer that is one value.

    Attributes:
        value: The value with its unit.
        name: What the value is, with the conditions under which it was computed; may be empty.
        note: What it was computed of, such as "2 rows"; may be empty.
    """

    value: str
    name: str = ""
    note: str = ""

    @property
    def words(self) -> str:
        """All of it on one line."""
        named = f"{self.name}: {self.value}" if self.name else self.value
        return f"{named} ({self.note})" if self.note else named


def evidence_for(answer: str | None, seen: Sequence[Observation]) -> tuple[Observation, ...]:
    """Return the completed calls whose output stands in an answer; else all completed calls."""
    called = [o for o in seen if o.call.tool != FINAL_TOOL and o.status == "completed"]
    quoted = [o for o in called if o.text.strip() and o.text.strip() in (answer or "")]
    return tuple(quoted or called)


def head_of(answer: str | None, evidence: Sequence[Observation], title: str) -> AnswerHead | None:
    """Return the head of an answer that is the short output of one call; None for any other.

    Args:
        answer: The answer.
        evidence: The result of `evidence_for`.
        title: What the call does, in words; may be empty.
    """
    text = (answer or "").strip()
    if len(evidence) != 1 or evidence[0].text.strip() != text:
        return None
    if not text or "\n" in text or len(text) > _MOST_CHARS:
        return None
    (seen,) = evidence
    is_query = seen.call.tool == _QUERY_TOOL and isinstance(seen.raw, Mapping)
    return _of_query(seen, text) if is_query else _of_call(seen, text, title)


def is_markdown_file(answer: str | None, evidence: Sequence[Observation]) -> bool:
    """Return whether an answer is the text of one Markdown file, and so may be rendered."""
    names = [
        str(seen.call.args.get("path", "")) for seen in evidence if isinstance(seen.raw, Mapping)
    ]
    is_read = len(names) == 1 and names[0].casefold().endswith(_MARKDOWN)
    return is_read and evidence[0].text.strip() == (answer or "").strip()


def _of_query(seen: Observation, text: str) -> AnswerHead:
    """Return the head of an answer such as "mean of price where region is North: 3.5 (2 rows)"."""
    query = Query.from_json(seen.call.args)
    name, value = sentence(query), text.removeprefix(f"{heading(query)}: ")
    cell = seen.raw["rows"][0][0] if seen.raw.get("rows") else None
    shown, _, note = value.partition(" (")
    if isinstance(cell, int | float) and note.endswith(")"):
        return AnswerHead(name=name, value=shown, note=note.removesuffix(")"))
    return AnswerHead(name=name, value=value)


def _of_call(seen: Observation, text: str, title: str) -> AnswerHead:
    """Return the head of an answer such as "12 km/h ≈ 3.3 m/s", or of any other short output.

    Only a calculation is taken apart: a line of a file may have such a sign, too.
    """
    for sign in _EQUALS if seen.call.tool == _CALCULATOR else ():
        name, is_equal, value = text.rpartition(sign)
        if is_equal:
            return AnswerHead(name=name, value=f"{sign.strip()} {value}".removeprefix("= "))
    return AnswerHead(name=title, value=text)
