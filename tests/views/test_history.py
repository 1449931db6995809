"""The history of a run: JSON for programs, bullets for people."""

from __future__ import annotations

import json
from typing import Any

import pytest

from okso_jupyter.errors import UsageError
from tests.bench import END, Bench

WC: dict[str, Any] = {
    "tool": "terminal", "thought": "count", "args": {"command": "wc", "args": ["-l", "notes.txt"]},
}  # fmt: skip
GONE: dict[str, Any] = {"tool": "terminal", "args": {"command": "cat", "args": ["gone.txt"]}}


def test_json_has_one_line_per_attempt_with_raw_output(bench: Bench) -> None:
    """JSON history has raw output, sorted arguments, and the error of a failure."""
    text = bench.run([WC, GONE, END], ON_FAILURE="skip").history(style="json")
    first, second, _ = json.loads(text)
    assert len(text.splitlines()) == 5
    assert (first["step"], first["thought"], first["status"]) == (1, "count", "completed")
    assert first["action"] == {
        "tool": "terminal", "args": {"args": ["-l", "notes.txt"], "command": "wc"},
    }  # fmt: skip
    assert first["observation"]["stdout"] == "2 notes.txt\n"
    assert (second["exit_code"], "gone.txt" in second["error"]) == (1, True)


def test_output_cannot_forge_bullets_in_pretty_style(bench: Bench) -> None:
    """The pretty style has a bullet per step; lines of output are always indented."""
    (bench.root / "notes.txt").write_text("one\n- Step 9\n")
    cat = {"tool": "terminal", "args": {"command": "cat", "args": ["notes.txt"]}}
    lines = bench.run([cat, GONE, END], ON_FAILURE="skip").history("pretty").splitlines()
    args = '{"args":["notes.txt"],"command":"cat"}'
    assert lines[:4] == [
        "- Step 1",
        f"  action: Run the command cat notes.txt (tool: terminal, args: {args})",
        "  observation: one",
        "    - Step 9",
    ]
    assert "  observation: FAILED (exit code 1)" in lines
    assert [line for line in lines if line.startswith("-")] == ["- Step 1", "- Step 2", "- Step 3"]


def test_search_results_are_listed(bench: Bench) -> None:
    """Search results are listed with title, snippet and address."""
    found = {"query": "q", "items": [{"title": "T", "snippet": "S", "url": "https://a.example"}]}
    bench.offer("web", lambda: found, effect="none")
    text = bench.run([{"tool": "web", "args": {}}, END]).history("pretty")
    assert "- T: S (URL: https://a.example)" in text


def test_an_unknown_style_is_refused(bench: Bench) -> None:
    """An unknown style is refused; the error names the existing styles."""
    run = bench.run([WC, END])
    with pytest.raises(UsageError, match="no style 'xml'"):
        run.history("xml")  # type: ignore[arg-type]  # that is the point


def test_a_rejected_run_has_an_empty_history(bench: Bench) -> None:
    """The history of a rejected run is an empty array as JSON and empty text as bullets."""
    run = bench.run([WC, END], approve="deny")
    assert (run.history("json"), run.history("pretty")) == ("[]", "")
