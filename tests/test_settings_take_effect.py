"""Flipping a setting changes what is observed: one row per name, and no name without a row."""

from __future__ import annotations

import json
import math
import os
import pty
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest

from okso_jupyter import Plan, Settings, score_plan
from okso_jupyter.errors import (
    ApprovalError,
    ModelError,
    ModelUnavailableError,
    PlanningTimeoutError,
    SettingError,
)
from okso_jupyter.llm.context_size import ContextLimits, context_for
from okso_jupyter.llm.protocol import CompletionRequest, Role
from okso_jupyter.personal.call_time_limit import TimeLimit
from okso_jupyter.personal.mail.mail_settings import MailSettings
from okso_jupyter.results import Run
from okso_jupyter.session.session import Session
from okso_jupyter.testing import ScriptedModel
from okso_jupyter.toolkit.context import ToolContext
from okso_jupyter.web import WebClient
from okso_jupyter.web.search import GoogleSearch, SearchOptions
from tests.bench import END, Bench, bodies, kinds, statuses
from tests.cluster import local_cluster
from tests.llm import openai_server
from tests.llm.hub_server import Hub, serving
from tests.llm.openai_server import Answer, OpenAIServer, falls_silent
from tests.personal.mail.mailbox_lab import Mailboxes, a_mail
from tests.planning.tree_lab import Obedient
from tests.web_lab import Host, LabNetwork, Talk, answer, internet, late, says

READ = {"tool": "file_read", "args": {"path": "notes.txt"}}
LOOK = [READ, END]
MISSING = {"tool": "file_read", "args": {"path": "missing.txt"}}
LONG_TEXT = "\n".join(f"line {n} about budgets and plans" for n in range(400))
KEYS = (("GOOGLE_SEARCH_API_KEY", "key"), ("GOOGLE_SEARCH_CX", "cx"))
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


def thoughts_asked_for(bench: Bench, **settings: Any) -> object:
    """Whether the steps are asked for with thoughts."""
    return '"thought"' in json.dumps(_planning_request(bench, **settings).schema)


def tree_grown(bench: Bench, **settings: Any) -> object:
    """The search that found the candidates."""
    chosen = {"OKSO_HOME": str(bench.home), **settings}
    with Session(chosen, model=Obedient(), root=bench.root) as session:
        planning = session.plan("read notes.txt", seed=1)
        return session.load_run(planning.run_id).tree_stats["algorithm"].tolist()


def end_of_a_cell(bench: Bench, **settings: Any) -> object:
    """How a cell ends whose plan is turned down."""
    code = (
        "from IPython.core.interactiveshell import InteractiveShell\n"
        "shell = InteractiveShell.instance(history_load_length=0)\n"
        "shell.run_line_magic('load_ext', 'okso_jupyter')\n"
        "done = shell.run_cell('%%okso --approve deny --quiet\\nRead notes.txt')\n"
        "print(type(done.error_in_exec).__name__ if done.error_in_exec else 'went on')"
    )
    environment = {
        **os.environ, "OKSO_HOME": str(bench.home), "TESTING_PASSTHROUGH": "true",
        "IPYTHONDIR": str(bench.home / "ipython"), "PYTHONPATH": str(Path(__file__).parents[1]),
        **{name: str(value) for name, value in settings.items()},
    }  # fmt: skip
    done = subprocess.run(  # noqa: S603  our own command line
        [sys.executable, "-c", code], cwd=bench.root, env=environment, capture_output=True,
        text=True, check=True,
    )  # fmt: skip
    return done.stdout.splitlines()[-1]


def begun(bench: Bench, **settings: Any) -> object:
    """Whether a plan that names a missing file is begun."""
    try:
        bench.run([MISSING, END], **settings)
    except ApprovalError:
        return False
    return True


def reading_that_runs(bench: Bench, **settings: Any) -> object:
    """Whether the reading of a question about a table runs though nobody approves it."""
    (bench.root / "scores.csv").write_text("team,points\nred,3\nblue,4\ngreen,9\n")
    with bench.session(OKSO_APPROVE="auto", **settings) as session:
        planning = session.plan("What is the mean of points in scores.csv?")
    return not planning.reply.startswith("I am not sure")


def database_asked(bench: Bench, **settings: Any) -> object:
    """The table that a question about the database is read as one about."""
    with closing(sqlite3.connect(bench.root / "shop.db")) as made:
        made.execute("CREATE TABLE IF NOT EXISTS orders AS SELECT 1 AS id, 'Bern' AS city")
    given = [] if settings["TABLE_BACKEND"] else [LOOK]
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(bench.root)
        with bench.session(*given, PLANNER_SAMPLE_COUNT=1, **settings) as session:
            planning = session.plan("How many orders are in the database?", approve="auto")
    return planning.plan.steps[0].args.get("source")


def notes_made(bench: Bench, **settings: Any) -> object:
    """Where a note is written; nothing where no plan may write one."""
    (bench.root / "vault").mkdir()
    given = {"OKSO_HOME": str(bench.home), **settings}
    with Session(given, model=ScriptedModel([]), root=bench.root) as session:
        if "notes_create" not in session.tools:
            return []
        session.run("make a note called Tea: buy some", approve="auto")
    return [path.relative_to(bench.root).as_posix() for path in bench.root.rglob("Tea.md")]


