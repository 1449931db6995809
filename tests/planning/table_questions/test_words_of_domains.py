"""Words of everyday tables, in English and German: adjectives, what headers are called by, ends."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from okso_jupyter.planning.environment import Environment
from okso_jupyter.planning.table_questions.german import in_english
from okso_jupyter.planning.table_questions.table_sources import TableSources
from okso_jupyter.planning.table_questions.words import tokens
from okso_jupyter.tables.query import Query
from okso_jupyter.workspace import Workspace
from tests.each_row import each_row

FILES = {
    "fahrten.csv": (
        "Datum,Fahrzeug,km,Kraftstoff (l)\n2024-01-03,Golf,120,8\n2024-02-03,Passat,420,31\n"
        "2025-03-03,Golf,60,5\n"
    ),
    "klima.csv": "Ort,Regen (mm),Sonnenstunden\nUlm,12,180\nBonn,40,120\nKiel,55,90\n",
    "schule.csv": "Schüler,Instrument,Honorar\nIda,Klavier,40\nBo,Geige,28\nCy,Klavier,52\n",
    "jobs.csv": "client,day,fee\nAnn,2023-03-01,120\nBob,2024-05-11,900\nCy,2024-06-01,70\n",
    "haus.csv": "Kategorie,Betrag\nHeizungsrechnung,220\nLebensmittel,80\nHeizungsrechnung,240\n",
    "stalls.csv": "stall,noise_db,width_cm,occupancy\nA,60,210,12\nB,75,180,3\nC,40,300,20\n",
}


@pytest.fixture(name="sources", scope="module")
def _sources(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TableSources]:
    folder = tmp_path_factory.mktemp("domains")
    for name, content in FILES.items():
        (folder / name).write_text(content)
    workspace = Workspace(Path(folder))
    yield TableSources(workspace)
    workspace.close()


def _query(request: str, sources: TableSources) -> Query:
    readings = Environment().readings(request, sources, 1)
    assert readings, request
    return readings[0].query


def _end(query: Query) -> str:
    """Return which end of the table a query shows."""
    assert query.limit == 1
    return "largest" if query.descending else "smallest"


@pytest.mark.parametrize(
    ("request_", "order", "end"),
    [
        ("wo gab es den meisten Regen?", "Regen (mm)", "largest"),
        ("where is it the sunniest", "Sonnenstunden", "largest"),
        ("Welcher Ort ist der trockenste?", "Regen (mm)", "smallest"),
        ("which place is the wettest", "Regen (mm)", "largest"),
        ("welches Fahrzeug ist am weitesten gefahren", "km", "largest"),
        ("which stall is the noisiest", "noise_db", "largest"),
        ("Welcher stall ist am leisesten?", "noise_db", "smallest"),
        ("which stall is the narrowest?", "width_cm", "smallest"),
        ("what is the busiest stall", "occupancy", "largest"),
    ],
)
def test_adjectives_name_what_is_measured(
    request_: str,
    order: str,
    end: str,
    sources: TableSources,
) -> None:
    """In both languages, whatever the table is written in."""
    query = _query(request_, sources)
    assert (query.order, _end(query)) == (order, end)


@pytest.mark.parametrize(
    ("request_", "source", "column"),
    [
        ("how much fuel did we use in total", "fahrten.csv", "Kraftstoff (l)"),
        ("how much did i earn in 2023?", "jobs.csv", "fee"),
        ("wie viel Sprit hat der Passat verbraucht", "fahrten.csv", "Kraftstoff (l)"),
        ("which students play piano", "schule.csv", "Schüler"),
        ("was war die teuerste Heizungsrechung", "haus.csv", "Betrag"),
    ],
)
def test_columns_are_called_by_other_words(
    request_: str, source: str, column: str, sources: TableSources
) -> None:
    """Words of the other language, of the same meaning, and misspelt ones."""
    query = _query(request_, sources)
    assert query.source == source
    assert column in {*query.columns, query.order, *(m.column for m in query.measures)}


@each_row("ending", ["e", "er", "es", "en", "em"])
@each_row(
    ("base", "english"),
    [
        ("teuerst", "priciest"),
        ("schwerst", "heaviest"),
        ("ältest", "oldest"),
        ("steilst", "steepest"),
        ("höchst", "highest"),
        ("wärmst", "warmest"),
        ("heißest", "hottest"),
        ("lautest", "loudest"),
    ],
)
def test_german_superlatives_mean_what_english_ones_do(
    base: str, ending: str, english: str
) -> None:
    """Whatever their ending."""
    assert in_english(tokens(f"welche Lage ist am {base}{ending}"))[-1] == english
