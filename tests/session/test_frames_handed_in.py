"""Questions about frames that were handed in, which need not be named."""

from __future__ import annotations

import pandas as pd
import pytest

from tests.bench import Bench

pytestmark = pytest.mark.process

_ORDERS = pd.DataFrame(
    {
        "customer": ["Ada", "Bob", "Ada", "Cid"],
        "ordered": pd.to_datetime(["2026-01-03", "2026-01-20", "2026-02-02", "2026-02-09"]),
        "amount": [10.0, None, 30.0, 40.0],
        "status": ["paid", "open", "open", "paid"],
    }
)
_CUSTOMERS = pd.DataFrame({"customer": ["Ada", "Bob", "Cid"], "city": ["Rome", "Oslo", "Rome"]})


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How much has Ada spent in total?", "40"),
        ("How many missing values are there per column?", "missing of amount 1"),
        ("Plot the total amount per month", "line chart of sum of amount"),
        ("Show a histogram of amount", "histogram of amount"),
        ("Which ones are open?", "Bob"),
    ],
)
def test_the_only_frame_is_what_a_question_is_about(
    bench: Bench, question: str, answer: str
) -> None:
    """No model is asked, and no file of the folder is taken in its place."""
    (bench.root / "bills.csv").write_text("customer,amount,status\nAda,7,open\nEve,8,paid\n")
    with bench.session() as session:
        run = session.run(question, approve="auto", inputs={"sales": _ORDERS})
    assert run.steps_seen[0].call.args["source"] == "sales"
    assert answer in str(run.answer)


def test_a_column_called_chart_asks_for_no_picture(bench: Bench) -> None:
    """It is one of a frame, which no file of the folder has."""
    hits = pd.DataFrame({"chart": ["top", "top", "rock"], "week": [1, 2, 1], "plays": [5, 7, 9]})
    with bench.session() as session:
        run = session.run("total plays per chart", approve="auto", inputs={"hits": hits})
    assert "chart of" not in str(run.answer)
    assert run.table is not None
    assert dict(zip(run.table["chart"], run.table["sum of plays"], strict=True)) == {
        "top": 12,
        "rock": 9,
    }


def test_two_frames_are_joined(bench: Bench) -> None:
    """By the column that both have; a question of one of them takes that one."""
    inputs = {"sales": _ORDERS, "people": _CUSTOMERS}
    with bench.session() as session:
        run = session.run("What is the total amount per city?", approve="auto", inputs=inputs)
        one = session.run("Who is from Oslo?", approve="auto", inputs=inputs)
    assert run.table is not None
    sums = dict(zip(run.table["city"], run.table["sum of amount"], strict=True))
    assert sums["Rome"] == pytest.approx(80)
    assert one.steps_seen[0].call.args["source"] == "people"
    assert "Bob" in str(one.answer)


def test_a_file_that_is_named_is_meant_beside_a_frame(bench: Bench) -> None:
    """The frame takes no question that names another source."""
    (bench.root / "bills.csv").write_text("customer,amount\nAda,7\nEve,8\n")
    with bench.session() as session:
        run = session.run(
            "What is the total amount in bills.csv?", approve="auto", inputs={"sales": _ORDERS}
        )
    assert run.steps_seen[0].call.args["source"] == "bills.csv"
    assert "15" in str(run.answer)
