"""Which calls a rule matches: all of what a call names to allow it, any of it to ask or deny."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from okso_jupyter.effects.effect import Effect, Effects
from okso_jupyter.effects.trifecta import roles_of
from okso_jupyter.plan.plan import Plan
from okso_jupyter.plan.run_inputs import RunInputs
from okso_jupyter.policies.call_facts import CallFacts, FactFinder
from okso_jupyter.policies.call_history import CallHistory
from okso_jupyter.policies.policy_file import read_rules
from okso_jupyter.session.session import Session
from okso_jupyter.toolkit.context import RunResources
from okso_jupyter.workspace import Workspace
from tests.bench import Bench

READS = frozenset({Effect.READS})
NETWORK = frozenset({Effect.NETWORK})
WRITE = {"path": "results/a.txt", "content": "x"}


def facts(  # noqa: PLR0913  all but the first three are named at every call
    bench: Bench,
    tool: str,
    args: Mapping[str, Any],
    *,
    request: str = "",
    before: CallHistory | None = None,
    data: RunInputs | None = None,
) -> CallFacts:
    """Return the facts of a call of a built-in tool in the folder of the bench."""
    resources = RunResources(workspace=Workspace(bench.root), scratch=bench.home / "scratch")
    step = Plan.from_dict([{"tool": tool, "args": dict(args)}]).steps[0]
    finder = FactFinder(resources=resources, request=request, data=data or RunInputs())
    try:
        with Session({"OKSO_HOME": str(bench.home)}, root=bench.root) as session:
            return finder.facts(step, session.tools[tool], None, before or CallHistory())
    finally:
        resources.workspace.close()


def matches(rule: str, found: CallFacts) -> bool:
    """Return whether a rule, written as in a file, matches a call."""
    (read,) = read_rules(f"[[rule]]\n{rule}".encode(), "okso-policy.toml")
    return read.matches(found)


@pytest.mark.parametrize(
    ("rule", "args", "holds"),
    [
        ('decision="allow"\ntool="file_write"', WRITE, True),
        ('decision="allow"\ntool="file"', WRITE, False),
        ('decision="allow"\ntool="file_*"', WRITE, True),
        ('decision="allow"\npath="results"', WRITE, True),
        ('decision="allow"\npath="results/"', WRITE, True),
        ('decision="allow"\npath="results/**"', WRITE, True),
        ('decision="allow"\npath="result"', WRITE, False),
        ('decision="allow"\npath="*.txt"', WRITE, False),
        ('decision="allow"\npath="**/*.txt"', WRITE, True),
        ('decision="allow"\npath="results"', {**WRITE, "path": "results/../a.txt"}, False),
        ('decision="allow"\npath="results"', {**WRITE, "path": "Results/a.txt"}, False),
        ('decision="deny"\npath="results"', {**WRITE, "path": "Results/a.txt"}, True),
        ('decision="deny"\npath="results"', {**WRITE, "path": "./x/../results//a"}, True),
        ('decision="allow"\npath="results"', {"path": "", "content": "x"}, False),
        ('decision="allow"\npath="results"', {"path": "/etc/passwd", "content": "x"}, False),
        ('decision="allow"\neffect="writes"', WRITE, True),
        ('decision="allow"\neffect="reads"', WRITE, False),
        ('decision="ask"\neffect=["reads", "writes"]', WRITE, True),
        ('decision="allow"\nargs={content="x"}', WRITE, True),
        ('decision="allow"\nargs={content="y*"}', WRITE, False),
        ('decision="allow"\nargs={mode="create"}', WRITE, True),
        ('decision="allow"\nargs={mode="create"}', {**WRITE, "mode": "append"}, False),
        ('decision="allow"\nargs={unknown="*x"}', WRITE, False),
        ('decision="allow"\nhost="*.org"', WRITE, False),
    ],
)
def test_a_write_is_matched_by_tool_path_effect_and_argument(
    bench: Bench, rule: str, args: Mapping[str, Any], *, holds: bool
) -> None:
    """Nothing is appended to a glob, and another spelling of a path does not evade a denial."""
    assert matches(rule, facts(bench, "file_write", args)) is holds


def test_an_absolute_path_means_itself(bench: Bench) -> None:
    """A rule of the user may name a folder wherever the notebook is."""
    found = facts(bench, "file_write", WRITE)
    assert matches(f'decision="allow"\npath="{bench.root}/results"', found)
    assert not matches('decision="allow"\npath="/results"', found)


def test_a_link_does_not_lead_out_of_an_allowed_folder(bench: Bench) -> None:
    """The path and where it leads both have to be allowed; either one may be denied."""
    (bench.root / "results").mkdir()
    (bench.root / "kept").mkdir()
    (bench.root / "results" / "a").symlink_to("../kept")
    found = facts(bench, "file_write", {"path": "results/a/b.txt", "content": "x"})
    assert not matches('decision="allow"\npath="results"', found)
    assert matches('decision="deny"\npath="kept"', found)


@pytest.mark.parametrize(
    ("command", "args"), [("cp", ["a.txt", "results/a.txt"]), ("mv", ["results/a.txt", "a.txt"])]
)
def test_every_path_of_a_command_has_to_be_allowed(
    bench: Bench, command: str, args: list[str]
) -> None:
    """A command that also names a path elsewhere is not covered."""
    found = facts(bench, "terminal", {"command": command, "args": args})
    assert not matches('decision="allow"\npath="results"', found)


@pytest.mark.parametrize(
    ("tool", "args"),
    [
        ("file_search", {"query": "key"}),
        ("file_search", {"query": "key", "paths": ["data"]}),
        ("terminal", {"command": "mv", "args": ["data", "other"]}),
        ("terminal", {"command": "ls", "args": ["-R"]}),
        ("terminal", {"command": "grep -r key ."}),
        ("python_repl", {"input": "open('data/' + 'private/a.txt').read()"}),
    ],
)
def test_a_denied_path_is_denied_with_the_folder_that_holds_it(
    bench: Bench, tool: str, args: Mapping[str, Any]
) -> None:
    """A search of the folder above reads what is beneath."""
    (bench.root / "data").mkdir()
    assert matches('decision="deny"\npath="data/private"', facts(bench, tool, args))


@pytest.mark.parametrize(
    ("rule", "url", "holds"),
    [
        ('decision="allow"\nhost="example.org"', "https://EXAMPLE.org/x", True),
        ('decision="allow"\nhost="*.example.org"', "https://example.org/x", False),
        ('decision="allow"\nhost="*.example.org"', "https://a.example.org:8443/", True),
        ('decision="allow"\nhost="example.org"', "https://example.org.evil.net/", False),
        ('decision="allow"\nhost="example.org"', "https://example.org@evil.net/", False),
        ('decision="deny"\nhost="EVIL.net"', "http://evil.net:80/", True),
    ],
)
def test_a_request_is_matched_by_its_host(
    bench: Bench, rule: str, url: str, *, holds: bool
) -> None:
    """The host is read as the client reads it."""
    assert matches(rule, facts(bench, "web_fetch", {"url": url})) is holds


@pytest.mark.parametrize(
    ("rule", "command", "args", "holds"),
    [
        ('decision="allow"\ncommand="ls"', "ls", ["-la"], True),
        ('decision="allow"\ncommand="ls"', "ls -la", [], True),
        ('decision="allow"\ncommand="ls"', "lsof", [], False),
        ('decision="allow"\ncommand="ls"', "ls; rm a", [], False),
        ('decision="allow"\ncommand="ls"', "ls $(rm a)", [], False),
        ('decision="allow"\ncommand="cp a.txt *"', "cp", ["a.txt", "b.txt"], True),
        ('decision="deny"\ncommand="rm"', "RM", ["a"], True),
    ],
)
def test_a_command_is_matched_by_its_name_or_line(
    bench: Bench, rule: str, command: str, args: list[str], *, holds: bool
) -> None:
    """A shell's operators are not covered by the command before them."""
    found = facts(bench, "terminal", {"command": command, "args": args})
    assert matches(rule, found) is holds


