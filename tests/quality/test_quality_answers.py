"""The file of answers, and the tables made from it."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from benchmarks.figures import Spread
from benchmarks.quality import table, versions
from benchmarks.quality.answers import Answer, AnswerFile, Judged, Key, code_version
from tests.quality.made_cases import AREA_IS, KEY, area, case_of


def test_an_answer_is_found_under_its_exact_key(tmp_path: Path) -> None:
    """Answers are read back unchanged; another model, setting or code has none yet."""
    file, case = tmp_path / "new" / "answers.csv", case_of(AREA_IS)
    answer = Answer(calls=(area(unit="ü"),), duration_s=0.1 + 0.2, output_tokens=3, plain_s=0.5)
    other = Answer(calls=(), duration_s=1.0, prompt_tokens=7, error='it said "no"\nand left')

    AnswerFile(file).add(Judged(key=KEY, case=case, answer=answer))
    later = AnswerFile(file)
    later.add(Judged(key=KEY, case=case_of(name="two"), answer=other))
    known = AnswerFile(file)

    assert known.known(KEY, case) == answer
    assert known.known(KEY, case_of(name="two")) == other
    changed = Key(contestant="okso_jupyter", model="tiny", settings="", code="2")
    assert known.known(changed, case) is None
    rows = list(csv.DictReader(file.read_text("utf-8").splitlines()))
    assert [row["right"] for row in rows if row["case"] == "one"] == ["False"]


def test_a_file_of_other_data_is_refused(tmp_path: Path) -> None:
    """A file with other columns is refused, and an incomplete row is named."""
    other, cut = tmp_path / "other.csv", tmp_path / "cut.csv"
    other.write_text("a,b\n1,2\n")
    AnswerFile(cut).add(
        Judged(key=KEY, case=case_of(AREA_IS), answer=Answer(calls=(), duration_s=1))
    )
    cut.write_text(cut.read_text() + "okso_jupyter,tiny")

    with pytest.raises(ValueError, match=r"other\.csv has other columns"):
        AnswerFile(other)
    with pytest.raises(ValueError, match=r"cut\.csv, row 3: it is no answer"):
        AnswerFile(cut)


def test_the_version_of_code_changes_with_any_file(tmp_path: Path) -> None:
    """Programs, prompts and schemas count; compiled files do not."""
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "prompt.md").write_text("Plan.")
    before = code_version(tmp_path)
    (tmp_path / "deep" / "old.pyc").write_bytes(b"1")
    same_still = code_version(tmp_path)
    (tmp_path / "deep" / "prompt.md").write_text("Plan!")

    assert same_still == before
    assert code_version(tmp_path) != before


def test_intervals_are_wilsons() -> None:
    """With few cases the interval is wide, even if all of them are right."""
    assert [round(value, 1) for value in _ends(table.wilson(8, 10))] == [80.0, 49.0, 94.3]
    assert [round(value, 1) for value in _ends(table.wilson(10, 10))] == [100.0, 72.2, 100.0]
    assert [round(value, 1) for value in _ends(table.wilson(0, 1))] == [0.0, 0.0, 79.3]


def _ends(share: Spread) -> tuple[float, float, float]:
    return share.middle, share.low, share.high


def test_the_table_has_a_row_per_category_and_contestant() -> None:
    """A row has shares, tools, tokens, seconds and the anchor; failures are listed."""
    right = Answer(calls=(area(),), duration_s=2.0, prompt_tokens=90, output_tokens=10, plain_s=1.0)
    tools = Answer(calls=(area(base=1),), duration_s=4.0, prompt_tokens=110, output_tokens=30)
    failed = Answer(calls=(), duration_s=1.0, error="no room")
    judged = [
        Judged(key=KEY, case=case_of(AREA_IS, name=str(n)), answer=answer)
        for n, answer in enumerate([right, tools, right, failed])
    ]

    found = table.rows(judged)

    assert found[0].cells() == [
        "simple_python", "okso_jupyter", "4", "50.0", "15 to 85", "61.6", "75.0", "72", "12",
        "2.00", "1",
    ]  # fmt: skip
    assert len({line.count("|") for line in table.as_markdown(found).splitlines()}) == 1
    assert table.cost(judged).startswith("cost: 2.00 s a plan, 1.00 s its batch of candidates")
    assert "2.00 times" in table.cost(judged)
    assert table.without_answer(judged) == [
        "without an answer: 1 of okso_jupyter in simple_python\n  3: no room"
    ]


def test_versions_are_compared_case_by_case(tmp_path: Path) -> None:
    """Gains and losses are counted over the cases that both versions answered."""
    answers = AnswerFile(tmp_path / "answers.csv")
    old = Key(contestant="okso_jupyter", model="tiny", settings="no votes", code="1")
    right = Answer(calls=(area(),), duration_s=1.0)
    wrong = Answer(calls=(), duration_s=1.0)
    now = []
    for number, (then, later) in enumerate([(right, right), (wrong, right), (right, wrong)]):
        case = case_of(AREA_IS, name=str(number))
        answers.add(Judged(key=old, case=case, answer=then))
        now.append(Judged(key=KEY, case=case, answer=later))
    now.append(Judged(key=KEY, case=case_of(AREA_IS, name="new"), answer=wrong))
    for each in now:
        answers.add(each)

    compared = versions.as_markdown(now, AnswerFile(tmp_path / "answers.csv")).splitlines()

    assert compared[2:] == [
        "| no votes (1) | 66.7 of 3 (+1 -1) |",
        "| **default (1)** | 50.0 of 4 |",
    ]