def reminder_made(bench: Bench, **settings: Any) -> object:
    """Where a reminder or an event is written, and in which zone it is due."""
    (bench.root / "vault").mkdir()
    given = {"OKSO_HOME": str(bench.home), **settings}
    with Session(given, model=ScriptedModel([]), root=bench.root) as session:
        for request in ("remind me tomorrow at 9 to call", "schedule a call tomorrow at 10"):
            session.run(request, approve="auto")
    files = [*bench.root.rglob("*.ics")]
    zones = {line for path in files for line in path.read_text().split() if "TZID=" in line}
    places = sorted(path.parent.relative_to(bench.root).as_posix() for path in files)
    return places, any("Asia/Tokyo" in line for line in zones)


def store_refused(tool: str) -> Callable[..., object]:
    """Why a call of a tool fails; empty where it does not."""

    def observe(bench: Bench, **settings: Any) -> object:
        given = {"OKSO_HOME": str(bench.home), "ON_FAILURE": "stop", **settings}
        with Session(given, model=ScriptedModel([]), root=bench.root) as session:
            run = session.execute([{"tool": tool, "args": {}}], approve="auto")
        return run.steps_seen[0].error.partition(" (")[0]

    return observe


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


def served(answer: Answer, **settings: Any) -> tuple[object, str]:
    """Return the key that a model server gets, and what becomes of a completion."""
    question = CompletionRequest(
        role="planner", messages=(), seeds=(1,), temperature=0, max_tokens=8
    )
    with OpenAIServer([answer]) as server, Session({**settings}, model=server.spec) as session:
        try:
            session.model("planner").complete(question)
        except ModelError as error:
            return server.seen[0].headers.get("authorization"), error.message.partition("gave ")[2]
    return server.seen[0].headers.get("authorization"), ""


def key_sent(bench: Bench, **settings: Any) -> object:
    """What a model server is sent as a key."""
    return served(openai_server.says("hello"), OKSO_HOME=str(bench.home), **settings)[0]


def sent_away(bench: Bench, **settings: Any) -> object:
    """What kinds of content a run says that it sends to another machine."""
    with OpenAIServer([openai_server.says(json.dumps(LOOK))]) as server:
        spec = server.spec.replace("127.0.0.1", "0.0.0.0")  # noqa: S104  no loopback address
        chosen = {"OKSO_HOME": str(bench.home), "PLANNER_SAMPLE_COUNT": 1, **settings}
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("NO_PROXY", "*")
            with Session(chosen, model=spec, root=bench.root) as session:
                run = session.load_run(session.plan("read notes.txt").run_id)
    return [body["what"][-1] for body in bodies(run, "prompts_sent")]


def patience(bench: Bench, **settings: Any) -> object:
    """How long a model server may take that never answers."""
    return served(falls_silent(), OKSO_HOME=str(bench.home), **settings)[1]


def planning_time(bench: Bench, **settings: Any) -> object:
    """How long planning may take with a model that never answers."""
    chosen = {"OKSO_HOME": str(bench.home), **settings}
    with (
        OpenAIServer([falls_silent()]) as server,
        Session(chosen, model=server.spec, root=bench.root) as session,
        pytest.raises(PlanningTimeoutError) as caught,
    ):
        session.plan("read notes.txt")
    return caught.value.message.partition("within ")[2].partition(",")[0]


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
    said = [LOOK] if settings["ON_FAILURE"] == "replan" else []
    run = bench.run([MISSING, READ, END], *said, PLANNER_SAMPLE_COUNT=1, **settings)
    return statuses(run).get(2, "dropped")


def _failing(bench: Bench, error: Exception, **settings: Any) -> Run:
    """Run a plan whose steps all fail; so does the one step of every new plan."""

    def fail(number: int) -> None:
        del number
        raise error

    bench.offer("fail", fail, effect="none")
    first, *others = (
        [{"tool": "fail", "args": {"number": number}} for number in range(start, start + 3)]
        for start in range(0, 3 * (settings.get("PLAN_MAX_REPLANS", 1) + 1), 3)
    )
    said = [[*steps, END] for steps in others]
    return bench.run([*first, END], *said, **{
        "PLANNER_SAMPLE_COUNT": 1, "PLAN_MAX_REPLANS": 1, **settings
    })  # fmt: skip


def plan_versions(bench: Bench, **settings: Any) -> object:
    """The version of the plan in the end, where every step fails for good."""
    run = _failing(bench, FileNotFoundError("gone"), **settings)
    return run.plan and run.plan.version


def failures_before_a_new_plan(bench: Bench, **settings: Any) -> object:
    """How many steps of the first plan fail that other arguments might have helped."""
    return list(_failing(bench, ValueError("no"), **settings).observations["plan_version"]).count(1)


def times_asked(bench: Bench, **settings: Any) -> object:
    """How often somebody decides about a run whose first plan fails."""
    asked: list[Plan] = []

    def approve(plan: Plan) -> str:
        asked.append(plan)
        return "approve"

    bench.run([MISSING, END], LOOK, approve=approve, PLANNER_SAMPLE_COUNT=1, **settings)
    return len(asked)


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


def calls_at_once(bench: Bench, **settings: Any) -> object:
    """How many of three parallel calls are started before one has ended."""
    bench.offer("nothing", lambda: "", effect="none")
    run = bench.run([*[{"tool": "nothing", "parallel": True}] * 3, END], **settings)
    return kinds(run, "call_started", "observation").index("observation")


