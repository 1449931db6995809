"""Folders and files that hold what was run stay their user's, and one wrong line hides no other."""

from __future__ import annotations

import json
import os
import sqlite3
import stat
import tempfile
import time
from pathlib import Path

import pytest

from okso_jupyter import Session
from okso_jupyter.config_file import append_config, read_leniently
from okso_jupyter.errors import JournalError
from okso_jupyter.journal.lease import is_leased, lease
from okso_jupyter.journal.overview import overview
from okso_jupyter.magic.init_config import write_defaults
from okso_jupyter.redaction.redactor import REDACTED
from okso_jupyter.resume.listing import resumable_runs
from okso_jupyter.settings import misspelt
from tests.bench import END, Bench

STEPS = [{"tool": "terminal", "args": {"command": "echo", "args": ["one"]}}, END]


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_config_is_made_private_and_closed_again(tmp_path: Path) -> None:
    """Keys may stand in it: nobody else reads it, also where it was there before."""
    file = tmp_path / "okso" / "config.env"
    write_defaults(file)
    assert _mode(file) == 0o600
    assert _mode(file.parent) == 0o700
    file.chmod(0o644)
    append_config(file, {"GOOGLE_SEARCH_API_KEY": "x"})
    assert _mode(file) == 0o600
    assert file.read_text("utf-8").endswith("GOOGLE_SEARCH_API_KEY=x\n")


def test_the_folder_of_runs_is_closed_again(bench: Bench) -> None:
    """Where somebody loosened it or a run's folder, the next use closes it."""
    run = bench.run(STEPS)
    runs, own = bench.home / "runs", bench.home / "runs" / run.id
    runs.chmod(0o755)
    own.chmod(0o777)
    bench.run(STEPS)
    assert _mode(runs) == 0o700
    with lease(own):
        assert _mode(own) == 0o700


def test_a_run_folder_that_is_a_link_is_not_followed(bench: Bench, tmp_path: Path) -> None:
    """What lies behind it is neither written, nor locked, nor its permissions changed."""
    other = tmp_path / "other"
    other.mkdir(mode=0o755)
    (other / "lease").touch()
    own = bench.home / "runs" / "0"
    own.parent.mkdir(parents=True)
    own.symlink_to(other)
    assert not is_leased(own)
    with pytest.raises(JournalError, match="it is a symbolic link"), lease(own):
        pass
    assert _mode(other) == 0o755
    assert (other / "lease").stat().st_size == 0


def test_a_run_that_is_not_there_tells_no_path(bench: Bench) -> None:
    """The message goes into notebooks, which others see."""
    with bench.session() as session, pytest.raises(JournalError) as caught:
        session.load_run("nobody")
    assert str(bench.home) not in str(caught.value)
    assert "there is no run 'nobody'" in str(caught.value)


@pytest.mark.parametrize(
    "wrong", ["not an assignment", "A='unclosed", "B = spaced out", "\x00", "=x"]
)
def test_a_wrong_line_of_env_hides_no_other(bench: Bench, wrong: str) -> None:
    """Secrets before and behind it are taken out, and so is one in a line that no shell reads."""
    text = (
        f"LAB_TOKEN=birnbaumgarten\n{wrong}\nMY_PASSWORD='kirschkern91\nDB_PASSWORD = pflaume#77\n"
    )
    (bench.root / ".env").write_text(text, "utf-8")
    words = ["birnbaumgarten", "kirschkern91", "pflaume#77"]
    with bench.session() as session:
        assert [session.redactor.text(f"a {word} b") for word in words] == [f"a {REDACTED} b"] * 3


