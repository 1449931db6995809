"""feedback: who rates, where ratings are kept, and when none is taken."""

from __future__ import annotations

import json
import os
import pty
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from okso_jupyter.errors import SettingError
from okso_jupyter.results import Run
from okso_jupyter.settings import Settings
from okso_jupyter.toolkit.ratings import read_answer
from okso_jupyter.tools.feedback import feedback
from tests.bench import END, Bench
from tests.each_row import each_row

LOOK = {"tool": "file_read", "args": {"path": "notes.txt"}}


def _run(bench: Bench, args: dict[str, Any] | None = None, **settings: Any) -> Run:
    return bench.run([LOOK, {"tool": "feedback", "args": args or {}}, END], **settings)


def _result(run: Run) -> Any:
    return run.observations.query("tool == 'feedback'").iloc[0]["observation_raw"]


def _kept(bench: Bench, name: str = "feedback.jsonl") -> list[dict[str, Any]]:
    file = bench.home / name
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def test_a_rating_of_the_plan_is_recorded(bench: Bench) -> None:
    """What was rated, what came of it, rating and note are answered and kept, with run and step."""
    args = {"plan_item": "Step 1", "observations": {"lines": 2}, "rating": 4, "note": "quick"}

    run = _run(bench, args)

    told = {**args, "observations": '{"lines": 2}'}
    assert _result(run) == {"status": "recorded", **told}
    (entry,) = _kept(bench)
    assert entry == {**told, "run": run.id, "step": 1, "at": entry["at"]}
    assert stat.S_IMODE((bench.home / "feedback.jsonl").stat().st_mode) == 0o600


@pytest.mark.parametrize("plan_item", ["the search", "2nd step", "steps"])
def test_words_are_no_step(bench: Bench, plan_item: str) -> None:
    """Only a number names a step."""
    _run(bench, {"plan_item": plan_item, "rating": 1})

    assert [entry["step"] for entry in _kept(bench)] == [None]


@pytest.mark.parametrize("rating", [0, 6, -1, 3.5, True, "4"])
def test_other_ratings_are_refused(rating: object) -> None:
    """A rating is a whole number from 1 to 5."""
    assert feedback.violations({"rating": rating})


def test_switched_off(bench: Bench) -> None:
    """Nothing is asked and nothing kept."""
    run = _run(bench, {"rating": 4}, FEEDBACK_ENABLED=False)

    assert _result(run) == {"status": "skipped", "reason": "disabled"}
    assert _kept(bench) == []


def test_where_nobody_can_be_asked(bench: Bench) -> None:
    """A headless run goes on without a rating."""
    run = _run(bench)

    assert _result(run) == {"status": "skipped", "reason": "no rating from 1 to 5 was given"}
    assert run.state == "completed"


@each_row(
    ("text", "found"),
    [
        ("4", (4, "")), ("5|good work", (5, "good work")), (" 1 | slow ", (1, "slow")),
        ("3 so so", (3, "so so")), ("4||", (4, "|")),
        ("", None), ("0", None), ("6", None), ("45", None), ("4.5", None), ("good", None),
        ("|4", None), ("٤", None),
    ],
)  # fmt: skip
def test_answers(text: str, found: tuple[int, str] | None) -> None:
    """An answer begins with its rating; a bar or a blank parts the note from it."""
    assert read_answer(text) == found


def test_a_setting_may_answer(bench: Bench) -> None:
    """FEEDBACK_NONINTERACTIVE_INPUT stands in for a person, and never beats a rating given."""
    asked = _run(bench, FEEDBACK_NONINTERACTIVE_INPUT="2|too slow")
    given = _run(bench, {"rating": 5}, FEEDBACK_NONINTERACTIVE_INPUT="2|too slow")

    assert (_result(asked)["rating"], _result(asked)["note"]) == (2, "too slow")
    assert (_result(given)["rating"], _result(given)["note"]) == (5, "")


def test_a_setting_that_is_no_answer_is_named(bench: Bench) -> None:
    """The step fails and names setting and form."""
    run = _run(bench, FEEDBACK_NONINTERACTIVE_INPUT="fine")

    assert run.state == "failed"
    assert "FEEDBACK_NONINTERACTIVE_INPUT is 'fine'" in run.failure


