"""Running the plan quality benchmark."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.planning_quality import main
from tests.quality.made_cases import write_cases


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--limit", "0"], "must be a whole number from 1 on, not '0'"),
        (["--set", "PLANNER_SEED"], "must be NAME=VALUE, not 'PLANNER_SEED'"),
        (["--set", "NOTHING=1"], "there is no setting 'NOTHING'"),
        (["--category", "hard"], "there is no category 'hard'"),
        (["--model", "/none.gguf"], "none.gguf"),
        (["--cases", "nowhere"], "nowhere holds no cases"),
        (["--csv", "."], "Is a directory"),
    ],
)
def test_bad_options_are_refused_before_planning(
    options: list[str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The message names the wrong option or value, and no table is printed."""
    write_cases(tmp_path, "multiple", 1)
    monkeypatch.chdir(tmp_path)

    with pytest.raises(SystemExit) as stopped:
        main(["--cases", str(tmp_path), *options])

    assert stopped.value.code == 2
    said_too = capsys.readouterr()
    assert said in said_too.err
    assert "right %" not in said_too.out


def test_an_interrupted_run_is_resumed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A second run with the same file plans only the new cases, and shows all of them."""
    write_cases(tmp_path, "simple_python", 4)
    command = ["--cases", str(tmp_path), "--model", "ideal", "--samples", "1", "--no-peers",
               "--csv", str(tmp_path / "answers.csv")]  # fmt: skip

    first = main([*command, "--limit", "1"])
    asked_first = capsys.readouterr().out
    second = main([*command, "--limit", "3"])
    asked_later = capsys.readouterr().out

    assert (first, second) == (0, 0)
    assert asked_first.count("simple_python_0 ") == 1
    assert asked_later.count("simple_python_0 ") == 0
    assert "3    100.0" in asked_later


def test_figures_are_inserted_into_a_page(tmp_path: Path) -> None:
    """Text between the marks is replaced, repeatedly; the rest of the page is unchanged."""
    write_cases(tmp_path, "simple_python", 1)
    page, new = tmp_path / "page.md", tmp_path / "new" / "table.md"
    page.write_text("# Title\n\n<!-- figures of ideal -->\nold\n<!-- end of figures -->\n\nText\n")
    command = ["--cases", str(tmp_path), "--model", "ideal", "--samples", "1", "--no-peers"]

    for file in (page, page, new):
        assert main([*command, "--markdown", str(file)]) == 0

    text = page.read_text()
    assert text.startswith("# Title\n\n<!-- figures of ideal -->\n")
    assert text.endswith("\n<!-- end of figures -->\n\nText\n")
    assert "old" not in text
    for written in (text, new.read_text()):
        assert written.count("| simple_python | okso_jupyter | 1 | 100.0 |") == 1


@pytest.mark.model
def test_a_small_run_measures_all_contestants(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The planner, a single generation and the peer answer the same case with one model."""
    write_cases(tmp_path, "simple_python", 1)

    main(["--cases", str(tmp_path), "--samples", "1", "--plain", "1",
          "--markdown", str(tmp_path / "table.md")])  # fmt: skip

    said = capsys.readouterr().out
    for who in ("okso_jupyter", "single generation", "llama-cpp-python"):
        assert said.count(who) >= 2
    assert "times (" in said
    assert "| simple_python | okso_jupyter | 1 |" in (tmp_path / "table.md").read_text()
