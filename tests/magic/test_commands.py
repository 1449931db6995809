"""Every `%okso` subcommand answers, and says what is missing when it cannot."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from okso_jupyter import Run, Session, Settings
from okso_jupyter.errors import JournalError, OksoError, UndoError, UsageError
from okso_jupyter.frames.frame import Frame
from okso_jupyter.magic import line_magic
from okso_jupyter.magic.line_magic import _COMMANDS
from okso_jupyter.testing import ScriptedModel
from tests.planning.tree_lab import Obedient

PLAN = [{"tool": "file_read", "args": {"path": "notes.txt"}}, {"tool": "final_answer", "args": {}}]
ABOUT_A_RUN = [
    "candidates",
    "ranking",
    "plan",
    "observations",
    "trace",
    "ledger",
    "report",
]
FRAMES = ["candidates", "ranking", "observations", "trace", "ledger"]


@pytest.fixture
def run(shell: Any, folder: Path) -> Run:
    """A run of this home, bound as a cell would bind it."""
    model = ScriptedModel([PLAN])
    with Session({"PLANNER_SAMPLE_COUNT": 1}, model=model, root=folder) as session:
        done = session.run("read notes.txt", approve="auto")
    shell.user_ns["_okso"] = done
    return done


def _okso(shell: Any, line: str) -> Any:
    return shell.run_line_magic("okso", line)


@pytest.mark.parametrize("name", FRAMES)
def test_a_question_about_the_last_run_is_a_frame(shell: Any, run: Run, name: str) -> None:
    """The tabular subcommands give the run's own frames, of the last run or of the one named."""
    for line in (name, f"{name} {run.id}"):
        found = _okso(shell, line)
        assert isinstance(found, pd.DataFrame)
        assert len(found) > 0
        pd.testing.assert_frame_equal(found, getattr(run, name))


def test_tree_stats_tell_of_the_trees_of_a_run(shell: Any, run: Run, folder: Path) -> None:
    """A sampled run has none; one whose plans were grown has a row with its figures."""
    assert _okso(shell, "tree-stats").empty
    model = Obedient()
    with Session({"PLAN_ALGORITHM": "beam"}, model=model, root=folder) as session:
        shell.user_ns["_okso"] = planning = session.plan("read notes.txt", seed=1)

    (row,) = _okso(shell, "tree-stats").to_dict("records")
    assert (row["algorithm"], row["model_calls"]) == ("beam", len(model.requests))
    assert row["nodes"] == len(planning.tree)
    assert _okso(shell, f"tree-stats {run.id}").empty


