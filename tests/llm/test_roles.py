"""Each role has a model: its own, that of its fallback role, or the session's model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from okso_jupyter import Session, Settings
from okso_jupyter.errors import ModelError, ModelUnavailableError, SettingError, UsageError
from okso_jupyter.journal.events import RunStarted
from okso_jupyter.llm.registry import open_model
from okso_jupyter.magic import doctor
from tests.bench import END, bodies, kinds
from tests.llm.asking import KEY
from tests.llm.openai_server import OpenAIServer, Reply, at_once, falls_silent, refuses, says

PLAN = [{"tool": "file_read", "args": {"path": "notes.txt"}, "thought": "Read the notes"}, END]
REQUEST = "Show me what notes.txt says"
USAGE = {"prompt_tokens": 300, "completion_tokens": 40}


def _session(tmp_path: Path, spec: str, **settings: Any) -> Session:
    root = tmp_path / "notebook"
    root.mkdir(exist_ok=True)
    (root / "notes.txt").write_text("buy milk\n")
    home = str(tmp_path / "home")
    return Session({"PLANNER_MODEL_SPEC": spec, "OKSO_HOME": home, **settings}, root=root)


def _held(folder: Path) -> bytes:
    """Return the contents of all files in a folder."""
    return b"".join(file.read_bytes() for file in folder.rglob("*") if file.is_file())


def test_roles_fall_back_to_other_roles() -> None:
    """The validator falls back to the executor's model, all others to the planner's."""
    specs = {"PLANNER_MODEL_SPEC": "http://p/v1#p", "EXECUTOR_MODEL_SPEC": "http://e/v1#e"}
    with Session(specs) as session:
        names = {
            role: session.model(role).identity.name
            for role in ("planner", "executor", "rephraser", "intent", "validator")
        }

    assert names == {
        "planner": "p", "executor": "e", "rephraser": "p", "intent": "p", "validator": "e"
    }  # fmt: skip


def test_the_older_name_of_the_executor_s_setting_works() -> None:
    """REACT_MODEL_SPEC is an alias of EXECUTOR_MODEL_SPEC."""
    with Session({"REACT_MODEL_SPEC": "http://r/v1#r"}) as session:
        assert session.model("executor").identity.name == "r"


def test_a_session_s_model_is_used_for_every_role() -> None:
    """A model passed to the session takes precedence over the settings."""
    with Session({"VALIDATOR_MODEL_SPEC": "http://v/v1#v"}, model="http://all/v1#one") as session:
        assert session.model("validator").identity.name == "one"


def test_an_unknown_role_is_refused() -> None:
    """An unknown role is refused, and the hint lists the roles."""
    with Session() as session, pytest.raises(UsageError, match="no role 'poet'") as caught:
        session.model("poet")  # type: ignore[arg-type]  # as a caller without types may

    assert "planner, executor, rephraser, intent, validator" in caught.value.hint


@pytest.mark.parametrize("spec", ["ftp://ann:pass-of-ann@host/m", "hf://org/model", " ", ""])
def test_a_spec_of_an_unknown_kind_lists_all_kinds(spec: str) -> None:
    """For a spec of an unknown kind the hint lists all kinds, and no password is repeated."""
    with pytest.raises(ModelUnavailableError, match="is of an unknown kind") as caught:
        open_model(spec, Settings())

    for kind in ("bundled", "auto", "GGUF", "repo[:file]", "http(s)://host[:port]/v1#model"):
        assert kind in caught.value.hint
    assert "pass-of-ann" not in str(caught.value)


def test_models_with_equal_settings_are_shared() -> None:
    """Sessions share a model with the same address; another key or limit makes another."""
    spec = "http://localhost:1/v1#m"
    one, same, other = (
        open_model(spec, Settings.of({"OKSO_API_KEY": key})) for key in (KEY, KEY, f"{KEY}-two")
    )

    assert one is same
    assert one is not other


def test_a_whole_run_with_a_served_model(tmp_path: Path) -> None:
    """A request is planned, approved and run; the journal has model and build, but no key."""
    compact = json.dumps(PLAN, separators=(",", ":"))
    with (
        OpenAIServer([says(compact, usage=USAGE)], key=KEY) as server,
        _session(
            tmp_path, server.spec, OKSO_API_KEY=KEY, ENABLE_ANSWER_VALIDATION=False
        ) as session,
    ):
        run = session.run(REQUEST, seed=7, approve="auto")
        shown = f"{session.settings!r} {session.settings.to_dict()} {run.report()}"

    assert (run.state, run.answer) == ("completed", "buy milk")
    assert [c.seed for c in run.sampled] == [7, 8, 9]
    assert {c.output_tokens for c in run.sampled} == {40}
    assert (run.model["spec"], run.model["build"]) == (server.spec, "fp-7")
    assert len(server.seen) == 3
    assert KEY.encode() not in _held(tmp_path / "home")
    assert KEY not in shown


def test_a_key_repeated_by_a_server_is_not_in_the_journal(tmp_path: Path) -> None:
    """A server's answers and errors are redacted before they are stored.

    This includes a thought that quotes the key.
    """
    quoting = [{**PLAN[0], "tool": "no_such_tool", "thought": f"The key is {KEY}"}, END]
    free = {"PLANNER_SAMPLE_COUNT": 1, "OKSO_API_KEY": KEY}
    with (
        OpenAIServer([says(json.dumps(quoting)), refuses(401, f"wrong key {KEY}")]) as server,
        _session(tmp_path, server.spec, **free) as session,
    ):
        for complaint in ("none of 1 samples", "401: wrong key"):
            with pytest.raises(ModelError, match=complaint):
                session.plan(REQUEST)

    kept = _held(tmp_path / "home")
    assert b"The key is" in kept
    assert KEY.encode() not in kept


def test_an_unusable_sample_is_recorded(tmp_path: Path) -> None:
    """A sample with an unknown tool is recorded with its reason; another one is chosen."""

    def answer(reply: Reply) -> None:
        wrong = [{"tool": "rm_everything", "args": {}, "thought": "Clean up"}, END]
        (at_once(json.dumps(wrong)) if reply.body["seed"] == 1 else says(json.dumps(PLAN)))(reply)

    with OpenAIServer([answer]) as server, _session(tmp_path, server.spec) as session:
        planning = session.plan(REQUEST, samples=2, seed=1)
        run = session.load_run(planning.run_id)

    assert [unusable.index for unusable in planning.unusable] == [1]
    assert planning.unusable[0].reason == "step 1: there is no tool 'rm_everything'"
    assert [step.tool for step in planning.plan.steps] == ["file_read", "final_answer"]
    assert kinds(run, "unusable") == ["unusable"]


def test_invalid_arguments_of_a_server_are_not_filled_in(tmp_path: Path) -> None:
    """If the answer breaks the schema of open arguments, they stay open; the step fails."""
    waiting = [{"tool": "file_read", "args": {"path": ""}}, END]
    answers = [says('{"path":"/etc/passwd"}')]
    with OpenAIServer(answers) as server, _session(tmp_path, server.spec) as session:
        run = session.execute({"request": "Read 'notes.txt'", "steps": waiting}, approve="auto")

    assert run.state == "failed"
    assert list(bodies(run, "arguments_filled")) == []


def test_a_server_that_is_down_ends_the_planning(tmp_path: Path) -> None:
    """The planning ends with one clear error, and the run is recorded as failed with it."""
    with (
        OpenAIServer([falls_silent()]) as server,
        _session(tmp_path, server.spec, LLAMA_TIMEOUT_S=0.3) as session,
    ):
        with pytest.raises(ModelError, match=r"within 0\.3 s"):
            session.plan(REQUEST)
        ((failed, _),) = session.journal.first_of_each(RunStarted)
        run = session.load_run(failed.run_id)

    assert run.state == "failed"
    assert "within 0.3 s" in next(iter(bodies(run, "error")))["message"]


def test_a_key_that_is_not_text_is_refused() -> None:
    """The error names the setting and does not repeat its value."""
    with pytest.raises(SettingError, match="OKSO_API_KEY must be a text") as caught:
        Settings.of({"OKSO_API_KEY": 1234567890})

    assert "1234567890" not in str(caught.value)


@pytest.mark.process
def test_the_doctor_asks_a_server_for_an_answer() -> None:
    """The doctor reports a served model as working if it answers, else the server's error."""
    with OpenAIServer([says("yes"), refuses(404, "no model 'tiny'")]) as server:
        settings = Settings.of({"PLANNER_MODEL_SPEC": server.spec})
        fine, broken = (_model_row(settings) for _ in range(2))

    assert fine == (True, f"tiny answers at http://{server.host}/v1")
    assert broken[0] is False
    assert "answered 404: no model 'tiny'" in broken[1]


def _model_row(settings: Settings) -> tuple[bool, str]:
    """Return whether the doctor finds that the model works, and its finding."""
    row = doctor.examine(settings).loc["model of the planner"]
    return bool(row["works"]), str(row["found"])
