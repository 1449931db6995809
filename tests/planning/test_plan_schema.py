"""The schema of the plans for one request: what it accepts and what it rejects."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import jsonschema
import llguidance
import pytest

from okso_jupyter.approval.request_builder import check_tools
from okso_jupyter.plan.holes import is_open
from okso_jupyter.plan.plan import Plan
from okso_jupyter.planning.examples.index import Match, index_of
from okso_jupyter.planning.prompt.builder import make_prompts
from okso_jupyter.planning.prompt.messages import example_plan
from okso_jupyter.planning.request.facts import gather
from okso_jupyter.session.session import Session
from okso_jupyter.toolkit.tool import Example, Tool
from okso_jupyter.workspace import Workspace

pytestmark = pytest.mark.slow

TOOLS: Final = Session().tools
EXAMPLES: Final = [
    pytest.param(tool, example, id=example.request)
    for tool in index_of(TOOLS).tools.values()
    for example in tool.examples
]
COUNT: Final = "How many lines has sales.csv?"
WC: Final[dict[str, Any]] = {
    "tool": "terminal",
    "args": {"command": "wc", "args": ["-l", "sales.csv"]},
}
END: Final[dict[str, Any]] = {"tool": "final_answer", "args": {}}


def schema_for(request: str, workspace: Workspace | None = None) -> dict[str, Any]:
    """Return the schema that the model gets for a request."""
    brief = next(make_prompts(request, tools=TOOLS, workspace=workspace, budget=6))
    return dict(brief.schema)


def accepts(schema: dict[str, Any], plan: Any) -> bool:
    """Return whether a plan is valid under a schema."""
    return bool(jsonschema.Draft202012Validator(schema).is_valid(plan))


@pytest.fixture(scope="module", name="folder")
def _folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    """A folder with all files that the examples name."""
    root = tmp_path_factory.mktemp("folder")
    for folder in ("docs", "images", "reports", "archive", "backup"):
        (root / folder).mkdir()
    for example in (part.values[1] for part in EXAMPLES):
        assert isinstance(example, Example)
        for path in gather(example.request, None).new_paths:
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            table = "product,region,price,quantity\npen,north,10,3\n"
            (root / path).write_text(table.replace(",", "\t") if path.endswith(".tsv") else table)
    opened = Workspace(root)
    yield opened
    opened.close()


@pytest.mark.parametrize(("tool", "example"), EXAMPLES)
def test_an_example_plan_is_valid_under_the_requests_schema(
    folder: Workspace, tool: Tool, example: Example
) -> None:
    """The plan shown to the model as an example is one that it may give."""
    calls, request = [Match(tool.name, example, 1.0)], example.request
    args = example.args.items()
    if example.args.get("mode") == "create":
        (folder.root / example.args["path"]).unlink()
    if any(is_open(value) and not tool.means_empty(name, value) for name, value in args):
        # an argument can only wait for the value of an earlier part
        calls = [Match("terminal", _first_part(), 1.0), *calls]
        request = f"{_first_part().request} and then {request.lower()}"
    assert accepts(schema_for(request, folder), json.loads(example_plan(calls)))


def _first_part() -> Example:
    call = {"command": "wc", "args": ["-l", "sales.csv"]}
    return Example("Count the lines of sales.csv", call)


@pytest.mark.parametrize("request_text", [COUNT, "zxqv", "Read sales.csv and then delete it"])
def test_the_sampler_can_compile_the_schema(workspace: Workspace, request_text: str) -> None:
    """`llguidance` compiles the schema without an error."""
    document = schema_for(request_text, workspace)
    jsonschema.Draft202012Validator.check_schema(document)
    schema = json.dumps(document)
    grammar = llguidance.LLMatcher.grammar_from_json_schema(schema)
    assert llguidance.LLMatcher.validate_grammar(grammar) == ""


def test_a_fitting_plan_is_accepted(workspace: Workspace) -> None:
    """The schema accepts the fitting call followed by the answer."""
    assert accepts(schema_for(COUNT, workspace), [WC, END])


@pytest.mark.parametrize(
    "plan",
    [
        [],
        [END],
        [WC],
        [END, WC],
        [WC, END, END],
        [{**WC, "tool": "telepathy"}, END],
        [{**WC, "colour": "red"}, END],
        [{**WC, "thought": "count the lines"}, END],
        [{**WC, "args": {"command": "bash", "args": ["-l", "sales.csv"]}}, END],
        [{**WC, "args": {"command": "wc", "args": ["-l", "other.csv"]}}, END],
        [{**WC, "args": {"command": "wc", "args": "-l"}}, END],
        [{**WC, "args": {"command": "wc", "args": ["-l", "sales.csv"], "sudo": True}}, END],
        [WC, {**END, "args": {"input": "42"}}],
        [WC] * 40 + [END],
        {"plan": [WC, END]},
        "wc -l sales.csv",
    ],
)
def test_anything_else_is_refused(workspace: Workspace, plan: object) -> None:
    """Rejected: other tools or arguments, missing files, no answer, a planned answer text."""
    assert not accepts(schema_for(COUNT, workspace), plan)


@pytest.mark.parametrize(("tool", "example"), EXAMPLES)
def test_what_the_schema_accepts_is_a_plan(tool: Tool, example: Example) -> None:
    """Example plans satisfy the plan rules and the tools' own schemas."""
    plan = Plan.from_dict(json.loads(example_plan([Match(tool.name, example, 1.0)])))
    check_tools(plan, TOOLS)
    assert not tool.violations(example.args)