def test_plan_and_report_are_text(shell: Any, run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    """`plan` gives the outline with its state, `report` prints it."""
    assert _okso(shell, "plan") == run.report()
    assert _okso(shell, "report") is None
    assert capsys.readouterr().out.strip() == run.report()


def test_undo_and_redo_work_on_the_last_run_and_on_a_named_one(shell: Any, folder: Path) -> None:
    """Each gives a table of what it changed; out of turn it says so."""
    write = {"tool": "file_write", "args": {"path": "new.txt", "content": "x"}}
    with Session(root=folder) as session:
        run = session.execute([write, PLAN[1]], approve="auto")
    shell.user_ns["_okso"] = run
    assert _okso(shell, "undo")["change"].tolist() == ["deleted"]
    assert not (folder / "new.txt").exists()
    with pytest.raises(UndoError, match="is undone already"):
        _okso(shell, f"undo {run.id}")
    assert _okso(shell, f"redo {run.id}")["path"].tolist() == ["new.txt"]
    assert (folder / "new.txt").read_text() == "x"
    with pytest.raises(JournalError, match="there is no run 'nobody'"):
        _okso(shell, "undo nobody")


@pytest.mark.parametrize("name", ABOUT_A_RUN)
def test_without_a_run_the_way_out_is_named(shell: Any, name: str) -> None:
    """Before the first cell there is nothing to ask about."""
    with pytest.raises(JournalError, match="no request was run") as caught:
        _okso(shell, name)

    assert "%okso runs" in caught.value.hint


def test_a_run_that_is_not_there_is_an_error(shell: Any) -> None:
    """An unknown id is named."""
    with pytest.raises(JournalError, match="there is no run 'nowhere'"):
        _okso(shell, "report nowhere")


def test_runs_are_listed_newest_first(shell: Any, run: Run, folder: Path) -> None:
    """Every run of the home stands there with its time and request, and an empty home is empty."""
    with Session(model=ScriptedModel([]), root=folder) as session:
        second = session.execute(PLAN, approve="deny")

    runs = _okso(shell, "runs")

    assert runs["run"].tolist() == [second.id, run.id]
    assert runs["request"].tolist() == ["", "read notes.txt"]
    assert runs["state"].tolist() == ["cancelled", "completed"]
    assert str(runs["started_at"].dtype) == "datetime64[ns, UTC]"


def test_an_empty_home_has_no_runs(shell: Any) -> None:
    """The columns are there all the same."""
    assert list(_okso(shell, "runs").columns) == [
        "run", "started_at", "state", "request", "answer", "created", "changed", "removed",
        "undone",
    ]  # fmt: skip


def test_runs_tell_what_they_changed_and_answered(shell: Any, folder: Path) -> None:
    """Files by what became of them, whether that was undone, and the beginning of the answer."""
    steps = [
        {"tool": "file_write", "args": {"path": "new.txt", "content": "x", "mode": "replace"}},
        {"tool": "file_write", "args": {"path": "new.txt", "content": "y", "mode": "replace"}},
        {"tool": "file_edit", "args": {"path": "notes.txt", "old_text": "two", "new_text": "2"}},
        {"tool": "terminal", "args": {"command": "rm", "args": ["sales.csv"]}},
        {"tool": "terminal", "args": {"command": "cat", "args": ["new.txt", "long.txt"]}},
        PLAN[1],
    ]
    (folder / "long.txt").write_text("word\n" * 100)
    with Session(root=folder) as session:
        first = session.execute(steps, approve=lambda _plan: "approve")
        second = session.execute([*steps[:1], PLAN[1]], approve=lambda _plan: "approve")
    second.undo()
    runs = _okso(shell, "runs").set_index("run")
    names = ["created", "changed", "removed", "undone"]
    assert runs.loc[first.id, names].tolist() == [["new.txt"], ["notes.txt"], ["sales.csv"], False]
    assert runs.loc[second.id, names].tolist() == [[], ["new.txt"], [], True]
    answer = str(runs["answer"].to_dict()[first.id])
    assert len(answer) == 120
    assert "\n" not in answer
    assert first.answer is not None
    assert answer[:50] == " ".join(first.answer.split())[:50]


def test_settings_are_listed_with_value_default_and_range(shell: Any) -> None:
    """One row per setting; what the environment sets is the value."""
    frame = _okso(shell, "settings")

    assert set(frame.index) == set(Settings().to_dict())
    assert frame.loc["OKSO_HOME", "value"].endswith("home")
    assert frame.loc["PLANNER_SAMPLE_COUNT", "default"] == 3
    assert frame.loc["VERBOSITY", "range"] == "a whole number from 0 to 2"
    assert (frame["meaning"] != "").all()


def test_tools_are_listed_with_what_they_do(shell: Any) -> None:
    """Every tool stands there with description and effect."""
    frame = _okso(shell, "tools")

    assert {"terminal", "python_repl", "file_read", "final_answer"} <= set(frame.index)
    assert frame.loc["file_read", "effect"] == "reads files"
    assert (frame["description"] != "").all()


def test_init_writes_defaults_and_keeps_what_is_there(shell: Any, tmp_path: Path) -> None:
    """A second time nothing is added, and a value of the user stays."""
    file = tmp_path / "config" / "okso" / "config.env"
    file.parent.mkdir(parents=True)
    file.write_text("VERBOSITY=0")

    first = _okso(shell, "init")
    again = _okso(shell, "init")

    assert str(file) in first
    assert ": 0 settings added" in again
    assert file.read_text().startswith("VERBOSITY=0\n")
    frame = _okso(shell, "settings")
    assert frame.loc["VERBOSITY", "value"] == 0
    assert frame.loc["VERBOSITY", "source"] == str(file)
    assert frame.loc["PLANNER_SEED", "source"] == "default"


@pytest.mark.process
def test_doctor_says_what_works(shell: Any) -> None:
    """One row per thing, each with what was found; the model and the journal are among them."""
    frame = _okso(shell, "doctor")

    assert frame.loc["model of the planner", "works"]
    assert frame.loc["journal", "works"]
    assert frame.loc["front end", "found"] == "headless"
    assert (frame["found"] != "").all()


@pytest.mark.process
def test_doctor_leaves_no_run_behind(shell: Any) -> None:
    """Asking how things stand is no request."""
    _okso(shell, "doctor")

    assert len(_okso(shell, "runs")) == 0


@pytest.mark.process
def test_doctor_names_what_is_broken(shell: Any) -> None:
    """A model that is not there is a row that does not work, not an error."""
    shell.run_line_magic("config", "OksoMagics.model = 'nowhere.gguf'")

    frame = _okso(shell, "doctor")

    assert not frame.loc["model of the planner", "works"]
    assert "there is no such file" in frame.loc["model of the planner", "found"]


@pytest.mark.process
def test_doctor_says_why_a_model_was_chosen(
    shell: Any, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`auto` is shown with its figures, by role; a model of the hub is not sent for."""
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setenv("EXECUTOR_MODEL_SPEC", "owner/name:x.gguf")
    shell.run_line_magic("config", "OksoMagics.model = 'auto'")

    found = _okso(shell, "doctor")["found"]

    planner = found["model of the planner"]
    assert "auto = bartowski/Qwen_Qwen3-" in planner
    for word in ("GiB", "pressure", "headroom", "heavy size for the planner", "when it is first"):
        assert word in planner
    assert "owner/name:x.gguf (hub): downloaded when" in found["model of the executor"]
    assert "not known before the model is there" in found["memory per candidate"]
    assert not (folder.parent / "home" / "models").exists()


@pytest.mark.process
def test_doctor_knows_sizes_without_loading_the_model(shell: Any) -> None:
    """Context, memory of a candidate and threads come from the settings and the file's header."""
    shell.run_line_magic("config", "OksoMagics.model = 'bundled'")

    found = _okso(shell, "doctor")["found"]

    assert "4096 tokens, up to 8192" in found["context"]
    assert "trained for 8192" in found["context"]
    # 30 layers, 3 key-value heads of 64 + 64 values, 2 bytes each
    assert "at most 24 MB: 1024 tokens of 23 kB" in found["memory per candidate"]
    assert re.fullmatch(r"auto: the fastest of 1.*, of \d+ processors", found["threads"])


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("undo", ["%okso undo [--dry-run] [RUN]\n", "Take back the changes"]),
        ("help", ["%okso help [SUBCOMMAND | OPTION | SETTING]\n"]),
        ("doctor", ["%okso doctor\n    What works here"]),
        ("--samples", ["%%okso --samples N\n    candidates to sample"]),
        ("quiet", ["%%okso --quiet\n    log warnings only"]),
        ("approve", ["--approve ask|auto|deny|replay=FILE\n    who decides"]),
        ("record", ["%okso record FILE [RUN]\n", "%%okso --record FILE\n"]),
        ("keep_days", ["KEEP_DAYS: a whole number from 0 to 36500 (days); default: 0\n"]),
        ("LLAMA_BIN", ["LLAMA_BIN: a text; default: not set\n"]),
    ],
)
def test_help_explains_one_name(
    shell: Any, capsys: pytest.CaptureFixture[str], name: str, said: list[str]
) -> None:
    """A subcommand with its words, an option with or without dashes, a setting; all that it is."""
    _okso(shell, f"help {name}")
    out = capsys.readouterr().out
    assert all(part in out for part in said)
    assert len(out.splitlines()) < 8


