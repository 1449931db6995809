"""Every `%okso` subcommand returns its result or says what is missing."""

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
from okso_jupyter.views.shown_text import ShownText
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
    """A run in this home, bound as a cell would bind it."""
    model = ScriptedModel([PLAN])
    with Session({"PLANNER_SAMPLE_COUNT": 1}, model=model, root=folder) as session:
        done = session.run("read notes.txt", approve="auto")
    shell.user_ns["_okso"] = done
    return done


def _okso(shell: Any, line: str) -> Any:
    return shell.run_line_magic("okso", line)


@pytest.mark.parametrize("name", FRAMES)
def test_tabular_subcommands_return_frames(shell: Any, run: Run, name: str) -> None:
    """The tabular subcommands return the run's frames, of the last or of a named run."""
    for line in (name, f"{name} {run.id}"):
        found = _okso(shell, line)
        assert isinstance(found, pd.DataFrame)
        assert len(found) > 0
        pd.testing.assert_frame_equal(found, getattr(run, name))


def test_tree_stats_describe_the_search_tree_of_a_run(shell: Any, run: Run, folder: Path) -> None:
    """A sampled run has no rows; a planning by tree search has one with its figures."""
    assert _okso(shell, "tree-stats").empty
    model = Obedient()
    with Session({"PLAN_ALGORITHM": "beam"}, model=model, root=folder) as session:
        shell.user_ns["_okso"] = planning = session.plan("read notes.txt", seed=1)

    (row,) = _okso(shell, "tree-stats").to_dict("records")
    assert (row["algorithm"], row["model_calls"]) == ("beam", len(model.requests))
    assert row["nodes"] == len(planning.tree)
    assert _okso(shell, f"tree-stats {run.id}").empty


def test_audit_returns_tables_of_all_runs_and_parts_of_one(shell: Any, run: Run) -> None:
    """Alone it is a page, with a word one table, the prompt, or the diff of two candidates."""
    assert repr(_okso(shell, "audit")).startswith("1 plan of 1 run, 1 decided about.")
    for name in ("scores", "rules", "requests"):
        assert isinstance(_okso(shell, f"audit {name}"), pd.DataFrame)
    assert _okso(shell, "audit requests")["run_id"].tolist() == [run.id]
    assert _okso(shell, "audit prompt") == _okso(shell, f"audit prompt {run.id}") == run.prompt
    assert _okso(shell, "audit diff 1 1").empty


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("audit scors", "did you mean scores?"),
        ("audit xyzzy", "there are scores, rules"),
        ("audit scores 3", "it is about all runs"),
        ("audit diff 1", "which two candidates?"),
        ("audit diff 1 two", "which two candidates?"),
        ("audit prompt a b", "one run at most"),
    ],
)
def test_audit_says_which_words_it_does_not_take(shell: Any, line: str, said: str) -> None:
    """A word that it does not know is one sentence with a way on."""
    with pytest.raises(UsageError) as caught:
        _okso(shell, line)
    assert said in str(caught.value)


def test_plan_and_report_return_the_report_as_lines(shell: Any, run: Run) -> None:
    """A notebook shows both line by line, without quotation marks; `show` is the run."""
    for name in ("plan", "report"):
        text = _okso(shell, name)
        assert text == run.report()
        shown = shell.display_formatter.format(text)[0]
        assert shown["text/plain"] == run.report()
        assert shown["text/html"].count("\n") == run.report().count("\n")
        assert "word-break: normal" in shown["text/html"]
    assert "<b>" not in shell.display_formatter.format(ShownText("a folder <b>"))[0]["text/html"]
    assert _okso(shell, "show").id == run.id


def test_undo_and_redo_take_the_last_run_or_a_named_one(shell: Any, folder: Path) -> None:
    """Each returns a table of its changes; an undo that was made already is refused."""
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
def test_without_a_run_a_hint_is_given(shell: Any, name: str) -> None:
    """Before the first cell the error's hint names `%okso runs`."""
    with pytest.raises(JournalError, match="no request was run") as caught:
        _okso(shell, name)

    assert "%okso runs" in caught.value.hint


