"""Open arguments: which values fill them, what stays fixed, when approval is needed."""

from __future__ import annotations

from typing import Any

import pytest

from okso_jupyter.errors import ApprovalError
from okso_jupyter.plan.plan import Plan
from okso_jupyter.toolkit.tool import tool
from tests.bench import END, Bench, bodies
from tests.web_lab import Host, answer, internet, says

READ: dict[str, Any] = {"tool": "file_read", "args": {"path": "notes.txt"}}


def write(**args: Any) -> dict[str, Any]:
    """Return a step that writes to out.txt, by default with open content."""
    return {"tool": "file_write", "args": {"path": "out.txt", "content": "", **args}}


@pytest.mark.parametrize("mark", ["", None, "__MISSING__", {"__fill__": True}])
def test_every_fill_mark_is_filled(bench: Bench, mark: object) -> None:
    """All four fill marks are equivalent; a text is filled in without a second approval."""
    run = bench.run([READ, write(content=mark), END], {"content": "call Ann"})
    assert (bench.root / "out.txt").read_text() == "call Ann"
    assert run.state == "completed"


def test_a_missing_required_argument_is_filled(bench: Bench) -> None:
    """A missing required argument is open from the start and shown as open for approval."""
    shown: list[Plan] = []

    def approve(plan: Plan) -> str:
        shown.append(plan)
        return "approve"

    step = {"tool": "file_write", "args": {"path": "out.txt"}}
    run = bench.run([READ, step, END], {"content": "buy milk"}, approve=approve)
    assert (bench.root / "out.txt").read_text() == "buy milk"
    assert run.state == "completed"
    assert shown[0].steps[1].open_args == ("content",)


def test_only_open_slots_change(bench: Bench) -> None:
    """Whatever the model returns, closed arguments stay and no new ones are added."""
    filled = {"content": "call Ann", "path": "evil.txt", "mode": "append", "sudo": True}
    run = bench.run([READ, write(), END], filled)
    assert run.steps_seen[1].call.args == {"path": "out.txt", "content": "call Ann"}
    assert not (bench.root / "evil.txt").exists()


def test_the_model_chooses_among_observed_values(bench: Bench) -> None:
    """The schema of the request offers only whole outputs and their lines."""
    bench.run([READ, write(), END], {"content": "call Ann"})
    schema = bench.model.requests[-1].schema
    assert schema is not None
    assert schema["required"] == ["content"]
    assert schema["additionalProperties"] is False
    offered = schema["properties"]["content"]["enum"]
    assert offered == ["buy milk\ncall Ann", "buy milk", "call Ann"]


def test_a_long_output_is_offered_shortened_and_written_whole(bench: Bench) -> None:
    """The prompt shows only the beginning of a long output; the whole output is written."""
    log = "\n".join(f"09:{minute:02} GET /page/{minute} took {minute} ms" for minute in range(100))
    (bench.root / "long.log").write_text(log)
    read = {"tool": "file_read", "args": {"path": "long.log"}}
    bench.run([READ, read, write(), END], {"content": log[:2000]})
    question = bench.model.requests[-1]
    assert question.schema is not None
    offered = question.schema["properties"]["content"]["enum"]
    assert offered[:2] == [log[:2000], "buy milk\ncall Ann"]
    assert f"2,000 of {len(log):,} characters shown" in question.messages[-1].content
    assert len(question.messages[-1].content) < 3500
    assert (bench.root / "out.txt").read_text() == log


def test_open_numbers_take_observed_numbers(bench: Bench) -> None:
    """An open number argument is offered the numbers of earlier outputs."""
    parameters = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    bench.offer("double", lambda n: str(2 * n), parameters=parameters, effect="none")
    steps = [{"tool": "file_read", "args": {"path": "sales.csv"}}, {"tool": "double", "args": {}}]
    run = bench.run([*steps, END], {"n": 2}, approve=lambda _plan: "approve")
    schema = bench.model.requests[-1].schema
    assert schema is not None
    assert schema["properties"]["n"]["enum"] == [1, 2]
    assert run.answer == "4"


