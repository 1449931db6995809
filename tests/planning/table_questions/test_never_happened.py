"""Rows that something never happened to, as the one table tells that refers to them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from okso_jupyter.planning.environment import Environment
from okso_jupyter.planning.table_questions.related_tables import heads_of
from okso_jupyter.planning.table_questions.table_sources import TableSources
from okso_jupyter.planning.table_questions.two_tables import never_asked
from okso_jupyter.workspace import Workspace
from tests.each_row import each_row

_FILES = {
    "plots.csv": (
        "Ref,Quarter,Size,Broker\nP-1,Northside,310,Elm\nP-2,Harbour,250,Oak\n"
        "P-3,Northside,420,Elm\nP-4,Mill,200,Elm\nP-5,Harbour,260,\n"
    ),
    "inspections.csv": (
        "Plot ref,Inspector,Day\nP-1,Ida,2026-02-01\nP-3,Bo,2026-02-03\nP-2,Ida,2026-02-09\n"
        "P-1,Bo,2026-03-01\n"
    ),
    "helmets.csv": "helmet,fee per trip,repaired\nFox,4,2025-01-02\nOwl,6,\nElk,5,2025-04-04\n",
    "trips.csv": (
        "trip,helmet,river,day\n1,Fox,Isar,2026-05-01\n2,Owl,Inn,2026-05-02\n3,Fox,Inn,2026-05-09\n"
    ),
    "geraete.csv": "Gerät;Marke\nSäge;Bahco\nHobel;Stanley\nBohrer;Bosch\n",
    "entnahmen.csv": "Nr;Gerät;Anlass\n1;Säge;Zaun\n2;Säge;Tor\n3;Bohrer;Regal\n",
}


@pytest.fixture(name="sources", scope="module")
def _sources(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TableSources]:
    folder = tmp_path_factory.mktemp("helmets")
    for name, content in _FILES.items():
        (folder / name).write_text(content)
    workspace = Workspace(Path(folder))
    yield TableSources(workspace)
    workspace.close()


@each_row(
    ("request_text", "asked"),
    [
        ("Which helmets have I never worn?", "helmets.csv"),
        ("which helmets were not used yet", "helmets.csv"),
        ("How many helmets have never been worn?", "helmets.csv"),
        ("Welche Geräte wurden noch nie benutzt?", "geraete.csv"),
        ("Welches Gerät hat noch keine Entnahme?", "geraete.csv"),
        ("Which helmets were never repaired?", ""),
        ("Which helmets were never worn on the Inn?", ""),
        ("Which helmets have no strap?", ""),
        ("Which plots were never sold?", ""),
    ],
)
def test_what_never_was(sources: TableSources, request_text: str, asked: str) -> None:
    """Rows that no row refers to, where one table alone does and the word is of no column."""
    found = never_asked(request_text, lambda: heads_of(sources))
    assert (found.source if found else "") == asked
    if found:
        assert [each.comparison for each in found.filters] == ["is missing"]
        assert Environment().readings(request_text, sources, 1)[0].query == found


def test_what_is_not_returned_yet_may_be_lent(tmp_path: Path) -> None:
    """Books that were never lent were shown."""
    (tmp_path / "books.csv").write_text("book_id,title\nB1,Emma\nB2,Dune\nB3,Momo\n")
    (tmp_path / "loans.csv").write_text(
        "book_id,borrower,returned_on\nB1,Ann,\nB2,Bo,2026-01-02\nB1,Cy,2026-02-02\n"
    )
    workspace = Workspace(tmp_path)
    sources = TableSources(workspace)
    asked = "Which books have not been returned yet?"
    assert never_asked(asked, lambda: heads_of(sources)) is None
    workspace.close()
