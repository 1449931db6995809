"""Editing in the form, from the message to the effect: the approved plan is what runs."""

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
    """Run a plan that a person decides about, and return the run and the shown states."""

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
    """Return version, cause and decision of each version of the plan."""
    return [(r.newer.version, r.cause, r.decision) for r in run.revisions]


def test_an_edited_argument_is_what_runs(bench: Bench, run: Any) -> None:
    """The typed text is written instead of the proposed one, and both are recorded."""
    typed = {2: {"content": "coffee"}}
    done, states = run(PLAN, does("check", args=typed), approve)
    assert (bench.root / "copy.txt").read_text() == "coffee"
    assert "+coffee" in states[1]["steps"][1]["html"]
    assert states[1]["shown"] != states[0]["shown"]
    assert causes(done) == [(1, "planned", ""), (2, "edit", "approve")]


def test_an_edit_shows_the_old_and_the_new_call(run: Any) -> None:
    """Sentence, title and verdict follow the edit, and the proposed text stays beside the field."""
    titled = [READ, {**WRITE, "title": "Write tea"}, COPY, END]
    done, states = run(titled, does("check", args={2: {"content": "coffee"}}), approve)
    untouched, step = states[1]["steps"][0], states[1]["steps"][1]
    assert step["sentence"] == "Write “coffee” to the new file out.txt"
    assert step["was"] == "Write “tea” to the new file out.txt"
    assert {arg["name"]: arg["was"] for arg in step["args"] if arg["was"] is not None} == {
        "content": "tea"
    }
    assert untouched["was"] == ""
    assert all(arg["was"] is None for arg in untouched["args"])
    assert 'okso-verdict">edited by you' in states[1]["head"]
    assert "Write tea" in states[0]["steps"][1]["words"]
    assert "Write tea" not in states[1]["steps"][1]["words"]
    assert done.plan.step(2).title == "Write “coffee” to the new file out.txt"


def test_an_unseen_edit_is_shown_before_it_can_be_approved(bench: Bench, run: Any) -> None:
    """Approving with an unchecked text does not approve: the edit is shown first."""
    typed = {2: {"content": "coffee"}}
    _, states = run(PLAN, does("approve", args=typed), approve)
    assert "Nothing was approved yet" in states[1]["notice"]
    assert "+coffee" in states[1]["steps"][1]["html"]
    assert (bench.root / "out.txt").read_text() == "coffee"


def test_a_text_that_breaks_the_schema_is_kept_with_its_error(run: Any) -> None:
    """The field keeps the typed text, approval is impossible, and no step runs."""
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
def test_a_step_with_an_error_still_shows_its_effects(
    run: Any, step: dict[str, Any], typed: dict[str, str], words: str
) -> None:
    """The step's head shows its effects even if a field has an error."""
    _, states = run([step, END], does("check", args={1: typed}), reject)
    assert words in states[0]["steps"][0]["effects"]
    assert words in states[1]["steps"][0]["effects"]


def test_an_unticked_step_needs_no_valid_arguments(run: Any) -> None:
    """Unticking a step hides its errors; ticking it again restores them and its text."""
    typed = {1: {"page": "two"}}
    acts = (does("check", args=typed), does("check", off=[1]), ticks_all, does("check", off=[1]))
    done, states = run(PLAN, *acts, approve)
    pages = [
        one for state in states[1:5] for one in state["steps"][0]["args"] if one["name"] == "page"
    ]
    assert [one["text"] for one in pages] == ["two"] * 4
    assert [bool(one["error"]) for one in pages] == [True, False, True, False]
    assert [call["tool"] for call in called(done)] == ["file_write", "terminal"]


def test_unticking_a_step_drops_its_dependants(bench: Bench, run: Any) -> None:
    """An unticked step is omitted, and so is its dependant, with the reason shown."""
    done, states = run(PLAN, does("check", off=[2]), approve)
    assert states[1]["steps"][2]["off_reason"] == "needs step 2, which is not ticked"
    assert states[1]["steps"][2]["ticked"]
    assert called(done) == [READ]
    assert done.plan is not None
    assert [step.id for step in done.plan.steps] == [1, 4]
    assert not (bench.root / "copy.txt").exists()