def place_of_a_call(bench: Bench, **settings: Any) -> object:
    """Where a tool runs that has no effect: in this process, or on the cluster."""
    bench.offer("where", os.getpid, effect="none")
    if settings.get("OKSO_CLUSTER") == "a cluster":
        settings["OKSO_CLUSTER"] = local_cluster().scheduler_address
    try:
        run = bench.run([{"tool": "where"}, END], **settings)
    except SettingError as error:
        return error.message
    return "here" if run.answer == str(os.getpid()) else "there"


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


ASKED_FOR: Any = {"request": "What is in notes.txt?", "steps": LOOK}


def planned_calls(bench: Bench, **settings: Any) -> object:
    """How many plans a request is given, how hot, and how many steps of three are kept."""
    count = 3 if settings["PLAN_ENABLED"] else 1
    with bench.session(*[[READ, READ, END]] * count, **settings) as session:
        planning = session.plan("read notes.txt and then read sales.csv")
    question = bench.model.requests[0]
    return len(question.seeds), question.temperature, len(planning.plan.steps)


def remarks(bench: Bench, **settings: Any) -> object:
    """Whether it is said that a request which calls for no tool needs no plan."""
    with bench.session(*[[END]] * 3, **settings) as session:
        return "no tool is needed" in session.plan("I had a lovely day").note


def told_of_earlier(bench: Bench, **settings: Any) -> object:
    """Whether the planner is told what the request before came to."""
    with bench.session(*[LOOK] * 6, **settings) as session:
        session.run("read notes.txt", approve="auto")
        session.plan("read sales.csv")
    prompt = bench.model.requests[-1].messages[-1].content
    return "read notes.txt -> buy milk" in prompt


def spending(bench: Bench, **settings: Any) -> object:
    """How a run ends that reads, writes and has its answer written by a model."""
    bench.offer("send", lambda: "sent", effect="network")
    write = {"tool": "file_write", "args": {"path": "new.txt", "content": "tea"}}
    more = {"tool": "file_write", "args": {"path": "more.txt", "content": "tea"}}
    steps = [READ, write, {"tool": "send", "args": {}}, more, {"tool": "send", "args": {}}, END]
    return bench.run(steps, approve="auto", **settings).state


def spending_of_a_filler(bench: Bench, **settings: Any) -> object:
    """How often a budget is found used up in a run whose open argument a model fills."""
    fill = {"tool": "file_write", "args": {"path": "", "content": "tea"}, "depends_on": [1]}
    steps = [READ, fill, END]
    run = bench.run(steps, {"path": "new.txt"}, approve=lambda _plan: "approve", **settings)
    return len(kinds(run, "budget_reached"))


def tools_offered(bench: Bench, **settings: Any) -> object:
    """How many tools the executor's model may choose among, each time it is asked."""
    said = [] if settings["EXECUTOR_MODE"] == "plan" else [READ]
    run = bench.run(LOOK, *said, **settings)
    return [min(2, len(body["schema"].get("anyOf", "1"))) for body in bodies(run, "completion")]


def turns(bench: Bench, **settings: Any) -> object:
    """How often a model is asked that never writes a call."""
    said = ["I cannot"] * (len(LOOK) + settings["REACT_RETRY_BUFFER"])
    run = bench.run(LOOK, *said, EXECUTOR_MODE="react", **settings)
    return len(list(bodies(run, "completion")))


def history(bench: Bench, **settings: Any) -> object:
    """How the model that answers is shown a step."""
    run = _long_run(bench, "line budgets", **settings)
    prompt = next(iter(bodies(run, "completion")))["prompt"]
    return "Step 1 (file_read):" in prompt, '{"step":1,"tool":"file_read"' in prompt


def verdicts(bench: Bench, **settings: Any) -> object:
    """The verdicts on an answer."""
    return [body["satisfied"] for body in bodies(bench.run(ASKED_FOR, **settings), "validation")]


def tokens_of_a_verdict(bench: Bench, **settings: Any) -> object:
    """The tokens that a model has for its verdict."""
    said = {"satisfied": True, "reasoning": "It says what is there."}
    run = bench.run(ASKED_FOR, said, VALIDATOR_MODEL_SPEC="larger.gguf", **settings)
    return [body["max_tokens"] for body in bodies(run, "completion")]


def longest_summary_line(bench: Bench, **settings: Any) -> object:
    """How long a line of 300 characters is in the summary."""
    (bench.root / "notes.txt").write_text("x" * 300)
    summary = bench.run(LOOK, **settings).observations.iloc[0]["observation_summary"]
    return len(summary)


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


def traced(bench: Bench, **settings: Any) -> object:
    """The files that tell of a run."""
    named: dict[str, Any] = {k: v and str(bench.home / v) for k, v in settings.items()}
    run = bench.run(LOOK, **named)
    folders = {value: bench.home / value / run.id for value in settings.values() if value}
    return {name: sorted(file.name for file in folder.iterdir())
            for name, folder in folders.items()}  # fmt: skip


def plan_written(bench: Bench, **settings: Any) -> object:
    """What a file says of the plan."""
    named: dict[str, Any] = {k: v and str(bench.home / v) for k, v in settings.items()}
    bench.run(LOOK, **named)
    return [json.loads(file.read_text())["status"] for file in bench.home.glob("*plan.json")]


