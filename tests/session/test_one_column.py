"""Tables of one column: those that are handed in or named are asked, and nothing else is."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pyarrow as pa
import pytest

from okso_jupyter import Plan
from tests.bench import END, Bench

pytestmark = pytest.mark.process

ONE = {"PLANNER_SAMPLE_COUNT": 1}
LIST = [4, 9, 2]
MADE_UP: dict[str, Any] = {
    "tool": "python_repl",
    "args": {"input": "import statistics; print(statistics.mean([5, 3, 9]))"},
}


@pytest.mark.parametrize(
    ("question", "value", "answer"),
    [
        ("What is the mean of shop?", pd.Series(LIST, name="price"), "5"),
        ("What is the largest value in shop?", LIST, "9"),
        ("What is the sum of shop?", tuple(LIST), "15"),
        ("How many rows has shop?", pd.DataFrame({"price": LIST}), "3"),
        ("What is the sum of a in shop?", pa.table({"a": LIST}), "15"),
        ("What is the largest value in shop?", pd.Series(LIST).to_numpy(), "9"),
        ("What is the sum of shop?", {"pen": 4, "cup": 9}, "13"),
    ],
)
def test_a_value_handed_in_is_a_table(
    bench: Bench, question: str, value: object, answer: str
) -> None:
    """No model is asked, and no file of the folder is taken in its place."""
    (bench.root / "w.csv").write_text("station,rain_mm\nhill,3.5\nvale,1.5\n")
    with bench.session() as session:
        run = session.run(question, approve="auto", inputs={"shop": value})
    assert run.steps_seen[0].call.args["source"] == "shop"
    assert f": {answer}" in str(run.answer)


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What is the average price in {{shop}}?", pd.DataFrame({"price": LIST})),
        ("What is the mean of {{shop}}?", LIST),
        ("What is the mean of shop?", LIST),
        ("What is the mean of shop?", pd.Series(LIST)),
    ],
)
def test_a_value_that_a_request_names_is_a_table(
    bench: Bench, question: str, value: object
) -> None:
    """It is handed in, as frames of several columns are."""
    with bench.session() as session:
        run = session.run(question, approve="auto", variables={"shop": value})
    assert run.steps_seen[0].call.args["source"] == "shop"
    assert ": 5" in str(run.answer)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What is the largest price in prices.csv?", "9"),
        ("How many rows has prices.csv?", "3"),
        ("What is the average price in prices.csv?", "5"),
    ],
)
def test_a_file_of_one_column_is_a_table(bench: Bench, question: str, answer: str) -> None:
    """Where it is named; the text of the file was the answer."""
    (bench.root / "prices.csv").write_text("price\n4\n9\n2\n")
    with bench.session() as session:
        run = session.run(question, approve="auto")
    assert f": {answer}" in str(run.answer)


@pytest.mark.parametrize("content", ["4\n9\n2\n", "price\n4,5\n9,25\n"])
def test_a_list_of_numbers_is_no_table(bench: Bench, content: str) -> None:
    """The first number is no header, and a decimal comma parts no cells."""
    (bench.root / "prices.csv").write_text(content)
    read = {"tool": "file_read", "args": {"path": "prices.csv"}}
    with bench.session([read, END], **ONE) as session:
        plan = session.plan("How many rows has prices.csv?").plan
    assert [step.tool for step in plan.steps][:1] != ["table_query"]


@pytest.mark.parametrize("value", [[[4, 9], [2, 1]], {"a": {"b": 4}}, 7])
def test_a_plan_without_a_named_variable_is_not_made(bench: Bench, value: object) -> None:
    """One sentence says so: the numbers of the code stand nowhere."""
    with bench.session([MADE_UP, END], **ONE) as session:
        run = session.run("What is the mean of shop?", approve="auto", inputs={"shop": value})
    assert run.state == "completed"
    assert "shop: the plan that I found does not use shop" in str(run.answer)
    assert not run.steps_seen or run.steps_seen[0].call.tool == "final_answer"


def test_a_plan_with_the_variable_is_preferred(bench: Bench) -> None:
    """Whatever the scores: the other one answers something else."""
    uses = {"tool": "python_repl", "args": {"input": "print(shop[0][0])"}}
    with bench.session([MADE_UP, END], [uses, END], PLANNER_SAMPLE_COUNT=2) as session:
        planning = session.plan("Print the first number of shop", inputs={"shop": [[4, 9]]})
    assert planning.plan.steps[0].args == uses["args"]


def test_the_code_of_a_dict_computes_the_same(bench: Bench) -> None:
    """The form shows code that reads the variable as the query did."""
    inputs = {"shop": {"pen": 4, "cup": 9}}
    with bench.session() as session:
        run = session.run("What is the sum of shop?", approve="auto", inputs=inputs)
        code = f"{run.code()}\nprint(result)"
        plan = Plan.from_dict({"steps": [{"tool": "python_repl", "args": {"input": code}}, END]})
        again = session.execute(plan, approve="auto", inputs=inputs)
    assert "shop.items()" in code
    assert "13" in str(again.answer)
