"""A server whose plans cannot run is asked once more, with the reason."""

from __future__ import annotations

import json
from typing import Any

import pytest

from okso_jupyter.errors import NoCandidateError
from okso_jupyter.planning.outcome import Planning
from okso_jupyter.session.session import Session
from tests.bench import END, Bench
from tests.llm.openai_server import OpenAIServer, says

READ: dict[str, Any] = {"tool": "file_read", "args": {"path": "notes.txt"}, "thought": "Read it"}
GOOD = json.dumps({"steps": [READ, END]})
WORKFLOW = json.dumps({"steps": [{**READ, "tool": "workflow_unheard_of"}, END]})
BROKEN = json.dumps({"steps": [{**READ, "args": {"path": 5}}, END]})
PROSE = "I would read the notes."


def planned(
    bench: Bench, *texts: str, samples: int = 1, request: str = "Read 'notes.txt'"
) -> tuple[Planning, list[dict[str, Any]]]:
    """Return the planning with a server that answers these texts, and the bodies it was sent."""
    with OpenAIServer([says(text) for text in texts], refuses_probes=True) as server:
        chosen = {"OKSO_HOME": str(bench.home), "PLANNER_SAMPLE_COUNT": samples}
        with Session(chosen, model=server.spec, root=bench.root) as session:
            planning = session.plan(request, seed=1)
        return planning, [seen.body for seen in server.seen]


@pytest.fixture(autouse=True)
def notes(bench: Bench) -> None:
    """A file that exists."""
    (bench.root / "notes.txt").write_text("tea\n")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (WORKFLOW, "step 1: there is no tool 'workflow_unheard_of'"),
        (BROKEN, "step 1 (file_read): path: 5 is not of type 'string'"),
        (PROSE, "the completion holds no JSON"),
    ],
)
def test_the_reason_is_told_once(bench: Bench, text: str, reason: str) -> None:
    """The second question repeats text and reason; its answer is one more candidate, and wins."""
    planning, bodies = planned(bench, text, GOOD)

    assert len(bodies) == 2
    assert bodies[1]["messages"][: len(bodies[0]["messages"])] == bodies[0]["messages"]
    told, asked = bodies[1]["messages"][-2:]
    assert (told["role"], told["content"]) == ("assistant", text)
    assert reason in asked["content"]
    assert planning.chosen.index == 2
    assert planning.chosen.flaw == ""


def test_it_is_asked_only_once(bench: Bench) -> None:
    """A second mistake is not asked about again; the error names the first."""
    with pytest.raises(NoCandidateError, match="the first: the completion holds no JSON"):
        planned(bench, PROSE, WORKFLOW, GOOD)


def test_broken_arguments_are_shown_where_nothing_can_run(bench: Bench) -> None:
    """Without a plan that can run, the best one is chosen with its flaw, for the form."""
    planning, bodies = planned(bench, BROKEN)

    assert len(bodies) == 2
    assert planning.chosen.flaw == "step 1 (file_read): path: 5 is not of type 'string'"


@pytest.mark.parametrize("wrong", [WORKFLOW, BROKEN])
def test_a_plan_that_can_run_wins_without_a_question(bench: Bench, wrong: str) -> None:
    """An unknown workflow or broken arguments never beat a plan that can run."""
    planning, bodies = planned(bench, wrong, f"So: {GOOD}", wrong, samples=3)

    assert len(bodies) == 3
    assert planning.chosen.flaw == ""
    assert planning.chosen.mended == "words around the plan"
    assert "mended: words around the plan" in planning.chosen.rationale
    assert [step.tool for step in planning.plan.steps] == ["file_read", "final_answer"]


def test_a_missing_file_is_no_mistake_of_the_model(bench: Bench) -> None:
    """The model is not asked for another file than the one that the request names."""
    missing = json.dumps({"steps": [{**READ, "args": {"path": "gone.txt"}}, END]})
    _, bodies = planned(bench, missing, request="Read 'gone.txt'")

    assert len(bodies) == 1


def test_the_journal_tells_what_was_mended(bench: Bench) -> None:
    """The candidates of a run that is read back say what was mended."""
    planning, _ = planned(bench, json.dumps([READ]))
    with Session({"OKSO_HOME": str(bench.home)}, root=bench.root) as session:
        run = session.load_run(planning.run_id)

    assert "mended: no final step" in str(run.candidates["rationale"].iloc[0])
