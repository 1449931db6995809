"""Requests about mail: listed, searched, drafted or sent, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Final

from okso_jupyter.planning.personal_requests.cued_mail import cued_mail
from okso_jupyter.planning.personal_requests.mail_phrases import reading_steps
from okso_jupyter.planning.personal_requests.mail_writing import (
    Steps,
    nameless_tool,
    writing_steps,
)
from okso_jupyter.planning.personal_requests.spelling import mended

_MOST_CHARS: Final = 2000


def mail_asked(request: str, files: Iterable[str]) -> Steps:
    """Return the steps of a request about mail; () for any other.

    Args:
        request: The request, without words of courtesy.
        files: Files of the folder that it names, by path.
    """
    if len(request) > _MOST_CHARS or "\n" in request.strip():
        return ()  # the lines of a text would be joined
    return (
        reading_steps(mended(request))
        or writing_steps(request, partial(_path_of, tuple(files)))
        or cued_mail(request)
    )


def unaddressed(request: str) -> str:
    """Return the tool of a request to write a mail to somebody without an address; else "".

    Args:
        request: The request, without words of courtesy.
    """
    return "" if len(request) > _MOST_CHARS else nameless_tool(" ".join(request.split()))


def _path_of(files: tuple[str, ...], name: str) -> str:
    """Return the path of a file that is named; the name itself if it is not known."""
    return next((path for path in files if path == name or path.endswith(f"/{name}")), name)
