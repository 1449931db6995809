"""No path leads around a policy: what a rule denies does not run, what it asks about is asked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from okso_jupyter.approval import policy
from okso_jupyter.approval.search_consent import Rules as SearchRules
from okso_jupyter.errors import ApprovalError, PolicyError, UsageError
from okso_jupyter.plan.plan import Plan
from okso_jupyter.results import Run
from okso_jupyter.session.session import Session
from tests.approval.person import Person, approve, does
from tests.bench import END, Bench, bodies, statuses
from tests.session.test_file_trust import write_workflow
from tests.web_lab import Host, answer, by_path, internet, says

READ: dict[str, Any] = {"tool": "file_read", "args": {"path": "notes.txt"}}
LOST: dict[str, Any] = {"tool": "file_read", "args": {"path": "nowhere.bin"}}
WRITE: dict[str, Any] = {"tool": "file_write", "args": {"path": "out.txt", "content": "tea"}}
DENY = '[[rule]]\ndecision = "deny"\npath = "out.txt"\nreason = "mine"\n'
ASK = '[[rule]]\ndecision = "ask"\npath = "out.txt"\n'
ALLOW = '[[rule]]\ndecision = "allow"\ntool = ["file_read", "file_write"]\n'

Rules = Callable[[str], Path]


@pytest.fixture(name="rules")
def _rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Rules:
    """A function that writes the user's policy file."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))

    def write(text: str) -> Path:
        file = tmp_path / "config" / "okso" / "okso-policy.toml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file

    return write


def called(run: Run) -> list[str]:
    """Return the tools that were called."""
    return [body["tool"] for body in bodies(run, "call_started")]


def yes(_plan: Plan) -> str:
    """Approve whatever is shown."""
    return "approve"


@pytest.mark.parametrize(
    ("approve", "settings"),
    [("auto", {}), (None, {"APPROVE_ALL": True}), (yes, {}), ("ask", {})],
)
def test_a_denied_step_runs_for_nobody(
    bench: Bench, rules: Rules, approve: Any, settings: dict[str, Any]
) -> None:
    """Neither --yes, APPROVE_ALL, a function nor a headless question lets it run."""
    rules(DENY)
    run = bench.run([READ, WRITE, END], approve=approve, **settings)
    assert (run.state, called(run)) == ("cancelled", [])
    assert not (bench.root / "out.txt").exists()
    assert run.decisions[-1]["by"] == "rule"
    assert "okso-policy.toml:1 denies this (deny path out.txt): mine" in run.decisions[-1]["reason"]


