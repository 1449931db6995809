"""List steps: reads clauses that make a list of lines, or add lines to one or take them out."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from okso_jupyter.planning.file_commands.clause import CommandClause, Found
from okso_jupyter.planning.file_commands.content_steps import has_lines, line_end
from okso_jupyter.planning.request.written_fragments import describes_content

#: A line of more words is a sentence, or an entry of a log.
_MOST_WORDS: Final = 4
_BETWEEN: Final = re.compile(r",? (?:and|und) |, ")
#: What stands before or behind an entry, and is none of it: "and also milk", "add milk too".
_TOO: Final = re.compile(
    r"(?i)^(?:(?:also|auch|noch|then|dann|bitte|please) )+|"
    r"(?: (?:too|also|as well|auch|noch|bitte|please))+$"
)
#: A request that says more than what the entries are: not, something, all but, where, when, whence.
_UNSURE: Final = re.compile(
    r"(?i)\b(?:not|never|nicht|niemals|kein\w*|nothing|something|anything|everything|whatever|"
    r"nichts|etwas|irgend\w*|was|alles|but|except|außer|ausser|instead|statt|anstatt|stattdessen|"
    r"maybe|perhaps|vielleicht|falls|wenn|if|again|wieder|erneut|zurück|"
    r"(?:at|on) (?:the )?(?:top|bottom|start|end)|above|below|before|between|oben|"
    r"unten|zuoberst|zuunterst|zuerst|zuletzt|vor|hinter|zwischen|nach|only|just|nur|dazu|doch|mal|"
    r"tomorrow|today|tonight|yesterday|later|soon|now|morgen|übermorgen|heute|gestern|später|"
    r"nachher|bald|jetzt|gleich|next|nächste\w*|from|out of|aus|auf)\b|"
    r"\b(?:to|at|zu|für) \d|\b(?:back|first|last)$|^(?:mir|uns|me|us|am|on|no) "
)
#: "Add a header", "create it with a summary": a text that is still to be written.
_TO_COMPOSE: Final = re.compile(
    r"(?i)^(?:all|every|alle|jede[rns]?|an?|the|my|our|some|more|another|today|current|eine?n?|d(?:er|ie|as|en)|mein\w*)\b"
)
#: What stands before an entry of a list in Markdown.
_BULLET: Final = re.compile(r"^[ \t]*(?:[-*+] (?:\[[ xX]\] )?|\d+[.)] )")

#: How much of an entry is wanted: "towels 4", "toilet paper: 60 rolls", "2 kg treats".
_AMOUNT_BEHIND: Final = re.compile(
    r"(?<=\w)(?: ?[:,x(-])* ?(?<![^\W\d])\d[\d.,/]*(?: ?[^\W\d_]+)?\)?$"
)
_AMOUNT_BEFORE: Final = re.compile(
    r"^\d[\d.,/]* ?(?:x |(?:kg|g|l|ml|litres?|liters?|liter|packs?|packets?|bottles?|boxes|"
    r"cans?|packungen|flaschen?|dosen?|kisten?|rollen?|stück|sack) (?:of )?)?(?=[^\W\d])"
)
#: Files whose lines are no rows.
_TEXTS: Final = (".txt", ".md", ".markdown", ".lst", ".list")


def is_list(text: str | None) -> bool:
    """Return whether every line of a text is one thing, such as a name or an address."""
    lines = (text or "").splitlines()
    return any(lines) and all(len(line.split()) <= _MOST_WORDS for line in lines)


def _entries(clause: CommandClause) -> list[str]:
    """Return what is to be a line each, [] where it is no text; one in quotation marks is one."""
    said = clause.text("text").strip()
    if clause.is_quoted("text"):
        return [said]
    found = [one for one in _BETWEEN.split(said) if one]
    if describes_content(said):
        return []
    return [] if any(map(_TO_COMPOSE.match, found)) else found


def _sure_entries(clause: CommandClause) -> list[str]:
    """Return the entries to add to a list; [] where their words may say where, when or not."""
    entries = _entries(clause)
    if clause.is_quoted("text"):
        return entries
    return [] if _UNSURE.search(clause.said("text")) else [_TOO.sub("", one) for one in entries]


def _added(clause: CommandClause) -> Found:
    """Read "add juice and milk to drinks.txt": a line each, behind the last one."""
    files, before = clause.files(), clause.before
    if len(files) != 1 or before.taken or not before.have(files) or not has_lines(files[0]):
        return None
    text, entries = before.folder.text(files[0]), _sure_entries(clause)
    if text is None or not is_list(text) or not is_list("\n".join(entries)):
        return None
    end = line_end(text)
    content = "".join(f"{entry}{end}" for entry in entries)
    content = content if text.endswith("\n") else f"{end}{content}"
    args = {"path": files[0], "content": content, "mode": "append"}
    title = f"Add {', '.join(entries)} to {files[0]}"
    return ({"tool": "file_write", "args": args, "title": title},), before.moved((), files)


def _taken_out(clause: CommandClause) -> Found:
    """Read "remove milk from shopping.txt" and "remove the line with milk": one line, with its end.

    An entry is called without its amount, too: "towels" of "- towels 4".
    """
    files, before = clause.files(), clause.before
    text = before.folder.text(files[0]) if len(files) == 1 and before.have(files) else None
    if text is None or before.taken:
        return None
    lines = text.splitlines(keepends=True)
    places = _places_of(clause, files[0], lines)
    if len(places) != 1:
        return None
    (place,) = places
    # with the line before, so that the end of another line is not meant
    kept = lines[place - 1] if place else ""
    if text.count(kept + lines[place]) != 1:
        return None
    args = {"path": files[0], "old_text": kept + lines[place], "new_text": kept}
    title = f"Take {lines[place].strip()} out of {files[0]}"
    step = {"tool": "file_edit", "args": {**args, "replace_all": False}, "title": title}
    return (step,), before.moved((), files)


def _places_of(clause: CommandClause, file: str, lines: Sequence[str]) -> list[int]:
    """Return the places of the lines that are an entry, or have a word where that is said."""
    about, wanted = clause.text("about").strip(), clause.text("text").strip().casefold()
    is_text = file.lower().endswith(_TEXTS)
    if about:
        word = re.compile(rf"(?i)(?<!\w){re.escape(about)}(?!\w)")
        return [at for at, line in enumerate(lines) if is_text and word.search(line)]
    entries = [_BULLET.sub("", line).strip().casefold() for line in lines]
    places = [at for at, entry in enumerate(entries) if wanted and entry == wanted]
    if places or not is_text:
        return places
    return [at for at, entry in enumerate(entries) if wanted and _without_amount(entry) == wanted]


def _without_amount(entry: str) -> str:
    """Return an entry of a list without the amount before or behind it."""
    return _AMOUNT_BEFORE.sub("", _AMOUNT_BEHIND.sub("", entry))


def _made(clause: CommandClause) -> Found:
    """Read "create todo.txt with the lines call Ann, book hall": a new file."""
    files, before, entries = clause.files(), clause.before, _entries(clause)
    if len(files) != 1 or not has_lines(files[0]) or not before.can_hold(files[0]):
        return None
    if len(entries) < 2:  # noqa: PLR2004  one is a text
        return None
    args: dict[str, Any] = {"path": files[0], "content": "\n".join(entries) + "\n"}
    step = {"tool": "file_write", "args": {**args, "mode": "create"}, "title": f"Write {files[0]}"}
    return (step,), before.moved((), files)


def _note_made(clause: CommandClause) -> Found:
    """Read "create ideas.md with the heading Ideas and the items sail, climb": a new text."""
    files, before, entries = clause.files(), clause.before, _entries(clause)
    if len(files) != 1 or not files[0].endswith((".md", ".txt")) or not before.can_hold(files[0]):
        return None
    heading = clause.text("heading").strip()
    mark = "- [ ]" if clause.said("entry").lower().startswith(("task", "to")) else "-"
    lines = [f"# {heading}" if files[0].endswith(".md") else heading, ""]
    content = "\n".join([*lines, *(f"{mark} {entry}" for entry in entries), ""])
    args: dict[str, Any] = {"path": files[0], "content": content, "mode": "create"}
    step = {"tool": "file_write", "args": args, "title": f"Write {files[0]}"}
    return (step,), before.moved((), files)


#: The reader of each kind of clause.
READERS: Final[Mapping[str, Callable[[CommandClause], Found]]] = {
    "line added": _added,
    "line taken out": _taken_out,
    "list made": _made,
    "note made": _note_made,
}
