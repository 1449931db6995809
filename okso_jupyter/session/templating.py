"""Templates in requests: `{{name}}` is replaced by a variable of the notebook.

A word or a number is inserted as it is, several words in quotes, so that they cannot be read as
part of the request. Other values (tables, lists, long texts) are put beside the request as data
between marks, and the request contains their name.
"""

from __future__ import annotations

import difflib
import keyword
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from okso_jupyter.errors import UsageError
from okso_jupyter.plan.run_inputs import TemplateVariable, is_word
from okso_jupyter.redaction.redactor import Redactor, is_secret
from okso_jupyter.session.value_text import ValueText, value_text
from okso_jupyter.settings import Settings
from okso_jupyter.tables.foreign_tables import as_pandas

_PLACE: Final = re.compile(r"(\\?)(?<!\{)\{\{[ \t]*([^\W\d]\w*)[ \t]*\}\}(?!\})")
#: A placeholder with the name around it, as in data/{{name}}.csv, but without a final full stop.
_NAME: Final = re.compile(
    rf"[\w./~-]*(?:{_PLACE.pattern}(?:[\w./~-]+(?={_PLACE.pattern}))?)+(?:[./_-]*\w+)*"
)
_MOST_INLINE_CHARS: Final = 300
#: Least characters for each value, however many values there are.
_LEAST_CHARS: Final = 200
_QUOTES: Final = (("'", "'"), ('"', '"'), ("“", "”"), ("`", "`"))


@dataclass(frozen=True, slots=True)
class TemplatedRequest:
    """A request with its values filled in, and the inserted variables."""

    request: str
    inserted: tuple[TemplateVariable, ...] = ()


def names_in(request: str) -> list[str]:
    """Return the variables that a request names, each once."""
    found = (match[2] for match in _PLACE.finditer(request) if _is_meant(match))
    return list(dict.fromkeys(found))


def fill_template(
    request: str, variables: Mapping[str, object], *, settings: Settings, redactor: Redactor
) -> TemplatedRequest:
    """Return a request with its placeholders replaced by the values of their variables.

    Args:
        request: The request.
        variables: The available variables.
        settings: PROMPT_TOKEN_BUDGET, a quarter of which is for values beside the request.
        redactor: Removes secrets from values.

    Raises:
        UsageError: There is no such variable, or its value cannot be written as text.
    """
    names = names_in(request)
    # a token is about four characters, so a quarter of N tokens is about N characters
    each = max(_LEAST_CHARS, settings.prompt_token_budget // max(1, len(names)))
    words = {name: _words(name, variables, each) for name in names}
    texts = {name: redactor.text(found.text) for name, found in words.items()}
    beside = {n for n, w in words.items() if not (w.is_written and w.is_whole and _fits(texts[n]))}

    def put(match: re.Match[str]) -> str:
        if not _is_meant(match):
            return match[0].removeprefix("\\")
        return match[2] if match[2] in beside else texts[match[2]]

    def put_name(match: re.Match[str]) -> str:
        meant = [place[2] for place in _PLACE.finditer(match[0]) if _is_meant(place)]
        if all(is_word(texts[name]) or not words[name].is_written for name in meant):
            return _PLACE.sub(put, match[0])
        if beside & set(meant) and not _PLACE.fullmatch(match[0]):
            place = f"{{{{{meant[0]}}}}}"
            raise _no_part(place)
        around = request[: match.start()][-1:], request[match.end() :][:1]
        return _quoted(_PLACE.sub(put, match[0]), around)

    inserted = tuple(
        TemplateVariable(
            name=name,
            about=words[name].about,
            text=texts[name],
            is_beside=name in beside,
            is_text=words[name].is_written and words[name].is_whole,
        )
        for name in names
    )
    return TemplatedRequest(_NAME.sub(put_name, request), inserted)


def _is_meant(match: re.Match[str]) -> bool:
    """Return whether a placeholder names a variable: a backslash before it makes it text."""
    return not match[1] and not keyword.iskeyword(match[2])


def _words(name: str, variables: Mapping[str, object], most_chars: int) -> ValueText:
    """Return the value of a variable as text.

    Raises:
        UsageError: There is no such variable, it is a secret, or it cannot be written as text.
    """
    if name not in variables:
        values = [known for known, value in variables.items() if not callable(value)]
        near = difflib.get_close_matches(name, values, n=1)
        msg = f"{{{{{name}}}}} in the request: there is no variable {name}"
        way = f"did you mean {near[0]}?" if near else "run the cell that makes it first;"
        raise UsageError(msg, hint=f"{way} \\{{{{{name}}}}} with a backslash is plain text")
    value = as_pandas(name, variables[name])
    if isinstance(value, str) and is_secret(name, value):
        msg = f"{{{{{name}}}}} in the request: by its name, {name} is a secret"
        hint = "requests are shown, recorded and read by a model; if it is none, rename it"
        raise UsageError(msg, hint=hint)
    try:
        return value_text(value, most_chars)
    except (TypeError, ValueError, RecursionError) as error:
        msg = f"{{{{{name}}}}} in the request: {name} {error}, which has no place in a text"
        hint = "texts, numbers, dates, tables, arrays, lists and dicts have; convert it first"
        raise UsageError(msg, hint=hint) from error


def _fits(text: str) -> bool:
    """Return whether a text can be inserted in a sentence: short, on one line, and quotable."""
    is_line = text.isprintable() and len(text) <= _MOST_INLINE_CHARS
    return is_line and bool(text.strip()) and (is_word(text) or _marks_for(text) is not None)


def _marks_for(text: str) -> tuple[str, str] | None:
    """Return quotation marks that do not occur in the text, if there are any."""
    return next((m for m in _QUOTES if m[0] not in text and m[1] not in text), None)


def _quoted(text: str, around: tuple[str, str]) -> str:
    """Return a text in quotes, unless its place is already quoted by marks that it lacks.

    Args:
        text: The text.
        around: The characters before and after its place.
    """
    if around in _QUOTES and not set(around) & set(text):
        return text
    marks = _marks_for(text)
    if marks is None:
        raise _no_part(text)
    return f"{marks[0]}{text}{marks[1]}"


def _no_part(name: str) -> UsageError:
    msg = f"{name} is a part of a name in the request, and its value is not a word"
    return UsageError(msg, hint="make a variable of the whole name, and insert that one")