def test_the_form_shows_a_denied_step_and_does_not_approve_it(
    bench: Bench, rules: Rules, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A person sees the rule at its step, and can approve the plan without the step."""
    rules(DENY)
    monkeypatch.setattr(policy, "detect", lambda: "notebook")
    person = Person(monkeypatch, (approve, does("check", off=[2]), approve))
    run = bench.run([READ, WRITE, END], approve="ask")
    first = person.states[0]
    assert first["shown"] == ""
    assert "okso-policy.toml:1 denies this" in first["steps"][1]["error"]
    assert "okso-policy.toml:1 denies this" in first["steps"][1]["html"]
    assert (run.state, called(run)) == ("completed", ["file_read"])


def test_a_new_plan_that_is_denied_does_not_run(bench: Bench, rules: Rules) -> None:
    """A replan with a denied step is rejected, though its first plan was allowed."""
    rules(DENY)
    run = bench.run(
        {"request": "Write tea to out.txt", "steps": [LOST, END]}, [WRITE, END],
        PLANNER_SAMPLE_COUNT=1,
    )  # fmt: skip
    assert "file_write" not in called(run)
    assert not (bench.root / "out.txt").exists()


def test_a_filled_path_is_denied_at_the_call(bench: Bench, rules: Rules) -> None:
    """A path that was open when the plan was approved is judged when it is known."""
    rules(DENY)
    steps = [READ, {**WRITE, "args": {"path": "", "content": "tea"}, "depends_on": [1]}, END]
    (bench.root / "notes.txt").write_text("out.txt")
    run = bench.run(steps, {"path": "out.txt"}, approve=yes)
    assert called(run) == ["file_read"]
    assert not (bench.root / "out.txt").exists()


def test_a_folder_that_holds_a_denied_file_is_not_entered(bench: Bench, rules: Rules) -> None:
    """After cd, a name would mean another file than when the plan was shown."""
    rules('[[rule]]\ndecision = "deny"\npath = "private/key.txt"\n')
    (bench.root / "private").mkdir()
    (bench.root / "private" / "key.txt").write_text("secret")
    (bench.root / "key.txt").write_text("open")
    enter = {"tool": "terminal", "args": {"command": "cd", "args": ["private"]}}
    show = {"tool": "terminal", "args": {"command": "cat", "args": ["key.txt"]}}
    assert "secret" not in str(bench.run([show, END]).answer)
    assert bench.run([enter, show, END]).state == "cancelled"


def test_a_rule_that_came_after_the_approval_denies_at_the_dispatcher(
    bench: Bench, rules: Rules
) -> None:
    """A paused run is resumed under the rules of that time, whatever was approved before."""
    rules("")
    with bench.session() as session:

        def pause(event: Any) -> None:
            if (event["step"], event["status"]) == (1, "completed"):
                session.pause(session.newest_run().id)  # type: ignore[union-attr]

        run = session.execute([READ, WRITE, END], approve=yes, on_event=pause)
        assert run.state == "paused"
        rules(DENY)
        with pytest.raises(ApprovalError, match=r"step 2 .* denies this"):
            session.resume(run.id, approve=yes)
    assert not (bench.root / "out.txt").exists()


def test_a_workflow_is_judged_by_its_steps(bench: Bench, rules: Rules) -> None:
    """A workflow of the user's own that would write does not run where a rule denies that."""
    rules('[[rule]]\ndecision = "deny"\neffect = "writes"\n')
    file = write_workflow(bench.root / "mine" / "count.json", steps=[WRITE])
    call = {"tool": "workflow_count", "args": {"file": "notes.txt"}}
    settings = {"OKSO_HOME": str(bench.home), "WORKFLOWS_DIR": str(file.parent)}
    with Session(settings, root=bench.root) as session:
        run = session.execute([call, END], approve="auto")
    assert (run.state, called(run)) == ("cancelled", [])


def test_auto_does_not_decide_what_a_rule_asks_about(bench: Bench, rules: Rules) -> None:
    """Headless, the refusal names the rule; a function may decide."""
    rules(ASK)
    with pytest.raises(ApprovalError, match=r"okso-policy.toml:1 wants a person to decide"):
        bench.run([WRITE, END])
    assert not (bench.root / "out.txt").exists()
    assert bench.run([WRITE, END], approve=yes).state == "completed"


def test_a_rule_allows_without_a_person(bench: Bench, rules: Rules) -> None:
    """Headless with the policy ask, a plan that rules cover runs, and each step names its rule."""
    rules(ALLOW)
    run = bench.run([READ, WRITE, END], approve="ask")
    assert run.state == "completed"
    made = run.decisions[-1]
    assert (made["by"], made["reason"][:11], made["reason"][-18:]) == (
        "rule", "allowed by ", "okso-policy.toml:1",
    )  # fmt: skip
    assert set(run.rules["decision"]) == {"allow"}
    assert run.rules["when"].tolist() == ["shown", "shown", "called", "called"]
    assert run.observations["rule"][0].startswith("allow ")
    assert run.observations["rule"][0].endswith("okso-policy.toml:1")


def test_a_plan_that_rules_cover_in_part_asks(bench: Bench, rules: Rules) -> None:
    """One step without a rule is enough to ask."""
    rules('[[rule]]\ndecision = "allow"\ntool = "file_read"\n')
    with pytest.raises(ApprovalError, match="no person can approve"):
        bench.run([READ, WRITE, END], approve="ask")


def test_force_confirm_asks_about_what_rules_allow(bench: Bench, rules: Rules) -> None:
    """FORCE_CONFIRM beats every rule that allows."""
    rules(ALLOW)
    with pytest.raises(ApprovalError, match="no person can approve"):
        bench.run([READ, END], approve="ask", FORCE_CONFIRM=True)


@pytest.mark.parametrize(
    ("step", "why"),
    [
        ({"tool": "terminal", "args": {"command": "rm notes.txt"}}, "cannot be undone"),
        ({"tool": "file_write", "args": {"path": ".bashrc", "content": "x"}}, "protected"),
        ({"tool": "file_write", "args": {"path": "okso-policy.toml", "content": "x"}}, "protected"),
        ({"tool": "stranger", "args": {}}, "not declared"),
        ({"tool": "file_write", "args": {"path": "notes.txt", "content": "x", "mode": "replace"}},
         "replaces"),
    ],
)  # fmt: skip
def test_no_rule_allows_what_needs_a_person(
    bench: Bench, rules: Rules, step: dict[str, Any], why: str
) -> None:
    """Irreversible, protected and undeclared calls, and losses, still ask a person."""
    rules('[[rule]]\ndecision = "allow"\ntool = ["terminal", "file_write", "stranger"]\n')
    bench.offer("stranger", lambda: "x")
    with pytest.raises(ApprovalError, match=why):
        bench.run([step, END], approve="auto", may_replace=())
    with pytest.raises(ApprovalError):
        bench.run([step, END], approve="ask", may_replace=())


def test_a_text_from_the_web_is_not_written_where_a_rule_forbids_it(
    bench: Bench, rules: Rules
) -> None:
    """The origin of a value that is filled in is known before it is."""
    rules('[[rule]]\ndecision = "deny"\norigin = "web"\neffect = "writes"\n')
    bench.offer("page", lambda: "evil", effect="network")
    fill = {"path": "out.txt", "content": {"__fill__": True}}
    steps = [{"tool": "page", "args": {}}, {**WRITE, "args": fill, "depends_on": [1]}, END]
    assert bench.run(steps).state == "cancelled"
    assert bench.run([{"tool": "page", "args": {}}, END]).state == "completed"


def test_the_trifecta_is_marked_and_denied(bench: Bench, rules: Rules) -> None:
    """The step that could send private data out is denied; without the reading it runs."""
    rules('[[rule]]\ndecision = "deny"\nwhen = "trifecta"\n')
    bench.offer("page", lambda: "page", effect="network")
    page = {"tool": "page", "args": {}}
    run = bench.run([READ, page, END])
    assert run.state == "cancelled"
    assert "step 2 (page)" in run.decisions[-1]["reason"]
    assert bench.run([page, READ, END]).state == "completed"


def test_a_call_of_an_earlier_version_counts_for_the_trifecta(bench: Bench, rules: Rules) -> None:
    """A new plan after a failure cannot send what the old one has read."""
    rules('[[rule]]\ndecision = "deny"\nwhen = "trifecta"\n')
    bench.offer("page", lambda: "page", effect="network")
    page = {"tool": "page", "args": {}}
    run = bench.run(
        {"request": "page", "steps": [READ, LOST, END]}, [page, END], PLANNER_SAMPLE_COUNT=1
    )
    assert "page" not in called(run)


ALLOW_ORG = '[[rule]]\ndecision = "allow"\ntool = "web_fetch"\nhost = "*.example.org"\n'
REDIRECTS = [
    (ALLOW_ORG, "http://b.example.org/", None, True),
    (ALLOW_ORG, "http://example.com/", None, False),
    (ALLOW_ORG, "http://example.org.example.com/", None, False),
    (ALLOW_ORG, "http://example.com/", yes, False),
    ('[[rule]]\ndecision = "deny"\nhost = "Example.com"\n', "http://example.com/", yes, False),
    ('[[rule]]\ndecision = "deny"\nhost = "example.com"\n', "http://example.com/", "auto", False),
    ('[[rule]]\ndecision = "deny"\nargs = { url = "*/key*" }\n', "http://b.org/key", yes, False),
    ('[[rule]]\ndecision = "ask"\nhost = "example.com"\n', "http://example.com/", "auto", False),
    ('[[rule]]\ndecision = "ask"\nhost = "example.net"\n', "http://example.com/", "auto", True),
    ("", "http://example.com/", yes, True),
]


@pytest.mark.parametrize("case", REDIRECTS)
def test_a_redirect_goes_no_further_than_the_rules(
    bench: Bench, rules: Rules, case: tuple[str, str, Any, bool]
) -> None:
    """Each hop is checked: nothing is sent to a host that is denied, or that no rule allows."""
    rule, to, approve, is_followed = case
    rules(rule)
    host = Host(
        by_path(
            {
                "/start": answer(status="302 Found", Location="http://a.example.org/on"),
                "/on": answer(status="302 Found", Location=to),
                "/": answer(b"there"),
                "/key": answer(b"there"),
            }
        )
    )
    fetch = {"tool": "web_fetch", "args": {"url": "http://a.example.org/start"}}
    try:
        with internet(host):
            run = bench.run([fetch, END], approve=approve or "ask")
    finally:
        host.close()
    assert len(host.requests) == (3 if is_followed else 2)
    error = str(run.steps_seen[0].error)
    assert ("where this call may not go: the rule " in error) is not is_followed


@pytest.mark.parametrize("has_consent", [True, False])
def test_a_search_before_planning_is_denied(
    bench: Bench, rules: Rules, *, has_consent: bool
) -> None:
    """Nothing leaves the machine, even where an earlier answer was "always"."""
    rules("")
    host = Host(says(answer(b"{}")))
    url = f"http://127.0.0.1:{host.port}"
    request = "Look up on the internet which heat pumps fit old houses"
    approve = "ask" if has_consent else "auto"
    settings = {"SEARXNG_URL": url, "PLANNER_SAMPLE_COUNT": 1}
    try:
        with bench.session(["heat pumps"], [READ, END], **settings) as session:
            if has_consent:
                SearchRules(bench.home / "consents.json").add(f"SearXNG ({url})")
            session.plan(request, approve=approve)
            allowed = len(host.requests)
        rules('[[rule]]\ndecision = "deny"\ntool = "web_search"\n')
        with bench.session(["heat pumps"], [READ, END], **settings) as session:
            planning = session.plan(request, approve=approve)
        assert (allowed, len(host.requests)) == (1, 1)
    finally:
        host.close()
    assert "the web was not searched: no, by rule" in planning.note


def test_a_run_that_a_rule_approved_is_replayed_without_the_rule(
    bench: Bench, rules: Rules, tmp_path: Path
) -> None:
    """The decision is in the recording; a rule of today does not change it."""
    rules(ALLOW)
    file = str(tmp_path / "run.json")
    with bench.session([READ, END], PLANNER_SAMPLE_COUNT=1, OKSO_RECORD=file) as session:
        before = session.run("Show notes.txt", approve="ask")
    assert before.decisions[-1]["by"] == "rule"
    rules('[[rule]]\ndecision = "deny"\n')
    with bench.session(PLANNER_SAMPLE_COUNT=1, OKSO_REPLAY=file) as session:
        after = session.run("Show notes.txt")
    assert (after.state, after.answer) == ("completed", before.answer)
    assert after.decisions[-1]["reason"] == before.decisions[-1]["reason"]


def test_a_recorded_decision_does_not_beat_a_rule_that_denies(
    bench: Bench, rules: Rules, tmp_path: Path
) -> None:
    """--approve replay=FILE runs live, so that the rules of today count."""
    rules("")
    file = str(tmp_path / "run.json")
    with bench.session(OKSO_RECORD=file) as session:
        session.execute([WRITE, END], approve="auto")
    (bench.root / "out.txt").unlink()
    rules(DENY)
    with pytest.raises(ApprovalError, match="denies this"):
        bench.run([WRITE, END], approve=f"replay={file}")
    assert not (bench.root / "out.txt").exists()


def test_a_policy_with_a_mistake_begins_no_run(bench: Bench, rules: Rules) -> None:
    """Nothing is planned, recorded or run until the file is corrected."""
    rules('[[rule]]\ndecision = "allow"\ntol = "x"\n')
    with pytest.raises(PolicyError, match=r"line 3: there is no 'tol'.*mean tool"):
        bench.run([READ, END])
    with bench.session() as session:
        assert session.journal.run_ids() == []


def test_a_file_beside_the_notebook_counts_once_it_is_trusted(bench: Bench, rules: Rules) -> None:
    """By its content: a changed file does not count, and its rules neither allow nor deny."""
    rules("")
    file = bench.root / "okso-policy.toml"
    file.write_text(DENY)
    assert bench.run([WRITE, END]).state == "completed"
    (bench.root / "out.txt").unlink()
    with bench.session() as session:
        session.trust("okso-policy.toml")
    assert bench.run([WRITE, END]).state == "cancelled"
    file.write_text(f"{DENY}# changed\n")
    assert bench.run([WRITE, END]).state == "completed"


def test_a_broken_file_cannot_be_trusted(bench: Bench, rules: Rules) -> None:
    """Its error is told when it is trusted."""
    rules("")
    (bench.root / "okso-policy.toml").write_text("[[rule]]\n")
    with bench.session() as session, pytest.raises(UsageError, match="this rule has no decision"):
        session.trust("okso-policy.toml")


@pytest.mark.parametrize(
    ("own", "beside", "state"),
    [(DENY, ALLOW, "cancelled"), (ALLOW, DENY, "cancelled"), (ALLOW, ASK, "completed")],
)
def test_a_denial_in_either_file_has_precedence(
    bench: Bench, rules: Rules, own: str, beside: str, state: str
) -> None:
    """Else the user's file is asked before the folder's."""
    rules(own)
    (bench.root / "okso-policy.toml").write_text(beside)
    with bench.session() as session:
        session.trust("okso-policy.toml")
    run = bench.run([WRITE, END], approve="ask")
    assert run.state == state
    if state == "completed":
        assert statuses(run)[1] == "completed"
