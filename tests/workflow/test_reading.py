"""Which files are workflows, and how invalid ones are reported."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from okso_jupyter.session.session import Session
from okso_jupyter.workflow import library
from okso_jupyter.workflow.file_reading import MAX_BYTES
from tests.bench import Bench
from tests.workflow.conftest import Write, echo, own_entries, session_of, takes

GOOD_YAML = """
name: greet
description: >
  Greet
  somebody.
intents: [notes]
parameters:
  type: object
  properties: {who: {type: string}}
  required: [who]
steps:
  - tool: terminal
    args: {command: 'echo "Hello {{who}}"'}
    thought: 2026-11-22
"""


def test_yaml_and_json_files_are_equivalent(bench: Bench, write: Write) -> None:
    """A YAML file makes a tool as a JSON file does; dates in it are text."""
    write("greet.yaml", GOOD_YAML)
    write("other.yml", GOOD_YAML.replace("greet", "other"))

    with session_of(bench) as session:
        tool = session.tools["workflow_greet"]
        assert "workflow_other" in session.tools

    assert tool.description == "Greet somebody."
    assert tool.groups == ("notes",)
    assert tool.required == {"who"}
    assert [step.thought for step in tool.expansion.steps({"who": "x"})] == ["2026-11-22"]  # type: ignore[union-attr]  # a workflow has one


DOUBLED = '{"name": "bad", "name": "bad", "description": "", "steps": []}'
BOMB = "a: &a [x, x]\nb: &b [*a, *a]\nname: bad\n"
BAD_FILES = {
    "bad.json": [
        ("{", "it is not JSON"),
        ("[1]", "it holds no object"),
        ('{"name": "bad", "description": "\\ud800"}', "surrogates not allowed"),
        (DOUBLED, "'name' occurs twice"),
        ('{"name": NaN}', "NaN is not a number"),
        ("[" * 60_000, "nested too deeply"),
        ('{"a":' * 400 + "1" + "}" * 400, "nested too deeply"),
        (" " * (MAX_BYTES + 1), "longer than 65,536 bytes"),
        ('{"name": "bad"}', "required property"),
    ],
    "bad.yaml": [
        ("a: [", "it is not YAML"),
        (BOMB, "aliases are not allowed"),
        ("name: a\nname: b\n", "'name' occurs twice"),
        ("!!python/object/apply:os.system ['touch hacked']", "it is not YAML"),
        ("? [a, b]\n: c\n", "it is not YAML"),
        ("1: x\n", "a name in it is not text"),
        ("name: .nan\n", "it is not YAML"),
        ("name: !!binary aGk=\n", "bytes is not a JSON value"),
        ("a: 1\n---\nb: 2\n", "it is not YAML"),
        ("", "it holds no object"),
        ("[" * 20_000, "nested too deeply"),
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [(name, *case) for name, cases in BAD_FILES.items() for case in cases],
)
def test_an_invalid_file_is_reported_and_skipped(
    bench: Bench, write: Write, name: str, text: str, said: str
) -> None:
    """An invalid file is reported in one line, and the others load."""
    write(name, text)
    write("good")

    entries = own_entries(bench)

    assert said in entries[name].problem
    assert "\n" not in entries[name].problem
    assert entries["good.json"].problem == ""
    assert not (bench.root / "hacked").exists()


STEP = echo("x")
BAD_PARTS: list[tuple[dict[str, Any], str]] = [
    ({"name": "Bad-Name"}, "name"),
    ({"description": 3}, "description"),
    ({"steps": []}, "steps"),
    ({"steps": [{"args": {}}]}, "steps.0"),
    ({"steps": [{**STEP, "args": [1]}]}, "steps.0.args"),
    ({"steps": [{**STEP, "tool": "{{x}}"}]}, "steps.0.tool"),
    ({"steps": [{**STEP, "unknown": 1}]}, "unknown"),
    ({"more": 1}, "more"),
    ({"intents": ["cooking"]}, "cooking"),
    ({"intents": []}, "intents"),
    ({"parameters": {"type": "array"}}, "object"),
    ({"parameters": {"type": "object", "properties": {"x": {"type": "nothing"}}}}, "JSON Schema"),
    ({"parameters": takes(x={"$ref": "http://127.0.0.1:9/schema"})}, "'$ref' is not allowed"),
    ({"parameters": takes(x={"items": {"pattern": "(a+)+$"}})}, "'pattern' is not allowed"),
    ({"parameters": {"type": "object", "required": ["y"]}}, "'y' is required and is not a"),
    ({"parameters": {"type": "object", "properties": {"a-b": {}}}}, "a-b"),
    ({"steps": [echo("{{x}}")]}, "{{x}} names no parameter (the parameters are: none)"),
    ({"steps": [{**STEP, "thought": "{{x}}"}]}, "{{x}} names no parameter"),
    ({"steps": [{**STEP, "args": {"{{x}}": 1}}]}, "{{x}} stands in a name"),
    ({"steps": [{"tool": "feedback", "args": {"observations": [{"{{x}}": 1}]}}],
      "parameters": takes("x")}, "{{x}} stands in a name"),
    ({"steps": [echo("{{}}")], "parameters": takes("x")}, "{{}} names no parameter"),
    ({"steps": [{"tool": "final_answer"}]}, "final_answer ends a plan"),
    ({"steps": [{"tool": "nosuch"}]}, "step 1 (nosuch): there is no such tool"),
    ({"steps": [{"tool": "file_raed"}]}, "did you mean file_read?"),
    ({"steps": [{"tool": "terminal", "args": {"cmd": "ls"}}]}, "'cmd' was unexpected"),
    ({"steps": [{"tool": "terminal", "args": {"cmd": "{{x}}"}}], "parameters": takes("x")},
     "it takes no argument 'cmd'"),
    ({"steps": [{**STEP, "depends_on": [2]}]}, "step 2, which is not in the plan"),
    ({"steps": [{**STEP, "depends_on": [2]}, {**STEP, "depends_on": [1]}]}, "wait for each other"),
    ({"steps": [{**STEP, "condition": "maybe"}]}, "condition"),
    ({"steps": [{**STEP, "id": 1}, {**STEP, "id": 1}]}, "the id is used 2 times"),
    ({"steps": [{"tool": "terminal", "args": {"command": "echo {{x}} > y"}}],
      "parameters": takes("x")}, "asks for a shell"),
    ({"steps": [{"tool": "terminal", "args": {"command": "echo '{{x}}"}}],
      "parameters": takes("x")}, "cannot be split"),
    ({"steps": [{"tool": "python_repl", "args": {"input": "print({{x}}"}}],
      "parameters": takes("x")}, "its code is not valid Python"),
    ({"steps": [{"tool": "python_repl", "args": {"input": "1 # {{x}}"}}],
      "parameters": takes("x")}, "{{x}} stands where code cannot hold a value"),
    ({"steps": [{"tool": "python_repl", "args": {"input": "{{x}} = 1"}}],
      "parameters": takes("x")}, "{{x}} stands where code cannot hold a value"),
    ({"steps": [{"tool": "python_repl", "args": {"input": "a.b{{x}}"}}],
      "parameters": takes("x")}, "{{x}} stands where code cannot hold a value"),
    ({"steps": [echo("a {{x}}")],
      "parameters": {"type": "object", "properties": {"x": {"type": "string"}}}},
     "x has no value yet"),
    ({"steps": [echo("a {{x}}")], "parameters": takes(x={"type": "array", "default": []})},
     "x is not a single value"),
    ({"examples": [{"request": "do", "args": {"y": 1}}]}, "examples: "),
]  # fmt: skip


@pytest.mark.parametrize(("parts", "said"), BAD_PARTS, ids=range(len(BAD_PARTS)))
def test_an_invalid_part_is_reported(
    bench: Bench, write: Write, parts: dict[str, Any], said: str
) -> None:
    """An error that can be found in a file alone is reported when it loads."""
    write("bad", **parts)
    write("good")

    entries = own_entries(bench)

    assert said in entries["bad.json"].problem
    assert entries["good.json"].problem == ""


def test_unrelated_files_are_ignored(bench: Bench, write: Write) -> None:
    """Other suffixes and subfolders are ignored; a pipe is reported without being read."""
    write("good")
    folder = bench.root / "workflows"
    (folder / "README.md").write_text("# hello")
    (folder / "inner").mkdir()
    (folder / "inner" / "deep.json").write_text("{")
    (folder / "folder.json").mkdir()
    os.mkfifo(folder / "pipe.yaml")

    entries = own_entries(bench)

    assert set(entries) == {"good.json", "folder.json", "pipe.yaml"}
    assert entries["pipe.yaml"].problem == "it is not a regular file"


def test_a_link_loop_is_reported(bench: Bench) -> None:
    """A workflows folder that cannot be opened is reported like an invalid file."""
    (bench.root / "workflows").symlink_to("workflows")

    assert "cannot be read" in own_entries(bench)["workflows"].problem


def test_a_parameter_may_be_named_like_a_schema_keyword(bench: Bench, write: Write) -> None:
    """A parameter may have the name of a JSON Schema keyword that is not allowed."""
    write("good", parameters=takes("pattern"), steps=[echo("{{pattern}}")])

    assert own_entries(bench)["good.json"].problem == ""


# --- where they come from ----------------------------------------------------------------------


def test_a_setting_replaces_the_folder(bench: Bench, write: Write, tmp_path: Path) -> None:
    """WORKFLOWS_DIR is a path list that replaces the folder beside the notebook."""
    write("beside")
    for name in ("one", "two"):
        folder = tmp_path / name
        folder.mkdir()
        (bench.root / "workflows" / "beside.json").rename(folder / f"{name}.json")
        write("beside")
        text = (folder / f"{name}.json").read_text().replace("beside", name)
        (folder / f"{name}.json").write_text(text)
    paths = os.pathsep.join([str(tmp_path / "one"), "../two", str(tmp_path / "none")])

    entries = own_entries(bench, WORKFLOWS_DIR=paths)

    assert {name: e.problem for name, e in entries.items()} == {
        "one.json": "", "two.json": "", "none": "there is no such folder",
    }  # fmt: skip


def test_a_name_belongs_to_the_first_file(bench: Bench, write: Write) -> None:
    """A file beside the notebook cannot take the name of a shipped or an earlier workflow."""
    write("clean_text_file")
    write("first")
    write("second", name="first")

    entries = own_entries(bench)

    assert "is taken by" in entries["clean_text_file.json"].problem
    assert entries["first.json"].problem == ""
    assert "is taken by" in entries["second.json"].problem


def test_a_tool_is_not_replaced_by_a_workflow(bench: Bench, write: Write) -> None:
    """A tool defined in Python as workflow_x is not replaced by a file."""
    write("mine")
    bench.offer("workflow_mine", lambda: "tool", effect="none")
    settings = {"WORKFLOWS_DIR": str(bench.root / "workflows")}

    with Session(settings, tools=bench.extra, root=bench.root) as session:
        (entry,) = session.workflows.entries
        assert entry.problem == "there is a tool called 'workflow_mine' already"


def test_custom_tools_exclude_shipped_workflows(bench: Bench) -> None:
    """Custom tools exclude the shipped workflows, but not those of a configured folder."""
    with session_of(bench) as session:
        terminal = session.tools["terminal"]
    with Session(tools=[terminal], root=bench.root) as session:
        assert list(session.tools) == ["terminal", "final_answer"]


_OFFERING = """
[okso_jupyter.workflows]
good = acme_flows
bad = acme_nowhere
"""


def test_packages_can_provide_folders(
    bench: Bench, tmp_path: Path, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An entry point names a package with workflows; a broken one is reported and skipped."""
    write("acme")
    info = tmp_path / "site" / "acme-1.0.dist-info"
    package = tmp_path / "site" / "acme_flows"
    package.mkdir(parents=True)
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: acme\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(_OFFERING)
    (package / "__init__.py").write_text("")
    (bench.root / "workflows" / "acme.json").rename(package / "acme.json")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))

    entries = own_entries(bench)

    assert entries["acme.json"].problem == ""
    assert "No module named 'acme_nowhere'" in entries["acme_nowhere"].problem


