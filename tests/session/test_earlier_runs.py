"""PLAN_CLEAR_CONTEXT=false: the prompt contains results of the kernel's last requests."""

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
    """Run a request and return the prompt of the planner."""
    plans = [[READ, END]] * 3
    with bench.session(*plans, PLAN_CLEAR_CONTEXT=False, **settings) as session:
        session.run(request, approve="auto")
    return bench.model.requests[0].messages[-1].content


def test_the_first_request_has_no_history(bench: Bench) -> None:
    """The prompt of the first request has no text before it."""
    assert ask(bench, "Read notes.txt") == "Read notes.txt"


def test_earlier_answers_precede_the_request(bench: Bench) -> None:
    """The last three answers come first, oldest first, between marks, one per line."""
    for number in range(1, 5):
        ask(bench, f"Read notes.txt, part {number}")
    prompt = ask(bench, "Read it again")
    assert "part 1" not in prompt
    places = [prompt.index(f"part {number} -> buy milk call Ann") for number in (2, 3, 4)]
    assert places == sorted(places)
    assert prompt.endswith("\n\nRead it again")


def test_earlier_answers_are_limited_in_length(bench: Bench) -> None:
    """Only the beginning of a long answer is included."""
    (bench.root / "notes.txt").write_text("word " * 100)
    ask(bench, "Read notes.txt")
    assert ask(bench, "Again").count("word") == 60


def test_secrets_are_not_included(bench: Bench, monkeypatch: Any) -> None:
    """Secrets known to the redactor are removed from earlier answers, too."""
    monkeypatch.setenv("SERVICE_TOKEN", "tok-Zq81mmXw02vLs")
    (bench.root / "notes.txt").write_text("it is tok-Zq81mmXw02vLs")
    ask(bench, "Read notes.txt")
    prompt = ask(bench, "Again")
    assert "it is" in prompt
    assert "tok-Zq81mmXw02vLs" not in prompt


def test_runs_of_other_processes_are_not_included(bench: Bench) -> None:
    """Only runs that this process has started since it began are included."""
    ask(bench, "Read notes.txt")
    journal = Journal(bench.home)
    _, started = journal.first_of_each(RunStarted)[0]
    journal.append("other", replace(started, process_id=os.getpid() + 1))
    told = earlier_runs(journal, "")
    journal.close()
    assert told.count("->") == 1


def test_a_full_prompt_omits_the_history_first() -> None:
    """Earlier requests are the first part left out of a long prompt, and this is reported."""
    turns = (Message("system", "Plan."), Message("user", "Read it"))
    brief = PlannerPrompt(messages=turns, schema={}, ranked=())
    first, second, third = with_earlier(iter([brief, replace(brief, left_out=("more",))]), "past")
    assert first.messages == (turns[0], Message("user", "past\n\nRead it"))
    assert (second.messages, second.left_out) == (turns, ("what earlier requests came to",))
    assert third.left_out == ("what earlier requests came to", "more")
