"""PLAN_CLEAR_CONTEXT=false: the planner is told what this kernel's last requests came to."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

from okso_jupyter.journal.events import RunStarted
from okso_jupyter.journal.store import Journal
from okso_jupyter.llm.protocol import Message
from okso_jupyter.planning.background import with_earlier
from okso_jupyter.planning.prompt.builder import PlannerPrompt
from okso_jupyter.runs.earlier_runs import earlier_runs
from tests.bench import END, Bench

READ: dict[str, Any] = {"tool": "file_read", "args": {"path": "notes.txt"}}


def ask(bench: Bench, request: str, **settings: Any) -> str:
    """Run a request and return what the planner was asked."""
    plans = [[READ, END]] * 3
    with bench.session(*plans, PLAN_CLEAR_CONTEXT=False, **settings) as session:
        session.run(request, approve="auto")
    return bench.model.requests[0].messages[-1].content


def test_the_first_request_has_no_past(bench: Bench) -> None:
    """Nothing is put before it."""
    assert ask(bench, "Read notes.txt") == "Read notes.txt"


def test_earlier_answers_stand_before_the_request(bench: Bench) -> None:
    """The last three, the newest last, between marks, and in a line each."""
    for number in range(1, 5):
        ask(bench, f"Read notes.txt, part {number}")
    prompt = ask(bench, "Read it again")
    assert "part 1" not in prompt
    places = [prompt.index(f"part {number} -> buy milk call Ann") for number in (2, 3, 4)]
    assert places == sorted(places)
    assert prompt.endswith("\n\nRead it again")


def test_it_is_bounded(bench: Bench) -> None:
    """A long answer is told by its beginning."""
    (bench.root / "notes.txt").write_text("word " * 100)
    ask(bench, "Read notes.txt")
    assert ask(bench, "Again").count("word") == 60


def test_secrets_are_not_told(bench: Bench, monkeypatch: Any) -> None:
    """What the redactor knows is taken out as everywhere."""
    monkeypatch.setenv("SERVICE_TOKEN", "tok-Zq81mmXw02vLs")
    (bench.root / "notes.txt").write_text("it is tok-Zq81mmXw02vLs")
    ask(bench, "Read notes.txt")
    prompt = ask(bench, "Again")
    assert "it is" in prompt
    assert "tok-Zq81mmXw02vLs" not in prompt


def test_other_processes_have_a_past_of_their_own(bench: Bench) -> None:
    """Only runs of this process count, and those since it began."""
    ask(bench, "Read notes.txt")
    journal = Journal(bench.home)
    _, started = journal.first_of_each(RunStarted)[0]
    journal.append("other", replace(started, process_id=os.getpid() + 1))
    told = earlier_runs(journal, "")
    journal.close()
    assert told.count("->") == 1


def test_a_prompt_without_room_leaves_the_past_out_first() -> None:
    """It is the first thing that a long prompt lacks, and said to be missing."""
    turns = (Message("system", "Plan."), Message("user", "Read it"))
    brief = PlannerPrompt(messages=turns, schema={}, ranked=())
    first, second, third = with_earlier(iter([brief, replace(brief, left_out=("more",))]), "past")
    assert first.messages == (turns[0], Message("user", "past\n\nRead it"))
    assert (second.messages, second.left_out) == (turns, ("what earlier requests came to",))
    assert third.left_out == ("what earlier requests came to", "more")
