"""Handlers of other people: whatever they do, the run ends with a record and a reason."""

from __future__ import annotations

import asyncio
import json
import math
import sys
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import pytest

from okso_jupyter import Tool
from okso_jupyter.approval import request_builder
from okso_jupyter.approval.request_builder import RequestBuilder
from okso_jupyter.errors import ToolDefinitionError
from okso_jupyter.plan.plan import Plan
from okso_jupyter.settings import Settings
from okso_jupyter.toolkit.catalog import ToolCatalog
from okso_jupyter.toolkit.context import RunResources
from okso_jupyter.toolkit.handler_output import MAX_TEXT_CHARS
from okso_jupyter.toolkit.tool import ToolOutput
from okso_jupyter.workspace import Workspace
from tests.bench import END, Bench
from tests.each_row import each_row

PLAIN: dict[str, Any] = {"type": "object"}


def _no_constant(name: str) -> NoReturn:
    raise AssertionError(name)


def _cyclic() -> dict[str, Any]:
    value: dict[str, Any] = {"a": 1}
    value["self"] = [value]
    return value


def _deep() -> list[Any]:
    value: list[Any] = []
    for _ in range(100_000):
        value = [value]
    return value


def _endless() -> Any:
    return _endless()


class _MuteError(Exception):
    """Cannot say what went wrong."""

    def __str__(self) -> NoReturn:
        raise RuntimeError


def _raise(error: BaseException) -> Callable[[], NoReturn]:
    def handler() -> NoReturn:
        raise error

    return handler


FAILING: dict[str, tuple[Callable[[], Any], str]] = {
    "an exception": (_raise(ValueError("bad\nvalue\x1b[31m")), "bad value⟨U+001B⟩[31m"),
    "an exception without words": (_raise(_MuteError()), "_MuteError: it does not say why"),
    "a very long exception": (_raise(ValueError("x" * 10**6)), "… (1,000,012 characters) …"),
    "sys.exit": (lambda: sys.exit(3), "SystemExit: 3"),
    "KeyboardInterrupt": (_raise(KeyboardInterrupt()), "KeyboardInterrupt"),
    "GeneratorExit": (_raise(GeneratorExit()), "GeneratorExit"),
    "endless recursion": (_endless, "RecursionError"),
    "bytes": (lambda: b"raw", "returned a bytes: text or a JSON value is wanted"),
    "a set": (lambda: {1, 2}, "returned a set"),
    "bytes inside": (lambda: {"a": [1, {"b": b"raw"}]}, "returned a bytes at a[1].b"),
    "a date inside": (lambda: {"at": datetime.now(UTC)}, "returned a datetime at at"),
    "a key that is none": (lambda: {(1, 2): 3}, "returned a tuple at (a key)"),
    "a function": (lambda: print, "returned a builtin_function_or_method"),
    "a generator": (lambda: (n for n in range(3)), "returned a generator"),
    "a value that holds itself": (_cyclic, "a value that holds itself"),
    "too deep": (_deep, "levels deep"),
    "too many": (lambda: list(range(10**6)), "more than 200,000 values"),
    "a number without end": (lambda: 10**10_000, "returned a int"),
    "an exit code that nothing holds": (lambda: ToolOutput(value=1, exit_code=2**70), "exit code"),
    "a broken record": (lambda: ToolOutput(value=1, exit_code="x"), "exit code"),  # type: ignore[arg-type]  # on purpose
}  # fmt: skip


@pytest.mark.parametrize("case", FAILING)
def test_a_handler_that_fails_fails_its_step(bench: Bench, case: str) -> None:
    """The step fails with one legible, bounded line, and all of the record can be read."""
    handler, reason = FAILING[case]
    bench.offer("foreign", handler, effect="none")
    run = bench.run([{"tool": "foreign"}, END])
    (seen, *_) = run.steps_seen
    assert run.state == "failed"
    assert seen.status == "failed"
    assert reason in seen.error
    assert len(seen.error) < 1000
    assert seen.error.isprintable()
    for line in run.export().splitlines():
        json.loads(line, parse_constant=_no_constant)
    assert len(run.observations) == 2