def recorded(bench: Bench, **settings: Any) -> object:
    """The requests that a recording holds."""
    named: dict[str, Any] = {k: v and str(bench.home / v) for k, v in settings.items()}
    _planning_request(bench, **named)
    runs = [json.loads(file.read_text())["runs"] for file in bench.home.glob("demo.json")]
    return [run["head"]["request"] for found in runs for run in found]


def played_back(bench: Bench, **settings: Any) -> object:
    """Whether a request is planned by the model, or as it was recorded."""
    named: dict[str, Any] = {k: v and str(bench.home / v) for k, v in settings.items()}
    _planning_request(bench, OKSO_RECORD=str(bench.home / "demo.json"))
    with bench.session(*[LOOK] * 3, **named) as session:
        session.plan("read notes.txt")
        asked = bool(bench.model.requests)
        bench.model = session._model = ScriptedModel([])  # what was not asked for is no fault here
    return "live" if asked else "played back"


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


FETCH = [{"tool": "web_fetch", "args": {"url": "http://example.org/"}, "max_retries": 0}, END]


def fetched(talk: Talk, field: str = "error") -> Callable[..., object]:
    """Return an observer of what a fetch from a host of this kind comes to, up to a time-out."""

    def observe(bench: Bench, **settings: Any) -> object:
        host = Host(talk)
        with internet(host):
            run = bench.run(FETCH, FINAL_ANSWER="digest", **settings)
        host.close()
        seen = run.steps_seen[0]
        return seen.raw.get(field, seen.error)

    return observe


def own_workflows(bench: Bench, **settings: Any) -> object:
    """The workflows that are looked for beside the shipped ones."""
    for folder in ("workflows", "mine"):
        (bench.root / folder).mkdir()
        flow = {"name": f"from_{folder}", "description": "Look.", "steps": [READ]}
        (bench.root / folder / "flow.json").write_text(json.dumps(flow))
    with Session({"OKSO_HOME": str(bench.home), **settings}, root=bench.root) as session:
        found = [entry.workflow.name for entry in session.workflows.entries if entry.workflow]
        return [name for name in found if name.startswith("from_")]


def search_engine(bench: Bench, **settings: Any) -> object:
    """Whom a web search would ask."""
    with bench.session(**settings) as session:
        return SearchOptions.of(session.settings).open().destination


def google_is_told(name: str) -> Callable[..., object]:
    """Return an observer of what Google is told under a name."""

    def observe(bench: Bench, **settings: Any) -> object:
        host = Host(says(answer(b"{}")))
        client = WebClient(network=LabNetwork(host))
        with bench.session(**settings) as session:
            google = SearchOptions.of(session.settings).open()
        assert isinstance(google, GoogleSearch)
        replace(google, endpoint="http://www.googleapis.com/").search("tides", 5, client.get)
        host.close()
        return parse_qs(host.requests[0].split()[1].partition("?")[2])[name]

    return observe


def requests_made(bench: Bench, **settings: Any) -> object:
    """How often a host is asked that is busy."""
    host = Host(says(answer(status="503 Busy")))
    with internet(host):
        bench.run(FETCH, **settings)
    host.close()
    return len(host.requests)


def busy_twice(bench: Bench, **settings: Any) -> object:
    """What comes of a host that is busy once, where the time is less than some delays."""
    observe = fetched(says(answer(status="503 Busy"), answer()), "status")
    return observe(bench, WEB_HTTP_TIMEOUT=5, **settings)


def connect_times(bench: Bench, **settings: Any) -> object:
    """The time in which a host is to be connected to, to a tenth of a second."""
    host = Host(says(answer()))
    times: list[float] = []
    with internet(host, times):
        bench.run(FETCH, **settings)
    host.close()
    return round(times[0], 1)


def ratings(bench: Bench, **settings: Any) -> object:
    """The ratings that are kept of three runs, file by file."""
    rate = {"tool": "feedback", "args": {"rating": 4}}
    asked = {"tool": "feedback", "args": {}}
    for plan in ([rate, END], [rate, END], [asked, END]):
        bench.run(plan, **settings)
    files = sorted(bench.home.rglob("*.jsonl*"))
    return {
        file.name: [json.loads(line)["rating"] for line in file.read_text().splitlines()]
        for file in files
    }


def without_a_model(bench: Bench, **settings: Any) -> object:
    """The tools of a plan where the planner's model is missing; the error where there is none."""
    missing = {"OKSO_HOME": str(bench.home), "PLANNER_MODEL_SPEC": "/nowhere/none.gguf"}
    with Session({**missing, **settings}, root=bench.root) as session:
        try:
            return session.plan("list files").plan.tools
        except ModelUnavailableError:
            return "stop"


def asked_when_passing_through(bench: Bench, **settings: Any) -> object:
    """How often a model is asked for a plan."""
    given = [] if settings["TESTING_PASSTHROUGH"] else [LOOK]
    with bench.session(*given, PLANNER_SAMPLE_COUNT=1, **settings) as session:
        session.plan("list files")
    return len(bench.model.requests)


def told_kind(bench: Bench, **settings: Any) -> object:
    """Who tells the kind of a request, and how many of the tools may be chosen."""
    said = {"intent": "filesystem", "confidence": 0.9}
    given = [said] if settings.get("INTENT") == "model" else []
    with bench.session(*given, LOOK, PLANNER_SAMPLE_COUNT=1, **settings) as session:
        planning = session.plan("Sing, replace me")
    return planning.intent.source, bool(planning.ranking["offered"].all())