def test_what_is_filled_in_later_is_not_allowed_by_its_place(bench: Bench) -> None:
    """A path that is not known is in no folder."""
    found = facts(bench, "file_write", {"path": {"__fill__": True}, "content": "x"})
    assert not matches('decision="allow"\npath="results"', found)


def test_origins_of_values(bench: Bench) -> None:
    """Words of the request are typed, those of outputs come from there, others from the model."""
    before = CallHistory().after(NETWORK).with_output("web", ["the secret harvest"])
    args = {"path": "a.txt", "content": "harvest"}
    assert facts(bench, "file_write", args, request="Write a.txt", before=before).origins == {
        "typed", "web",
    }  # fmt: skip
    assert facts(bench, "file_write", args, request="Write harvest to a.txt").origins == {"typed"}
    assert facts(bench, "file_write", args, request="Write a.txt").origins == {"typed", "model"}
    open_text = {"path": "a.txt", "content": {"__fill__": True}}
    found = facts(bench, "file_write", open_text, request="Write a.txt", before=before)
    assert matches('decision="deny"\norigin="web"', found)
    assert not matches('decision="allow"\norigin="typed"', found)


@pytest.mark.parametrize(
    ("calls", "last", "holds"),
    [
        ([READS], NETWORK, True),
        ([READS, NETWORK], NETWORK, True),
        ([NETWORK], READS, False),
        ([NETWORK], NETWORK, False),
        ([], frozenset({Effect.UNDECLARED}), True),
        ([READS], frozenset({Effect.WRITES}), False),
    ],
)
def test_the_trifecta_is_completed_by_what_sends(
    calls: list[Effects], last: Effects, *, holds: bool
) -> None:
    """Private data was read before or with the call that can send it."""
    history = CallHistory()
    for effects in calls:
        history = history.after(effects)
    assert history.completes_trifecta(last) is holds


def test_inputs_of_code_are_private_data() -> None:
    """Variables of the notebook that go into Python count as read."""
    assert roles_of(frozenset({Effect.RUNS_CODE}), has_inputs=True) == {"private"}
    assert roles_of(frozenset({Effect.RUNS_CODE})) == frozenset()