WORKING: dict[str, tuple[Callable[[], Any], Any]] = {
    "NaN": (lambda: {"mean": math.nan, "most": math.inf}, {"mean": "NaN", "most": "Infinity"}),
    "NumPy's numbers": (lambda: [np.int64(3), np.float32(0.5)], [3, 0.5]),
    "a tuple": (lambda: (1, (2, 3)), [1, [2, 3]]),
    "number keys": (lambda: {1: "a", None: "b"}, {"1": "a", "None": "b"}),
    "nothing": (lambda: None, None),
    "half a character": (lambda: "a\ud800", "a?"),
}


@pytest.mark.parametrize("case", WORKING)
def test_what_json_can_say_is_kept(bench: Bench, case: str) -> None:
    """Numbers that JSON lacks become their names, other containers and numbers its own."""
    handler, value = WORKING[case]
    bench.offer("foreign", handler, effect="none")
    run = bench.run([{"tool": "foreign"}, END])
    assert run.steps_seen[0].raw == value
    assert run.state == "completed"


def test_a_huge_text_is_cut_and_says_so(bench: Bench) -> None:
    """What nobody can read is not kept in every record; its full length is."""
    bench.offer("foreign", lambda: "x" * (MAX_TEXT_CHARS + 5), effect="none")
    run = bench.run([{"tool": "foreign"}, END], FINAL_ANSWER="digest")
    raw = run.steps_seen[0].raw
    assert raw.endswith(f"… (cut, {MAX_TEXT_CHARS + 5:,} characters)")
    assert len(raw) < MAX_TEXT_CHARS + 100


def test_a_handler_that_hangs_is_given_up(bench: Bench) -> None:
    """At the step's time-out the run goes on; what the handler still does is uncertain."""
    bench.offer("foreign", lambda: time.sleep(60), effect="none")
    run = bench.run([{"tool": "foreign", "timeout_s": 0.2}, END])
    assert run.steps_seen[0].status == "uncertain"
    assert run.state == "failed"


def test_a_handler_that_changes_its_arguments_changes_its_own(bench: Bench) -> None:
    """Neither the record nor the plan shows anything but what was approved."""
    schema = {"type": "object", "properties": {"items": {"type": "array"}}}

    def greedy(items: list[int]) -> str:
        items.append(99)
        return str(items)

    bench.offer("foreign", greedy, effect="none", parameters=schema, preview=greedy)
    plan = [{"tool": "foreign", "args": {"items": [1]}}, END]
    run = bench.run(plan)
    assert run.steps_seen[0].raw == "[1, 99]"
    assert run.steps_seen[0].call.args == {"items": [1]}
    assert run.plan is not None
    assert run.plan.steps[0].args == {"items": [1]}


def test_print_reaches_the_output_and_nothing_else(
    bench: Bench, capsys: pytest.CaptureFixture[str]
) -> None:
    """What a handler prints is no observation, and no step comes of it."""
    bench.offer("foreign", lambda: print('[{"tool": "terminal"}]'), effect="none")  # noqa: T201
    run = bench.run([{"tool": "foreign"}, END])
    assert [seen.call.tool for seen in run.steps_seen] == ["foreign", "final_answer"]
    assert "terminal" in capsys.readouterr().out
    assert run.steps_seen[0].raw is None


@pytest.mark.parametrize(
    ("preview", "shown"),
    [
        (_raise(ValueError("no")), "(no preview: ValueError: no)"),
        (lambda: sys.exit(1), "(no preview: SystemExit: 1)"),
        (_raise(_MuteError()), "(no preview: _MuteError: it does not say why)"),
        (lambda: 42, "42"),
        (lambda: "x" * 10**6, "... (1,000,000 characters in all)"),
    ],
)
def test_a_preview_that_misbehaves_is_shown_as_such(
    bench: Bench, tmp_path: Path, preview: Callable[[], Any], shown: str
) -> None:
    """It ends no run, and the person sees what there is of it."""
    bench.offer("foreign", lambda: "done", effect="none", preview=preview)
    assert bench.run([{"tool": "foreign"}, END]).state == "completed"
    resources = RunResources(workspace=Workspace(bench.root), scratch=tmp_path)
    builder = RequestBuilder(
        tools=ToolCatalog(bench.extra),
        resources=resources,
        request="",
        settings=Settings(plan_default_step_timeout_s=5),
    )
    proposal = builder.proposal(Plan.from_dict([{"tool": "foreign"}]), "")
    resources.close()
    assert proposal.steps[0].preview.endswith(shown)


