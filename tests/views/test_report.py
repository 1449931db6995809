"""The report of a run has one line per step, whatever the steps are named."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from okso_jupyter.plan.plan import Plan
from okso_jupyter.plan.records import Observation, StepStatus, ToolCall
from okso_jupyter.views.report import report
from tests.views.hostile_texts import HIDDEN


def _seen(
    step_id: int, status: StepStatus = "completed", *, error: str = "", duration_s: float = 0.25
) -> Observation:
    return Observation(
        call=ToolCall(step_id=step_id, tool="a", args={}),
        status=status, exit_code=0, raw="", text="", summary="", error=error, error_class=None,
        started_at="", duration_s=duration_s,
    )  # fmt: skip


def test_every_outcome_has_its_own_line() -> None:
    """Completed, failed, skipped, uncertain and unreached steps have different lines."""
    plan = Plan.from_dict(
        {"title": "T", "steps": [{"tool": "a", "args": {"n": n}} for n in range(1, 6)]}
    )
    seen = [
        _seen(1),
        _seen(2, "failed", error="no such file"),
        _seen(3, "skipped", error="dependency failed: step 2"),
        _seen(4, "uncertain", error="no result"),
    ]

    assert report(plan, "failed", seen, {1: 1234}).splitlines() == [
        'Plan v1: "T" [Failed]',
        "  ✓ Step 1: Use a with n 1 (250 ms, 1.2K tokens)",
        "  ✗ Step 2: Use a with n 2 (failed: no such file)",
        "  ⊘ Step 3: Use a with n 3 (skipped: dependency failed: step 2)",
        "  ? Step 4: Use a with n 4 (uncertain: no result)",
        "  ○ Step 5: Use a with n 5",
        "Results: 1 completed, 1 failed, 1 skipped, 1 uncertain / 5 total, 1.2K tokens",
    ]


def test_a_step_that_ran_is_named_by_what_it_was_called_with() -> None:
    """What a plan left open is filled in by then; a step that was not reached is as planned."""
    write = {"tool": "file_write", "args": {"path": "a.txt", "content": ""}}
    plan = Plan.from_dict({"title": "T", "steps": [write, write]})
    args = {"path": "a.txt", "content": "milk"}
    call = ToolCall(step_id=1, tool="file_write", args=args)
    lines = report(plan, "failed", [replace(_seen(1), call=call)], {}).splitlines()
    assert lines[1] == "  ✓ Step 1: Write “milk” to the new file a.txt (250 ms)"
    assert lines[2] == "  ○ Step 2: Write a text that is filled in later to the new file a.txt"


def test_replacement_steps_are_listed_below_the_originals() -> None:
    """A replan is shown as specified: replacements numbered with a prime, dropped steps."""
    first = Plan.from_dict({"title": "Refactor", "steps": [
        {"tool": "file_read", "args": {"path": path}}
        for path in ("explored.txt", "written.txt", "lost.txt", "old.txt")
    ]})  # fmt: skip
    second = Plan.from_dict({"title": "Refactor", "version": 2, "steps": [
        *(step.to_dict() for step in first.steps[:3]),
        {"id": 5, "tool": "file_read", "args": {"path": "found.txt"}, "replaces": 3},
        {"id": 6, "tool": "file_read", "args": {"path": "tests.txt"}},
        {"id": 7, "tool": "file_read", "args": {"path": "found.txt"}, "replaces": 5},
    ]})  # fmt: skip
    seen = [
        _seen(1, duration_s=12.3), _seen(2, duration_s=8.1), _seen(3, "failed", error="timeout"),
        _seen(5, "failed", error="again"), _seen(7, duration_s=15.2), _seen(6, duration_s=5.1),
    ]  # fmt: skip
    spent = {1: 1200, 2: 2100, 7: 3400, 6: 800, 3: 40}

    assert report(second, "completed", seen, spent, older=[first]).splitlines() == [
        'Plan v2: "Refactor" [Completed]',
        "  ✓ Step 1: Read explored.txt (12.3 s, 1.2K tokens)",
        "  ✓ Step 2: Read written.txt (8.1 s, 2.1K tokens)",
        "  ✗ Step 3: Read lost.txt (failed: timeout)",
        "  ✗ Step 3': Read found.txt (replan) (failed: again)",
        "  ✓ Step 3'': Read found.txt (replan) (15.2 s, 3.4K tokens)",
        "  ⊘ Step 4: Read old.txt (skipped: replaced by replan)",
        "  ✓ Step 6: Read tests.txt (5.1 s, 800 tokens)",
        "Results: 4 completed, 2 failed / 6 total, 7.5K tokens",
    ]


def test_a_report_reads_each_observation_at_most_twice() -> None:
    """The work of a report grows linearly with the number of steps."""
    steps = 2000
    plan = Plan.from_dict([{"tool": "a"}] * steps)
    looks = 0

    class Seen(list[Observation]):
        """Counts how many observations are iterated over."""

        def __iter__(self) -> Iterator[Observation]:
            nonlocal looks
            for one in super().__iter__():
                looks += 1
                yield one

    text = report(plan, "completed", Seen(_seen(n + 1) for n in range(steps)), {})
    assert text.count("✓") == steps
    assert looks <= 2 * steps


def test_the_time_of_a_step_sums_its_attempts() -> None:
    """The time of a step is the sum of its attempts; its outcome is that of the last one."""
    plan = Plan.from_dict([{"tool": "a"}])
    seen = [_seen(1, "failed", error="x", duration_s=1), _seen(1, duration_s=2)]

    assert "✓ Step 1: Use a (3 s)" in report(plan, "completed", seen, {})


def test_an_argument_cannot_forge_a_report_line() -> None:
    """Line breaks in arguments, requests and errors do not add lines to the report."""
    plan = Plan.from_dict({
        "request": "do\n  ✓ Step 9: forged",
        "steps": [{"tool": "a", "args": {"x": "y\n  ✓ Step 8: forged\r\u2028z"}}, {"tool": "b"}],
    })  # fmt: skip

    lines = report(
        plan, "failed", [_seen(2, "failed", error="bad\n  ✓ Step 7: z")], {}
    ).splitlines()

    assert len(lines) == 4


def test_hidden_characters_are_shown_as_codes() -> None:
    """Hidden characters in titles, arguments, errors and notes are shown as codes.

    None of them moves a terminal's cursor or reverses a line.
    """
    hidden = "\x1b[2J\x9b31m\u202etxt"
    plan = Plan.from_dict({"title": hidden, "steps": [{"tool": "a", "args": {"x": hidden}}]})

    text = report(plan, "failed", [_seen(1, "failed", error=hidden)], {}, notes=[hidden])

    assert text.count("⟨U+001B⟩[2J⟨U+009B⟩31m⟨U+202E⟩txt") == 4
    assert not set(text) & HIDDEN


def test_notes_are_at_the_end() -> None:
    """Notes come last, each on a single line even if it contains line breaks."""
    plan = Plan.from_dict([{"tool": "a"}])

    lines = report(plan, "completed", [_seen(1)], {1: 12}, notes=["one\ntwo"]).splitlines()

    assert lines[1:] == [
        "  ✓ Step 1: Use a (250 ms, 12 tokens)",
        "Results: 1 completed / 1 total, 12 tokens",
        "one two",
    ]


def test_a_run_without_a_plan_is_reported() -> None:
    """The report of a run without a plan says so and gives its state."""
    assert report(None, "draft", [], {}) == "No plan [draft]"