# --- workflows that call each other ------------------------------------------------------------


def _calling(name: str) -> dict[str, Any]:
    return {"tool": f"workflow_{name}", "args": {}}


def test_workflows_that_call_each_other_are_refused(bench: Bench, write: Write) -> None:
    """Workflows in a call cycle and their callers are reported; the others load."""
    write("a", steps=[_calling("b")])
    write("b", steps=[_calling("c")])
    write("c", steps=[_calling("a")])
    write("self", steps=[_calling("self")])
    write("caller", steps=[_calling("a")])
    write("good")

    entries = own_entries(bench)

    for name in ("a", "b", "c", "self", "caller"):
        assert "call each other in a circle" in entries[f"{name}.json"].problem
    assert "workflow_self -> workflow_self" in entries["self.json"].problem
    assert "step 1 (workflow_a): " in entries["caller.json"].problem
    assert entries["good.json"].problem == ""


def test_the_nesting_of_workflows_is_bounded(bench: Bench, write: Write) -> None:
    """Workflows load up to the maximum nesting depth; deeper ones are refused."""
    write("w1")
    for depth in range(2, library.MAX_DEPTH + 3):
        write(f"w{depth}", steps=[_calling(f"w{depth - 1}")])

    entries = own_entries(bench)

    assert entries[f"w{library.MAX_DEPTH}.json"].problem == ""
    assert "more than 5 deep" in entries[f"w{library.MAX_DEPTH + 1}.json"].problem
    assert "more than 5 deep" in entries[f"w{library.MAX_DEPTH + 2}.json"].problem