_AT_A_TERMINAL = """
import sys
from okso_jupyter import Session
plan = [{"tool": "feedback", "args": {"plan_item": "step 1"}}, {"tool": "final_answer"}]
with Session(root=sys.argv[1]) as session:
    run = session.execute(plan, approve="auto")
print("GAVE", run.observations.iloc[0]["observation_raw"])
"""


@pytest.mark.process
def test_a_person_at_a_terminal_is_asked(bench: Bench) -> None:
    """The question names what is rated; the answer's rating and note are kept."""
    ours, theirs = pty.openpty()
    os.write(ours, b"3 could be shorter\n")
    done = subprocess.run(  # noqa: S603  our own command line
        [sys.executable, "-c", _AT_A_TERMINAL, str(bench.root)],
        stdin=theirs,
        capture_output=True,
        text=True,
        check=True,
        env={
            **os.environ,
            "PYTHONPATH": str(Path(__file__).parents[2]),
            "OKSO_HOME": str(bench.home),
        },
    )
    os.close(ours)
    os.close(theirs)

    assert "Rate step 1 from 1 to 5" in done.stdout
    assert [(e["rating"], e["note"]) for e in _kept(bench)] == [(3, "could be shorter")]


def test_a_pause_between_ratings(bench: Bench) -> None:
    """Within FEEDBACK_MIN_INTERVAL of the last one none is taken."""
    _run(bench, {"rating": 4})

    second = _run(bench, {"rating": 5}, FEEDBACK_MIN_INTERVAL=3600)

    assert _result(second)["status"] == "skipped"
    assert "to wait" in _result(second)["reason"]
    assert [entry["rating"] for entry in _kept(bench)] == [4]


def test_a_full_file_is_kept_beside_the_new_one(bench: Bench) -> None:
    """FEEDBACK_MAX_ENTRIES bounds a file; one older file is kept."""
    for rating in (1, 2, 3, 4, 5):
        _run(bench, {"rating": rating}, FEEDBACK_MAX_ENTRIES=2)

    assert [entry["rating"] for entry in _kept(bench)] == [5]
    assert [entry["rating"] for entry in _kept(bench, "feedback.jsonl.1")] == [3, 4]


def test_secrets_are_taken_out(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is kept went through the redactor."""
    monkeypatch.setenv("MY_API_KEY", "hunter2-hunter2")

    _run(bench, {"rating": 1, "note": "it said hunter2-hunter2"})

    assert _kept(bench)[0]["note"] == "it said [redacted]"


@pytest.mark.parametrize("place", ["{home}/my/ratings.jsonl", "deep/er.jsonl", "{config}/r.jsonl"])
def test_the_file_may_lie_in_folders_of_okso(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    """OKSO_HOME, to which relative names belong, and the folder of config.env."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    config = tmp_path / "config" / "okso"

    _run(bench, {"rating": 4}, FEEDBACK_OUTPUT_PATH=place.format(home=bench.home, config=config))

    file = bench.home / place.format(home=bench.home, config=config)
    assert len(file.read_text().splitlines()) == 1


@pytest.mark.parametrize(
    "place",
    [
        "{home}-evil/r.jsonl", "{home}/../r.jsonl", "{home}", "../r.jsonl", "/dev/null",
        "{home}/link/r.jsonl",
    ],
)  # fmt: skip
def test_the_file_may_lie_nowhere_else(bench: Bench, tmp_path: Path, place: str) -> None:
    """A folder that only begins alike, a way out and a link out are refused at once."""
    bench.home.mkdir()
    (bench.home / "link").symlink_to(tmp_path)

    with pytest.raises(SettingError, match="FEEDBACK_OUTPUT_PATH"):
        _run(bench, {"rating": 4}, FEEDBACK_OUTPUT_PATH=place.format(home=bench.home))

    assert not list(tmp_path.rglob("r.jsonl"))


def test_a_file_of_something_else_is_not_touched(bench: Bench) -> None:
    """A name that is in use, such as the journal's, fails the step and stays as it is."""
    bench.home.mkdir()
    (bench.home / "mine.txt").write_text("do not touch\n")

    run = _run(bench, {"rating": 4}, FEEDBACK_OUTPUT_PATH="mine.txt")

    assert run.state == "failed"
    assert (bench.home / "mine.txt").read_text() == "do not touch\n"


def test_settings_hold_no_rating_out_of_range() -> None:
    """A negative pause is an error that names the range."""
    with pytest.raises(SettingError, match="from 0 to 86400"):
        Settings.of({"FEEDBACK_MIN_INTERVAL": -1})
