"""Diagnosis of this machine: a row per component, with whether it works and why not."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version
from typing import Final, get_args

import pandas as pd

from okso_jupyter import assets
from okso_jupyter.amounts import counted
from okso_jupyter.errors import OksoError, SettingError
from okso_jupyter.frames.frame import Frame
from okso_jupyter.kernel.front_end import detect
from okso_jupyter.kernel.waiting import strategy
from okso_jupyter.llm.autotune import choose, settle
from okso_jupyter.llm.gguf import Shape, read_shape
from okso_jupyter.llm.memory import Memory, measure
from okso_jupyter.llm.protocol import CompletionRequest, Message, Role
from okso_jupyter.llm.registry import is_address, open_model
from okso_jupyter.llm.server import find_binary
from okso_jupyter.llm.specs import AUTO, look_up
from okso_jupyter.llm.thread_count import counts_to_try
from okso_jupyter.magic.doctor_stores import store_found
from okso_jupyter.personal.apple.application import APPLE, UNTRIED
from okso_jupyter.personal.call_time_limit import TimeLimit
from okso_jupyter.personal.mail.mail_settings import MailSettings, missing_modules
from okso_jupyter.personal.personal_options import KINDS
from okso_jupyter.sandbox.layer_survey import survey
from okso_jupyter.session.session import Session
from okso_jupyter.settings import Settings
from okso_jupyter.web.search import SearchOptions

_PACKAGES = (
    "okso-jupyter", "llama-cpp-python", "llguidance", "huggingface_hub", "ipykernel", "ipywidgets",
    "anywidget", "IPython", "pandas",
)  # fmt: skip
_ROLES: Final[tuple[Role, ...]] = get_args(Role)

#: Longest time in seconds that a model server may take to answer.
_SERVER_S = 20.0


def examine(settings: Settings) -> pd.DataFrame:
    """Return one row per component: its name, whether it works, and what was found."""
    checks: list[tuple[str, Callable[[], str]]] = [
        ("machine", lambda: f"{platform.system()} {platform.release()} {platform.machine()}"),
        ("python", platform.python_version),
        *((name, lambda name=name: version(name)) for name in _PACKAGES),
        *((f"model of the {role}", lambda role=role: _model(settings, role)) for role in _ROLES),
        ("memory", lambda: _memory(measure())),
        ("context", lambda: _context(settings)),
        ("memory per candidate", lambda: _memory_per_candidate(settings)),
        ("threads", lambda: _threads(settings)),
        ("journal", lambda: _journal(settings)),
        ("front end", detect),
        ("waiting for a decision", strategy),
        *((kind, lambda kind=kind: store_found(settings, kind)) for kind in KINDS),
        ("web search", lambda: SearchOptions.of(settings).open().destination),
        ("mail: reading", lambda: _mails(settings)),
        ("mail: sending", lambda: _mail_server(settings)),
    ]
    layers = [
        {
            "what": f"sandbox of python_repl: {layer.name}",
            "works": layer.works,
            "found": layer.found,
        }
        for layer in survey()
    ]
    rows = [_row(name, check) for name, check in checks]
    return Frame([*rows, *layers]).set_index("what")


def _row(name: str, check: Callable[[], str]) -> dict[str, object]:
    try:
        return {"what": name, "works": True, "found": check()}
    except PackageNotFoundError:
        return {"what": name, "works": False, "found": "not installed"}
    except OksoError as error:
        return {"what": name, "works": False, "found": str(error)}


def _mails(settings: Settings) -> str:
    """Return where mails are read and how many there are, in words: the store has answered."""
    _check_mail_packages()
    limit = TimeLimit(time.monotonic() + _SERVER_S)
    mail = MailSettings.of(settings)
    found = mail.open_store().inbox(limit=1, unread_only=False, time_limit=limit)
    drafts = mail.drafts_store().drafts_place
    untried = f"; {UNTRIED}" if mail.store == APPLE else ""
    return f"{found.place}: {counted(found.total, 'mail')}; drafts: {drafts}{untried}"


def _mail_server(settings: Settings) -> str:
    """Return the server that sends, in words: it has answered and taken the password."""
    _check_mail_packages()
    mail = MailSettings.of(settings)
    server = mail.sending()
    server.greet(TimeLimit(time.monotonic() + _SERVER_S))
    if mail.is_sent_by_application:
        return f"{server}; {UNTRIED}"
    sender = mail.sender_address()
    return f"{server}, from {sender}" if sender else f"{server}; MAIL_FROM is not set"


def _check_mail_packages() -> None:
    """Raise SettingError if the extra is not installed."""
    missing = missing_modules()
    if missing:
        msg = f"not installed: {', '.join(missing)}"
        raise SettingError(msg, hint="pip install 'okso-jupyter[personal]'")


def _model(settings: Settings, role: Role) -> str:
    """Return a role's model, its place and why it was chosen, in words; nothing is loaded."""
    spec, revision = settings.model_of(role)
    if role != "planner" and spec != AUTO and settings.model_of("planner") == (spec, revision):
        return "the planner's"
    if is_address(spec):
        return _server(spec, settings)
    settled = settle(spec, role)
    weights = look_up(settled, revision=revision, home=settings.home)
    where = f"{weights.path}" if weights.path else "downloaded when it is first used"
    if weights.source == "hub" and revision != "main":
        where = f"revision {revision}; {where}"
    by = f", run by {find_binary(settings.llama_bin)}" if settings.llama_bin else ""
    said = f"{settled} ({weights.source}): {where}{by}"
    return f"{spec} = {said}; {choose(role).reason}" if spec == AUTO else said