def _greet(note: str | None = None, times: int | None = None, share: float | str = 1.0) -> str:
    """Greet somebody."""
    return f"{note} {times} {share}"


@pytest.mark.parametrize("mark", ["", None, "__MISSING__", {"__fill__": True}])
@pytest.mark.parametrize(
    ("name", "offer"),
    [
        ("note", {"enum": ["7 pens\n2.5 cups", "7 pens", "2.5 cups"]}),
        ("times", {"enum": [7]}),
        ("share", {"type": ["number", "string"]}),
    ],
)
def test_an_open_argument_of_several_types_is_filled(
    bench: Bench, mark: object, name: str, offer: dict[str, Any]
) -> None:
    """Null beside a type leaves the values of that type; a choice of types is left to the model."""
    (bench.root / "shop.txt").write_text("7 pens\n2.5 cups")
    bench.extra = [tool(effect="none")(_greet)]
    step = {"tool": "_greet", "args": {name: mark}}
    read = {"tool": "file_read", "args": {"path": "shop.txt"}}
    value = "7 pens" if name == "note" else 7
    run = bench.run([read, step, END], {name: value}, approve=lambda _plan: "approve")
    schema = bench.model.requests[-1].schema
    assert schema is not None
    assert schema["properties"] == {name: offer}
    assert run.state == "completed"


def test_a_whole_number_beside_null_is_an_int(bench: Bench) -> None:
    """JSON has 2.0 for it, as where null is not allowed."""
    bench.extra = [tool(effect="none")(_greet)]
    run = bench.run([{"tool": "_greet", "args": {"times": 2.0}}, END])
    assert str(run.answer).startswith("None 2 ")


def test_a_used_value_is_not_repeated_in_the_answer(bench: Bench) -> None:
    """A value that was filled into a later step is not repeated beside that step's result."""
    run = bench.run([READ, write(), END], {"content": "call Ann"})
    assert run.answer is not None
    assert "milk" not in run.answer
    assert "out.txt" in run.answer


@pytest.mark.parametrize("completion", [{"content": ""}, {}, "no JSON at all", "[1]", "null"])
def test_an_argument_that_cannot_be_filled_fails_its_step(bench: Bench, completion: object) -> None:
    """MISSING_POLICY=fail: the step fails without a call and reports what is missing."""
    run = bench.run([READ, write(), END], completion)
    assert run.state == "failed"
    assert run.steps_seen[1].error == "nothing was found to fill content with"
    assert [body["step_id"] for body in bodies(run, "call_started")] == [1]
    assert not (bench.root / "out.txt").exists()


def test_an_argument_that_cannot_be_filled_is_shown_as_missing(bench: Bench) -> None:
    """MISSING_POLICY=surface: the step runs with __MISSING__ as the open argument's value."""
    run = bench.run([READ, write(), END], {"content": ""}, MISSING_POLICY="surface")
    assert run.state == "completed"
    assert (bench.root / "out.txt").read_text() == "__MISSING__"


def make(*words: object) -> dict[str, Any]:
    """Return a step that makes a folder; the folder's name may be a fill mark."""
    return {"tool": "terminal", "args": {"command": "mkdir", "args": list(words)}}


@pytest.mark.parametrize("mark", ["__MISSING__", {"__fill__": True}])
@pytest.mark.parametrize("completion", [{"args": ["-p", "__MISSING__"]}, {}, "no JSON at all"])
def test_an_unfilled_mark_in_a_list_fails_the_step(
    bench: Bench, mark: object, completion: object
) -> None:
    """A step with an unfilled mark in a list fails without a call and makes no folder."""
    before = sorted(bench.root.iterdir())
    run = bench.run([READ, make("-p", mark), END], completion)
    assert run.state == "failed"
    assert run.steps_seen[1].error == "nothing was found to fill args with"
    assert sorted(bench.root.iterdir()) == before


