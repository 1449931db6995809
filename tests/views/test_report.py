"""The report of a run has one line per step, whatever the steps are called."""

from __future__ import annotations

from collections.abc import Iterator

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


def test_every_outcome_has_its_line() -> None:
    """Done, failed, skipped, uncertain and not reached look different."""
    plan = Plan.from_dict(
        {"title": "T", "steps": [{"tool": "a", "title": f"s{n}"} for n in "12345"]}
    )
    seen = [
        _seen(1),
        _seen(2, "failed", error="no such file"),
        _seen(3, "skipped", error="dependency failed: step 2"),
        _seen(4, "uncertain", error="no result"),
    ]

    assert report(plan, "failed", seen, {1: 1234}).splitlines() == [
        'Plan v1: "T" [Failed]',
        "  ✓ Step 1: s1 (250 ms, 1.2K tokens)",
        "  ✗ Step 2: s2 (failed: no such file)",
        "  ⊘ Step 3: s3 (skipped: dependency failed: step 2)",
        "  ? Step 4: s4 (uncertain: no result)",
        "  ○ Step 5: s5",
        "Results: 1 completed, 1 failed, 1 skipped, 1 uncertain / 5 total, 1.2K tokens",
    ]


def test_stand_ins_stand_below_what_they_replace() -> None:
    """A replan shows as in the specification: numbers with a dash, and what was dropped."""
    first = Plan.from_dict({"title": "Refactor", "steps": [
        {"tool": "a", "title": title}
        for title in ("Explore", "Write", "Implement", "Old cleanup")
    ]})  # fmt: skip
    second = Plan.from_dict({"title": "Refactor", "version": 2, "steps": [
        *(step.to_dict() for step in first.steps[:3]),
        {"id": 5, "tool": "a", "title": "Implement", "replaces": 3},
        {"id": 6, "tool": "a", "title": "Run tests"},
        {"id": 7, "tool": "a", "title": "Implement", "replaces": 5},
    ]})  # fmt: skip
    seen = [
        _seen(1, duration_s=12.3), _seen(2, duration_s=8.1), _seen(3, "failed", error="timeout"),
        _seen(5, "failed", error="again"), _seen(7, duration_s=15.2), _seen(6, duration_s=5.1),
    ]  # fmt: skip
    spent = {1: 1200, 2: 2100, 7: 3400, 6: 800, 3: 40}

    assert report(second, "completed", seen, spent, older=[first]).splitlines() == [
        'Plan v2: "Refactor" [Completed]',
        "  ✓ Step 1: Explore (12.3 s, 1.2K tokens)",
        "  ✓ Step 2: Write (8.1 s, 2.1K tokens)",
        "  ✗ Step 3: Implement (failed: timeout)",
        "  ✗ Step 3': Implement (replan) (failed: again)",
        "  ✓ Step 3'': Implement (replan) (15.2 s, 3.4K tokens)",
        "  ⊘ Step 4: Old cleanup (skipped: replaced by replan)",
        "  ✓ Step 6: Run tests (5.1 s, 800 tokens)",
        "Results: 4 completed, 2 failed / 6 total, 7.5K tokens",
    ]


def test_a_report_looks_at_every_observation_once() -> None:
    """Its work grows with the steps, not with their square."""
    steps = 2000
    plan = Plan.from_dict([{"tool": "a"}] * steps)
    looks = 0

    class Seen(list[Observation]):
        """Counts how many observations are handed out."""

        def __iter__(self) -> Iterator[Observation]:
            nonlocal looks
            for one in super().__iter__():
                looks += 1
                yield one

    text = report(plan, "completed", Seen(_seen(n + 1) for n in range(steps)), {})
    assert text.count("✓") == steps
    assert looks <= 2 * steps


def test_attempts_add_up() -> None:
    """The time of a step is that of all its attempts, the outcome that of the last one."""
    plan = Plan.from_dict([{"tool": "a"}])
    seen = [_seen(1, "failed", error="x", duration_s=1), _seen(1, duration_s=2)]

    assert "✓ Step 1: Use a (3 s)" in report(plan, "completed", seen, {})


def test_a_label_cannot_forge_a_line() -> None:
    """Line ends in titles, requests and errors do not make lines of the report."""
    plan = Plan.from_dict({
        "request": "do\n  ✓ Step 9: forged",
        "steps": [{"tool": "a", "title": "x\n  ✓ Step 8: forged\r\u2028y"}, {"tool": "b"}],
    })  # fmt: skip

    lines = report(
        plan, "failed", [_seen(2, "failed", error="bad\n  ✓ Step 7: z")], {}
    ).splitlines()

    assert len(lines) == 4


def test_what_is_hidden_is_written_out() -> None:
    """No title, error or note moves the cursor of a terminal or turns a line around."""
    hidden = "\x1b[2J\x9b31m\u202etxt"
    plan = Plan.from_dict({"title": hidden, "steps": [{"tool": "a", "title": hidden}]})

    text = report(plan, "failed", [_seen(1, "failed", error=hidden)], {}, notes=[hidden])

    assert text.count("⟨U+001B⟩[2J⟨U+009B⟩31m⟨U+202E⟩txt") == 4
    assert not set(text) & HIDDEN


def test_notes_stand_at_the_end() -> None:
    """Each on a line of its own, whatever it quotes."""
    plan = Plan.from_dict([{"tool": "a"}])

    lines = report(plan, "completed", [_seen(1)], {1: 12}, notes=["one\ntwo"]).splitlines()

    assert lines[1:] == [
        "  ✓ Step 1: Use a (250 ms, 12 tokens)",
        "Results: 1 completed / 1 total, 12 tokens",
        "one two",
    ]


def test_no_plan_is_said() -> None:
    """A run that never had a plan says so, with its state."""
    assert report(None, "draft", [], {}) == "No plan [draft]"