def test_every_subcommand_can_be_explained(shell: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """With a sentence of its own."""
    for name in _COMMANDS:
        _okso(shell, f"help {name}")
        first, second, *_ = capsys.readouterr().out.splitlines()
        assert first.startswith(f"%okso {name}")
        assert second.strip()


@pytest.mark.parametrize(
    ("name", "hint"),
    [("und", "did you mean undo?"), ("--sampels", "did you mean --samples?"),
     ("planner_sed", "did you mean PLANNER_SEED?"), ("xyzzy", "%okso help lists them")],
)  # fmt: skip
def test_help_about_nothing_is_an_error_with_a_suggestion(shell: Any, name: str, hint: str) -> None:
    """Of whatever kind the name is near to."""
    with pytest.raises(UsageError, match="there is no subcommand, option or setting") as caught:
        _okso(shell, f"help {name}")
    assert caught.value.hint == hint


@pytest.mark.parametrize("line", ["", "help"])
def test_help_names_options_and_subcommands(
    shell: Any, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """`%okso` alone helps, and every subcommand has its line."""
    _okso(shell, line)

    shown = capsys.readouterr().out
    assert "--plan-only" in shown
    assert all(f"%okso {name} " in shown for name in _COMMANDS)
    assert "None" not in shown


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("candidtes", "did you mean candidates?"),
        ("xyzzy", "there are settings, tools"),
        ("report 'x", "backslash"),
    ],
)
def test_an_unknown_subcommand_is_refused(shell: Any, line: str, said: str) -> None:
    """The hint names the nearest one, or all of them."""
    with pytest.raises(UsageError) as caught:
        _okso(shell, line)

    assert said in str(caught.value)


