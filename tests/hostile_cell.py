"""Run in a notebook: show every hostile string wherever external text is shown."""

import json
import sys
from pathlib import Path
from typing import Any

import pandas as pd
from IPython.display import display

from okso_jupyter import Plan, Run, Session, Tool
from okso_jupyter.approval.form.model import ReadOnlyEditor
from okso_jupyter.approval.form.widget import Form
from okso_jupyter.effects.effect import Effect
from okso_jupyter.errors import OksoError, ToolFailedError
from okso_jupyter.magic.display.cell_display import CellDisplay
from okso_jupyter.plan.approval_request import ApprovalRequest, ShownStep
from okso_jupyter.plan.records import Approval
from okso_jupyter.testing import ScriptedModel
from okso_jupyter.views import plan_html

TEXTS: list[str] = json.loads(Path("hostile.json").read_text("utf-8"))
ANY: dict[str, Any] = {"type": "object", "properties": {"text": {"type": "string"}}}


def _say(text: str) -> Any:
    if len(text) % 3 == 0:
        raise ToolFailedError(text)
    return {text: [text]} if len(text) % 3 == 1 else text


END: dict[str, Any] = {"tool": "final_answer", "args": {}}
SETTINGS = {
    "PLANNER_SAMPLE_COUNT": 2, "ON_FAILURE": "skip", "FINAL_ANSWER": "digest", "PLAN_CHECKS": False
}  # fmt: skip
BUILT_IN = Session(SETTINGS).tools.values()
SAY = Tool.from_schema("say", "Say a text.", ANY, _say, effect="none", preview=lambda text: text)


def form() -> None:
    """Show one form with a step per text, and the cards that remain after it."""
    args = [
        {"tool": "say", "args": {"text": text}, "thought": text, "title": text} for text in TEXTS
    ]
    plan = Plan.from_dict({"title": TEXTS[0], "steps": args})
    shown = [
        ShownStep(step=step, effects=frozenset(Effect), preview=text, safety=text)
        for step, text in zip(plan.steps, TEXTS, strict=True)
    ]
    proposal = ApprovalRequest(
        plan=plan, steps=tuple(shown), folder=TEXTS[1], request=TEXTS[2], candidates_note=TEXTS[3]
    )
    Form(ReadOnlyEditor(proposal)).show()
    heads = []  # one output for all: JupyterLab shows no more than fifty in a cell
    for text in TEXTS:
        approval = Approval(decision="feedback", shown="", by=text, reason=text, feedback=text)
        card = plan_html.decided_card(proposal, approval, decided_at=text)
        heads.append(f"{card.split('<details')[0]}</div>")
    display({"text/html": "".join(heads)}, raw=True)
    display({"text/html": plan_html.stopped_card(proposal, decided_at="")}, raw=True)


def asked() -> Run:
    """Ask for approval of some texts; feedback leads to another plan."""
    steps = [{"tool": "say", "args": {"text": text}, "thought": text} for text in TEXTS[::6]]
    drawn = [[*steps, END], [*steps[1:], END], [*steps[2:], END], [*steps[3:], END]]
    with Session(SETTINGS, tools=[*BUILT_IN, SAY], model=ScriptedModel(drawn)) as session:
        return session.run("\n".join(TEXTS[1::6]), approve="ask")


def runs(start: int, end: int) -> None:
    """Show runs in which some texts take every role, from request to answer.

    The roles are request, argument, output, file, column, value and answer.
    """
    texts = TEXTS[start:end]
    steps = [*(step for text in texts for step in _steps(text)), *_listings(), END]
    model = ScriptedModel([steps, steps[1:]])
    variables = {"values": pd.DataFrame({text: [text] for text in texts})}
    with (
        Session(SETTINGS, tools=[*BUILT_IN, SAY], model=model) as session,
        CellDisplay(display, "notebook", quiet=False, pause=session.pause, keeps=True) as showing,
    ):
        planning = session.plan("\n".join([*texts, "{{values}}"]), variables=variables)
        showing.planned(planning)
        run = session.execute(planning, approve="auto", on_live=showing.live)
        answers = [{"tool": "final_answer", "args": {"input": "\n\n".join(texts)}}]
        plan = {"title": texts[1], "request": texts[2], "steps": answers}
        told = session.execute(plan, approve="auto")
    display(planning, run, told, run.observations, run.trace, run.ledger)
    display(run.plan, run.timeline(), run.graph(), run.plan_history())
    ranking = [run.why_not(candidate.index) for candidate in planning.sampled]
    display(run.what_if(), run.rescore({}), *ranking)
    faces: list[Any] = [told, run, run.timeline(), run.graph(), run.observations]
    for shown in faces:
        display({"text/markdown": shown._repr_mimebundle_()["text/markdown"]}, raw=True)
    for drawing in (run.timeline(), run.graph()):
        bundle = drawing._repr_mimebundle_()
        display({"image/svg+xml": bundle["image/svg+xml"]}, raw=True)
    sys.stdout.write(f"{run.report()}\n")


def _steps(text: str) -> list[dict[str, Any]]:
    """Return steps that show a text as argument, output, error, content and name.

    The text is the name of a column and of a file.
    """
    number = TEXTS.index(text)
    page, table, name = f"page{number}.txt", f"table{number}.csv", _file_name(text)
    Path(page).write_text(text, "utf-8")
    Path(table).write_text(f"{text.splitlines()[0]},b\n1,2\n", "utf-8")
    Path("named").mkdir(exist_ok=True)
    Path("named", name).write_text("needle", "utf-8")
    read = [{"tool": "file_read", "args": {"path": path}} for path in (page, table, f"no{name}")]
    return [{"tool": "say", "args": {"text": text}, "thought": text}, *read]


def _file_name(text: str) -> str:
    """Return the text as a valid file name: without slashes, at most 80 characters."""
    return text.replace("/", "\\").replace("\x00", "")[:80]


def _listings() -> list[dict[str, Any]]:
    """Return steps whose results list every file."""
    return [
        {"tool": "terminal", "args": {"command": "ls", "args": ["-la", "named"]}},
        {"tool": "file_search", "args": {"query": "needle", "paths": ["named"]}},
    ]


def errors() -> None:
    """Show errors that quote every text."""
    for text in TEXTS:
        sys.stderr.write("\n".join(OksoError(text, hint=text)._render_traceback_()))
    raise OksoError(" ".join(TEXTS[:20]), hint=TEXTS[8])
