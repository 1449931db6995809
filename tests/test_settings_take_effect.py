"""Flipping a setting changes what is observed: one row per name, and no name without a row."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from okso_jupyter import Plan, Settings, score_plan
from okso_jupyter.errors import ApprovalError, ModelUnavailableError
from okso_jupyter.llm.context_size import ContextLimits, context_for
from okso_jupyter.llm.protocol import Role
from okso_jupyter.run import Run
from okso_jupyter.session.session import Session
from okso_jupyter.toolkit.context import ToolContext
from tests.bench import END, Bench, bodies, statuses
from tests.llm.hub_server import Hub, serving

READ = {"tool": "file_read", "args": {"path": "notes.txt"}}
LOOK = [READ, END]
LONG_TEXT = "\n".join(f"line {n} about budgets and plans" for n in range(400))
TOOLS = {tool.name: tool for tool in Session().tools.values()}


def _planning_request(bench: Bench, **settings: Any) -> Any:
    """Return what the model is asked for one planning call."""
    count = Settings.of({"PLANNER_SAMPLE_COUNT": settings.get("PLANNER_SAMPLE_COUNT", 3)})
    with bench.session(*[LOOK] * count.planner_sample_count, **settings) as session:
        session.plan("read notes.txt")
    return bench.model.requests[0]


def samples(bench: Bench, **settings: Any) -> object:
    """How many completions the planner asks for."""
    return len(_planning_request(bench, **settings).seeds)


def first_seed(bench: Bench, **settings: Any) -> object:
    """The first seed that the planner asks with."""
    return _planning_request(bench, **settings).seeds[0]


def temperature(bench: Bench, **settings: Any) -> object:
    """The temperature that the planner asks with."""
    return _planning_request(bench, **settings).temperature


def most_tokens(bench: Bench, **settings: Any) -> object:
    """The tokens that a candidate may have."""
    return _planning_request(bench, **settings).max_tokens


def model_asked_for(role: Role) -> Callable[..., object]:
    """Return an observer of the model that a role wants."""

    def observe(bench: Bench, **settings: Any) -> object:
        with (
            Session({"OKSO_HOME": str(bench.home), **settings}) as session,
            pytest.raises(ModelUnavailableError) as caught,
        ):
            session.model(role)
        return caught.value.message.split("'")[1]

    return observe


def revision_asked_for(role: Role) -> Callable[..., object]:
    """Return an observer of the revision that a hub is asked for."""

    def observe(bench: Bench, **settings: Any) -> object:
        hub = Hub()
        with (
            serving(hub) as address,
            pytest.MonkeyPatch.context() as patch,
            Session({"OKSO_HOME": str(bench.home), **settings}) as session,
        ):
            patch.setenv("HF_ENDPOINT", address)
            with pytest.raises(ModelUnavailableError):
                session.model(role)
        return [path.partition("/revision/")[2].partition("?")[0]
                for _, path, _ in hub.log if "/revision/" in path]  # fmt: skip

    return observe


def context_of_a_long_prompt(bench: Bench, **settings: Any) -> object:
    """The context that a prompt of 6000 tokens gets."""
    del bench
    return context_for(6000, 0, ContextLimits.of(Settings.of(settings))).tokens


def points(steps: list[Any], request: str = "") -> Callable[..., object]:
    """Return an observer of the score of a plan."""

    def observe(bench: Bench, **settings: Any) -> object:
        del bench
        card = score_plan(Plan.from_dict(steps), TOOLS, settings, request=request)
        return {finding.rule: finding.points for finding in card.findings}

    return observe


def debug_log(bench: Bench, **settings: Any) -> object:
    """The file that the candidates are logged to."""
    settings = {k: v and str(bench.home / v) for k, v in settings.items()}
    _planning_request(bench, **settings)
    return sorted(file.name for file in bench.home.rglob("*.jsonl"))


def outcome(approve: str | None = None, plan: Any = None) -> Callable[..., object]:
    """Return an observer of how a run ends without a person."""

    def observe(bench: Bench, **settings: Any) -> object:
        try:
            return bench.run(plan or LOOK, approve=approve, **settings).state
        except ApprovalError:
            return "refused"

    return observe


_ASK = """
import sys
from okso_jupyter import Session
run = Session(root=sys.argv[1]).execute([{"tool": "final_answer", "args": {}}])
print("DECIDED", run.decisions[0]["by"], run.decisions[0]["reason"])
"""


def waited(bench: Bench, **settings: Any) -> object:
    """What is recorded when a person at a terminal says nothing."""
    ours, theirs = pty.openpty()
    code = Path(__file__).parents[1]
    chosen = {name: str(value) for name, value in settings.items()}
    done = subprocess.run(  # noqa: S603  our own command line
        [sys.executable, "-c", _ASK, str(bench.root)],
        stdin=theirs,
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(code), "OKSO_HOME": str(bench.home), **chosen},
    )
    os.close(ours)
    os.close(theirs)
    return done.stdout.partition("DECIDED ")[2].strip()


def echoed(bench: Bench, **settings: Any) -> object:
    """What becomes of a step whose argument finds no value."""
    bench.offer("echo", lambda text: text, effect="none", parameters={
        "type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"],
    })  # fmt: skip
    run = bench.run([{"tool": "echo", "args": {"text": ""}}, END], {}, **settings)
    return run.observations.iloc[0]["observation_raw"] or run.state


def after_failure(bench: Bench, **settings: Any) -> object:
    """What becomes of a step after one that failed."""
    missing = {"tool": "file_read", "args": {"path": "missing.txt"}}
    return statuses(bench.run([missing, READ, END], **settings))[2]


def attempts(bench: Bench, **settings: Any) -> object:
    """How often a call is made that fails in passing."""

    def busy() -> str:
        msg = "too busy"
        raise TimeoutError(msg)

    bench.offer("busy", busy, effect="reads")
    return len(bench.run([{"tool": "busy", "args": {}}, END], **settings).observations) - 1


def time_left(bench: Bench, **settings: Any) -> object:
    """The time that a call is lent."""

    def clock(context: ToolContext) -> float:
        return context.timeout_s

    bench.offer("clock", clock, effect="none")
    run = bench.run([{"tool": "clock", "args": {}}, END], **settings)
    return run.observations.iloc[0]["observation_raw"]


def _long_run(bench: Bench, *completions: object, **settings: Any) -> Run:
    (bench.root / "notes.txt").write_text(LONG_TEXT)
    return bench.run(LOOK, *completions, **settings)


def answer_prompt(bench: Bench, **settings: Any) -> object:
    """Whether the model that answers is shown more than 600 tokens, as characters."""
    run = _long_run(bench, "line budgets", **settings)
    prompts = [body["prompt"] for body in bodies(run, "completion")]
    return [len(prompt) > 600 * 4 for prompt in prompts]


def answer_source(bench: Bench, **settings: Any) -> object:
    """Whether a model is asked for the answer, from a long output."""
    said = [] if settings.get("FINAL_ANSWER") == "digest" else ["line about budgets and plans"]
    return _long_run(bench, *said, **settings).answer == "line about budgets and plans"


def longest_summary_line(bench: Bench, **settings: Any) -> object:
    """Whether a line of 300 characters is cut in the summary."""
    (bench.root / "notes.txt").write_text("x" * 300)
    summary = bench.run(LOOK, **settings).observations.iloc[0]["observation_summary"]
    return summary.count("x")


def second_call(bench: Bench, **settings: Any) -> object:
    """Whether a variable of one call is there in the next."""
    calls = [{"tool": "python_repl", "args": {"input": text}} for text in ("x = 7", "print(x)")]
    return statuses(bench.run([*calls, END], **settings))[2]


def executor_temperature(bench: Bench, **settings: Any) -> object:
    """The temperature of planner and executor."""
    run = _long_run(bench, "line budgets", **settings)
    planner = temperature(bench, **settings)
    return planner, [body["temperature"] for body in bodies(run, "completion")]


def identity(part: str) -> Callable[..., object]:
    """Return an observer of what the bundled model says of itself."""

    def observe(bench: Bench, **settings: Any) -> object:
        with Session({"OKSO_HOME": str(bench.home), **settings}) as session:
            return getattr(session.model("planner").identity, part)

    return observe


def journal_folder(bench: Bench, **settings: Any) -> object:
    """The folder that the journal is kept in."""
    chosen = {name: str(bench.home / value) for name, value in settings.items()}
    with Session(chosen) as session:
        return session.journal.path.parent.name


def run_id(bench: Bench, **settings: Any) -> object:
    """Whether the run has the id that was asked for."""
    return bench.run(LOOK, **settings).id == settings["OKSO_RUN_ID"]


_LOG = """
import sys
from okso_jupyter import Session
from okso_jupyter.testing import ScriptedModel
model = ScriptedModel([[{"tool": "final_answer", "args": {}}]])
Session({"PLANNER_SAMPLE_COUNT": 1}, model=model, root=sys.argv[1]).plan("say hello")
"""


def logged(bench: Bench, **settings: Any) -> object:
    """The levels of what is written to standard error; nothing goes to standard output."""
    code = Path(__file__).parents[1]
    chosen = {name: str(value) for name, value in settings.items()}
    done = subprocess.run(  # noqa: S603  our own command line
        [sys.executable, "-c", _LOG, str(bench.root)],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(code), "OKSO_HOME": str(bench.home), **chosen},
    )
    assert done.stdout == ""
    lines = [json.loads(line) for line in done.stderr.splitlines()]
    assert all(set(line) == {"time", "level", "message", "detail"} for line in lines)
    assert any("prompt" in line["detail"] for line in lines) == (settings["VERBOSITY"] == 2)
    return {line["level"] for line in lines}


@dataclass(frozen=True, slots=True)
class Row:
    """A setting, how its effect is observed, and what is observed for which value."""

    name: str
    observe: Callable[..., object]
    seen: tuple[tuple[Any, object], ...]
    beside: tuple[tuple[str, Any], ...] = ()


class Differs:
    """Stands for whatever differs between the values of a row."""


SEVEN = [*[READ] * 6, END]
WRONG = [{"tool": "file_read", "args": {"path": 3}}, END]
OPEN = [{"tool": "file_read", "args": {}}, END]
ROWS = [
    Row("PLANNER_MODEL_SPEC", model_asked_for("planner"), (("a.gguf", "a.gguf"), ("b", "b"))),
    Row("EXECUTOR_MODEL_SPEC", model_asked_for("executor"), ((None, "p"), ("e.gguf", "e.gguf")),
        (("PLANNER_MODEL_SPEC", "p"),)),
    Row("PLANNER_MODEL_BRANCH", revision_asked_for("planner"),
        (("main", ["main"]), ("v9", ["v9"])), (("PLANNER_MODEL_SPEC", "a/b:c.gguf"),)),
    Row("EXECUTOR_MODEL_BRANCH", revision_asked_for("executor"),
        (("main", ["main"]), ("v9", ["v9"])), (("EXECUTOR_MODEL_SPEC", "a/b:c.gguf"),)),
    Row("PLANNER_SAMPLE_COUNT", samples, ((1, 1), (2, 2), (0, 1))),
    Row("PLANNER_TEMPERATURE", temperature, ((None, 0.7), (0.4, 0.4))),
    Row("PLANNER_MAX_OUTPUT_TOKENS", most_tokens, ((1024, 1024), (100, 100))),
    Row("PLANNER_MAX_PLAN_STEPS", points(SEVEN), ((6, Differs), (9, Differs))),
    Row("PLANNER_DEBUG_LOG", debug_log,
        ((None, ["planner_candidates.jsonl"]), ("my.jsonl", ["my.jsonl"]))),
    Row("PLANNER_SEED", first_seed, ((5, 5), (9, 9))),
    Row("SCORE_PRESET", points(LOOK), (("default", Differs), ("okso", Differs))),
    Row("SCORE_LENGTH", points(LOOK), (("budget", Differs), ("quadratic", Differs))),
    Row("LEN_PENALTY_K", points(LOOK), ((1, Differs), (2, Differs)),
        (("SCORE_LENGTH", "quadratic"),)),
    Row("SCORE_ARGS", points(WRONG), (("lenient", Differs), ("off", Differs))),
    Row("SCORE_ARGS", points(OPEN), (("lenient", Differs), ("strict", Differs))),
    Row("SCORE_WEIGHTS", points(LOOK), (({}, Differs), ({"length": 2}, Differs))),
    Row("OKSO_APPROVE", outcome(),
        (("ask", "refused"), ("auto", "completed"), ("deny", "cancelled"))),
    Row("APPROVE_ALL", outcome(), ((False, "refused"), (True, "completed"))),
    Row("PLAN_REQUIRE_APPROVAL", outcome(), ((True, "refused"), (False, "completed"))),
    Row("FORCE_CONFIRM", outcome("auto"), ((False, "completed"), (True, "refused"))),
    Row("OKSO_APPROVE_TIMEOUT_S", waited, ((0.1, "timeout no decision within 0.1 s"),
                                           (0.2, "timeout no decision within 0.2 s"))),
    Row("MISSING_POLICY", echoed, (("fail", "failed"), ("surface", "__MISSING__"))),
    Row("ON_FAILURE", after_failure, (("stop", "skipped"), ("skip", "completed"))),
    Row("PLAN_MAX_RETRIES", attempts, ((None, 2), (0, 1))),
    Row("PLAN_DEFAULT_STEP_TIMEOUT_S", time_left, ((300, 300), (5, 5))),
    Row("PROMPT_TOKEN_BUDGET", answer_prompt, ((8192, [True]), (640, [False]))),
    Row("SUMMARY_LINE_CHAR_LIMIT", longest_summary_line, ((240, 240), (1000, 300))),
    Row("FINAL_ANSWER", answer_source, (("compose", True), ("digest", False))),
    Row("PYTHON_STATE", second_call, (("persist", "completed"), ("fresh", "failed"))),
    Row("LLAMA_CONTEXT_CAP", context_of_a_long_prompt, ((8192, 6900), (5000, 5000))),
    Row("LLAMA_CONTEXT_MARGIN_PERCENT", context_of_a_long_prompt, ((15, 6900), (0, 6000))),
    Row("LLAMA_TEMPERATURE", executor_temperature, ((None, (0.7, [0])), (0.3, (0.3, [0.3])))),
    Row("OKSO_HOME", journal_folder, (("one", "one"), ("two", "two"))),
    Row("OKSO_RUN_ID", run_id, (("mine", True), (None, False))),
    Row("VERBOSITY", logged, ((1, set()), (2, {"DEBUG"}))),
]  # fmt: skip
MODEL_ROWS = [
    Row("LLAMA_DEFAULT_CONTEXT_SIZE", identity("context_tokens"), ((512, 512), (1024, 1024))),
    Row("LLAMA_THREADS", identity("threads"), ((1, 1), (2, 2)),
        (("LLAMA_DEFAULT_CONTEXT_SIZE", 512),)),
]  # fmt: skip


@pytest.mark.parametrize(
    "row",
    [
        *(pytest.param(row, id=row.name) for row in ROWS),
        *(pytest.param(row, id=row.name, marks=pytest.mark.model) for row in MODEL_ROWS),
    ],
)
def test_flipping_a_setting_changes_what_is_observed(row: Row, tmp_path: Path) -> None:
    """Each value has the effect that its row names, and no two values have the same one."""
    observed = []
    for place, (value, expected) in enumerate(row.seen):
        bench = Bench(root=tmp_path / str(place) / "root", home=tmp_path / str(place) / "home")
        bench.root.mkdir(parents=True)
        (bench.root / "notes.txt").write_text("buy milk\n")
        seen = row.observe(bench, **dict(row.beside), **{row.name: value})
        observed.append(seen)
        if expected is not Differs:
            assert seen == expected

    if row.name != "PLANNER_SAMPLE_COUNT":  # whose last value is clamped to the first
        assert all(a != b for i, a in enumerate(observed) for b in observed[:i])


def test_every_setting_has_a_row() -> None:
    """A setting that nobody can observe is no setting."""
    assert {row.name for row in [*ROWS, *MODEL_ROWS]} == set(Settings().to_dict())