def test_an_unknown_run_is_an_error(shell: Any) -> None:
    """The error names the unknown id."""
    with pytest.raises(JournalError, match="there is no run 'nowhere'"):
        _okso(shell, "report nowhere")


def test_runs_are_listed_newest_first(shell: Any, run: Run, folder: Path) -> None:
    """Each run of the home is listed with state, time and request, the newest first."""
    with Session(model=ScriptedModel([]), root=folder) as session:
        second = session.execute(PLAN, approve="deny")

    runs = _okso(shell, "runs")

    assert runs["run"].tolist() == [second.id, run.id]
    assert runs["request"].tolist() == ["", "read notes.txt"]
    assert runs["state"].tolist() == ["cancelled", "completed"]
    assert str(runs["started_at"].dtype) == "datetime64[ns, UTC]"


def test_an_empty_home_has_no_runs(shell: Any) -> None:
    """In an empty home the table of runs is empty but has its columns."""
    assert list(_okso(shell, "runs").columns) == [
        "request", "answer", "state", "files", "run", "started_at", "created", "changed",
        "removed", "undone",
    ]  # fmt: skip


def test_runs_list_changed_files_and_answers(shell: Any, folder: Path) -> None:
    """Each run lists its files by kind of change, if they were undone, and its answer.

    The answer is shortened.
    """
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
    files = runs["files"].to_dict()
    assert files[first.id] == "created new.txt; changed notes.txt; removed sales.csv"
    assert files[second.id] == "changed new.txt (taken back)"
    answer = str(runs["answer"].to_dict()[first.id])
    assert len(answer) == 120
    assert "\n" not in answer
    assert first.answer is not None
    assert answer[:50] == "; ".join(filter(None, first.answer.splitlines()))[:50]


def test_settings_are_listed_with_value_default_and_range(shell: Any) -> None:
    """There is one row per setting; values of the environment are shown."""
    frame = _okso(shell, "settings")

    assert set(frame.index) == set(Settings().to_dict())
    assert frame.loc["OKSO_HOME", "value"].endswith("home")
    assert frame.loc["PLANNER_SAMPLE_COUNT", "default"] == 3
    assert frame.loc["VERBOSITY", "range"] == "a whole number from 0 to 2"
    assert (frame["meaning"] != "").all()


def test_tools_are_listed_with_their_description(shell: Any) -> None:
    """Every tool is listed with description and effect."""
    frame = _okso(shell, "tools")

    assert {"terminal", "python_repl", "file_read", "final_answer"} <= set(frame.index)
    assert frame.loc["file_read", "effect"] == "reads files"
    assert frame.loc["table_query", "effect"] == "reads files"
    assert (frame["description"] != "").all()


def test_init_writes_defaults_and_keeps_user_values(shell: Any, tmp_path: Path) -> None:
    """The second `init` adds nothing, and a value of the user is kept."""
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
def test_doctor_reports_what_works(shell: Any) -> None:
    """The doctor has one row per check with its finding, e.g. for model and journal."""
    frame = _okso(shell, "doctor")

    assert frame.loc["model of the planner", "works"]
    assert frame.loc["journal", "works"]
    assert frame.loc["front end", "found"] == "headless"
    assert (frame["found"] != "").all()


@pytest.mark.process
def test_doctor_leaves_no_run(shell: Any) -> None:
    """The doctor's checks do not record a run."""
    _okso(shell, "doctor")

    assert len(_okso(shell, "runs")) == 0


@pytest.mark.process
def test_doctor_reports_what_is_broken(shell: Any) -> None:
    """A missing model is a row marked as not working, not an error."""
    shell.run_line_magic("config", "OksoMagics.model = 'nowhere.gguf'")

    frame = _okso(shell, "doctor")

    assert not frame.loc["model of the planner", "works"]
    assert "there is no such file" in frame.loc["model of the planner", "found"]


