"""The benchmark of the planner: its arithmetic, its tables, and one small run."""

from __future__ import annotations

import csv
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from benchmarks.comparison import TOOL_COUNT, question
from benchmarks.environments import PeerUnavailableError, python_of
from benchmarks.figures import Spread, bootstrap, paired_ratio, ratio_to_least, spread
from benchmarks.planner_speed import main
from benchmarks.plots import write
from benchmarks.report import Row, as_csv, as_markdown, as_text, number
from benchmarks.sections.growth import Curve, Point
from benchmarks.sections.thread_choice import fixed_counts
from benchmarks.vocabulary import Vocabulary
from benchmarks.workers import Worker, WorkerError
from okso_jupyter.llm.specs import BUNDLED, find_weights

ROOT = Path(__file__).resolve().parents[1]
ROWS = [
    Row(section="speed", what="the limit", value=Spread(9.5, 9, 12.34), unit="s"),
    Row(
        section="speed", what="ours", value=Spread(1234.5, 1000, 2000), unit="s",
        ratio=Spread(1.251, 1.2, 1.3), against="the limit", aim="<= 1.3", note="8 of 8 obey",
    ),
    Row(section="other", what="a | peer", note="NOT MEASURED: no compiler"),
]  # fmt: skip


def test_a_spread_is_the_median_with_the_extremes() -> None:
    """An outlier changes an extreme, not the median."""
    assert spread([3.0, 1.0, 200.0]) == Spread(3.0, 1.0, 200.0)
    with pytest.raises(ValueError, match="nothing to take a median of"):
        spread([])


def test_a_paired_ratio_ignores_what_slows_both() -> None:
    """If every pair has the same ratio, rounds that were slow for both change nothing."""
    ratio = paired_ratio([2.0, 20.0, 6.0], [1.0, 10.0, 3.0])

    assert ratio == Spread(2.0, 2.0, 2.0)


def test_a_ratio_lies_within_its_interval() -> None:
    """If pairs differ, the interval depends on their spread and is reproducible."""
    above, below = [1.0, 2.0, 3.0, 4.0, 5.0], [1.0] * 5

    ratio = paired_ratio(above, below)

    assert ratio.middle == 3.0
    assert 1.0 <= ratio.low < 3.0 < ratio.high <= 5.0
    assert paired_ratio(above, below) == ratio


def test_unpaired_rounds_are_refused() -> None:
    """A missing round and an empty list of rounds are errors."""
    with pytest.raises(ValueError, match="shorter"):
        paired_ratio([1.0, 2.0], [1.0])
    with pytest.raises(ValueError, match="no rounds"):
        bootstrap(0, lambda _rounds: 1.0)


def test_the_best_of_others_has_the_least_median() -> None:
    """One lucky round of a slow program does not make it the best."""
    ratio = ratio_to_least([2.0, 2.0, 2.0], [[4.0, 4.0, 0.1], [1.0, 1.0, 1.0]])

    assert ratio.middle == 2.0


def test_numbers_have_three_digits() -> None:
    """Small numbers are rounded to three digits, large ones to whole numbers."""
    assert [number(value) for value in (0.01234, 1.251, 99.94, 1234.5)] == [
        "0.0123", "1.25", "99.9", "1234",
    ]  # fmt: skip


def test_the_text_is_aligned() -> None:
    """The figures of a section are right-aligned; notes are below their row."""
    lines = as_text(ROWS).splitlines()

    assert lines[0] == "== speed"
    ends = [
        line.index(cell) + len(cell)
        for line, cell in zip(lines[1:4], ("median", "9.5", "1234"), strict=True)
    ]
    assert len(set(ends)) == 1
    assert lines[4] == "    8 of 8 obey"
    assert lines[-1] == "    NOT MEASURED: no compiler"


def test_csv_and_markdown_have_the_figures_of_the_text() -> None:
    """Every figure of the text is in the CSV and in the Markdown table, unchanged."""
    text, table = as_text(ROWS), list(csv.reader(as_csv(ROWS).splitlines()))
    markdown = as_markdown(ROWS).splitlines()

    assert [row[1] for row in table[1:]] == [row.what for row in ROWS]
    for row in table[1:]:
        assert [cell for cell in row if cell not in text] == []
    assert len({line.count("|") for line in markdown}) == 1
    assert [line.split("|")[3].strip() for line in markdown[2:]] == ["9.5", "1234", ""]


def test_every_program_gets_the_same_question() -> None:
    """A question is reproducible, its schema is valid, and its texts are bounded."""
    asked = question(3, 8)

    assert asked == question(3, 8)
    Draft202012Validator.check_schema(asked.schema)
    texts = re.findall(r'\{"type": "string"[^}]*\}', json.dumps(asked.schema))
    assert texts
    assert all("maxLength" in text for text in texts)
    plan = json.loads(asked.messages[2]["content"])
    assert Draft202012Validator(asked.schema).is_valid(plan)


def test_no_round_can_reuse_the_prompt_of_another() -> None:
    """The prompts of two rounds differ in their first character."""
    first, second = (question(n, 1).messages[0]["content"] for n in (1, 2))

    assert first[0] != second[0]