def test_a_mark_in_a_list_is_filled_from_observed_values(bench: Bench) -> None:
    """The model is offered observed values in place of the mark; other items are fixed."""
    run = bench.run(
        [READ, make("-p", "__MISSING__"), END],
        {"args": ["-p", "call Ann"]},
        approve=lambda _plan: "approve",
    )
    assert (run.state, (bench.root / "call Ann").is_dir()) == ("completed", True)
    schema = bench.model.requests[-1].schema
    assert schema is not None
    first, second = schema["properties"]["args"]["prefixItems"]
    assert first == {"const": "-p"}
    assert "call Ann" in second["enum"]


@pytest.mark.parametrize("given", [["-v", "call Ann"], ["call Ann"], ["-p", "a", "b"], "call Ann"])
def test_filling_a_mark_in_a_list_changes_no_other_item(bench: Bench, given: object) -> None:
    """A completion that changes the planned items of the list is discarded."""
    run = bench.run([READ, make("-p", "__MISSING__"), END], {"args": given})
    assert run.steps_seen[1].error == "nothing was found to fill args with"


# --- values that steer -------------------------------------------------------------------


def test_an_observed_path_requires_a_second_approval(bench: Bench) -> None:
    """A path that came from a tool's output is shown for approval before the step runs."""
    shown: list[Plan] = []

    def approve(plan: Plan) -> str:
        shown.append(plan)
        return "approve"

    step = {"tool": "file_write", "args": {"path": "", "content": "x"}}
    run = bench.run([READ, step, END], {"path": "call Ann"}, approve=approve)
    assert len(shown) == 2
    assert [asked.args for asked in shown[1].steps] == [{"path": "call Ann", "content": "x"}]
    assert run.state == "completed"
    assert (bench.root / "call Ann").read_text() == "x"


def test_a_rejected_observed_path_cancels_the_run(bench: Bench) -> None:
    """If the second approval is rejected, the step does not run and the run is cancelled."""
    answers = iter(["approve", "reject"])
    step = {"tool": "file_write", "args": {"path": "", "content": "x"}}
    run = bench.run([READ, step, END], {"path": "call Ann"}, approve=lambda _plan: next(answers))
    assert run.state == "cancelled"
    assert "step 2" in run.shortfall
    assert "path" in run.shortfall
    assert not (bench.root / "call Ann").exists()


@pytest.mark.parametrize(
    ("step", "filled"),
    [
        ({"tool": "file_write", "args": {"path": "", "content": "x"}}, {"path": "call Ann"}),
        ({"tool": "terminal", "args": {"command": "", "args": ["notes.txt"]}}, {"command": "rm"}),
        ({"tool": "terminal", "args": {"command": "rm", "args": ["-r", ""]}}, None),
        ({"tool": "python_repl", "args": {"input": ""}}, {"input": "print(1)"}),
        ({"tool": "mystery", "args": {"to": ""}}, {"to": "call Ann"}),
    ],
)
def test_auto_does_not_approve_observed_steering_values(
    bench: Bench, step: dict[str, Any], filled: dict[str, str] | None
) -> None:
    """With `auto`, a command, path or code taken from an output raises ApprovalError."""
    parameters = {"type": "object", "properties": {"to": {"type": "string"}}}
    bench.offer("mystery", lambda to: to, parameters=parameters, effect="network")
    completions = [filled] if filled else []
    with bench.session(*completions) as session, pytest.raises(ApprovalError, match="step"):
        session.execute([READ, step, END], approve="auto")
    assert (bench.root / "notes.txt").exists()
    assert not (bench.root / "call Ann").exists()


def test_a_filled_command_with_more_effects_is_not_covered(bench: Bench) -> None:
    """A filled-in command that deletes needs a person even if no output was observed."""
    step = {"tool": "terminal", "args": {"command": "", "args": ["notes.txt"]}}
    with bench.session({"command": "rm"}) as session, pytest.raises(ApprovalError, match="undone"):
        session.execute([step, END], approve="auto")
    assert (bench.root / "notes.txt").exists()


