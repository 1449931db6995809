"""Tools that send data out or work on folders are offered only on request."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from okso_jupyter import Session
from okso_jupyter.planning.prompt.builder import make_prompts
from okso_jupyter.workspace import Workspace

TOOLS = Session().tools


def offered(request: str, root: Path) -> set[str]:
    """Return the tools that the model may choose for a request about two files."""
    (root / "journal.txt").write_text("May 1: rain\n")
    (root / "recipe.md").write_text("Mix flour and milk.\n")
    brief = next(make_prompts(request, tools=TOOLS, workspace=Workspace(root), budget=4))
    return {ranked.tool for ranked in brief.ranked if ranked.offered}


@pytest.mark.parametrize(
    "request_text",
    [
        "What does recipe.md say about milk?",
        "What does the journal say about the ladder?",
        "What does journal.txt say about the web?",
    ],
)
def test_a_question_about_a_file_stays_on_this_machine(request_text: str, tmp_path: Path) -> None:
    """For a question about a file, the web search is not offered."""
    assert "file_search" in offered(request_text, tmp_path)
    assert "web_search" not in offered(request_text, tmp_path)


def test_search_words_without_quotes_go_to_the_web(tmp_path: Path) -> None:
    """For a request that mentions the internet, no tool that reads files is offered."""
    found = offered("Search the internet for cheap train tickets to Vienna", tmp_path)
    assert found == {"web_search"}


def test_a_workflow_on_a_folder_is_not_offered_for_a_file(tmp_path: Path) -> None:
    """A request to summarise one file does not offer the summary of a folder's tables."""
    found = offered("Write a summary of recipe.md to short.txt", tmp_path)
    assert "workflow_summarise_csv_folder" not in found
    assert "file_write" in found


@pytest.mark.parametrize("name", ["backup", "results"])
def test_the_name_of_a_new_folder_is_offered(name: str, tmp_path: Path) -> None:
    """The name of a folder to be created is offered as a value for a command."""
    request = f"Create a folder named {name}"
    brief = next(make_prompts(request, tools=TOOLS, workspace=Workspace(tmp_path), budget=4))
    assert f'"{name}"' in json.dumps(dict(brief.schema))
