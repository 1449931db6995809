"""Editing in the form, from the message to the effect: what was approved is what runs."""

from __future__ import annotations

from typing import Any

import pytest

from okso_jupyter.results import Run
from tests.approval.person import Act, Person, approve, does, reject
from tests.approval.wire import message
from tests.bench import END, Bench, bodies

READ: dict[str, Any] = {"tool": "file_read", "args": {"path": "notes.txt"}}
WRITE: dict[str, Any] = {"tool": "file_write", "args": {"path": "out.txt", "content": "tea"}}
COPY: dict[str, Any] = {
    "tool": "terminal",
    "args": {"command": "cp", "args": ["out.txt", "copy.txt"]},
    "depends_on": [2],
}
PLAN: list[dict[str, Any]] = [READ, WRITE, COPY, END]


@pytest.fixture
def run(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Run a plan that a person decides about, and return the run and what was shown."""

    def go(
        plan: Any, *acts: Act, completions: tuple[Any, ...] = (), **settings: Any
    ) -> tuple[Run, list[dict[str, Any]]]:
        person = Person(monkeypatch, acts)
        done = bench.run(plan, *completions, approve="ask", **settings)
        assert person.left == 0
        return done, person.states

    return go


def ticks_all(state: dict[str, Any]) -> object:
    """Send a check with every step ticked."""
    sent = message(state, "check")
    for step in sent["draft"]["steps"]:
        step["ticked"] = True
    return sent


def called(run: Run) -> list[dict[str, Any]]:
    """Return the calls that were made."""
    return [{"tool": body["tool"], "args": body["args"]} for body in bodies(run, "call_started")]


def causes(run: Run) -> list[tuple[int, str, str]]:
    """Return version, cause and decision of every version of the plan."""
    return [(r.newer.version, r.cause, r.decision) for r in run.revisions]


def test_an_edited_argument_is_what_runs(bench: Bench, run: Any) -> None:
    """The text typed into a field is written, the proposed one is not, and both are on record."""
    typed = {2: {"content": "coffee"}}
    done, states = run(PLAN, does("check", args=typed), approve)
    assert (bench.root / "copy.txt").read_text() == "coffee"
    assert "+coffee" in states[1]["steps"][1]["html"]
    assert states[1]["shown"] != states[0]["shown"]
    assert causes(done) == [(1, "planned", ""), (2, "edit", "approve")]


def test_an_unseen_edit_is_shown_before_it_can_be_approved(bench: Bench, run: Any) -> None:
    """Approve with a text that was not checked approves nothing: it is shown first."""
    typed = {2: {"content": "coffee"}}
    _, states = run(PLAN, does("approve", args=typed), approve)
    assert "Nothing was approved yet" in states[1]["notice"]
    assert "+coffee" in states[1]["steps"][1]["html"]
    assert (bench.root / "out.txt").read_text() == "coffee"


def test_a_text_that_breaks_the_schema_stays_with_its_error(run: Any) -> None:
    """The field keeps what was typed, nothing can be approved, and the run is as it was."""
    typed = {1: {"page": "two"}}
    done, states = run(PLAN, does("check", args=typed), approve, reject)
    field = next(one for one in states[1]["steps"][0]["args"] if one["name"] == "page")
    assert (field["text"], field["error"]) == ("two", "'two' is not a number")
    assert states[1]["shown"] == ""
    assert "Nothing was approved: 'two' is not a number" in states[2]["notice"]
    assert (done.state, called(done)) == ("cancelled", [])


@pytest.mark.parametrize(
    ("step", "typed", "words"),
    [
        (READ, {"page": "two"}, "reads files"),
        ({"tool": "python_repl", "args": {"input": "print(1)"}}, {"input": "print("}, "runs code"),
    ],
)
def test_a_step_with_an_error_still_says_what_it_could_do(
    run: Any, step: dict[str, Any], typed: dict[str, str], words: str
) -> None:
    """Its effects stand in its head, whatever is wrong with a field."""
    _, states = run([step, END], does("check", args={1: typed}), reject)
    assert words in states[0]["steps"][0]["effects"]
    assert words in states[1]["steps"][0]["effects"]


def test_a_step_that_does_not_run_needs_no_good_arguments(run: Any) -> None:
    """Unticking it takes its errors away; ticked again it has them, and its text, again."""
    typed = {1: {"page": "two"}}
    acts = (does("check", args=typed), does("check", off=[1]), ticks_all, does("check", off=[1]))
    done, states = run(PLAN, *acts, approve)
    pages = [
        one for state in states[1:5] for one in state["steps"][0]["args"] if one["name"] == "page"
    ]
    assert [one["text"] for one in pages] == ["two"] * 4
    assert [bool(one["error"]) for one in pages] == [True, False, True, False]
    assert [call["tool"] for call in called(done)] == ["file_write", "terminal"]


def test_unticking_takes_dependants_along(bench: Bench, run: Any) -> None:
    """The step is left out, and so is the one that waits for it, with the reason in words."""
    done, states = run(PLAN, does("check", off=[2]), approve)
    assert states[1]["steps"][2]["off_reason"] == "needs step 2, which is not ticked"
    assert states[1]["steps"][2]["ticked"]
    assert called(done) == [READ]
    assert done.plan is not None
    assert [step.id for step in done.plan.steps] == [1, 4]
    assert not (bench.root / "copy.txt").exists()


def test_another_order_runs_in_that_order(run: Any) -> None:
    """Steps that do not wait for each other can be exchanged."""
    done, _ = run(PLAN, does("check", order=[2, 3, 1, 4]), approve)
    assert done.revisions[1].reason == "in the order 2, 3, 1, 4"
    assert [call["tool"] for call in called(done)] == ["file_write", "terminal", "file_read"]


def test_no_step_can_be_put_before_one_that_it_waits_for(run: Any) -> None:
    """The step says so, and nothing can be approved."""
    _, states = run(PLAN, does("check", order=[3, 1, 2, 4]), reject)
    assert states[1]["steps"][0]["error"] == "it waits for step 2, which comes after it"
    assert states[1]["shown"] == ""


def test_the_answer_stays_last(run: Any) -> None:
    """final_answer cannot be moved up."""
    _, states = run(PLAN, does("check", order=[1, 4, 2, 3]), reject)
    assert "must be the last step" in states[1]["steps"][1]["error"]


def test_up_to_a_step_runs_no_further_before_it_is_asked_again(bench: Bench, run: Any) -> None:
    """After step 2 the rest is shown, with what came out of the steps that ran."""
    seen: list[bool] = []

    def look(state: dict[str, Any]) -> object:
        seen.append((bench.root / "out.txt").exists() and not (bench.root / "copy.txt").exists())
        return approve(state)

    done, states = run(PLAN, does("approve", up_to=2), look)
    assert seen == [True]
    assert [step["ended"] for step in states[2]["steps"]] == ["completed", "completed", "", ""]
    assert "milk" in states[2]["steps"][0]["html"]
    assert (done.state, (bench.root / "copy.txt").read_text()) == ("completed", "tea")


def test_the_rest_can_be_turned_down(bench: Bench, run: Any) -> None:
    """What was approved ran, what was not did not, and the run is cancelled."""
    done, _ = run(PLAN, does("approve", up_to=2), reject)
    assert done.state == "cancelled"
    assert not (bench.root / "copy.txt").exists()


def test_the_rest_can_be_edited(bench: Bench, run: Any) -> None:
    """It becomes a version of its own, in which what ran stays as it was."""
    typed = does("check", args={3: {"args": '["out.txt", "other.txt"]'}})
    done, _ = run(PLAN, does("approve", up_to=2), typed, approve)
    assert (bench.root / "other.txt").read_text() == "tea"
    assert causes(done) == [(1, "planned", "approve"), (2, "edit", "approve")]


def test_up_to_the_last_step_is_all_of_it(run: Any) -> None:
    """Nothing is left to be asked about."""
    done, _ = run(PLAN, does("approve", up_to=4))
    assert done.state == "completed"


def test_parallel_neighbours_are_held_too(bench: Bench, run: Any) -> None:
    """Of steps that may run side by side just those run that were approved."""
    names = ("a", "b", "c")
    writes = [
        {**WRITE, "args": {"path": name, "content": name}, "parallel": True} for name in names
    ]
    there: list[list[str]] = []

    def look(state: dict[str, Any]) -> object:
        there.append([name for name in names if (bench.root / name).exists()])
        return approve(state)

    done, _ = run([*writes, END], does("approve", up_to=2), look)
    assert there == [["a", "b"]]
    assert (done.state, (bench.root / "c").exists()) == ("completed", True)


def test_a_part_of_a_part(run: Any) -> None:
    """The rest can be approved up to a step as well."""
    done, states = run(PLAN, does("approve", up_to=1), does("approve", up_to=2), approve)
    assert [step["ended"] for step in states[4]["steps"]] == ["completed", "completed", "", ""]
    assert (done.state, [d["up_to"] for d in done.decisions]) == ("completed", [1, 2, None])


@pytest.mark.parametrize("rule", ["skip", "replan"])
def test_a_failure_in_the_first_part_is_in_view_with_the_rest(run: Any, rule: str) -> None:
    """Where no new plan comes of it, the rest is asked about all the same."""
    lost = {"tool": "file_read", "args": {"path": "nowhere.bin"}}
    plan = [lost, WRITE, READ, END]
    settings = {"ON_FAILURE": rule, "PLAN_MAX_REPLANS": 0}
    done, states = run(plan, does("approve", up_to=2), approve, **settings)
    assert [step["ended"] for step in states[2]["steps"]] == ["failed", "completed", "", ""]
    assert "nowhere.bin" in states[2]["steps"][0]["html"]
    assert done.state == "failed"


def test_feedback_about_the_rest_gives_another_rest(bench: Bench, run: Any) -> None:
    """What ran stays, the new plan is shown with its diff, and does not count as a failure's."""
    other = {"tool": "file_write", "args": {"path": "new.txt", "content": "cake"}}
    done, states = run(
        {"request": "Read notes.txt", "steps": PLAN},
        does("approve", up_to=2), does("feedback", text="write new.txt instead"), approve,
        completions=([other, END],), PLANNER_SAMPLE_COUNT=1, PLAN_MAX_REPLANS=0,
    )  # fmt: skip
    assert "feedback: write new.txt instead" in states[-2]["head"]
    assert (bench.root / "new.txt").read_text() == "cake"
    assert not (bench.root / "copy.txt").exists()
    assert causes(done) == [(1, "planned", "approve"), (2, "feedback", "approve")]


def test_a_new_plan_after_a_failure_can_be_edited(bench: Bench, run: Any) -> None:
    """The steps that are new can be changed, those that ended cannot, and no repair is lost."""
    lost = {"tool": "file_read", "args": {"path": "nowhere.bin"}}
    done, states = run(
        {"request": "Read notes.txt", "steps": [WRITE, lost, END]},
        approve, does("check", args={4: {"path": "sales.csv"}}), approve,
        completions=([READ, END],), PLANNER_SAMPLE_COUNT=1,
    )  # fmt: skip
    shown = states[-2]["steps"]
    assert [(s["id"], s["ended"], s["can_edit"]) for s in shown] == [
        (1, "completed", False), (2, "failed", False), (4, "", True), (5, "", True),
    ]  # fmt: skip
    assert [call["args"].get("path") for call in called(done)][-1] == "sales.csv"
    assert causes(done) == [
        (1, "planned", "approve"), (2, "failure", ""), (3, "edit", "approve"),
    ]  # fmt: skip
    assert done.state == "completed"
    assert (bench.root / "out.txt").read_text() == "tea"


def test_a_dry_run_up_to_a_step_lists_no_more(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Just the calls that were approved are listed, and none is made."""
    Person(monkeypatch, [does("approve", up_to=1)])
    with bench.session() as session:
        done = session.execute(PLAN, approve="ask", dry_run=True)
    assert (done.answer or "").splitlines()[1:] == ['1. file_read {"path": "notes.txt"}']


# --- candidates, points, feedback ----------------------------------------------------------

REQUEST = "Read notes.txt and keep a copy of it in copy.txt"
CP: dict[str, Any] = {
    "tool": "terminal",
    "args": {"command": "cp", "args": ["notes.txt", "copy.txt"]},
    "thought": "copy the file",
}
SEEN: dict[str, Any] = {**READ, "thought": "read the notes"}


@pytest.fixture
def ask(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Plan a request, have a person decide, and return the run and what was shown."""

    def go(*acts: Act, completions: tuple[Any, ...]) -> tuple[Run, list[dict[str, Any]]]:
        person = Person(monkeypatch, acts)
        with bench.session(*completions, PLANNER_SAMPLE_COUNT=2) as session:
            done = session.execute(session.plan(REQUEST), approve="ask")
        assert person.left == 0
        return done, person.states

    return go


def test_another_candidate_is_shown_in_full_and_runs(ask: Any) -> None:
    """It is shown as if it had won, with its own points, noted as chosen, and is what runs."""
    completions = ([SEEN, CP, END], [CP, END])
    done, states = ask(does("check", candidate=2), approve, completions=completions)
    first, second = states[:2]
    assert [one["candidate"] for one in first["candidates"]] == [1, 2]
    assert (first["candidate"], second["candidate"]) == (1, 2)
    assert [step["tool"] for step in second["steps"]] == ["terminal", "final_answer"]
    assert second["score"] == first["candidates"][1]["score"]
    assert second["score_before"] == first["score"] == first["candidates"][0]["score"]
    assert "candidate 2, chosen by you" in second["head"]
    assert called(done) == [{"tool": CP["tool"], "args": CP["args"]}]
    assert causes(done) == [(1, "planned", ""), (2, "candidate", "approve")]
    assert done.revisions[1].why == "another candidate was chosen: candidate 2"


def test_candidates_that_do_the_same_are_one_to_choose(ask: Any) -> None:
    """Another wording of the same calls is no other plan."""
    worded = {**SEEN, "thought": "read the notes of the day"}
    _, states = ask(reject, completions=([SEEN, CP, END], [worded, CP, END]))
    assert [one["candidate"] for one in states[0]["candidates"]] == [states[0]["candidate"]]


def test_a_twin_of_what_is_shown_can_be_approved_at_once(ask: Any) -> None:
    """Another candidate with the same calls is what is shown already."""
    done, _ = ask(does("approve", candidate=2), completions=([SEEN, CP, END], [SEEN, CP, END]))
    assert done.state == "completed"


def test_a_candidate_that_was_left_comes_back_as_it_was(ask: Any) -> None:
    """Going back to the first one shows what was proposed."""
    acts = (does("check", candidate=2), does("check", candidate=1), approve)
    done, states = ask(*acts, completions=([SEEN, CP, END], [CP, END]))
    assert states[2]["shown"] == states[0]["shown"]
    assert causes(done) == [(1, "planned", "approve")]


def test_a_candidate_can_be_edited(bench: Bench, ask: Any) -> None:
    """What is typed after another candidate was chosen is about that one."""
    typed = does("check", args={1: {"args": '["notes.txt", "other.txt"]'}})
    acts = (does("check", candidate=2), typed, approve)
    _, states = ask(*acts, completions=([SEEN, CP, END], [CP, END]))
    assert (bench.root / "other.txt").exists()
    assert "edited by you; candidate 2, chosen by you" in states[2]["head"]


def test_points_are_counted_again_with_the_reasons(ask: Any) -> None:
    """A longer plan that is cut gets other points, and the rules that say why are named."""
    done, states = ask(does("check", off=[1]), approve, completions=([SEEN, CP, END], [CP, END]))
    before, after = states[:2]
    assert after["score_before"] == before["score"]
    assert after["score"] != before["score"]
    assert after["score_notes"]
    assert before["score_notes"] == []
    assert [call["tool"] for call in called(done)] == ["terminal"]


def test_feedback_about_an_edited_plan_is_about_what_was_edited(ask: Any) -> None:
    """The edit is on record, the new plan is shown with its diff to it, and both can be told."""
    typed = does("check", args={2: {"args": '["notes.txt", "other.txt"]'}})
    completions = ([SEEN, CP, END], [CP, END], [CP, END], [CP, END])
    done, states = ask(typed, does("feedback", text="only copy"), approve, completions=completions)
    assert "Changes since version 2 (feedback: only copy)" in states[-2]["head"]
    assert causes(done) == [
        (1, "planned", ""), (2, "edit", "feedback"), (3, "feedback", "approve"),
    ]  # fmt: skip


def test_feedback_that_was_not_taken_up_is_said_and_kept(ask: Any) -> None:
    """The same calls again are no change, and the words stand in the box to be worded anew."""
    again = [{**CP, "thought": "as you wish"}, END]
    completions = ([CP, END], [CP, END], again, again, [SEEN, CP, END], [SEEN, CP, END])
    _, states = ask(
        does("feedback", text="look first"), does("feedback", text="read, then copy"), approve,
        completions=completions,
    )  # fmt: skip
    said = "Nothing changed since version 1: your feedback was not taken up (look first):"
    overlooked = [state for state in states if said in state["head"]]
    assert {state["feedback"] for state in overlooked} == {"look first"}
    others = [state for state in states if state not in overlooked]
    assert {state["feedback"] for state in others} == {""}
    assert "Changes since version 2 (feedback: read, then copy)" in others[-1]["head"]


def test_the_history_of_the_plan_tells_what_was_edited(run: Any) -> None:
    """One row says which step was changed, by whom, and one what was left out."""
    typed = does("check", args={1: {"path": "sales.csv"}}, off=[3])
    done, _ = run(PLAN, typed, approve)
    history = done.plan_history()
    edits = history[history["cause"] == "edit"].set_index("step_id")["change"].to_dict()
    assert edits == {1: "changed", 2: "kept", 3: "dropped", 4: "kept"}
