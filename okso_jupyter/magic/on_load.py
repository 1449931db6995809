"""Message of `%load_ext`: that a run of this folder can be resumed."""

from __future__ import annotations

from okso_jupyter.errors import OksoError
from okso_jupyter.kernel.front_end import detect
from okso_jupyter.legible import visible
from okso_jupyter.resume.waiting_runs import notice
from okso_jupyter.settings import Settings, working_folder


def greet() -> None:
    """Print one line if a run can be resumed; nothing where the kernel is headless."""
    if detect() == "headless":
        return
    try:
        settings = Settings.load()
        line = notice(settings.home, working_folder())
    except OksoError:
        return  # loading continues; the first cell reports the error with a hint
    if line:
        print(visible(f"okso: {line}"))  # noqa: T201  a remark
