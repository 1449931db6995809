"""Run in a notebook: shows every hostile string in every place where outside text is shown."""

import json
import sys
from pathlib import Path
from typing import Any

from IPython.display import display

from okso_jupyter import Plan, Session, Tool
from okso_jupyter.approval.form import Form
from okso_jupyter.approval.sheet import FixedDesk
from okso_jupyter.errors import OksoError, ToolFailedError
from okso_jupyter.plan.effects import Effect
from okso_jupyter.plan.proposal import Proposal, ShownStep
from okso_jupyter.plan.records import Approval
from okso_jupyter.testing import ScriptedModel
from okso_jupyter.views import plan_html, run_html

TEXTS: list[str] = json.loads(Path("hostile.json").read_text("utf-8"))
ANY: dict[str, Any] = {"type": "object", "properties": {"text": {"type": "string"}}}


def _say(text: str) -> Any:
    if len(text) % 3 == 0:
        raise ToolFailedError(text)
    return {text: [text]} if len(text) % 3 == 1 else text


SAY = Tool.from_schema("say", "Say a text.", ANY, _say, effect="none", preview=lambda text: text)


def form() -> None:
    """Show one form with a step for every text, and the cards that it leaves."""
    args = [
        {"tool": "say", "args": {"text": text}, "thought": text, "title": text} for text in TEXTS
    ]
    plan = Plan.from_dict({"title": TEXTS[0], "steps": args})
    shown = [
        ShownStep(step=step, effects=frozenset(Effect), preview=text, safety=text)
        for step, text in zip(plan.steps, TEXTS, strict=True)
    ]
    proposal = Proposal(
        plan=plan, steps=tuple(shown), folder=TEXTS[1], request=TEXTS[2], candidates_note=TEXTS[3]
    )
    Form(FixedDesk(proposal)).show()
    heads = []  # one output for all: JupyterLab shows no more than fifty in a cell
    for text in TEXTS:
        approval = Approval(decision="feedback", shown="", by=text, reason=text, feedback=text)
        card = plan_html.decided_card(proposal, approval, decided_at=text)
        heads.append(f"{card.split('<details')[0]}</div>")
    display({"text/html": "".join(heads)}, raw=True)
    display({"text/html": plan_html.stopped_card(proposal, decided_at="")}, raw=True)


def runs(first: int, end: int) -> None:
    """Show runs of some texts: as request, arguments, output, file, column and answer."""
    for start in range(first, end, 8):
        texts = TEXTS[start : start + 8]
        steps: list[dict[str, Any]] = []
        for number, text in enumerate(texts):
            page, table = f"page{number}.txt", f"table{number}.csv"
            Path(page).write_text(text, "utf-8")
            Path(table).write_text(f"{text.splitlines()[0]},b\n1,2\n", "utf-8")
            steps.append({"tool": "say", "args": {"text": text}, "thought": text})
            steps += [{"tool": "file_read", "args": {"path": path}} for path in (page, table)]
        last = {"tool": "final_answer", "args": {}, "thought": texts[0]}
        settings = {"PLANNER_SAMPLE_COUNT": 1, "ON_FAILURE": "skip", "FINAL_ANSWER": "digest"}
        built_in = Session(settings).tools.values()
        model = ScriptedModel([[*steps, last]])
        with Session(settings, tools=[*built_in, SAY], model=model) as session:
            planning = session.plan("\n".join(texts))
            run = session.execute(planning, approve="auto")
            answers = [{"tool": "final_answer", "args": {"input": "\n\n".join(texts)}}]
            plan = {"title": texts[1], "request": texts[2], "steps": answers}
            told = session.execute(plan, approve="auto")
        display({"text/html": run_html.candidates_html(planning.candidates)}, raw=True)
        display(planning, run, told, run.observations, run.trace, run.ledger)
        display({"text/markdown": told._repr_mimebundle_()["text/markdown"]}, raw=True)


def errors() -> None:
    """Show errors that quote every text."""
    for text in TEXTS:
        sys.stderr.write("\n".join(OksoError(text, hint=text)._render_traceback_()))
    raise OksoError(" ".join(TEXTS[:20]), hint=TEXTS[8])