def test_the_env_of_a_session_elsewhere_counts(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Beside that of the working folder."""
    other = tmp_path / "elsewhere"
    other.mkdir()
    (other / ".env").write_text("LAB_TOKEN=walnussbaum\n", "utf-8")
    (bench.root / ".env").write_text("LAB_TOKEN=haselstrauch\n", "utf-8")
    monkeypatch.chdir(bench.root)
    with Session({"OKSO_HOME": str(bench.home)}, root=other) as session:
        assert session.redactor.text("walnussbaum, haselstrauch") == f"{REDACTED}, {REDACTED}"


def test_a_file_that_cannot_be_read_has_no_lines(tmp_path: Path) -> None:
    """No file, a folder, bytes that are not text."""
    (tmp_path / "bytes").write_bytes(b"A_KEY=\xff\xfexyz12345\n")
    assert read_leniently(tmp_path / "none") == read_leniently(tmp_path) == []
    assert read_leniently(tmp_path / "bytes")[0][0] == "A_KEY"


def test_a_misspelt_name_is_said_once(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With what was meant; names of other programs are not."""
    config = tmp_path / "config" / "okso" / "config.env"
    config.parent.mkdir(parents=True)
    config.write_text("PLANER_SAMPLE_COUNT=2\nMY_SERVICE_TOKEN=x\nVERBOSITY=0\n", "utf-8")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    assert misspelt() == {"PLANER_SAMPLE_COUNT": "PLANNER_SAMPLE_COUNT"}
    for _ in range(2):
        Session({"OKSO_HOME": str(tmp_path / "home")}).close()
    said = [json.loads(line)["message"] for line in capsys.readouterr().err.splitlines()]
    assert said == ["PLANER_SAMPLE_COUNT is not a setting; did you mean PLANNER_SAMPLE_COUNT?"]


TAMPERED = ["{", "[]", "3", "null", '{"after": ["x"]}', "{}", "1],[2", "[" * 5000]


@pytest.mark.parametrize("body", TAMPERED, ids=range(len(TAMPERED)))
def test_a_tampered_row_is_named_and_hides_nothing(bench: Bench, body: str) -> None:
    """One run that cannot be read is left out of the lists; to load it is an error in words."""
    good = bench.run(STEPS)
    with sqlite3.connect(bench.home / "journal.sqlite3") as database:
        for kind in ("run_state", "run_started"):
            database.execute(
                "INSERT INTO record (run_id, kind, at, schema_version, body) "
                "VALUES ('worse', ?, '2026', 1, ?)", (kind, body),
            )  # fmt: skip
    with bench.session() as session:
        assert good.id in [run.id for run in overview(session.journal)]
        assert "worse" not in [run.id for run in resumable_runs(session.journal, bench.root)]
        with pytest.raises(JournalError, match=r"record \d+ of run worse is damaged"):
            session.load_run("worse")
        assert session.load_run(good.id).state == "completed"
        assert json.loads(session.load_run(good.id).history("json"))


CALLS: list[tuple[str, dict[str, object]]] = [
    ("file_read", {"path": "state/mark.txt"}),
    ("file_read", {"path": "way/mark.txt"}),
    ("file_search", {"query": "sesame"}),
    ("file_search", {"query": "sesame", "paths": ["state"]}),
    ("file_write", {"path": "state/new.txt", "content": "x", "mode": "create"}),
    ("file_write", {"path": "way/new.txt", "content": "x", "mode": "create"}),
    ("file_edit", {"path": "state/mark.txt", "old_text": "sesame", "new_text": "x"}),
    ("terminal", {"command": "cat", "args": ["state/mark.txt"]}),
    ("terminal", {"command": "grep", "args": ["-r", "sesame", "."]}),
    ("terminal", {"command": "find", "args": [".", "-name", "mark*"]}),
    ("terminal", {"command": "cp", "args": ["state/mark.txt", "out.txt"]}),
    ("terminal", {"command": "mv", "args": ["state", "elsewhere"]}),
    ("terminal", {"command": "mv", "args": ["outer", "elsewhere"]}),
    ("terminal", {"command": "rm", "args": ["state/mark.txt"]}),
    ("python_repl", {"input": "print(open('state/mark.txt').read())"}),
    ("python_repl", {"input": "import glob; print(glob.glob('**/*', recursive=True))"}),
]


@pytest.mark.process
@pytest.mark.parametrize("place", ["state", "outer/state"])
@pytest.mark.parametrize(("tool", "args"), CALLS, ids=lambda value: str(value)[:50])
def test_a_home_in_the_folder_is_closed(
    bench: Bench, place: str, tool: str, args: dict[str, object]
) -> None:
    """Neither tools nor Python read, list, change or move what okso itself keeps there."""
    home = bench.root / place
    home.mkdir(parents=True)
    (home / "mark.txt").write_text("open sesame\n", "utf-8")
    (bench.root / "way").symlink_to(place)
    (bench.root / "outer").mkdir(exist_ok=True)
    bench.home = home
    call = json.loads(
        json.dumps(args).replace("state/", f"{place}/").replace('"state"', f'"{place}"')
    )
    run = bench.run([{"tool": tool, "args": call}], approve=lambda _plan: "approve",
                    ON_FAILURE="stop", ENABLE_ANSWER_VALIDATION=False)  # fmt: skip
    seen = repr([seen.raw for seen in run.steps_seen])
    printed = "".join(str(seen.raw.get("stdout", "")) for seen in run.steps_seen)
    assert "open sesame" not in seen
    assert "mark.txt" not in printed
    assert (home / "mark.txt").read_text("utf-8") == "open sesame\n"
    assert not (home / "new.txt").exists()


@pytest.mark.process
def test_what_a_killed_process_left_is_swept(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Old halves of a rename and old bait go with the next use; young ones and others stay."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    now, old = time.time(), [bench.root / ".okso-0123456789abcdef.tmp", bench.root / ".okso-x.tmp"]
    for file in old:
        file.touch()
    baits = [tmp_path / ".okso-canary-old", tmp_path / ".okso-hidden-new"]
    for bait, age_s in zip(baits, (7200, 5), strict=True):
        bait.mkdir()
        os.utime(bait, (now - age_s, now - age_s))
    write = {"path": "a.txt", "content": "x", "mode": "create"}
    steps = [{"tool": "file_write", "args": write},
             {"tool": "python_repl", "args": {"input": "1 + 1"}}, END]  # fmt: skip
    bench.run(steps)
    assert [file.exists() for file in old] == [True, True]
    monkeypatch.setattr(time, "time", lambda: now + 120)
    bench.run([{"tool": "file_write", "args": {**write, "path": "b.txt"}}, END])
    assert [file.exists() for file in old] == [False, True]
    assert [bait.exists() for bait in baits] == [False, True]


@pytest.mark.process
def test_what_lies_beside_a_home_in_the_folder_is_open(bench: Bench) -> None:
    """Python and the tools read everything else, in the same folder, too."""
    bench.home = bench.root / "outer" / "state"
    bench.home.mkdir(parents=True)
    (bench.root / "outer" / "a.txt").write_text("beside\n", "utf-8")
    steps = [{"tool": "python_repl", "args": {"input": "print(open('outer/a.txt').read())"}},
             {"tool": "file_read", "args": {"path": "outer/a.txt"}},
             {"tool": "terminal", "args": {"command": "ls", "args": ["outer"]}}, END]  # fmt: skip
    run = bench.run(steps, approve=lambda _plan: "approve")
    assert run.state == "completed"