def kind_tokens(bench: Bench, **settings: Any) -> object:
    """The tokens that a model has for telling the kind of a request."""
    said = {"intent": "filesystem", "confidence": 0.9}
    with bench.session(said, LOOK, PLANNER_SAMPLE_COUNT=1, INTENT="model", **settings) as session:
        session.plan("read notes.txt")
    return bench.model.requests[0].max_tokens


def searched(bench: Bench, **settings: Any) -> object:
    """What the web is searched for before planning."""
    host = Host(says(answer(b'{"results": []}')))
    given = [] if settings["INTENT_DISABLE_SEARCH"] else [["heat pumps"]]
    engine = {"SEARXNG_URL": f"http://127.0.0.1:{host.port}", "PLANNER_SAMPLE_COUNT": 1}
    with bench.session(*given, LOOK, **engine, **settings) as session:
        planning = session.plan("Look up heat pumps on the internet", approve="auto")
    host.close()
    return planning.search_terms, host.connections


def wording_tokens(bench: Bench, **settings: Any) -> object:
    """The tokens that a model has for wording searches."""
    engine = {"SEARXNG_URL": "http://127.0.0.1:9", "PLANNER_SAMPLE_COUNT": 1}
    with bench.session([], LOOK, **engine, **settings) as session:
        session.plan("Look up heat pumps on the internet", approve="auto")
    return bench.model.requests[0].max_tokens


def old_runs(bench: Bench, **settings: Any) -> object:
    """How many runs are left of one that ended ten days ago and the one that begins now."""
    at = (datetime.now(UTC) - timedelta(days=10)).isoformat(timespec="microseconds")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("okso_jupyter.journal.store.now", lambda: at)
        bench.run(LOOK)
    bench.run(LOOK, **settings)
    with bench.session() as session:
        return len(session.journal.run_ids())


@dataclass(frozen=True, slots=True)
class Row:
    """A setting, how its effect is observed, and what is observed for which value."""

    name: str
    observe: Callable[..., object]
    seen: tuple[tuple[Any, object], ...]
    beside: tuple[tuple[str, Any], ...] = ()


class Differs:
    """Stands for whatever differs between the values of a row."""


def mail_tools(bench: Bench, **settings: Any) -> object:
    """How many tools for mail are offered, and what the ones that read mails do."""
    with Session({"OKSO_HOME": str(bench.home), **settings}, root=bench.root) as session:
        found = {name: tool for name, tool in session.tools.items() if name.startswith("mail_")}
    return len(found), sorted(str(effect) for effect in found["mail_search"].effect_of({}))


def mail_place(_bench: Bench, **settings: Any) -> object:
    """Where mails are read, or why nowhere."""
    try:
        return MailSettings.of(Settings.of(settings)).open_store().place
    except SettingError as error:
        return error.message


def mail_sent_as(_bench: Bench, **settings: Any) -> object:
    """Where mails are sent, by whom, and which certificates are trusted."""
    mail = MailSettings.of(Settings.of(settings))
    server = mail.server()
    return str(server), mail.sender_address(), server.ca_file