def test_steps_run_in_the_edited_order(run: Any) -> None:
    """Independent steps can be reordered."""
    done, _ = run(PLAN, does("check", order=[2, 3, 1, 4]), approve)
    assert done.revisions[1].reason == "in the order 2, 3, 1, 4"
    assert [call["tool"] for call in called(done)] == ["file_write", "terminal", "file_read"]


def test_a_step_cannot_precede_its_dependency(run: Any) -> None:
    """The step shows the error, and the plan cannot be approved."""
    _, states = run(PLAN, does("check", order=[3, 1, 2, 4]), reject)
    assert states[1]["steps"][0]["error"] == "it waits for step 2, which comes after it"
    assert states[1]["shown"] == ""


def test_the_answer_must_stay_last(run: Any) -> None:
    """final_answer cannot be moved up."""
    _, states = run(PLAN, does("check", order=[1, 4, 2, 3]), reject)
    assert "must be the last step" in states[1]["steps"][1]["error"]


def test_approval_up_to_a_step_stops_there_and_asks_again(bench: Bench, run: Any) -> None:
    """After step 2 the rest is shown, with the results of the steps that ran."""
    seen: list[bool] = []

    def look(state: dict[str, Any]) -> object:
        seen.append((bench.root / "out.txt").exists() and not (bench.root / "copy.txt").exists())
        return approve(state)

    done, states = run(PLAN, does("approve", up_to=2), look)
    assert seen == [True]
    assert [step["ended"] for step in states[2]["steps"]] == ["completed", "completed", "", ""]
    assert "milk" in states[2]["steps"][0]["html"]
    assert (done.state, (bench.root / "copy.txt").read_text()) == ("completed", "tea")


def test_the_rest_can_be_rejected(bench: Bench, run: Any) -> None:
    """Approved steps ran, the others did not, and the run is cancelled."""
    done, _ = run(PLAN, does("approve", up_to=2), reject)
    assert done.state == "cancelled"
    assert not (bench.root / "copy.txt").exists()


def test_the_rest_can_be_edited(bench: Bench, run: Any) -> None:
    """The edited rest becomes a new version in which completed steps are unchanged."""
    typed = does("check", args={3: {"args": '["out.txt", "other.txt"]'}})
    done, _ = run(PLAN, does("approve", up_to=2), typed, approve)
    assert (bench.root / "other.txt").read_text() == "tea"
    assert causes(done) == [(1, "planned", "approve"), (2, "edit", "approve")]


def test_approval_up_to_the_last_step_covers_the_plan(run: Any) -> None:
    """No further approval is needed."""
    done, _ = run(PLAN, does("approve", up_to=4))
    assert done.state == "completed"


def test_parallel_steps_stop_at_the_approved_step(bench: Bench, run: Any) -> None:
    """Of steps that may run in parallel, only the approved ones run."""
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


def test_the_rest_can_be_approved_in_parts(run: Any) -> None:
    """The rest can be approved up to a step as well."""
    done, states = run(PLAN, does("approve", up_to=1), does("approve", up_to=2), approve)
    assert [step["ended"] for step in states[4]["steps"]] == ["completed", "completed", "", ""]
    assert (done.state, [d["up_to"] for d in done.decisions]) == ("completed", [1, 2, None])


@pytest.mark.parametrize("rule", ["skip", "replan"])
def test_a_failure_in_the_first_part_is_shown_with_the_rest(run: Any, rule: str) -> None:
    """If no new plan follows a failure, the rest still needs approval."""
    lost = {"tool": "file_read", "args": {"path": "nowhere.bin"}}
    plan = [lost, WRITE, READ, END]
    settings = {"ON_FAILURE": rule, "PLAN_MAX_REPLANS": 0}
    done, states = run(plan, does("approve", up_to=2), approve, **settings)
    assert [step["ended"] for step in states[2]["steps"]] == ["failed", "completed", "", ""]
    assert "nowhere.bin" in states[2]["steps"][0]["html"]
    assert done.state == "failed"