@pytest.mark.parametrize("count", [4, TOOL_COUNT, 48])
def test_a_catalogue_has_the_requested_number_of_tools(count: int) -> None:
    """Additional tools have unique names, and the last tool gives the answer."""
    schema = question(1, 1, tool_count=count).schema
    names = [step["properties"]["tool"]["const"] for step in schema["items"]["anyOf"]]

    assert len(set(names)) == count
    assert names[-1] == "final_answer"


def test_thread_counts_to_compare_with() -> None:
    """Few cores are tried one by one, many in powers of two; all cores are always tried."""
    assert fixed_counts(1) == [1]
    assert fixed_counts(3) == [1, 2, 3]
    assert fixed_counts(24) == [1, 2, 3, 4, 8, 16, 24]


@pytest.mark.process
def test_a_worker_that_ends_reports_its_reason() -> None:
    """The error contains the last line that the process wrote."""
    with pytest.raises(WorkerError, match=r"No module named benchmarks\.nothing"):
        Worker("benchmarks.nothing", {})


def test_an_environment_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    """If the folder is a file, the error says that no environment could be made."""
    (tmp_path / "file").touch()

    with pytest.raises(PeerUnavailableError, match="its environment could not be made"):
        python_of("guidance", tmp_path / "file")


def test_requirements_are_exact() -> None:
    """Every requirement of a peer has an exact version."""
    files = list((ROOT / "benchmarks" / "peers").glob("requirements-*.txt"))

    assert files
    for file in files:
        lines = [line for line in file.read_text().splitlines() if not line.startswith("#")]
        assert [line for line in lines if not re.fullmatch(r"[\w.-]+==[\w.]+", line)] == []


def test_curves_are_written_as_tables_and_a_picture(tmp_path: Path) -> None:
    """Each curve has its CSV; the same figures give the same picture."""
    curve = Curve(name="tools", label="tools", points=(4, 8), ask=question)
    points = [Point(at=at, duration_s=(1.0, 3.0, 2.0), prompt_tokens=90, tokens=30)
              for at in curve.points]  # fmt: skip

    table, picture = write({curve: points}, tmp_path / "new")
    drawn = picture.read_bytes()
    write({curve: points}, tmp_path / "new")

    assert table.read_text().splitlines()[1] == "4,2,1,3,90,10"
    assert b"<svg" in drawn
    assert picture.read_bytes() == drawn


@pytest.mark.model
@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        ("--repeat", "0", "must be a whole number from 1 on, not '0'"),
        ("--threads", "many", "must be a whole number from 1 on, not 'many'"),
        ("--csv", ".", "cannot write '.': Is a directory"),
        ("--only", "nothing", "invalid choice: 'nothing'"),
    ],
)
def test_bad_options_are_refused_before_anything_runs(
    option: str, value: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The message names the option or the file, and nothing is measured."""
    with pytest.raises(SystemExit) as stopped:
        main([option, value])

    assert stopped.value.code == 2
    assert said in capsys.readouterr().err


@pytest.mark.model
def test_tokens_of_a_shared_prefix_are_counted_once() -> None:
    """Two equal texts cost one; texts with a common prefix cost the prefix once."""
    words = Vocabulary(find_weights(BUNDLED))
    one, other = "read the file now", "read the file later"
    shared = len(words.tokens("read the file"))

    assert words.decoded_once([one, one]) == len(words.tokens(one))
    assert words.decoded_once([one, other]) == (
        len(words.tokens(one)) + len(words.tokens(other)) - shared
    )


@pytest.mark.model
@pytest.mark.long
def test_a_small_run_prints_what_it_writes(tmp_path: Path) -> None:
    """The script prints all rows, writes them as CSV, and names what was not measured."""
    (tmp_path / "file").touch()
    command = [
        sys.executable, str(ROOT / "benchmarks" / "planner_speed.py"), "--samples", "1",
        "--repeat", "1", "--threads", "1", "--only", "same-output", "as-it-works",
        "--peers", "guidance", "--envs", str(tmp_path / "file"),
        "--csv", str(tmp_path / "new" / "speed.csv"),
    ]  # fmt: skip
    done = subprocess.run(  # noqa: S603  our own program
        command, cwd=tmp_path, env={**os.environ, "LLAMA_THREADS": "nonsense"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert done.returncode == 1, done.stderr
    with (tmp_path / "new" / "speed.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [row["what"] for row in rows] == [
        "llama_decode, prompt", "llama_decode, batches of 1", "the limit", "okso_jupyter",
        "guidance", "first request", "second request, same catalogue",
        "first request of a new process, same OKSO_HOME", "loading the model",
    ]  # fmt: skip
    assert [row["what"] for row in rows if not row["median"]] == ["guidance"]
    assert "1 of 1 obey the schema" in rows[3]["note"]
    for cell in (cell for row in rows for cell in row.values()):
        assert cell in done.stdout
    assert "NOT MEASURED: its environment could not be made" in done.stdout
    assert "cpu: " in done.stdout
