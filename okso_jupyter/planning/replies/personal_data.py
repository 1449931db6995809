"""Replies to requests for notes, reminders, events or mail that cannot be planned here, and why."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Final

from okso_jupyter.planning.personal_requests.mail_asked import mail_asked, unaddressed
from okso_jupyter.planning.personal_requests.personal_asked import personal_asked
from okso_jupyter.planning.personal_requests.tool_names import DRAFT_TOOL, REVIEW_TOOL, SEND_TOOL
from okso_jupyter.planning.replies.here import Here
from okso_jupyter.planning.request.courtesy import direct

_NO_ADDRESS: Final = (
    "I cannot look up a mail address: I can write to one that the request names, such as "
    "“{verb} a mail to ada@example.org saying 'I am late'”."
)
#: A tool of the catalogue that is not replaced; without it no setting would bring the others.
_BUILT_IN: Final = "file_read"
#: Tools of this package that have such a word and do something else.
_OWN: Final = re.compile(r"workflow_|feedback$")
#: Words of another tool that could do what the missing one cannot.
_NAMES: Final[Mapping[str, str]] = {
    "notes": r"notes?",
    "reminders": r"reminders?|to-?dos?|tasks?",
    "calendar": r"calendars?|appointments?|events?|meetings?",
    "mail": r"e-?mails?|mails?|gmail|outlook|inbox",
}


def not_ready(
    request: str, here: Here, *, now: datetime, missing: Callable[[Mapping[str, str]], str]
) -> str:
    """Return in one sentence what a request for personal data needs; empty for other requests.

    A request that names a file of the folder is about that file, unless it writes a mail.

    Args:
        request: The request in plain words.
        here: What the session offers for it.
        now: The present local time.
        missing: Returns what is not set up for some tools, by their kind, in one sentence.
    """
    if _BUILT_IN not in here.tools:
        return ""
    nameless = unaddressed(direct(request))
    tools = [nameless] if nameless else _tools_asked(request, here, now)
    said = missing({_kind(tool): tool for tool in tools if not _can_do(here, tool)})
    if said or not nameless or here.values or nameless not in here.tools:
        return said
    return _NO_ADDRESS.format(verb="Draft" if nameless == DRAFT_TOOL else "Send")


def _tools_asked(request: str, here: Here, now: datetime) -> Sequence[str]:
    """Return the tools for personal data that a request is read for."""
    steps = personal_asked(request, now) or mail_asked(direct(request), here.facts.files)
    tools = {str(step["tool"]) for step in steps}
    names_file = here.facts.files or here.facts.new_paths
    if REVIEW_TOOL in tools:
        tools = {"notes_create", "reminders_list", "calendar_list"}
    if names_file and tools.isdisjoint((DRAFT_TOOL, SEND_TOOL)):
        return ()
    return sorted(tool for tool in tools if _kind(tool) in _NAMES)


def _kind(tool: str) -> str:
    return tool.partition("_")[0]


def _can_do(here: Here, tool: str) -> bool:
    """Return whether a tool is there, or one of others that names its kind of data."""
    if tool in here.tools:
        return True
    pattern = re.compile(rf"(?i)(?<![\w-])(?:{_NAMES[_kind(tool)]})(?![\w-])")
    others = (one for one in here.tools.values() if not _OWN.match(one.name))
    return any(pattern.search(f"{one.name} {one.description}".replace("_", " ")) for one in others)
