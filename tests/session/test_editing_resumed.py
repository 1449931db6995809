"""A run that ends while its plan is edited, or between parts, resumes where it was."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest

from okso_jupyter import Run
from tests.approval.person import Act, Person, approve, does, reject
from tests.bench import END, Bench
from tests.session.test_resuming import add, copy_of, lines

PLAN = [add("a"), add("b", depends_on=[1]), add("c"), END]
EDIT = does("check", args={2: {"line": "B"}}, off=[3])


@pytest.fixture(name="bench")
def _bench(bench: Bench) -> Bench:
    """A bench with a tool that has a real effect."""

    def add(line: str) -> str:
        with (bench.root / "done.txt").open("a") as file:
            file.write(f"{line}\n")
        return f"added {line}"

    schema = {"type": "object", "properties": {"line": {"type": "string"}}, "required": ["line"]}
    bench.offer("add", add, effect="writes", parameters=schema)
    return bench


def dying(bench: Bench, act: Act) -> Act:
    """Return an act that copies the home first, as if the process were killed then."""

    def then(state: dict[str, Any]) -> object:
        copy_of(bench.home, bench.home.with_name("left"))
        return act(state)

    return then


def resumed(bench: Bench, home: str = "left") -> Run:
    """Resume the run of a copied home."""
    left = replace(bench, home=bench.home.with_name(home))
    with left.session() as session:
        return session.resume("mine", approve="ask")


def test_an_unapproved_edit_is_lost(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """The original plan is shown again after the resume, and can be edited again."""
    Person(monkeypatch, [EDIT, dying(bench, reject)])
    bench.run(PLAN, approve="ask", OKSO_RUN_ID="mine")
    person = Person(monkeypatch, [EDIT, approve])
    run = resumed(bench)
    assert [one["text"] for step in person.states[0]["steps"] for one in step["args"]][:3] == [
        "a", "b", "c",
    ]  # fmt: skip
    assert (run.state, lines(bench)) == ("completed", ["a", "B"])


def test_a_resumed_run_asks_about_the_rest_only(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run killed while the rest is shown does not repeat the first part or skip asking."""
    Person(monkeypatch, [does("approve", up_to=1), dying(bench, reject)])
    bench.run(PLAN, approve="ask", OKSO_RUN_ID="mine")
    assert lines(bench) == ["a"]
    person = Person(monkeypatch, [EDIT, approve])
    run = resumed(bench)
    assert [step["ended"] for step in person.states[0]["steps"]] == ["completed", "", "", ""]
    assert (run.state, lines(bench), person.left) == ("completed", ["a", "B"], 0)


def cut_off(bench: Bench) -> Iterator[tuple[str, list[str]]]:
    """Yield homes with a truncated journal, one more record each, and its record kinds.

    From the plan's record up to the beginning of the first step.
    """
    whole = bench.home / "journal.sqlite3"
    with closing(sqlite3.connect(whole)) as journal:
        rows = journal.execute("SELECT seq, kind FROM record ORDER BY seq").fetchall()
    kinds = [kind for _, kind in rows]
    for end in range(kinds.index("plan") + 2, kinds.index("step_state")):
        home = f"left{end}"
        copy_of(bench.home, bench.home.with_name(home))
        with closing(sqlite3.connect(bench.home.with_name(home) / "journal.sqlite3")) as journal:
            journal.execute("DROP TRIGGER IF EXISTS record_is_kept")
            journal.execute("DELETE FROM record WHERE seq > ?", (rows[end - 1][0],))
            journal.commit()
        yield home, kinds[:end]


def test_an_approved_edit_survives_a_kill_at_any_record(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After the decision is recorded no approval is asked again; before it, one is."""
    Person(monkeypatch, [EDIT, approve])
    bench.run(PLAN, approve="ask", OKSO_RUN_ID="mine")
    assert lines(bench) == ["a", "B"]
    asked = []
    for home, kinds in cut_off(bench):
        (bench.root / "done.txt").unlink()
        is_decided = "decision" in kinds
        person = Person(monkeypatch, [] if is_decided else [EDIT, approve])
        if kinds.count("plan") > 1 and not is_decided:  # it was about to be decided: it is shown
            person = Person(monkeypatch, [approve])
        assert resumed(bench, home).state == "completed"
        assert (lines(bench), person.left) == (["a", "B"], 0)
        asked.append(not is_decided)
    assert {True, False} == set(asked)