def test_a_filled_command_is_shown_before_it_runs(bench: Bench) -> None:
    """A command chosen by the model after approval is shown again, observed or not."""
    shown: list[Plan] = []

    def approve(plan: Plan) -> str:
        shown.append(plan)
        return "approve"

    step = {"tool": "terminal", "args": {"command": "", "args": ["-l", "notes.txt"]}}
    run = bench.run([step, END], {"command": "wc"}, approve=approve)
    assert [plan.steps[0].args["command"] for plan in shown] == ["", "wc"]
    assert run.answer == "2 notes.txt"


@pytest.mark.process
def test_the_output_of_a_single_dependency_is_passed_on(bench: Bench) -> None:
    """A step with one dependency gets its output verbatim, without a model."""
    long = "x = 3.14159265358979312\n" * 500 + "  end  \n\n"
    code = {"tool": "python_repl", "args": {"input": f"print({long!r}, end='')"}}

    run = bench.run([READ, code, {**write(), "depends_on": [2]}, END])

    assert run.state == "completed"
    assert (bench.root / "out.txt").read_text() == long
    assert [body["filled"] for body in bodies(run, "arguments_filled")] == [{"content": long}]


def test_with_two_dependencies_the_model_chooses(bench: Bench) -> None:
    """If a step depends on two steps, the model chooses which output is used."""
    plan = [READ, READ, {**write(), "depends_on": [1, 2]}, END]

    bench.run(plan, {"content": "call Ann"})

    assert (bench.root / "out.txt").read_text() == "call Ann"


def test_an_output_is_not_passed_on_as_a_path(bench: Bench) -> None:
    """An output is not passed on as a path without a second approval."""
    (bench.root / "where.txt").write_text("notes.txt")
    read = {"tool": "file_read", "args": {"path": "where.txt"}}
    plan = [read, {"tool": "file_read", "args": {"path": ""}, "depends_on": [1]}, END]

    with pytest.raises(ApprovalError):
        bench.run(plan, {"path": "notes.txt"})


# --- addresses ---------------------------------------------------------------------------------

FETCH: dict[str, Any] = {"tool": "web_fetch", "args": {"url": ""}}
PAGE = """See [the news](https://example.org/a_(b)), [1](http://example.org/1)[2](http://example.org/2).
Then HTTP://example.org/x?a=1&b=2; or <https://example.org/y>... but never http://127.0.0.1/admin,
http://localhost/, ftp://example.org/, https://user:pw@example.org/ or "https://".
"""


def test_an_open_address_is_offered_only_addresses(bench: Bench) -> None:
    """An open address is offered the valid addresses of the outputs and of the request.

    Those of the outputs come first. Lines of text are left out, and so are addresses that
    would be refused.
    """
    (bench.root / "notes.txt").write_text(PAGE)
    plan = Plan.from_dict(
        {"steps": [READ, FETCH, END], "request": "Fetch https://example.org/asked."}
    )
    host = Host(says(answer(b"It rains.", Content_Type="text/plain")))
    with internet(host):
        run = bench.run(plan, {"url": "http://example.org/2"}, approve=lambda _plan: "approve")
    host.close()

    schema = bench.model.requests[0].schema
    assert schema is not None
    assert schema["properties"]["url"] == {
        "enum": [
            "https://example.org/a_(b)", "http://example.org/1", "http://example.org/2",
            "HTTP://example.org/x?a=1&b=2", "https://example.org/y", "https://example.org/asked",
        ]
    }  # fmt: skip
    assert (run.state, run.answer) == ("completed", "It rains.")
    assert host.requests[0].startswith("GET /2 ")