@pytest.mark.process
def test_doctor_explains_the_choice_of_a_model(
    shell: Any, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`auto` is shown with its figures, by role; a model of the hub is not downloaded."""
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
def test_doctor_knows_sizes_without_loading_the_model(
    shell: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Context, memory per candidate and threads come from settings and the file's header."""
    monkeypatch.delenv("LLAMA_THREADS", raising=False)
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
        ("help", ["%okso help [SUBCOMMAND | OPTION | SETTING | TOOL | RULE]\n"]),
        ("doctor", ["%okso doctor\n    What works here"]),
        ("--samples", ["%%okso --samples N\n    candidates to sample"]),
        ("quiet", ["%%okso --quiet\n    log warnings only"]),
        ("approve", ["--approve ask|auto|deny|replay=FILE\n    who decides"]),
        ("record", ["%okso record FILE [RUN]\n", "%%okso --record FILE\n"]),
        ("keep_days", ["KEEP_DAYS: a whole number from 0 to 36500 (days); default: 0\n"]),
        ("LLAMA_BIN", ["LLAMA_BIN: a text; default: not set\n"]),
        ("file_write", ["file_write\n", "arguments: path, input", "effect: changes files"]),
        ("P190", ["P190 query_certainty, a rule of the score\n", "best reading"]),
        ("coverage", ["coverage, a rule of the score\n"]),
    ],
)
def test_help_explains_one_name(
    shell: Any, capsys: pytest.CaptureFixture[str], name: str, said: list[str]
) -> None:
    """`help` explains a subcommand, an option with or without dashes, a setting, a tool, a rule.

    A name that is several of these is explained in full.
    """
    _okso(shell, f"help {name}")
    out = capsys.readouterr().out
    assert all(part in out for part in said)
    assert len(out.splitlines()) < 8