def _memory(memory: Memory) -> str:
    """Return total and free memory in words, measured as for the choice of `auto`."""
    if memory.physical_bytes is None:
        return "the system does not say"
    free = "unknown" if memory.free_percent is None else f"{memory.free_percent:.0f} %"
    return f"{memory.physical_bytes / (1 << 30):.1f} GiB, free {free}"


def _context(settings: Settings) -> str:
    """Return in words how many tokens the planner's context has and how far it may grow."""
    default = settings.llama_default_context_size
    cap = max(settings.llama_context_cap, default)
    trained = _shape(settings).trained_tokens
    said = f"{default} tokens, up to {cap} for a long prompt"
    said += f" and {settings.llama_context_margin_percent} % more than it needs"
    return f"{said}; the model was trained for {trained}" if trained else said


def _memory_per_candidate(settings: Settings) -> str:
    """Return in words the memory of one candidate, without the prompt that all of them share."""
    each = _shape(settings).bytes_per_token
    if each is None:
        return "not known before the model is there"
    most = settings.planner_max_output_tokens
    return f"at most {each * most / 1e6:.0f} MB: {most} tokens of {each / 1e3:.0f} kB"


def _shape(settings: Settings) -> Shape:
    """Return the shape that the planner's weights declare; an empty one if they are missing."""
    spec, revision = settings.model_of("planner")
    weights = look_up(settle(spec, "planner"), revision=revision, home=settings.home)
    return read_shape(weights.path) if weights.path else Shape()


def _threads(settings: Settings) -> str:
    processors = os.cpu_count() or 1
    if settings.llama_threads:
        return f"{settings.llama_threads}, of {processors} processors"
    if settings.llama_bin:
        return f"chosen by LLAMA_BIN, of {processors} processors"
    tried = ", ".join(map(str, counts_to_try(processors)))
    return f"auto: the fastest of {tried}, measured on the work, of {processors} processors"


def _server(spec: str, settings: Settings) -> str:
    """Request a short completion from a model server; return its model and address."""
    limit_s = settings.llama_timeout_s or _SERVER_S
    model = open_model(spec, replace(settings, llama_timeout_s=limit_s))
    question = Message("user", assets.prompt("doctor"))
    model.complete(
        CompletionRequest(
            role="planner", messages=(question,), seeds=(0,), temperature=0, max_tokens=4
        )
    )
    return f"{model.identity.name} answers at {model.identity.spec.rpartition('#')[0]}"


def _journal(settings: Settings) -> str:
    with Session(settings) as session:
        return str(session.journal.path)
