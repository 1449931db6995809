"""Courtesy: what is asked with many words is read as what is asked with few."""

from __future__ import annotations

from pathlib import Path

import pytest

from okso_jupyter.planning.environment import Environment
from okso_jupyter.planning.request.courtesy import direct
from okso_jupyter.planning.table_questions.table_sources import TableSources
from okso_jupyter.workspace import Workspace
from tests.each_row import each_row


@each_row(
    ("said", "meant"),
    [
        ("Could you please show me the lowest bill?", "show me the lowest bill?"),
        ("Well, which ship is the oldest?", "which ship is the oldest?"),
        ("Hi, which ship is the oldest?", "which ship is the oldest?"),
        ("Can you tell me how many ships there are?", "how many ships there are?"),
        ("Could you tell me what the mean length is?", "what is the mean length?"),
        ("I'd like to know who the captain was", "who was the captain"),
        ("Would you help me find out which port is next?", "which port is next?"),
        ("please list the ports, thanks!", "list the ports!"),
        ("Do you know when the tide is?", "when is the tide?"),
        ("Kannst du mir sagen, wie viele Schiffe es gibt?", "wie viele Schiffe es gibt?"),
        ("I would like to know the depth of the harbour", "tell me the depth of the harbour"),
        ("I want to copy a.txt to b.txt", "copy a.txt to b.txt"),
        ("Can you sort the ports for me please", "sort the ports"),
    ],
)
def test_courtesy_is_left_out(said: str, meant: str) -> None:
    """And an indirect question has the order of a direct one."""
    assert direct(said) == meant


@each_row(
    "said",
    [
        "Which ship is the oldest?",
        "Tell me a joke",
        "What can you do?",
        "Write 'please, could you tell me' to a.txt",
        "Do you like ships?",
        "Well with the highest yield",
        "So many ships",
        "Please",
        "(what the port is",
        "(5+15)*2",
        "",
    ],
)
def test_other_requests_stay(said: str) -> None:
    """Words that belong to the request are no courtesy."""
    assert direct(said) == said


@pytest.mark.parametrize(
    "request_",
    [
        "What is the mean length of the ships?",
        "Could you tell me what the mean length of the ships is?",
        "Hi, can you please tell me the mean length of the ships?",
    ],
)
def test_a_table_is_found_behind_courtesy(request_: str, tmp_path: Path) -> None:
    """It says neither which table is meant nor that none is."""
    (tmp_path / "ships.csv").write_text("ship,length\nAnne,20\nBess,31\n", "utf-8")
    sources = TableSources(workspace=Workspace(tmp_path))
    (first, *_) = Environment().readings(request_, sources, 2)
    assert [(m.function, m.column) for m in first.query.measures] == [("mean", "length")]