def mails_listed(bench: Bench, **settings: Any) -> object:
    """How many mails are listed."""
    boxes = Mailboxes(bench.root / "Mail")
    for number in range(3):
        boxes.put(a_mail(f"mail {number}"))
    mail = MailSettings.of(Settings.of({"MAIL_DIR": str(boxes.folder), **settings}))
    limit = TimeLimit(math.inf)
    listing = mail.open_store().inbox(limit=mail.limit, unread_only=False, time_limit=limit)
    return len(listing.mails)


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
    Row("SEARCH_REPHRASER_MODEL_BRANCH", revision_asked_for("rephraser"),
        (("main", ["main"]), ("v9", ["v9"])), (("SEARCH_REPHRASER_MODEL_SPEC", "a/b:c.gguf"),)),
    Row("INTENT_MODEL_BRANCH", revision_asked_for("intent"),
        (("main", ["main"]), ("v9", ["v9"])), (("INTENT_MODEL_SPEC", "a/b:c.gguf"),)),
    Row("VALIDATOR_MODEL_BRANCH", revision_asked_for("validator"),
        (("main", ["main"]), ("v9", ["v9"])), (("VALIDATOR_MODEL_SPEC", "a/b:c.gguf"),)),
    Row("SEARCH_REPHRASER_MODEL_SPEC", model_asked_for("rephraser"),
        ((None, "p"), ("r.gguf", "r.gguf")), (("PLANNER_MODEL_SPEC", "p"),)),
    Row("INTENT_MODEL_SPEC", model_asked_for("intent"),
        ((None, "p"), ("i.gguf", "i.gguf")), (("PLANNER_MODEL_SPEC", "p"),)),
    Row("VALIDATOR_MODEL_SPEC", model_asked_for("validator"),
        ((None, "e"), ("v.gguf", "v.gguf")), (("EXECUTOR_MODEL_SPEC", "e"),)),
    Row("PLANNER_SAMPLE_COUNT", samples, ((1, 1), (2, 2), (0, 1))),
    Row("PLANNER_TEMPERATURE", temperature, ((None, 0.7), (0.4, 0.4))),
    Row("PLANNER_MAX_OUTPUT_TOKENS", most_tokens, ((1024, 1024), (100, 100))),
    Row("PLANNER_MAX_PLAN_STEPS", points(SEVEN), ((6, Differs), (9, Differs))),
    Row("PLANNER_THOUGHTS", thoughts_asked_for, (("auto", False), ("always", True))),
    Row("PLANNER_DEBUG_LOG", debug_log,
        ((None, ["planner_candidates.jsonl"]), ("my.jsonl", ["my.jsonl"]))),
    Row("PLANNER_SEED", first_seed, ((5, 5), (9, 9))),
    Row("PLAN_PLANNING_TIMEOUT_S", planning_time,
        ((0.2, "PLAN_PLANNING_TIMEOUT_S (0.2 s)"), (0.3, "PLAN_PLANNING_TIMEOUT_S (0.3 s)"))),
    Row("PLAN_ALGORITHM", tree_grown,
        (("sample", []), ("beam", ["beam"]), ("mcts", ["mcts"]), ("astar", ["astar"]))),
    Row("PLANNER_FALLBACK", without_a_model,
        (("stop", "stop"), ("keyword", ("terminal", "final_answer")),
         ("direct", ("final_answer",)))),
    Row("TESTING_PASSTHROUGH", asked_when_passing_through, ((False, 1), (True, 0))),
    Row("INTENT", told_kind,
        (("auto", ("words", True)), ("model", ("model", False)), ("off", ("off", True)))),
    Row("INTENT_CONFIDENCE_MIN", told_kind,
        ((0.45, ("words", True)), (0.1, ("words", False)))),
    Row("INTENT_DISABLE_SEARCH", searched,
        ((False, (("heat pumps",), 1)), (True, ((), 0)))),
    Row("REPHRASER_MAX_OUTPUT_TOKENS", wording_tokens, ((256, 256), (40, 40))),
    Row("INTENT_MAX_OUTPUT_TOKENS", kind_tokens, ((256, 256), (40, 40))),
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
    Row("KEEP_GOING", end_of_a_cell, ((False, "RunFailedError"), (True, "went on"))),
    Row("OKSO_APPROVE_TIMEOUT_S", waited, ((0.1, "timeout no decision within 0.1 s"),
                                           (0.2, "timeout no decision within 0.2 s"))),
    Row("MISSING_POLICY", echoed, (("fail", "failed"), ("surface", "__MISSING__"))),
    Row("ON_FAILURE", after_failure,
        (("stop", "skipped"), ("skip", "completed"), ("replan", "dropped"))),
    Row("PLAN_MAX_REPLANS", plan_versions, ((0, 1), (1, 2), (2, 3))),
    Row("REACT_REPLAN_FAILURE_THRESHOLD", failures_before_a_new_plan, ((1, 1), (2, 2), (3, 3))),
    Row("PLAN_REPLAN_APPROVAL", times_asked, (("ask", 2), ("auto", 1))),
    Row("PLAN_ABORT_ON_STEP_FAILURE", after_failure, ((False, "completed"), (True, "skipped")),
        (("ON_FAILURE", "skip"),)),
    Row("PLAN_MAX_PARALLEL", calls_at_once, ((4, 3), (2, 2), (1, 1))),
    Row("PLAN_DELEGATE_STEPS", place_of_a_call, ((False, "here"), (True, "there")),
        (("OKSO_CLUSTER", "a cluster"),)),
    Row("OKSO_CLUSTER", place_of_a_call,
        ((None, "PLAN_DELEGATE_STEPS is true, and OKSO_CLUSTER names no scheduler"),
         ("a cluster", "there")),
        (("PLAN_DELEGATE_STEPS", True),)),
    Row("PLAN_MAX_RETRIES", attempts, ((None, 2), (0, 1))),
    Row("PLAN_DEFAULT_STEP_TIMEOUT_S", time_left, ((300, 300), (5, 5))),
    Row("PLAN_ENABLED", planned_calls, ((True, (3, 0.7, 3)), (False, (1, 0.0, 2)))),
    Row("PLAN_CHECKS", begun, ((True, False), (False, True))),
    Row("MIN_CONFIDENCE", reading_that_runs, ((0, True), (1, False))),
    Row("PLAN_AUTO_DETECT", remarks, ((True, True), (False, False))),
    Row("PLAN_CLEAR_CONTEXT", told_of_earlier, ((True, False), (False, True))),
    Row("BUDGET_STEPS", spending, ((0, "completed"), (2, "paused"))),
    Row("BUDGET_TOKENS", spending_of_a_filler, ((0, 0), (1, 1))),
    Row("BUDGET_TIME_S", spending, ((0.0, "completed"), (1e-6, "paused"))),
    Row("BUDGET_WRITTEN_BYTES", spending, ((0, "completed"), (3, "paused"))),
    Row("BUDGET_REQUESTS", spending, ((0, "completed"), (1, "paused"))),
    Row("BUDGET_DAY_STEPS", spending, ((0, "completed"), (2, "paused"))),
    Row("BUDGET_DAY_TOKENS", spending_of_a_filler, ((0, 0), (1, 1))),
    Row("BUDGET_DAY_TIME_S", spending, ((0.0, "completed"), (1e-6, "paused"))),
    Row("BUDGET_DAY_WRITTEN_BYTES", spending, ((0, "completed"), (3, "paused"))),
    Row("BUDGET_DAY_REQUESTS", spending, ((0, "completed"), (1, "paused"))),
    Row("EXECUTOR_MODE", tools_offered, (("plan", []), ("react", [2]), ("call", [1]))),
    Row("REACT_RETRY_BUFFER", turns, ((0, 2), (2, 4))),
    Row("HISTORY_STYLE", history, (("latest_raw", (True, False)), ("compact", (False, True)))),
    Row("ENABLE_ANSWER_VALIDATION", verdicts, ((True, [True]), (False, []))),
    Row("VALIDATION_MAX_TOKENS", tokens_of_a_verdict, ((512, [512]), (64, [64]))),
    Row("PROMPT_TOKEN_BUDGET", answer_prompt, ((8192, [True]), (640, [False]))),
    Row("SUMMARY_LINE_CHAR_LIMIT", longest_summary_line, ((240, 240), (1000, 300))),
    Row("FINAL_ANSWER", answer_source, (("compose", True), ("digest", False))),
    Row("TABLE_BACKEND", database_asked,
        ((None, None), ("sqlite:///shop.db", "sqlite/orders"))),
    Row("PYTHON_STATE", second_call, (("persist", "completed"), ("fresh", "failed"))),
    Row("LLAMA_CONTEXT_CAP", context_of_a_long_prompt, ((8192, 6900), (5000, 5000))),
    Row("LLAMA_CONTEXT_MARGIN_PERCENT", context_of_a_long_prompt, ((15, 6900), (0, 6000))),
    Row("WEB_HTTP_TIMEOUT", fetched(late), ((0.2, Differs), (20, None))),
    Row("WEB_HTTP_CONNECT_TIMEOUT", connect_times, ((5, 5), (2, 2))),
    Row("WEB_HTTP_RETRIES", requests_made, ((0, 1), (2, 3)), (("WEB_HTTP_RETRY_DELAY", 0),)),
    Row("WEB_HTTP_RETRY_DELAY", busy_twice, ((0, 200), (30, 503))),
    Row("WEB_FETCH_MAX_BYTES", fetched(says(answer(b"x" * 100)), "bytes"), ((10, 10), (1000, 100))),
    Row("WORKFLOWS_DIR", own_workflows,
        ((None, ["from_workflows"]), ("mine", ["from_mine"]))),
    Row("SEARCH_PROVIDER", search_engine,
        (("google", "Google (www.googleapis.com)"), ("searxng", "SearXNG (https://s.org)")),
        (*KEYS, ("SEARXNG_URL", "https://s.org"))),
    Row("SEARXNG_URL", search_engine,
        (("https://s.org", "SearXNG (https://s.org)"), ("http://[::1]", "SearXNG (http://[::1])"))),
    Row("GOOGLE_SEARCH_API_KEY", google_is_told("key"), (("one", ["one"]), ("two", ["two"])),
        KEYS[1:]),
    Row("GOOGLE_SEARCH_CX", google_is_told("cx"), (("one", ["one"]), ("two", ["two"])),
        KEYS[:1]),
    Row("FEEDBACK_ENABLED", ratings, ((True, {"feedback.jsonl": [4, 4]}), (False, {}))),
    Row("FEEDBACK_OUTPUT_PATH", ratings,
        ((None, {"feedback.jsonl": [4, 4]}), ("mine.jsonl", {"mine.jsonl": [4, 4]}))),
    Row("FEEDBACK_MIN_INTERVAL", ratings,
        ((0, {"feedback.jsonl": [4, 4]}), (3600, {"feedback.jsonl": [4]}))),
    Row("FEEDBACK_MAX_ENTRIES", ratings,
        ((1000, {"feedback.jsonl": [4, 4]}),
         (1, {"feedback.jsonl": [4], "feedback.jsonl.1": [4]}))),
    Row("FEEDBACK_NONINTERACTIVE_INPUT", ratings,
        ((None, {"feedback.jsonl": [4, 4]}), ("2|so", {"feedback.jsonl": [4, 4, 2]}))),
    Row("LLAMA_TEMPERATURE", executor_temperature, ((None, (0.7, [0])), (0.3, (0.3, [0.3])))),
    Row("LLAMA_BIN", model_asked_for("planner"),
        ((None, "none.gguf"), ("/nowhere/a", "/nowhere/a"), ("/nowhere/b", "/nowhere/b")),
        (("PLANNER_MODEL_SPEC", "none.gguf"),)),
    Row("LLAMA_TIMEOUT_S", patience, ((0.2, "no complete answer within 0.2 s"),
                                      (0.3, "no complete answer within 0.3 s"))),
    Row("OKSO_API_KEY", key_sent, ((None, None), ("key-of-nobody", "Bearer key-of-nobody"))),
    Row("SEND", sent_away, (
        ("all", ["contents"]), ("headers", ["table headers"]), ("names", ["file names"]))),
    Row("PERSONAL", notes_made, (("auto", []), ("on", ["Notes/Tea.md"]))),
    Row("NOTES_DIR", notes_made, ((None, []), ("vault", ["vault/Notes/Tea.md"]))),
    Row("NOTES_FOLDER", notes_made,
        (("Notes", ["vault/Notes/Tea.md"]), ("Lab/Log", ["vault/Lab/Log/Tea.md"]),
         (".", ["vault/Tea.md"])), (("NOTES_DIR", "vault"),)),
    Row("MAIL_DIR", mail_place, (
        (None, "there is no store of mails: neither MAIL_DIR nor MAIL_IMAP_URL is set"),
        ("/mail", "the Maildir /mail"))),
    Row("MAIL_IMAP_URL", mail_tools, (
        (None, (5, ["reads"])), ("imaps://ada@mail.test", (5, ["network", "reads"]))),
        (("MAIL_DIR", "/mail"),)),
    Row("MAIL_STORE", mail_place, (
        (None, "the inbox on mail.test:993 as ada"), ("maildir", "the Maildir /mail")),
        (("MAIL_DIR", "/mail"), ("MAIL_IMAP_URL", "imaps://ada@mail.test"))),
    Row("MAIL_SMTP_URL", mail_sent_as, (
        ("smtps://ada%40a.test@mail.test", ("mail.test:465 as ada@a.test", "ada@a.test", None)),
        ("smtp://mail.test", ("mail.test:587", "", None)))),
    Row("MAIL_FROM", mail_sent_as, (
        ("me@a.test", ("mail.test:587", "me@a.test", None)), (None, ("mail.test:587", "", None))),
        (("MAIL_SMTP_URL", "smtp://mail.test"),)),
    Row("MAIL_CA_FILE", mail_sent_as, (
        ("ca.pem", ("mail.test:587", "", "ca.pem")), (None, ("mail.test:587", "", None))),
        (("MAIL_SMTP_URL", "smtp://mail.test"),)),
    Row("MAIL_INBOX_LIMIT", mails_listed, ((10, 3), (2, 2))),
    *(
        Row(name, store_refused(tool),
            ((None, ""),
             ("x", f"{name} is 'x', and no installed package offers such a store")),
            (("PERSONAL", "on"),))
        for name, tool in (("NOTES_STORE", "notes_list"), ("REMINDERS_STORE", "reminders_list"),
                           ("CALENDAR_STORE", "calendar_list"))
    ),
    *(
        Row(name, store_refused(tool),
            ((None, ""), ("http://cal.test/a/",
                          f"{name} is not an address like https://ada@cal.example.org/ada/calendar/")),
            (("PERSONAL", "on"),))
        for name, tool in (("REMINDERS_URL", "reminders_list"), ("CALENDAR_URL", "calendar_list"))
    ),
    Row("CALDAV_CA_FILE", store_refused("calendar_list"),
        ((None, Differs),
         ("/no.pem", "CALDAV_CA_FILE is /no.pem, which cannot be read: No such file or directory")),
        (("CALENDAR_URL", "https://localhost:1/ada/work/"),)),
    Row("REMINDERS_DIR", reminder_made,
        ((None, (["Calendar", "Reminders"], False)),
         ("vault", (["Calendar", "vault/Reminders"], False))), (("PERSONAL", "on"),)),
    Row("REMINDERS_LIST", reminder_made,
        (("Reminders", (["Calendar", "Reminders"], False)),
         ("Tasks", (["Calendar", "Tasks"], False))),
        (("PERSONAL", "on"),)),
    Row("CALENDAR_DIR", reminder_made,
        ((None, (["Calendar", "Reminders"], False)),
         ("vault", (["Reminders", "vault/Calendar"], False))), (("PERSONAL", "on"),)),
    Row("CALENDAR_NAME", reminder_made,
        (("Calendar", (["Calendar", "Reminders"], False)),
         ("Work", (["Reminders", "Work"], False))),
        (("PERSONAL", "on"),)),
    Row("TIME_ZONE", reminder_made,
        ((None, (["Calendar", "Reminders"], False)),
         ("Asia/Tokyo", (["Calendar", "Reminders"], True))), (("PERSONAL", "on"),)),
    Row("OKSO_HOME", journal_folder, (("one", "one"), ("two", "two"))),
    Row("OKSO_TRACE_DIR", traced, (
        (None, {}), ("traces", {"traces": ["plan-v1.json", "run.json", "step-001.json",
                                            "step-002.json"]}))),
    Row("KEEP_DAYS", old_runs, ((20, 2), (5, 1))),
    Row("OKSO_RECORD", recorded, ((None, []), ("demo.json", ["read notes.txt"]))),
    Row("OKSO_REPLAY", played_back, ((None, "live"), ("demo.json", "played back"))),
    Row("OKSO_PLAN_OUTPUT", plan_written, ((None, []), ("plan.json", ["approved"]))),
    Row("OKSO_RUN_ID", run_id, (("mine", True), (None, False))),
    Row("VERBOSITY", logged, ((0, set()), (1, {"INFO"}), (2, {"DEBUG", "INFO"}))),
]  # fmt: skip
MODEL_ROWS = [
    Row("LLAMA_DEFAULT_CONTEXT_SIZE", identity("context_tokens"), ((512, 512), (1024, 1024))),
    Row("LLAMA_THREADS", identity("threads"), ((1, 1), (2, 2)),
        (("LLAMA_DEFAULT_CONTEXT_SIZE", 512),)),
]  # fmt: skip


@pytest.mark.process
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
    """A setting that nobody can observe is not a setting."""
    assert {row.name for row in [*ROWS, *MODEL_ROWS]} == set(Settings().to_dict())