def test_feedback_about_the_rest_leads_to_a_new_rest(bench: Bench, run: Any) -> None:
    """Completed steps stay, the new plan is shown as a diff.

    It does not count as a replan after a failure.
    """
    other = {"tool": "file_write", "args": {"path": "new.txt", "content": "cake"}}
    done, states = run(
        {"request": "Read notes.txt", "steps": PLAN},
        does("approve", up_to=2), does("feedback", text="write new.txt instead"), approve,
        completions=([other, END],), PLANNER_SAMPLE_COUNT=1, PLAN_MAX_REPLANS=0,
    )  # fmt: skip
    assert "your feedback (write new.txt instead)" in states[-2]["head"]
    assert (bench.root / "new.txt").read_text() == "cake"
    assert not (bench.root / "copy.txt").exists()
    assert causes(done) == [(1, "planned", "approve"), (2, "feedback", "approve")]


def test_a_new_plan_after_a_failure_can_be_edited(bench: Bench, run: Any) -> None:
    """New steps can be edited, ended steps cannot, and the repair is kept."""
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


def test_a_dry_run_up_to_a_step_lists_only_approved_steps(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only the approved calls are listed, and none is made."""
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
    """Plan a request, let a person decide, and return the run and the shown states."""

    def go(*acts: Act, completions: tuple[Any, ...]) -> tuple[Run, list[dict[str, Any]]]:
        person = Person(monkeypatch, acts)
        with bench.session(*completions, PLANNER_SAMPLE_COUNT=2) as session:
            done = session.execute(session.plan(REQUEST), approve="ask")
        assert person.left == 0
        return done, person.states

    return go


def test_another_candidate_is_shown_in_full_and_runs(ask: Any) -> None:
    """The chosen candidate is shown in full with its own points, is recorded, and runs."""
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


def test_candidates_with_the_same_calls_are_listed_once(ask: Any) -> None:
    """A candidate with other wording but the same calls is not another plan."""
    worded = {**SEEN, "thought": "read the notes of the day"}
    _, states = ask(reject, completions=([SEEN, CP, END], [worded, CP, END]))
    assert [one["candidate"] for one in states[0]["candidates"]] == [states[0]["candidate"]]


def test_a_duplicate_of_the_shown_plan_can_be_approved(ask: Any) -> None:
    """A candidate with the same calls as the shown plan can be approved directly."""
    done, _ = ask(does("approve", candidate=2), completions=([SEEN, CP, END], [SEEN, CP, END]))
    assert done.state == "completed"


def test_returning_to_a_candidate_shows_it_unchanged(ask: Any) -> None:
    """Selecting the first candidate again shows the originally proposed plan."""
    acts = (does("check", candidate=2), does("check", candidate=1), approve)
    done, states = ask(*acts, completions=([SEEN, CP, END], [CP, END]))
    assert states[2]["shown"] == states[0]["shown"]
    assert causes(done) == [(1, "planned", "approve")]


def test_a_selected_candidate_can_be_edited(bench: Bench, ask: Any) -> None:
    """An edit made after selecting another candidate applies to that candidate."""
    typed = does("check", args={1: {"args": '["notes.txt", "other.txt"]'}})
    acts = (does("check", candidate=2), typed, approve)
    _, states = ask(*acts, completions=([SEEN, CP, END], [CP, END]))
    assert (bench.root / "other.txt").exists()
    assert "edited by you" in states[2]["head"]
    assert "candidate 2, chosen by you" in states[2]["origin"]["html"]


def test_points_are_recomputed_with_reasons(ask: Any) -> None:
    """A shortened plan gets other points, and the rules that changed them are named."""
    done, states = ask(does("check", off=[1]), approve, completions=([SEEN, CP, END], [CP, END]))
    before, after = states[:2]
    assert after["score_before"] == before["score"]
    assert after["score"] != before["score"]
    assert after["score_notes"]
    assert before["score_notes"] == []
    assert [call["tool"] for call in called(done)] == ["terminal"]


def test_feedback_refers_to_the_edited_plan(ask: Any) -> None:
    """The edit is recorded, and the new plan is shown with its diff to the edited one."""
    typed = does("check", args={2: {"args": '["notes.txt", "other.txt"]'}})
    completions = ([SEEN, CP, END], [CP, END], [CP, END], [CP, END])
    done, states = ask(typed, does("feedback", text="only copy"), approve, completions=completions)
    assert (
        "Changes since version 2, made by the planner after your feedback (only copy)"
        in states[-2]["head"]
    )
    assert causes(done) == [
        (1, "planned", ""), (2, "edit", "feedback"), (3, "feedback", "approve"),
    ]  # fmt: skip


def test_ignored_feedback_is_reported_and_kept(ask: Any) -> None:
    """If the calls are unchanged, a notice says so and the feedback stays in its box."""
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
    assert (
        "version 2, made by the planner after your feedback (read, then copy)" in others[-1]["head"]
    )


def test_the_plan_history_contains_edits(run: Any) -> None:
    """The history has a row for a changed step, its author, and a dropped step."""
    typed = does("check", args={1: {"path": "sales.csv"}}, off=[3])
    done, _ = run(PLAN, typed, approve)
    history = done.plan_history()
    edits = history[history["cause"] == "edit"].set_index("step_id")["change"].to_dict()
    assert edits == {1: "changed", 2: "kept", 3: "dropped", 4: "kept"}


@pytest.mark.process
def test_a_query_is_edited_by_choosing_columns_and_functions(bench: Bench, run: Any) -> None:
    """The columns are those of the table that is there; another one cannot be chosen."""
    (bench.root / "trips.csv").write_text("region,km\nNorth,10\nSouth,20\nNorth,4\n")
    query = {
        "source": "trips.csv",
        "filters": [{"column": "region", "comparison": "=", "value": "North"}],
        "measures": [{"function": "mean", "column": "km"}],
    }
    summed = '[{"function": "sum", "column": "km"}]'
    done, states = run(
        [{"tool": "table_query", "args": query}, END],
        does("check", args={1: {"by": "nowhere"}}),
        does("check", args={1: {"by": "region", "measures": summed, "filters": ""}}),
        approve,
    )
    shown = {arg["name"]: arg for arg in states[0]["steps"][0]["args"]}
    assert shown["by"]["choices"] == shown["order"]["choices"] == ["region", "km"]
    kinds = {name: arg["kind"] for name, arg in shown.items()}
    assert [kinds[name] for name in ("by", "filters", "measures", "columns")] == [
        "choice", "rows", "rows", "rows",
    ]  # fmt: skip
    parts = {part["name"]: part for part in shown["filters"]["parts"]}
    assert parts["column"]["choices"] == ["region", "km"]
    assert parts["column"]["required"]
    assert ">=" in parts["comparison"]["choices"]
    assert parts["value"]["choices"] == []
    assert shown["columns"]["parts"][0]["choices"] == ["region", "km"]
    refused = {arg["name"]: arg["error"] for arg in states[1]["steps"][0]["args"]}
    assert "not one of the choices" in refused["by"]
    assert called(done)[0]["args"] == {
        "source": "trips.csv", "by": "region", "measures": [{"function": "sum", "column": "km"}],
    }  # fmt: skip


@pytest.mark.process
def test_a_bound_of_groups_is_a_number_as_it_is_typed(bench: Bench, run: Any) -> None:
    """What is typed into a new row of the form is a text; another word is refused."""
    (bench.root / "trips.csv").write_text("region,km\nNorth,10\nSouth,20\nNorth,4\n")
    query = {"source": "trips.csv", "by": "region", "measures": [{"function": "count"}]}
    typed = '[{{"comparison": ">", "value": "{}"}}]'
    done, states = run(
        [{"tool": "table_query", "args": query}, END],
        does("check", args={1: {"bounds": typed.format("many")}}),
        does("check", args={1: {"bounds": typed.format("1")}}),
        approve,
    )
    refused = {arg["name"]: arg["error"] for arg in states[1]["steps"][0]["args"]}
    assert "is not a number" in refused["bounds"]
    assert called(done)[0]["args"] == {**query, "bounds": [{"comparison": ">", "value": 1}]}


def test_a_table_that_is_not_there_has_text_fields(run: Any) -> None:
    """Its columns are not known, so that they can be written."""
    gone = {"tool": "table_query", "args": {"source": "gone.csv", "by": "region"}}
    _, states = run([gone, END], reject)
    shown = {arg["name"]: arg for arg in states[0]["steps"][0]["args"]}
    assert (shown["by"]["kind"], shown["by"]["choices"]) == ("text", [])
