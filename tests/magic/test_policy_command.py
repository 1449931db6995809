"""`%okso policy` shows, tries and explains rules, and learns the narrowest from an approval."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from okso_jupyter.errors import OksoError
from okso_jupyter.magic import line_magic
from okso_jupyter.plan.plan import Plan
from okso_jupyter.policies.policy_rules import user_file
from okso_jupyter.results import Run
from okso_jupyter.session.session import Session
from tests.bench import END, Bench

WRITE: dict[str, Any] = {"tool": "file_write", "args": {"path": "out*.txt", "content": "tea"}}


@pytest.fixture(name="_here")
def _here_(bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder, journal and config of this test, as a notebook has them."""
    monkeypatch.chdir(bench.root)
    monkeypatch.setenv("OKSO_HOME", str(bench.home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "own"))


def okso(line: str, last: Run | None = None) -> Any:
    """Run a line of `%okso` and return its result; a text as a string."""
    shown = line_magic.run(line, last, {}, variables={}, display=lambda *_: None)
    return shown if hasattr(shown, "columns") else str(shown)


def write(text: str) -> None:
    """Write the user's policy."""
    user_file().parent.mkdir(parents=True, exist_ok=True)
    user_file().write_text(text)


def approved(bench: Bench, *steps: Any, answer: str = "approve") -> Run:
    """Run steps that a person decides about."""

    def decide(_plan: Plan) -> str:
        return answer

    with Session({"OKSO_HOME": str(bench.home)}, root=bench.root) as session:
        return session.execute([*steps, END], approve=decide)


@pytest.mark.usefixtures("_here")
def test_rules_are_shown_tried_and_explained(bench: Bench) -> None:
    """The table, a call that nobody makes, and why a step was decided so."""
    assert "There is no rule" in repr(okso("policy"))
    write('[[rule]]\ndecision = "deny"\npath = "private"\n\n'
          '[[rule]]\ndecision = "allow"\ntool = ["file_read", "terminal"]\n')  # fmt: skip
    assert okso("policy")["line"].tolist() == [1, 5]
    assert okso("policy test file_read path=private/a.txt").startswith("denied: the rule ")
    assert okso("policy test file_read path=a.txt").startswith("allowed: the rule ")
    said = okso("policy test terminal command=rm 'args=[\"a.txt\"]'")
    assert said.startswith("asks a person: it cannot be undone")
    assert okso("policy test web_fetch url=https://example.org").startswith("no rule matches")
    run = approved(bench, {"tool": "file_read", "args": {"path": "notes.txt"}})
    said = okso(f"policy why {run.id} 1")
    assert "when it was called: the rule " in said
    assert "allows this (allow tool file_read or terminal)" in said
    assert "approved by callable" in said


@pytest.mark.usefixtures("_here")
def test_a_replay_is_not_said_to_have_no_rule(bench: Bench, tmp_path: Path) -> None:
    """It asks none; the rule of the recorded decision is named."""
    write('[[rule]]\ndecision = "allow"\ntool = "file_read"\n')
    file = str(tmp_path / "run.json")
    steps = [{"tool": "file_read", "args": {"path": "notes.txt"}}, END]
    with bench.session(steps, PLANNER_SAMPLE_COUNT=1, OKSO_RECORD=file) as session:
        session.run("Show notes.txt", approve="ask")
    with bench.session(PLANNER_SAMPLE_COUNT=1, OKSO_REPLAY=file) as session:
        run = session.run("Show notes.txt")
    said = okso(f"policy why {run.id} 1")
    assert said.startswith("a replay asks no rule")
    assert said.endswith("okso-policy.toml:1)")


@pytest.mark.usefixtures("_here")
@pytest.mark.parametrize(
    "line", ["policy wy", "policy test", "policy test a b", "policy why x", "policy offer",
             "policy backtest x", "policy test no_such_tool"],
)  # fmt: skip
def test_a_slip_is_one_sentence(line: str) -> None:
    """A word that does not belong is named, with the way out."""
    with pytest.raises(OksoError) as caught:
        okso(line)
    assert caught.value.hint


@pytest.mark.usefixtures("_here")
def test_the_narrowest_rule_covers_the_call_and_nothing_else(bench: Bench) -> None:
    """It is shown with its back-test, written on request, and then allows exactly that call."""
    approved(bench, WRITE, answer="reject")
    run = approved(bench, WRITE)
    said = okso("policy offer 1", run)
    assert 'path = ["out[*].txt"]' in said
    assert '"mode" = ["create"]' in said
    assert 'origin = ["model"]' in said
    assert "it covers 2 earlier calls: 1 approved, 1 rejected" in said
    assert not user_file().exists()
    okso(f"policy allow {run.id} 1")
    (bench.root / "out*.txt").unlink()
    with Session({"OKSO_HOME": str(bench.home)}, root=bench.root) as session:
        again = session.execute([WRITE, END], approve="ask")
    assert again.decisions[-1]["by"] == "rule"
    assert okso("policy test file_write path=out2.txt content=tea").startswith("no rule matches")
    row = okso("policy backtest").iloc[0]
    assert (row["covered"], row["approved"], row["rejected"]) == (3, 2, 1)


@pytest.mark.usefixtures("_here")
@pytest.mark.parametrize(
    ("step", "why"),
    [
        ({"tool": "terminal", "args": {"command": "rm", "args": ["notes.txt"]}}, "be undone"),
        ({"tool": "file_write", "args": {"path": ".bashrc", "content": "x"}}, "only a person"),
        ({"tool": "file_write", "args": {"path": "notes.txt", "content": "x", "mode": "replace"}},
         "discards"),
    ],
)  # fmt: skip
def test_what_needs_a_person_is_never_offered(bench: Bench, step: dict[str, Any], why: str) -> None:
    """Neither shown nor written."""
    run = approved(bench, step)
    for word in ("offer", "allow"):
        with pytest.raises(OksoError, match=why):
            okso(f"policy {word} 1", run)
    assert not user_file().exists()


@pytest.mark.usefixtures("_here")
def test_what_no_person_approved_is_not_learnt(bench: Bench) -> None:
    """Approved by auto, or rejected."""
    with Session({"OKSO_HOME": str(bench.home)}, root=bench.root) as session:
        run = session.execute([WRITE, END], approve="auto")
    with pytest.raises(OksoError, match="no person approved step 1"):
        okso("policy allow 1", run)
    with pytest.raises(OksoError, match="no person approved step 1"):
        okso("policy allow 1", approved(bench, WRITE, answer="reject"))


@pytest.mark.usefixtures("_here")
def test_nothing_is_written_to_a_file_with_a_mistake(bench: Bench) -> None:
    """The user's file stays as it is."""
    run = approved(bench, WRITE)
    write("[[rule]]\n")
    with pytest.raises(OksoError, match="this rule has no decision"):
        okso("policy allow 1", run)
    assert user_file().read_text() == "[[rule]]\n"