def test_every_subcommand_has_a_help_text(shell: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """`help` shows a description of every subcommand."""
    for name in _COMMANDS:
        _okso(shell, f"help {name}")
        first, second, *_ = capsys.readouterr().out.splitlines()
        assert first.startswith(f"%okso {name}")
        assert second.strip()


@pytest.mark.parametrize(
    ("name", "hint"),
    [("und", "did you mean undo?"), ("--sampels", "did you mean --samples?"),
     ("planner_sed", "did you mean PLANNER_SEED?"),
     ("file_wrte", "did you mean file_write?"), ("coverag", "did you mean coverage?"),
     ("xyzzy", "%okso help lists the subcommands, %okso tools the tools")],
)  # fmt: skip
def test_help_for_an_unknown_name_suggests_one(shell: Any, name: str, hint: str) -> None:
    """The hint suggests the nearest name of all that help explains."""
    said = "there is no subcommand, option, setting, tool or rule"
    with pytest.raises(UsageError, match=said) as caught:
        _okso(shell, f"help {name}")
    assert caught.value.hint == hint


@pytest.mark.parametrize("line", ["", "help"])
def test_help_names_options_and_subcommands(
    shell: Any, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """`%okso` alone shows the help, which has a line for every subcommand."""
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
    """The hint names the nearest subcommand, or all of them."""
    with pytest.raises(UsageError) as caught:
        _okso(shell, line)

    assert said in str(caught.value)


def test_an_error_of_a_subcommand_has_no_traceback(
    shell: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """`%okso` shows its errors without a traceback, as the cell magic does."""
    done = shell.run_cell("%okso candidtes")

    shown = capsys.readouterr().out
    assert isinstance(done.error_in_exec, OksoError)
    assert "hint: did you mean candidates?" in shown
    assert "Traceback" not in shown


def test_feedback_is_a_frame_with_the_score(shell: Any, run: Run) -> None:
    """A rating of the last run is listed with its run and the score of its plan."""
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
def test_invalid_feedback_is_refused(shell: Any, run: Run, line: str) -> None:
    """The error names the expected form, and no feedback is stored."""
    del run
    with pytest.raises(UsageError, match="not a rating from 1 to 5"):
        _okso(shell, line)

    assert len(_okso(shell, "feedback")) == 0


def test_feedback_without_a_run_is_refused(shell: Any) -> None:
    """Feedback before the first cell is an error, since no run can be rated."""
    with pytest.raises(JournalError, match="no request was run"):
        _okso(shell, "feedback 4")


def test_workflows_are_listed_with_their_problems(shell: Any, folder: Path) -> None:
    """Built-in and own workflows are listed; a broken file has the reason it was skipped."""
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


def test_a_workflow_is_shown_and_trusted(
    shell: Any, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The steps of a workflow are shown before it is trusted and when it is.

    Without a file all are listed.
    """
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
    """Invalid arguments are refused before any file is trusted."""
    with pytest.raises(UsageError, match="takes one file, or nothing"):
        _okso(shell, f"trust {words}")


def test_hidden_characters_of_a_workflow_are_visible(shell: Any, folder: Path) -> None:
    """A bidi control character in a workflow file is shown escaped in its row."""
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
    """`graph` and `timeline` return the drawings of the last run or of a named one."""
    for words in ("", f" {run.id}"):
        assert _okso(shell, f"graph{words}").svg == run.graph().svg
        assert _okso(shell, f"timeline{words}").svg == run.timeline().svg


@pytest.mark.usefixtures("run")
@pytest.mark.parametrize(
    "name",
    [
        *("settings", "tools", "runs", "workflows", "trust", "models", *FRAMES),
        pytest.param("doctor", marks=pytest.mark.process),
    ],
)
def test_every_table_is_a_frame(shell: Any, name: str) -> None:
    """Every table of `%okso` is a Frame, which displays any cell content legibly."""
    assert isinstance(_okso(shell, name), Frame)


def test_settings_do_not_show_keys(shell: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """For a key the table shows that it is set and where, but not its value."""
    monkeypatch.setenv("GOOGLE_SEARCH_API_KEY", "not-a-real-key-0123456789")

    frame = _okso(shell, "settings")

    assert frame.loc["GOOGLE_SEARCH_API_KEY", "value"] == "(set)"
    assert frame.loc["GOOGLE_SEARCH_API_KEY", "source"] == "environment"
    assert "not-a-real-key" not in frame.to_string()


@pytest.mark.parametrize("name", ["runs", "workflows", "init", "doctor"])
def test_unexpected_arguments_of_a_subcommand_are_refused(shell: Any, name: str) -> None:
    """Arguments that a subcommand does not take are refused and not ignored."""
    with pytest.raises(UsageError, match=f"%okso {name} takes nothing, and was given 'a b'"):
        _okso(shell, f"{name} a b")
    with pytest.raises(UsageError, match="takes one run at most"):
        _okso(shell, "trace a b")
    with pytest.raises(UsageError, match="takes one name at most"):
        _okso(shell, "help a b")


def test_settings_and_tools_can_be_selected_by_name(shell: Any) -> None:
    """The rows of the names are returned in their order; a typo gets a suggestion."""
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


def test_a_run_of_another_folder_is_read_only(
    shell: Any, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its tables are shown with a note on its folder; undo, redo and resume are refused."""
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


def test_subcommands_audit_the_choice_of_a_plan(shell: Any, run: Run) -> None:
    """why-not, rescore, what-if and history return the results of the last or a named run."""
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
def test_an_invalid_audit_subcommand_is_refused(run: Run, line: str, message: str) -> None:
    """An invalid audit request is one clear error with a hint."""
    with pytest.raises(UsageError, match=message) as caught:
        line_magic.run(line, run, {}, variables={}, display=print)
    assert caught.value.hint


def test_record_makes_a_recording_of_the_last_run(shell: Any, run: Run, tmp_path: Path) -> None:
    """The file contains the run of the journal, and a replay gives the same answer."""
    file = tmp_path / "demo.json"
    said = _okso(shell, f"record {file}")

    assert f"run {run.id} added" in said
    chosen = {"OKSO_REPLAY": str(file), "PLANNER_SAMPLE_COUNT": 1}
    with Session(chosen, model=ScriptedModel([])) as session:
        assert session.run("read notes.txt").answer == run.answer


@pytest.mark.parametrize("words", ["", "a.json b c"])
def test_record_takes_a_file_and_a_run(shell: Any, run: Run, words: str) -> None:
    """Any other arguments are refused with the usage."""
    assert run.id
    with pytest.raises(UsageError, match="takes a file") as caught:
        _okso(shell, f"record {words}")
    assert caught.value.hint.startswith("%okso record FILE [RUN]")