def test_a_step_may_leave_an_argument_open(workspace: Workspace) -> None:
    """In a later part of a request, an argument may wait for an earlier step's output."""
    schema = schema_for("Count the lines of sales.csv and then write it to out.txt", workspace)
    write = {
        "tool": "file_write",
        "args": {"path": "out.txt", "content": "", "mode": "create"},
    }
    assert accepts(schema, [WC, write, END])


def test_the_budget_bounds_the_plan(workspace: Workspace) -> None:
    """A plan cannot have more steps than PLANNER_MAX_PLAN_STEPS."""
    brief = next(make_prompts(COUNT, tools=TOOLS, workspace=workspace, budget=2))
    assert accepts(dict(brief.schema), [WC, END])
    assert not accepts(dict(brief.schema), [WC, WC, END])


def test_a_thought_has_no_number_that_the_request_lacks(workspace: Workspace) -> None:
    """Where a model writes thoughts, they are short, and no made-up value is read as the answer."""
    prompts = make_prompts(COUNT, tools=TOOLS, workspace=workspace, budget=6, has_thoughts=True)
    schema = dict(next(prompts).schema)
    assert accepts(schema, [{**WC, "thought": "count the lines"}, END])
    for thought in ("no", "x" * 500, "it has 42 lines"):
        assert not accepts(schema, [{**WC, "thought": thought}, END])
    assert not accepts(schema, [WC, END])


def test_without_tools_only_the_answer_is_accepted() -> None:
    """With no tool but final_answer, the only plan is the answer."""
    brief = next(make_prompts("Hello", tools={}, workspace=None, budget=6))
    assert accepts(dict(brief.schema), [END])
    assert not accepts(dict(brief.schema), [WC, END])


@pytest.mark.parametrize(
    ("request_text", "is_offered"),
    [
        ("Explain sales.csv", False),
        ("Erkläre mir sales.csv", False),
        ("Delete sales.csv", True),
        ("Remove sales.csv", True),
        ("Lösche sales.csv", True),
    ],
)
def test_removal_is_offered_only_if_requested(
    workspace: Workspace, request_text: str, *, is_offered: bool
) -> None:
    """A request that only reads gets no plan that removes, however similar an example is."""
    remove = {
        "tool": "terminal",
        "args": {"command": "rm", "args": ["sales.csv"]},
    }
    assert accepts(schema_for(request_text, workspace), [remove, END]) is is_offered


WHOLE_CONTENTS = (
    "Replace everything in status.txt with 'closed'",
    "replace all of status.txt with 'closed'",
    "Set the content of status.txt to 'closed'",
    "Change the content of status.txt to 'closed'",
    "Overwrite status.txt with 'closed'",
    "Überschreibe status.txt mit 'closed'",
    "Ersetze den ganzen Inhalt von status.txt durch 'closed'",
)


@pytest.mark.parametrize("request_text", WHOLE_CONTENTS)
def test_new_content_is_written_and_not_edited(tmp_path: Path, request_text: str) -> None:
    """With one quoted text, the only plan replaces the whole file."""
    (tmp_path / "status.txt").write_text("open\n")
    schema = schema_for(request_text, Workspace(tmp_path))
    args = {"path": "status.txt", "content": "closed", "mode": "replace"}
    assert accepts(schema, [{"tool": "file_write", "args": args}, END])
    edit = {"path": "status.txt", "old_text": "closed", "new_text": "closed"}
    for every in ({}, {"replace_all": True}):
        step = {"tool": "file_edit", "args": edit | every}
        assert not accepts(schema, [step, END])


def test_two_texts_are_still_an_edit(tmp_path: Path) -> None:
    """With two quoted texts, one replaces the other and the rest of the file is kept."""
    (tmp_path / "status.txt").write_text("open\n")
    schema = schema_for("Replace 'open' with 'closed' in status.txt", Workspace(tmp_path))
    edit = {"path": "status.txt", "old_text": "open", "new_text": "closed", "replace_all": True}
    assert accepts(schema, [{"tool": "file_edit", "args": edit}, END])
    args = {"path": "status.txt", "content": "closed", "mode": "replace"}
    step = {"tool": "file_write", "args": args}
    assert not accepts(schema, [step, END])


@pytest.mark.parametrize("request_text", ["Erkläre mir status.txt", "Erklär bitte status.txt"])
def test_a_file_to_be_explained_is_read(tmp_path: Path, request_text: str) -> None:
    """In either language, a request for an explanation reads the file."""
    (tmp_path / "status.txt").write_text("open\n")
    step = {"tool": "file_read", "args": {"path": "status.txt"}}
    assert accepts(schema_for(request_text, Workspace(tmp_path)), [step, END])
