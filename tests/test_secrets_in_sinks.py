"""A secret that goes through everything a run handles comes out nowhere that anybody reads."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import pytest

from okso_jupyter.effects.effect import Effect
from okso_jupyter.errors import UndoError
from okso_jupyter.log import LOGGER
from okso_jupyter.plan.approval_request import ApprovalRequest, ShownStep
from okso_jupyter.plan.plan import Plan
from okso_jupyter.plan.records import Approval
from okso_jupyter.redaction.redactor import REDACTED, Redactor, remember
from okso_jupyter.results import Run
from okso_jupyter.views import plan_html, plan_text
from tests.bench import END, Bench

SECRET: Final = "zq8-Kx41-Vw93-Lm77"  # noqa: S105  of nobody
#: What must be there, so that a sink which holds nothing does not pass for a clean one.
MARK: Final = "harmless"


@dataclass(slots=True)
class Traces:
    """What one run left behind, by the name of the sink."""

    run: Run
    sinks: dict[str, str] = field(default_factory=dict)


def _steps() -> list[dict[str, Any]]:
    """Steps with the secret in arguments, file name, output, error and answer."""
    return [
        {"tool": "file_write", "thought": f"keep {SECRET}",
         "args": {"path": f"{MARK}-{SECRET}.txt", "content": f"{MARK} {SECRET}\n"}},
        {"tool": "file_read", "args": {"path": f"{MARK}-{SECRET}.txt"}},
        {"tool": "leak", "args": {"token": SECRET, "note": MARK}},
        {"tool": "fail", "args": {}},
        END,
    ]  # fmt: skip


def _offer(bench: Bench) -> None:
    text = {"type": "object", "properties": {"token": {"type": "string"},
                                             "note": {"type": "string"}}}  # fmt: skip
    bench.offer("leak", lambda token, note: {"stdout": f"{note} {token}", token: [token]},
                effect="none", parameters=text)  # fmt: skip

    def fail() -> str:
        message = f"{MARK}: {SECRET} was refused"
        raise ValueError(message)

    bench.offer("fail", fail, effect="none")


@pytest.fixture
def traces(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[Traces]:
    """A planned run whose environment has a secret that its request, steps and answer hold."""
    monkeypatch.setenv("LAB_API_KEY", SECRET)
    _offer(bench)
    out = bench.home.parent
    events: list[Mapping[str, Any]] = []
    with bench.session(
        {"steps": _steps()},
        PLANNER_SAMPLE_COUNT=1, ON_FAILURE="skip", VERBOSITY=2, ENABLE_ANSWER_VALIDATION=False,
        OKSO_TRACE_DIR=str(out / "traces"), OKSO_PLAN_OUTPUT=str(out / "plan.json"),
        PLANNER_DEBUG_LOG=str(out / "debug.jsonl"),
    ) as session:  # fmt: skip
        planning = session.plan(f"{MARK}: use {SECRET} and say what came of it")
        LOGGER.info(MARK, extra={"detail": {SECRET: [SECRET]}})
        run = session.execute(planning, approve=lambda _plan: "approve", on_event=events.append)
    frames = {
        name: getattr(run, name)
        for name in ("candidates", "ranking", "observations", "trace", "ledger")
    }
    sinks = {
        "journal": _bytes_below(bench.home),
        "debug log": (out / "debug.jsonl").read_text("utf-8"),
        "plan output": (out / "plan.json").read_text("utf-8"),
        **{f"trace {file.name}": file.read_text("utf-8")
           for file in (out / "traces").rglob("*.json")},
        "log": capsys.readouterr().err,
        "report": run.report(),
        "history": run.history("json") + run.history("pretty"),
        "export": run.export(),
        "answer": run.answer or run.failure,
        **{f"{kind} of the run": str(text) for kind, text in run._repr_mimebundle_().items()},
        **{f"frame {name}": table.to_csv() for name, table in frames.items()},
        **{f"table {name}": table.to_html() for name, table in frames.items()},
        "events": json.dumps([dict(event) for event in events]),
        "prompts": repr(bench.model.requests),
    }  # fmt: skip
    yield Traces(run, sinks)
    remember(Redactor())


def _bytes_below(folder: Path) -> str:
    """Return the bytes of every file but the images of undo, which have to be exact."""
    files = [file for file in folder.rglob("*") if file.is_file() and file.parent.name != "undo"]
    return "\n".join(file.read_bytes().decode("latin-1") for file in files)


def test_no_sink_holds_the_secret(traces: Traces) -> None:
    """Journal, logs, files, tables, pages, prompts and events have a mark in its place."""
    assert {name for name, text in traces.sinks.items() if SECRET in text} == set()
    silent = {"frame ranking", "table ranking", "frame trace", "table trace"}
    assert {name for name, text in traces.sinks.items() if MARK not in text} <= silent | {
        "trace run.json", "trace step-004.json", "trace step-005.json",
    }  # fmt: skip
    assert REDACTED in traces.sinks["journal"]
    assert len(traces.sinks) > 25


def test_the_form_does_not_show_the_secret(traces: Traces) -> None:
    """Neither form nor card nor the plan at a terminal, whatever part of a step holds it."""
    plan = Plan.from_dict({"title": SECRET, "request": SECRET, "steps": _steps()})
    shown = tuple(
        ShownStep(step=step, effects=frozenset({Effect.WRITES}), preview=f"+{SECRET}",
                  safety=SECRET) for step in plan.steps
    )  # fmt: skip
    proposal = ApprovalRequest(plan=plan, steps=shown, request=SECRET, candidates_note=SECRET)
    decision = Approval(decision="reject", shown="", by="user", reason=SECRET)
    pages = [
        plan_html.header(proposal, ""),
        *map(plan_html.step_card, shown),
        plan_html.decided_card(proposal, decision, decided_at="now"),
        plan_text.as_text(proposal),
    ]
    assert traces.run.state == "failed"
    assert all(REDACTED in page and SECRET not in page for page in pages)


def test_a_name_that_is_a_secret_is_not_undone_blindly(traces: Traces, bench: Bench) -> None:
    """The journal does not know the file's name, so undo refuses and says why."""
    with pytest.raises(UndoError, match="the name held a secret") as caught:
        traces.run.undo()
    assert SECRET not in str(caught.value)
    assert (bench.root / f"{MARK}-{SECRET}.txt").exists()