def test_an_error_of_a_subcommand_has_no_stack(
    shell: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """`%okso` shows its errors as the cell does."""
    done = shell.run_cell("%okso candidtes")

    shown = capsys.readouterr().out
    assert isinstance(done.error_in_exec, OksoError)
    assert "hint: did you mean candidates?" in shown
    assert "Traceback" not in shown


def test_feedback_is_a_frame_with_the_score(shell: Any, run: Run) -> None:
    """A rating of the last run stands there with its run and the points of its plan."""
    empty = _okso(shell, "feedback")
    rated = _okso(shell, "feedback 4 quick and right")

    assert len(empty) == 0
    assert dict(empty.dtypes) == dict(rated.dtypes)
    row = rated.iloc[0]
    assert (row["run"], row["rating"], row["note"]) == (run.id, 4, "quick and right")
    assert row["score"] == run.candidates.query("chosen").iloc[0]["score"]
    assert row["plan_item"] == "read notes.txt"
    assert pd.isna(row["step"])
    pd.testing.assert_frame_equal(_okso(shell, "feedback"), rated)


@pytest.mark.parametrize("line", ["feedback 6", "feedback great", "feedback 4.5 fine"])
def test_feedback_that_is_no_rating_is_refused(shell: Any, run: Run, line: str) -> None:
    """The form is named, and nothing is kept."""
    del run
    with pytest.raises(UsageError, match="not a rating from 1 to 5"):
        _okso(shell, line)

    assert len(_okso(shell, "feedback")) == 0


def test_feedback_without_a_run_says_so(shell: Any) -> None:
    """There is nothing to rate before the first cell."""
    with pytest.raises(JournalError, match="no request was run"):
        _okso(shell, "feedback 4")


def test_workflows_are_listed_with_what_is_wrong(shell: Any, folder: Path) -> None:
    """Shipped and own ones stand there; a broken file says why it was skipped."""
    own = folder / "workflows"
    own.mkdir()
    (own / "broken.json").write_text("{")
    (own / "hello.json").write_text(
        '{"name": "hello", "description": "Say hello.", "intents": ["notes"], "steps":'
        ' [{"tool": "terminal", "args": {"command": "echo", "args": ["hi {{name}}"]}}],'
        ' "parameters": {"type": "object", "properties": {"name": {"type": "string"}},'
        ' "required": ["name"]}}'
    )

    frame = _okso(shell, "workflows").set_index("name")

    assert list(frame.columns) == [
        "description", "parameters", "steps", "intents", "file", "problem"
    ]  # fmt: skip
    assert {"clean_text_file", "summarise_csv_folder", "status_from_files", "research_note"} <= set(
        frame.index
    )
    hello = frame.loc["hello"]
    assert (hello["description"], hello["parameters"]) == ("Say hello.", ["name"])
    assert (hello["steps"], hello["intents"]) == (["terminal"], ["notes"])
    assert hello["problem"] == "not trusted: %okso trust workflows/hello.json"
    assert hello["file"] == str(own / "hello.json")
    broken = frame[frame["file"] == str(own / "broken.json")].iloc[0]
    assert broken["problem"].startswith("it is not JSON")


def test_a_workflow_is_looked_at_and_trusted(
    shell: Any, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its steps stand there before it counts, and when it does; without a file all are listed."""
    assert "No file beside the notebook" in repr(_okso(shell, "trust"))
    own = folder / "workflows"
    own.mkdir()
    (own / "say it.json").write_text(
        '{"name": "say", "description": "Say hello.",'
        ' "steps": [{"tool": "terminal", "args": {"command": "echo", "args": ["hi"]}},'
        ' {"tool": "file_read", "args": {"path": "a"}, "condition": "step_1_failed"}]}'
    )
    (own / "bad.yaml").write_text("[")
    steps = [
        '1. terminal {"command": "echo", "args": ["hi"]}',
        '2. file_read {"path": "a"} if step_1_failed',
    ]
    capsys.readouterr()

    shown = _okso(shell, "trust --show 'workflows/say it.json'")
    assert (shown["does"].tolist(), shown["trusted"].tolist()) == (
        [[s] for s in steps],
        [False] * 2,
    )
    assert "not trusted: %okso trust 'workflows/say it.json' trusts it" in capsys.readouterr().out
    assert "workflow_say" not in _okso(shell, "tools").index

    shown = _okso(shell, "trust 'workflows/say it.json'")
    assert (shown["does"].tolist(), shown["trusted"].tolist()) == ([[s] for s in steps], [True] * 2)
    assert "--revoke 'workflows/say it.json' takes it back" in capsys.readouterr().out
    assert "workflow_say" in _okso(shell, "tools").index

    listed = _okso(shell, "trust").set_index("file")
    assert listed["trusted"].to_dict() == {
        "workflows/bad.yaml": False,
        "workflows/say it.json": True,
    }
    assert listed.loc["workflows/say it.json", "does"] == steps
    assert "it is not YAML" in listed.loc["workflows/bad.yaml", "problem"]

    assert "not trusted any more" in _okso(shell, "trust --revoke 'workflows/say it.json'")
    assert not _okso(shell, "trust")["trusted"].any()


@pytest.mark.parametrize("words", ["a b", "--show", "--revoke", "--sho a", "--show --revoke a"])
def test_trust_takes_one_file(shell: Any, words: str) -> None:
    """What makes no sense is refused before anything is trusted."""
    with pytest.raises(UsageError, match="takes one file, or nothing"):
        _okso(shell, f"trust {words}")


def test_hidden_characters_of_a_workflow_are_seen(shell: Any, folder: Path) -> None:
    """A file from anywhere cannot turn round what its row says."""
    own = folder / "workflows"
    own.mkdir()
    (own / "turned.json").write_text(
        '{"name": "turned", "description": "Read \\u202ea file.",'
        ' "steps": [{"tool": "terminal", "args": {"command": "pwd"}}]}'
    )

    frame = _okso(shell, "workflows")

    shown = frame[frame["name"] == "turned"][["description"]]
    assert shown["description"].item() == "Read \u202ea file."
    for text in (repr(shown), shown._repr_html_()):
        assert "\u202e" not in text
        assert "U+202E" in text


def test_plan_and_spans_of_a_run_are_drawn(shell: Any, run: Run) -> None:
    """`graph` and `timeline` give the run's own drawings, of the last run or of the one named."""
    for words in ("", f" {run.id}"):
        assert _okso(shell, f"graph{words}").svg == run.graph().svg
        assert _okso(shell, f"timeline{words}").svg == run.timeline().svg


@pytest.mark.usefixtures("run")
@pytest.mark.parametrize(
    "name",
    [
        *("settings", "tools", "runs", "workflows", "trust", *FRAMES),
        pytest.param("doctor", marks=pytest.mark.process),
    ],
)
def test_every_table_is_legible(shell: Any, name: str) -> None:
    """Whatever a cell holds, a table of `%okso` shows it as it is."""
    assert isinstance(_okso(shell, name), Frame)


def test_settings_show_no_keys(shell: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a key one sees that it is set and where, and not what it is."""
    monkeypatch.setenv("GOOGLE_SEARCH_API_KEY", "not-a-real-key-0123456789")

    frame = _okso(shell, "settings")

    assert frame.loc["GOOGLE_SEARCH_API_KEY", "value"] == "(set)"
    assert frame.loc["GOOGLE_SEARCH_API_KEY", "source"] == "environment"
    assert "not-a-real-key" not in frame.to_string()


@pytest.mark.parametrize("name", ["runs", "workflows", "init", "doctor"])
def test_words_that_a_subcommand_does_not_take_are_refused(shell: Any, name: str) -> None:
    """Nothing that was typed is passed over in silence."""
    with pytest.raises(UsageError, match=f"%okso {name} takes nothing, and was given 'a b'"):
        _okso(shell, f"{name} a b")
    with pytest.raises(UsageError, match="takes one run at most"):
        _okso(shell, "trace a b")
    with pytest.raises(UsageError, match="takes one name at most"):
        _okso(shell, "help a b")


def test_settings_and_tools_can_be_asked_for_by_name(shell: Any) -> None:
    """The rows of the names, in their order; a misspelt one is named with the nearest."""
    assert _okso(shell, "tools terminal file_read").index.tolist() == ["terminal", "file_read"]
    assert _okso(shell, "settings VERBOSITY").index.tolist() == ["VERBOSITY"]
    for line, hint in (
        ("tools terminl", "did you mean terminal?"),
        ("tools xyzzy", "%okso tools lists them"),
        ("settings planner_seed", "did you mean PLANNER_SEED?"),
    ):
        with pytest.raises(UsageError, match=r"there is no (tool|setting)") as caught:
            _okso(shell, line)
        assert caught.value.hint == hint


def test_a_run_of_another_folder_is_looked_at_and_left_alone(
    shell: Any, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its tables are shown, with a word on whose it is; undo and resume are refused."""
    other = folder.parent / "other"
    other.mkdir()
    write = {"tool": "file_write", "args": {"path": "new.txt", "content": "x"}}
    with Session(root=other) as session:
        run = session.execute([write, PLAN[1]], approve="auto")

    assert len(_okso(shell, f"observations {run.id}")) == 2
    assert f"(a run of the folder {other})" in capsys.readouterr().out
    for command in ("undo", "redo", "resume"):
        with pytest.raises(UsageError, match="belongs to the folder") as caught:
            _okso(shell, f"{command} {run.id}")
        assert "from a notebook there" in caught.value.hint
    assert (other / "new.txt").read_text() == "x"
    assert len(session.load_run(run.id).records) == len(run.records)


def test_a_choice_is_audited_by_subcommands(shell: Any, run: Run) -> None:
    """why-not, rescore, what-if and history give what the run gives, of any run."""
    for behind in ("", f" {run.id}"):
        assert _okso(shell, f"why-not 1{behind}").sentence == run.why_not(1).sentence
        table = _okso(shell, f"rescore length=2 coverage=0.5{behind}")
        pd.testing.assert_frame_equal(table, run.rescore({"length": 2, "coverage": 0.5}))
        assert repr(_okso(shell, f"what-if{behind}")) == repr(run.what_if())
        pd.testing.assert_frame_equal(_okso(shell, f"history{behind}"), run.plan_history())


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("why-not", "which candidate"),
        ("why-not two", "'two' is not the number of a candidate"),
        ("why-not 9", "there is no candidate 9"),
        ("rescore", "which weights"),
        ("rescore length", "which weights"),
        ("rescore length=much", "the weight of length is 'much'"),
        ("rescore lenght=2", "no scoring rule 'lenght'"),
        ("why-not 1 one two", "one run at most"),
        ("rescore length=2 one two", "one run at most"),
        ("rescore length=nan", "not a finite number"),
        ("rescore length=1 length=2", "two weights of length"),
    ],
)
def test_an_audit_that_is_asked_for_wrongly_says_so(run: Run, line: str, message: str) -> None:
    """One sentence each, and a hint how to go on."""
    with pytest.raises(UsageError, match=message) as caught:
        line_magic.run(line, run, {}, variables={}, display=print)
    assert caught.value.hint


def test_record_makes_a_recording_of_the_last_run(shell: Any, run: Run, tmp_path: Path) -> None:
    """The run of the journal is in the file, and a replay gives its answer."""
    file = tmp_path / "demo.json"
    said = _okso(shell, f"record {file}")

    assert f"run {run.id} added" in said
    chosen = {"OKSO_REPLAY": str(file), "PLANNER_SAMPLE_COUNT": 1}
    with Session(chosen, model=ScriptedModel([])) as session:
        assert session.run("read notes.txt").answer == run.answer


@pytest.mark.parametrize("words", ["", "a.json b c"])
def test_record_takes_a_file_and_a_run(shell: Any, run: Run, words: str) -> None:
    """Anything else is refused, and says how it is written."""
    assert run.id
    with pytest.raises(UsageError, match="takes a file") as caught:
        _okso(shell, f"record {words}")
    assert caught.value.hint == "%okso record FILE [RUN]"