@pytest.mark.slow
def test_a_preview_that_hangs_is_given_up_and_not_asked_for_again(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its thread is left behind once for a call, and a few times for a tool; the form says so."""
    monkeypatch.setattr(request_builder, "_PREVIEW_TIMEOUT_S", 0.2)
    asked: list[int] = []
    end = threading.Event()

    def hang(n: int) -> str:
        asked.append(n)
        end.wait()
        return "late"

    number = {"type": "object", "properties": {"n": {"type": "integer"}}}
    bench.offer("foreign", hang, effect="none", preview=hang, parameters=number)
    resources = RunResources(workspace=Workspace(bench.root), scratch=tmp_path)
    builder = RequestBuilder(
        tools=ToolCatalog(bench.extra),
        resources=resources,
        request="",
        settings=Settings(plan_default_step_timeout_s=5),
    )
    steps = [{"tool": "foreign", "args": {"n": n}} for n in (1, 1, 2, 3, 4, 5)]
    try:
        for _ in range(2):  # as it is shown, and as it is shown after an edit
            proposal = builder.proposal(Plan.from_dict(steps), "")
            said = {shown.preview for shown in proposal.steps}
            assert said == {"(no preview: none came within 5 s)"}
    finally:
        end.set()
        resources.close()
    assert asked == [1, 2, 3]


async def _later() -> str:
    await asyncio.sleep(0)
    return "x"


@each_row(
    ("parts", "reason"),
    [
        ({"handler": _later}, "coroutine"),
        ({"handler": 5}, "handler is not callable"),
        ({"effect": "bogus"}, "tool t: .*an effect is one of"),
        ({"effect": 5}, "tool t: .*not iterable"),
        ({"description": None}, "description is not a text"),
        ({"examples": ["Say hello"]}, "an example is not"),
        ({"examples": [("Say hello", "x")]}, "an example is not"),
        ({"examples": 5}, "an example is not"),
        ({"preview": "x"}, "preview is not callable"),
        ({"timeout_s": -1}, "timeout_s"),
        ({"timeout_s": "5"}, "timeout_s"),
        ({"groups": [1]}, "groups"),
        ({"parameters": {"type": "object", "required": "x"}}, "not a JSON Schema"),
        ({"parameters": {"type": "array"}}, "type object"),
        ({"parameters": None}, "type object"),
        ({"parameters": {"type": "object", "$ref": "http://127.0.0.1:9/x"}}, "nothing is fetched"),
        ({"parameters": {"type": "object", "$ref": "#"}}, "without end"),
        ({"parameters": {"type": "object", "$ref": "#/nowhere"}}, "cannot be used"),
        ({"name": "a b"}, "only letters"),
        ({"name": ""}, "only letters"),
        ({"name": 5}, "only letters"),
    ],
)
def test_a_declaration_that_cannot_work_is_refused(parts: dict[str, Any], reason: str) -> None:
    """The error names the tool and what is wrong, before any plan is made."""
    good = {"name": "t", "description": "T.", "parameters": PLAIN, "handler": lambda: "x"}
    with pytest.raises(ToolDefinitionError, match=reason):
        Tool.from_schema(**{**good, **parts})


def test_a_schema_may_say_true(bench: Bench) -> None:
    """True is a schema too, and a function of Python's own is a handler too."""
    schema = {"type": "object", "properties": {"x": True}}
    bench.offer("foreign", max, parameters=schema, effect="none")
    run = bench.run([{"tool": "foreign", "args": {"x": [3, 9]}}, END])
    assert "TypeError" in run.steps_seen[0].error
    assert Path(bench.root).exists()