def test_without_an_observed_address_no_model_is_asked(bench: Bench) -> None:
    """If no address was observed, the step fails without a model request or a call."""
    run = bench.run([READ, FETCH, END])
    assert run.steps_seen[1].error == "nothing was found to fill url with"
    assert bench.model.requests == []


def test_an_address_that_was_not_observed_is_refused(bench: Bench) -> None:
    """A model that ignores the schema cannot fill in an address that was not observed."""
    (bench.root / "notes.txt").write_text("https://example.org/")
    run = bench.run([READ, FETCH, END], {"url": "https://evil.example.org/?q=notes"})
    assert run.steps_seen[1].error == "nothing was found to fill url with"


def test_an_observed_address_requires_a_second_approval(bench: Bench) -> None:
    """An observed address is shown in a second approval, which `auto` cannot give."""
    (bench.root / "notes.txt").write_text("https://example.org/?leak=notes")
    filled = {"url": "https://example.org/?leak=notes"}
    shown: list[Plan] = []

    def approve(plan: Plan) -> str:
        shown.append(plan)
        return "approve" if len(shown) == 1 else "reject"

    assert bench.run([READ, FETCH, END], filled, approve=approve).state == "cancelled"
    assert shown[1].steps[0].args == filled
    with pytest.raises(ApprovalError, match="step 2"):
        bench.run([READ, FETCH, END], filled)


# --- texts that are run later --------------------------------------------------------------------

RUN_LATER = ("a.py", "A.PY", "run.sh", "x.ipynb", "Makefile", "d/../Makefile", "a.p\u200by", "s.js")


@pytest.mark.parametrize("name", RUN_LATER)
def test_observed_text_for_an_executable_file_needs_approval(bench: Bench, name: str) -> None:
    """Observed text for a file that may be executed is shown for approval first.

    This holds whether the model chose the text or it was passed on from a dependency.
    """
    shown: list[Plan] = []

    def approve(plan: Plan) -> str:
        shown.append(plan)
        return "approve" if len(shown) == 1 else "reject"

    step = {**write(path=name), "depends_on": [1]}
    assert bench.run([READ, step, END], approve=approve).state == "cancelled"
    assert shown[1].steps[0].args == {"path": name, "content": "buy milk\ncall Ann\n"}
    assert {file.name for file in bench.root.iterdir()} == {"notes.txt", "sales.csv"}


def test_observed_text_with_a_shebang_needs_approval(bench: Bench) -> None:
    """Text that starts with #! is treated as a script, whatever the file's name."""
    (bench.root / "notes.txt").write_text("#!/bin/sh\nrm -r ~\n")
    with pytest.raises(ApprovalError, match="step 2"):
        bench.run([READ, {**write(), "depends_on": [1]}, END])
    assert not (bench.root / "out.txt").exists()


@pytest.mark.parametrize("name", ["out.md", "py", "data.csv", "makefile.txt", "a.html"])
def test_observed_text_for_other_files_needs_no_approval(bench: Bench, name: str) -> None:
    """Observed text for a file that is not executed is written without a second approval."""
    run = bench.run([READ, {**write(path=name), "depends_on": [1]}, END])
    assert run.state == "completed"
    assert (bench.root / name).read_text() == "buy milk\ncall Ann\n"


def test_filling_shows_address_status_and_snippet_of_a_page(bench: Bench) -> None:
    """To fill an argument, the model sees a page's address, status and snippet only."""
    page = {
        "final_url": "https://example.org/tea", "status": 200, "body_snippet": "Tea is a drink.",
        "headers": {"etag": "abc"}, "body_markdown": "Tea is a drink. It has a long history.",
    }  # fmt: skip
    bench.offer("page", lambda: page, effect="reads")
    run = bench.run([{"tool": "page"}, write(), END], {"content": "x"})
    prompt = bench.model.requests[0].messages[-1].content
    assert "https://example.org/tea\n200\nTea is a drink.\n" in prompt
    assert "long history" not in prompt
    assert "etag" not in prompt
    assert run.state == "completed"
