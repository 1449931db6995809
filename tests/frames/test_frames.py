"""Every frame has its columns, dtypes and units, with rows and without."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from okso_jupyter import Run, Session, read_debug_log, units
from okso_jupyter.effects.effect import Effect
from okso_jupyter.effects.file_changes import Changes
from okso_jupyter.errors import DocumentError
from okso_jupyter.frames.candidates import candidates_frame, ranking_frame
from okso_jupyter.frames.run_tables import ledger_frame, observations_frame, trace_frame
from okso_jupyter.plan.records import Feedback, Observation, ToolCall
from okso_jupyter.testing import ScriptedModel
from tests.frames.conftest import GOOD, SHORT

CANDIDATES = {
    "candidate": "int64", "chosen": "bool", "score": "float64", "response": "object",
    "rationale": "object", "n_steps": "int64", "tools": "object", "tie_breaker": "float64",
    "distinct": "bool", "seed": "int64", "temperature": "float64", "output_tokens": "int64",
    "duration_s": "float64",
}  # fmt: skip
RANKING = {"tool": "object", "lexical": "float64", "model": "float64", "offered": "bool"}
OBSERVATIONS = {
    "plan_version": "int64", "step_id": "int64", "attempt": "int64", "tool": "object",
    "args": "object", "status": "object", "exit_code": "Int64", "observation_raw": "object",
    "observation_summary": "object", "error_class": "object",
    "started_at": "datetime64[ns, UTC]", "duration_s": "float64", "rule": "object",
}  # fmt: skip
TRACE = {
    "span_id": "object", "parent_id": "object", "name": "object",
    "started_at": "datetime64[ns, UTC]", "duration_s": "float64", "status": "object",
    "attributes": "object",
}  # fmt: skip
LEDGER = {
    "step_id": "int64", "tool_calls": "int64", "tools": "object", "files_touched": "object",
    "created": "object", "deleted": "object", "changes": "object", "commands": "object",
    "effects": "object", "duplicate_effects": "int64", "duration_s": "float64", "tokens": "int64",
}  # fmt: skip
FRAMES: dict[str, tuple[dict[str, str], Callable[[], pd.DataFrame]]] = {
    "candidates": (CANDIDATES, lambda: candidates_frame([], None)),
    "ranking": (RANKING, lambda: ranking_frame([])),
    "observations": (OBSERVATIONS, lambda: observations_frame([])),
    "trace": (TRACE, lambda: trace_frame([])),
    "ledger": (LEDGER, lambda: ledger_frame([], {})),
}


def _dtypes(frame: pd.DataFrame) -> dict[str, str]:
    """Return the dtypes by column, without those of single scoring rules."""
    return {str(k): str(v) for k, v in frame.dtypes.items() if not str(k).startswith("rule_")}


@pytest.mark.parametrize("name", FRAMES)
def test_a_frame_has_its_columns_and_dtypes(run: Run, name: str) -> None:
    """With the rows of a real run and without any, columns and dtypes are the same."""
    expected, empty = FRAMES[name]

    assert _dtypes(getattr(run, name)) == expected
    assert len(getattr(run, name)) > 0
    assert _dtypes(empty()) == expected
    assert len(empty()) == 0


@pytest.mark.parametrize("name", FRAMES)
def test_every_number_has_a_unit_or_needs_none(run: Run, name: str) -> None:
    """`units` covers all that is counted or measured; seeds and temperatures have none."""
    frame = getattr(run, name)
    said = units(frame)
    numbers = {str(c) for c in frame.columns if frame[c].dtype.kind in "if"}

    assert set(said) <= set(map(str, frame.columns))
    assert numbers - set(said) <= {"seed", "temperature"}
    assert all(said.get(column) == "s" for column in frame.columns if column.endswith("_s"))


def test_units_of_another_frame_are_empty() -> None:
    """A DataFrame that is not from this package has no units."""
    assert units(pd.DataFrame({"a": [1]})) == {}


def test_candidates_have_a_column_per_rule(run: Run) -> None:
    """The points of the rules add up to the score, and one candidate was chosen."""
    frame = run.candidates
    rules = [column for column in frame.columns if column.startswith("rule_")]

    assert len(rules) >= 5
    assert frame[rules].sum(axis=1).tolist() == pytest.approx(frame["score"].tolist())
    assert frame["chosen"].sum() == 1
    assert frame.loc[frame["chosen"], "score"].item() == frame["score"].max()


def test_an_unusable_sample_leaves_a_gap(run: Run) -> None:
    """Candidates keep their number in the order of sampling, and with it their seed."""
    frame = run.candidates

    assert frame["candidate"].tolist() == [1, 2, 4]
    assert frame["seed"].tolist() == [5, 6, 8]


def test_a_repeated_plan_is_not_distinct(run: Run) -> None:
    """The second sample of the same calls is not distinct; thoughts make no difference."""
    assert run.candidates["distinct"].tolist() == [True, True, False]


def test_planning_again_with_one_seed_shows_the_newest_candidates(tmp_path: Path) -> None:
    """After feedback the frame has only the new candidates, even with the same seed."""
    answers = iter([Feedback("shorter"), "approve"])
    settings = {"OKSO_HOME": str(tmp_path / "home"), "PLANNER_SEED": 1, "PLANNER_SAMPLE_COUNT": 1,
                "FINAL_ANSWER": "digest"}  # fmt: skip
    with Session(settings, model=ScriptedModel([GOOD, SHORT]), root=tmp_path) as session:
        run = session.run("say hello", approve=lambda _plan: next(answers))

    assert run.candidates["n_steps"].tolist() == [1]
    assert run.plan is not None
    assert run.plan.version == 2


def test_the_highest_seed_fits_its_column(tmp_path: Path) -> None:
    """Seeds count up from PLANNER_SEED; the column holds even those at its upper bound."""
    settings = {"OKSO_HOME": str(tmp_path), "PLANNER_SEED": 2**53, "PLANNER_SAMPLE_COUNT": 2}
    with Session(settings, model=ScriptedModel([SHORT, SHORT]), root=tmp_path) as session:
        planning = session.plan("say hello")

    assert planning.candidates["seed"].tolist() == [2**53, 2**53 + 1]


def test_observations_have_a_row_per_attempt(run: Run) -> None:
    """Status, exit code and error class distinguish success from failure."""
    frame = run.observations

    assert frame["step_id"].tolist() == [1, 2, 3, 4, 5]
    assert frame["status"].tolist() == [
        "completed", "failed", "skipped", "completed", "completed",
    ]  # fmt: skip
    assert frame["exit_code"].isna().tolist() == [False, False, True, False, False]
    assert frame["error_class"].tolist() == [None, "fatal", None, None, None]
    assert frame["started_at"].is_monotonic_increasing


def test_spans_have_one_id_each_and_known_parents(run: Run) -> None:
    """The trace is a forest: planning and execution do not share span ids."""
    frame = run.trace

    assert frame["span_id"].is_unique
    assert set(frame["parent_id"]) - {""} <= set(frame["span_id"])
    assert frame["started_at"].is_monotonic_increasing
    names = frame.set_index("span_id")["name"]
    tools = frame[frame["name"] == "execute_tool"]
    assert set(names[tools["parent_id"]]) == {"run"}


def test_spans_are_sorted_by_number() -> None:
    """Span 10000 comes after span 9999."""
    span = {"parent_id": "", "name": "x", "started_at": "2026-01-01T00:00:00+00:00",
            "duration_s": 0.0, "status": "ok", "attributes": {}}  # fmt: skip
    frame = trace_frame([{**span, "span_id": i} for i in ("10000", "9999", "0001")])

    assert frame["span_id"].tolist() == ["0001", "9999", "10000"]


def test_the_ledger_lists_what_each_step_did(run: Run) -> None:
    """The ledger has one row per step, with the files that it touched and created."""
    frame = run.ledger.set_index("step_id")

    assert frame["tools"].map(", ".join).tolist() == [
        "file_read", "file_read", "file_search", "file_write",
    ]  # fmt: skip
    assert frame["tool_calls"].tolist() == [1, 1, 0, 1]
    assert frame["created"].tolist() == [[], [], [], ["copy.txt"]]
    assert frame["files_touched"].iloc[0] == ["notes.txt"]
    assert frame["duplicate_effects"].sum() == 0


def _call(attempt: int, args: dict[str, object], *, ran: bool = True) -> Observation:
    """Return an attempt at step 1 that deleted a.txt with `rm`."""
    changes = Changes(deleted=("a.txt",), commands=("rm a.txt",)) if ran else Changes()
    return Observation(
        call=ToolCall(step_id=1, tool="terminal", args=args, attempt=attempt),
        status="completed", exit_code=0 if ran else None, raw="", text="", summary="", error="",
        error_class=None, started_at="2026-01-01T00:00:00+00:00", duration_s=0.25, changes=changes,
    )  # fmt: skip


def test_a_number_outside_its_column_is_clamped() -> None:
    """A number too large for its column is replaced by the nearest that fits."""
    codes = (2**70, -(2**70), 3)
    table = observations_frame([replace(_call(1, {}), exit_code=code) for code in codes])
    assert table["exit_code"].tolist() == [2**63 - 1, -(2**63), 3]
    assert ledger_frame([_call(1, {})], {1: 10**30})["tokens"].tolist() == [2**63 - 1]


def test_the_ledger_counts_calls_duplicates_time_and_tokens() -> None:
    """Calls that ran are counted, and equal ones as duplicates.

    Paths and commands are listed once.
    """
    calls = [_call(1, {"a": 1}), _call(2, {"a": 1}), _call(3, {"a": 2}), _call(4, {}, ran=False)]

    row = ledger_frame(calls, {1: 17}).iloc[0]

    assert (row["tool_calls"], row["duplicate_effects"], row["tokens"]) == (3, 1, 17)
    assert (row["deleted"], row["commands"]) == (["a.txt"], ["rm a.txt"])
    assert len(row["effects"]) == 3
    assert row["duration_s"] == pytest.approx(1.0)


def test_the_ledger_distinguishes_effects_from_reading() -> None:
    """A call that only reads has no signature; equal effects count over the whole run."""
    calls = [_call(1, {"a": 1}), _call(2, {"a": 1, "nonce": 7}), _call(3, {"b": 1})]
    later = replace(calls[0], call=replace(calls[0].call, step_id=2))
    reads = {(1, 3): frozenset({Effect.READS})}

    frame = ledger_frame([*calls, later], {}, reads)

    assert frame["tool_calls"].tolist() == [3, 1]
    assert frame["effects"].map(len).tolist() == [2, 1]
    assert frame["duplicate_effects"].tolist() == [1, 1]
    assert len({signature for row in frame["effects"] for signature in row}) == 1


def test_the_log_is_read_back_as_the_candidates(run: Run, log: Path) -> None:
    """What the log contains equals the frame; all other columns are missing values."""
    logged, shown = read_debug_log(log), run.candidates
    held = ["candidate", "score", "tie_breaker", "n_steps", "tools", "rationale", "response"]

    pd.testing.assert_frame_equal(logged[held], shown[held])
    assert logged.drop(columns=held).isna().all(axis=None)
    assert list(logged.columns) == list(CANDIDATES)
    assert units(logged)["score"] == "points"


def test_a_log_has_the_same_dtypes_when_it_is_empty(run: Run, log: Path, tmp_path: Path) -> None:
    """An empty log gives the same columns and dtypes as a full one."""
    assert len(run.candidates) == 3
    (tmp_path / "empty.jsonl").write_text("")

    empty = read_debug_log(tmp_path / "empty.jsonl")

    assert len(empty) == 0
    assert empty.dtypes.to_dict() == read_debug_log(log).dtypes.to_dict()


def test_a_log_may_hold_any_character(tmp_path: Path) -> None:
    """Characters that some readers take for line ends are read as text."""
    thought = "one\u2028two\x85three\x0bfour"
    plan = [{"tool": "final_answer", "args": {}, "thought": thought}]
    settings = {"OKSO_HOME": str(tmp_path), "PLANNER_SAMPLE_COUNT": 1}
    with Session(settings, model=ScriptedModel([plan]), root=tmp_path) as session:
        session.plan("say hello")

    logged = read_debug_log(tmp_path / "planner_candidates.jsonl")

    assert logged["response"].item()[0]["thought"] == thought


GOOD_LINE = json.dumps({"index": 1, "score": 1, "tie_breaker": 0, "rationale": [], "response": []})


@pytest.mark.parametrize(
    "line",
    [
        "nonsense", "[]", "{}", "1", GOOD_LINE.replace("[]", "3"), "[" * 100_000,
        GOOD_LINE.replace('"index": 1', '"index": 1e999'),
        GOOD_LINE.replace('"index": 1', '"index": 1' + "0" * 30),
    ],
)  # fmt: skip
def test_an_invalid_line_is_reported(tmp_path: Path, line: str) -> None:
    """A log with an invalid line is refused with the number of the line."""
    file = tmp_path / "log.jsonl"
    file.write_text(f"{GOOD_LINE}\n{line}\n")

    with pytest.raises(DocumentError, match=r"log\.jsonl, line 2"):
        read_debug_log(file)


@pytest.mark.parametrize("make", [lambda _file: None, lambda file: file.mkdir()])
def test_a_log_that_cannot_be_read_is_an_error(
    tmp_path: Path, make: Callable[[Path], None]
) -> None:
    """A missing log, or a folder in its place, raises an error that names the file."""
    make(tmp_path / "log.jsonl")

    with pytest.raises(DocumentError, match=r"log\.jsonl cannot be read"):
        read_debug_log(tmp_path / "log.jsonl")
