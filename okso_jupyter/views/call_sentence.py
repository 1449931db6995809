"""One plain sentence of what a call does, made from its tool and arguments alone.

The words of a model are never used: a sentence that is read before a decision has to be true.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from okso_jupyter.amounts import counted
from okso_jupyter.plan.holes import MISSING, surfaced
from okso_jupyter.plan.plan import FINAL_TOOL, Step
from okso_jupyter.tables.query import Query
from okso_jupyter.tables.query_wording import sentence
from okso_jupyter.views.short_call import on_one_line, short_call, short_value

Args = Mapping[str, Any]

#: Longer values are shortened; the call below the sentence has them in full.
_VALUE_CHARS: Final = 60
_SENTENCE_CHARS: Final = 160
#: Calls of more characters, or of several lines, do not stand below the sentence in full.
_CALL_CHARS: Final = 200
#: A text that looks like a further argument.
_FORGED: Final = re.compile(r",\s*\w+=")
_LATER: Final = "…"
_LATER_WORDS: Final = "(filled in when the step is due)"
#: How what a file holds is changed, by the mode of `file_write`.
_WRITES: Final[Mapping[str, str]] = {
    "create": "Write {what} to the new file {path}",
    "append": "Add {what} at the end of {path}",
    "replace": "Replace what {path} holds by {what}",
    "overwrite": "Replace what {path} holds by {what}",
}


def call_sentence(step: Step) -> str:
    """Return what a step does, such as "Read notes.md", on one line."""
    args = _known(step)
    try:
        said = _SENTENCES[step.tool](args)
    except (KeyError, TypeError, ValueError, AttributeError):  # another tool, or unlikely arguments
        said = _of_any_tool(step.tool, args)
    line = on_one_line(said.replace(MISSING, _LATER), _SENTENCE_CHARS)
    return line[:1].upper() + line[1:]


def call_text(step: Step) -> str:
    """Return the call of a step in its short form, on one line; empty if there is nothing in it."""
    return "" if step.is_final and not step.args else on_one_line(_call(step), _CALL_CHARS)


def is_told_whole(step: Step) -> bool:
    """Return whether the short form of a call tells all of its arguments, and nothing else."""
    is_plain = all(" ".join(text.split()) == text for text in _texts(step.args))
    is_forged = any(_FORGED.search(text) for text in _texts(step.args))
    return is_plain and not is_forged and len(_call(step)) <= _CALL_CHARS


def _texts(value: object) -> Iterator[str]:
    """Yield the texts in a JSON value."""
    if isinstance(value, str):
        yield value
        return
    parts: Iterable[object] = ()
    if isinstance(value, Mapping):
        parts = value.values()
    elif isinstance(value, list | tuple):
        parts = value
    for part in parts:
        yield from _texts(part)


def _call(step: Step) -> str:
    return short_call(step.tool, _known(step)).replace(MISSING, _LATER_WORDS)


def _known(step: Step) -> dict[str, Any]:
    """Return the arguments, with one mark for all that is filled in later."""
    return {
        name: surfaced(value) if name in step.open_args else value
        for name, value in step.args.items()
    }


def _of_any_tool(tool: str, args: Args) -> str:
    named = ", ".join(f"{name} {_value(value)}" for name, value in args.items())
    return f"Use {tool} with {named}" if named else f"Use {tool}"


def _value(value: object) -> str:
    """Return a value on one line, shortened."""
    return on_one_line(short_value(value), _VALUE_CHARS) or "(an empty text)"


def _quoted(value: object) -> str:
    return _LATER if value == MISSING else f"“{_value(value)}”"


def _path(args: Args) -> str:
    return _value(args.get("path") or args["input"])


def _table_query(args: Args) -> str:
    return sentence(Query.from_json(args))


def _file_read(args: Args) -> str:
    page = f", page {_value(args['page'])}" if args.get("page") else ""
    return f"Read {_path(args)}{page}"


def _file_search(args: Args) -> str:
    places = [_value(path) for path in args.get("paths", ()) if path != "."]
    where = f" in {', '.join(places)}" if places else " in all files"
    return f"Look for {_quoted(args.get('query') or args['input'])}{where}"


def _file_write(args: Args) -> str:
    content = args.get("content", MISSING)
    what = "a text that is filled in later" if content == MISSING else _quoted(content)
    return _WRITES[args.get("mode") or "create"].format(what=what, path=_path(args))


def _file_edit(args: Args) -> str:
    new = args.get("new_text", "")
    old, path = _quoted(args["old_text"]), _path(args)
    return f"Replace {old} by {_quoted(new)} in {path}" if new else f"Remove {old} from {path}"


def _terminal(args: Args) -> str:
    words = [str(word) for word in args.get("args", ())]
    line = " ".join([str(args.get("command") or "status"), *map(shlex.quote, words)])
    return f"Run the command {line}"


def _web_search(args: Args) -> str:
    return f"Search the web for {_quoted(args['query'])}"


def _web_fetch(args: Args) -> str:
    return f"Fetch {_value(args['url'])}"


def _calculator(args: Args) -> str:
    if args.get("quantity"):
        return f"Convert {_value(args['quantity'])} to {_value(args['to'])}"
    if args.get("until"):
        return f"Time from {_value(args['date'])} until {_value(args['until'])}"
    if args.get("plus"):
        return f"Date {_value(args['plus'])} after {_value(args['date'])}"
    if args.get("date"):
        return f"Weekday of {_value(args['date'])}"
    return f"Calculate {_value(args['expression'])}"


def _python(args: Args) -> str:
    code = str(args["input"]).strip()
    if code == MISSING:
        return "Run Python code that is filled in later"
    lines = code.count("\n") + 1
    return f"Run {counted(lines, 'line')} of Python" if lines > 1 else f"Run in Python: {code}"


def _final(args: Args) -> str:
    del args
    return "Answer from what the steps gave"


_SENTENCES: Final[Mapping[str, Callable[[Args], str]]] = {
    "table_query": _table_query,
    "file_read": _file_read,
    "file_search": _file_search,
    "file_write": _file_write,
    "file_edit": _file_edit,
    "terminal": _terminal,
    "web_search": _web_search,
    "web_fetch": _web_fetch,
    "calculator": _calculator,
    "python_repl": _python,
    FINAL_TOOL: _final,
}