def test_the_number_of_calls_is_bounded(bench: Bench, write: Write) -> None:
    """A workflow that expands to more than 64 calls is refused, nested calls included."""
    write("w1", steps=[echo("x")] * 64)
    write("w2", steps=[_calling("w1")])
    write("w3", steps=[_calling("w2"), echo("y")])
    write("w4", steps=[_calling("w3")] * 64)

    entries = own_entries(bench)

    assert entries["w2.json"].problem == ""
    assert "65 calls; the maximum is 64" in entries["w3.json"].problem
    assert "65 calls; the maximum is 64" in entries["w4.json"].problem


@pytest.mark.parametrize("name", ["~nosuchuser/x", "a" * 5000])
def test_an_impossible_folder_is_reported(bench: Bench, name: str) -> None:
    """A folder of an unknown user or with a name that is too long is reported."""
    entries = own_entries(bench, WORKFLOWS_DIR=name)

    assert list(entries) == [name.rpartition("/")[2]]
    assert all(entry.file == name and entry.problem for entry in entries.values())


def test_a_file_that_is_not_a_workflow_is_not_quoted(bench: Bench, write: Write) -> None:
    """The content of an invalid file is not quoted, since it may be a link to anything.

    Every reason is shorter than 400 characters.
    """
    write("good")
    (bench.root / "private").write_text(
        "secret: words\n" + "".join(f"k{n}: 1\n" for n in range(999))
    )
    (bench.root / "plain").write_text("secret words\n")
    for name in ("private", "plain"):
        (bench.root / "workflows" / f"{name}.yaml").symlink_to(bench.root / name)
    write("long", steps=[STEP] * 500)

    entries = own_entries(bench)

    assert "secret words" not in entries["plain.yaml"].problem
    assert all(len(entry.problem) < 400 for entry in entries.values())
    assert entries["good.json"].problem == ""
