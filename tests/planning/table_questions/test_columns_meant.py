"""The column that a superlative, a comparison or "who" means, whatever it is called."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest

from okso_jupyter.planning.environment import Environment
from okso_jupyter.planning.table_questions.answers import Answers
from okso_jupyter.planning.table_questions.query_reading import QueryReading
from okso_jupyter.planning.table_questions.table_sample import ColumnSample
from okso_jupyter.planning.table_questions.table_sources import TableSources
from okso_jupyter.workspace import Workspace
from tests.each_row import each_row
from tests.planning.file_commands.read_steps import filled

_RIDES: Final = {
    "rides.csv": (
        "date,dist_km,avg_hr,climb_m,bike,ride type,weather\n"
        "2026-03-01,21.5,141,120,Gravel,long,Sun\n"
        "2026-03-04,48.0,,610,Road,short,Rain\n2026-03-09,12.2,155,80,Gravel,long,Sun\n"
        "2026-03-12,33.1,149,300,Road,high,Sun\n2026-03-20,27.4,,90,Road,short,Rain\n"
    )
}
_PARCELS: Final = {
    "parcels.csv": (
        "parcel_no,courier,net_wt_kg,ins_value_eur,sent,class\n"
        "P81,Nordex,4.2,310,2026-02-01,light\nP82,Velo,11.8,90,2026-02-03,heavy\n"
        "P83,Nordex,0.9,1200,2026-02-07,light\nP84,Velo,2.5,45,2026-02-08,light\n"
    ),
    "couriers.csv": "courier,country,vans\nNordex,Norway,31\nVelo,Spain,12\n",
}
_CREW: Final = {
    "crew.csv": (
        "Name,Section,Member since,Date of birth,Mobile,Hourly rate,Rating\n"
        "Ida Moss,Sails,2009,1988-04-02,0171 55,28,4.5\n"
        "Kurt Ley,Deck,2015,1951-11-20,0160 11,24,4.9\n"
        "Ana Pires,Deck,2011,1999-07-30,0152 99,35,4.1\n"
        "Ole Berg,Sails,2019,1972-01-15,0175 20,31,3.8\n"
        "Bea Kunz,Deck,2012,1990-02-02,0176 20,26,4.0\n"
    )
}
_MUEHLEN: Final = {
    "muehlen.csv": (
        "Mühle;Bezirk;gegründet;Fläche (m²);Telefon;PLZ\nRotbach;Nord;1874;420;0711 5;70173\n"
        "Steingrund;Süd;1921;380;0711 2;10115\nWeiher;Nord;1799;510;0711 9;80331\n"
        "Hangwald;Ost;2003;300;0711 1;50667\n"
    )
}
_BESUCHE: Final = {
    "fuehrungen.csv": (
        "Datum;Rundgang;Gäste;Bewertung;Leiter\n01.03.2026;Altstadt;12;4,9;Jana\n"
        "02.03.2026;Hafen;30;3,1;Timo\n03.03.2026;Altstadt;25;4,8;Jana\n"
        "04.03.2026;Burg;19;4,5;Jana\n05.03.2026;Hafen;9;5,0;Timo\n06.03.2026;Altstadt;14;4,7;Eva\n"
        "07.03.2026;Burg;20;4,4;Eva\n08.03.2026;Hafen;11;3,3;Eva\n"
    )
}
_BIDS: Final = {
    "bids.csv": (
        "bidID,bidder,lot,bidDate,bidAmount,bidAccepted,clerk\nB1,Moss,Vase,2026-01-03,310,no,Ann\n"
        "B2,Adler,Clock,2026-01-04,95,yes,Ann\nB3,Pires,Vase,2026-01-05,420,yes,Bob\n"
        "B4,Moss,Lamp,2026-01-09,60,yes,Ann\nB5,Moss,Lamp,2026-01-11,75,no,Ann\n"
    )
}
_KURSE: Final = {
    "buchungen.csv": (
        "Nr;Kurs;Teilnehmer;Beginn;Preis;bezahlt;Prüfer\n"
        "1;Töpfern;Ada Blum;04.05.2026;80,00;nein;Kai\n"
        "2;Weben;Bo Falk;06.05.2026;95,00;ja;Kai\n3;Töpfern;Cy Orr;11.06.2026;80,00;ja;Lea\n"
        "4;Weben;Ada Blum;20.06.2026;95,00;nein;Kai\n"
    )
}
_POLICIES: Final = {
    "cover.csv": (
        "holder,plan,age,premium\nMoss,Plus,71,300\nAdler,Basic,44,120\nPires,Plus,63,90\n"
    ),
}


def _best(folder: Path, question: str, files: dict[str, str]) -> QueryReading | None:
    own = folder / next(iter(files)).removesuffix(".csv")
    own.mkdir(exist_ok=True)
    workspace = Workspace(filled(own, files))
    found = Environment().readings(question, TableSources(workspace), 1)
    workspace.close()
    return found[0] if found else None


def _query(folder: Path, question: str, files: dict[str, str]) -> dict[str, Any]:
    best = _best(folder, question, files)
    assert best is not None, question
    assert best.query is not None
    return best.query.to_json()


@each_row(
    ("files", "question", "column", "is_largest"),
    [
        (_RIDES, "what was my longest ride?", "dist_km", True),
        (_RIDES, "longest ride", "dist_km", True),
        (_RIDES, "shortest ride", "dist_km", False),
        (_PARCELS, "heaviest parcel", "net_wt_kg", True),
        (_PARCELS, "lightest parcel", "net_wt_kg", False),
        (_PARCELS, "which parcel is the lightest?", "net_wt_kg", False),
    ],
)
def test_a_superlative_is_no_value(
    tmp_path: Path, files: dict[str, str], question: str, column: str, *, is_largest: bool
) -> None:
    """The longest ride has the most kilometres; the rides of the type "long" were shown."""
    query = _query(tmp_path, question, files)
    assert not query.get("filters")
    assert query["order"] == column
    assert query.get("descending", False) == is_largest


@each_row(
    ("files", "question", "expected"),
    [
        (_RIDES, "average heart rate by bike", {"function": "mean", "column": "avg_hr"}),
        (_RIDES, "total distance by bike", {"function": "sum", "column": "dist_km"}),
        (_RIDES, "total elevation per bike", {"function": "sum", "column": "climb_m"}),
        (_PARCELS, "total weight per courier", {"function": "sum", "column": "net_wt_kg"}),
        (_PARCELS, "total net weight by courier", {"function": "sum", "column": "net_wt_kg"}),
    ],
)
def test_headers_may_be_abbreviated(
    tmp_path: Path, files: dict[str, str], question: str, expected: dict[str, str]
) -> None:
    """A heart rate is `avg_hr`, and a weight `net_wt_kg`; rows were counted, or vans added up."""
    assert _query(tmp_path, question, files)["measures"] == [expected]


def test_what_is_abbreviated_may_be_missing(tmp_path: Path) -> None:
    """The rides without a heart rate are counted; the question was not understood."""
    query = _query(tmp_path, "How many rides have no heart rate?", _RIDES)
    assert query["filters"] == [{"column": "avg_hr", "comparison": "is missing"}]
    assert query["measures"] == [{"function": "count"}]


@each_row(
    ("files", "question", "column", "is_largest"),
    [
        # telephones and postcodes are no amounts
        (_CREW, "who is the cheapest", "Hourly rate", False),
        (_CREW, "who is the most expensive", "Hourly rate", True),
        (_CREW, "cheapest of the deck", "Hourly rate", False),
        # ages
        (_CREW, "who is the oldest member", "Date of birth", False),
        (_CREW, "who is the youngest?", "Date of birth", True),
        (_MUEHLEN, "Welche Mühle ist die älteste?", "gegründet", False),
        (_MUEHLEN, "jüngste Mühle", "gegründet", True),
        (_POLICIES, "Who is the oldest customer?", "age", True),
        (_POLICIES, "youngest holder", "age", False),
        # amounts
        (_MUEHLEN, "welche Mühle ist am größten", "Fläche (m²)", True),
        (_MUEHLEN, "kleinste Mühle", "Fläche (m²)", False),
        (_PARCELS, "Which parcel is the most valuable?", "ins_value_eur", True),
        (_PARCELS, "the most valuable parcel", "ins_value_eur", True),
        (_PARCELS, "least valuable parcel", "ins_value_eur", False),
        (_BIDS, "Who made the highest bid?", "bidAmount", True),
    ],
)
def test_an_adjective_means_a_column(
    tmp_path: Path, files: dict[str, str], question: str, column: str, *, is_largest: bool
) -> None:
    """The oldest has the earliest birthday; since when somebody is a member was taken."""
    query = _query(tmp_path, question, files)
    assert query["order"] == column
    assert query.get("descending", False) == is_largest


@each_row(
    ("files", "question", "column", "comparison"),
    [
        (_MUEHLEN, "Welche Mühlen sind älter als 1900?", "gegründet", "<"),
        (_MUEHLEN, "Welche Mühlen sind jünger als 1900?", "gegründet", ">"),
        (_POLICIES, "holders over 60", "age", ">"),
        (_POLICIES, "how many holders are over 60?", "age", ">"),
        (_POLICIES, "holders under 50", "age", "<"),
        (_POLICIES, "how many holders are older than 60", "age", ">"),
    ],
)
def test_older_is_an_age_or_an_earlier_year(
    tmp_path: Path, files: dict[str, str], question: str, column: str, comparison: str
) -> None:
    """Older than 1900 is founded before; of persons "over 60" the premiums were compared."""
    [found] = _query(tmp_path, question, files)["filters"]
    assert (found["column"], found["comparison"]) == (column, comparison)


@pytest.mark.parametrize(
    ("files", "question", "columns"),
    [
        (_BIDS, "Highest bid and who made it", ["bidAmount", "bidder"]),
        (_PARCELS, "Heaviest parcel and its courier", ["parcel_no", "net_wt_kg", "courier"]),
        (_PARCELS, "Heaviest parcel and its weight", ["parcel_no", "net_wt_kg"]),
    ],
)
def test_an_end_and_who_or_what_has_it(
    tmp_path: Path, files: dict[str, str], question: str, columns: list[str]
) -> None:
    """Both are shown; what stood behind "and" was left out."""
    query = _query(tmp_path, question, files)
    assert query["columns"] == columns
    assert query["limit"] == 1


@each_row(
    ("files", "question", "column"),
    [
        (_KURSE, "wer hat noch nicht bezahlt", "Teilnehmer"),
        (_KURSE, "wer hat im mai gebucht", "Teilnehmer"),
        (_KURSE, "wer hat die meisten Kurse geprüft?", "Prüfer"),
        (_BIDS, "who made the most bids", "bidder"),
        (_BIDS, "who handled the most bids", "clerk"),
    ],
)
def test_who_is_a_person(tmp_path: Path, files: dict[str, str], question: str, column: str) -> None:
    """The verb tells whom, or there is one column of persons; the first texts were shown."""
    assert _query(tmp_path, question, files)["columns"] == [column]


@each_row(
    ("files", "question", "group", "measure"),
    [
        (_BESUCHE, "Welcher Rundgang hat die meisten Gäste?", "Rundgang", ("sum", "Gäste")),
        (_BESUCHE, "Welcher Rundgang hatte die wenigsten Gäste?", "Rundgang", ("sum", "Gäste")),
        (_BESUCHE, "Welcher Rundgang ist am besten bewertet?", "Rundgang", ("mean", "Bewertung")),
        (_BESUCHE, "Welcher Leiter hat die meisten Gäste?", "Leiter", ("sum", "Gäste")),
        (_CREW, "which section has the fewest crew", "Section", ("count", "")),
    ],
)
def test_what_has_many_rows_is_ranked_by_all_of_them(
    tmp_path: Path, files: dict[str, str], question: str, group: str, measure: tuple[str, str]
) -> None:
    """The visitors of an exhibition are added up; its largest day was taken."""
    query = _query(tmp_path, question, files)
    [found] = query["measures"]
    assert query["by"] == group
    assert (found["function"], found.get("column", "")) == measure


_TOOLS: Final = {
    "geraete.csv": (
        "Gerät;Stunden pro Tag;Leistung (W);Gekauft am;Besitzer\n"
        "Bohrer;2;700;12.03.2018;Felix Jung\n"
        "Säge;4;1500;05.11.2012;Lena Kurz\nFräse;1;900;01.02.2021;Felix Jung\n"
    )
}


@each_row(
    ("question", "row"),
    [
        ("Welches Gerät ist am ältesten?", "Säge"),
        ("welches Gerät ist das neueste", "Fräse"),
        ("Which Gerät is the oldest?", "Säge"),
        ("Wie viele Geräte hat Felix Jung?", 2),
        ("Welche Geräte hat Lena Kurz?", "Säge"),
    ],
)
def test_a_date_tells_what_is_old_and_a_name_does_not(
    tmp_path: Path, question: str, row: str | int
) -> None:
    """Hours a day were taken for a date, and Felix Jung for the youngest."""
    (tmp_path / "geraete.csv").write_text(_TOOLS["geraete.csv"])
    sources = TableSources(Workspace(tmp_path))
    query = Environment().readings(question, sources, 1)[0].query
    table = sources.sample_of(query)
    assert table is not None
    assert Answers(table).of(query)[0][0] == row


@each_row("question", ["was steht auf der Liste", "wie viele Tage seit dem 5. Dezember"])
def test_the_parts_of_a_header_are_short_for_no_verb(tmp_path: Path, question: str) -> None:
    """Both "steht" and "seit" were taken for the St of MwSt."""
    (tmp_path / "rechnungen.csv").write_text("Nr;Datum;Betrag;MwSt\n1;2026-01-12;119,00;19\n")
    assert not Environment().readings(question, TableSources(Workspace(tmp_path)), 1)


def test_an_age_on_a_stated_birthday_is_of_no_table(tmp_path: Path) -> None:
    """The mean of all ages was told, with 8 of 10."""
    (tmp_path / "members.csv").write_text("name,age\nAnn,31\nBo,40\n")
    question = "Ann was born on 2 June 1988. How old is she?"
    assert not Environment().readings(question, TableSources(Workspace(tmp_path)), 1)


@each_row(
    ("name", "is_identifier"),
    [
        ("Tax", False), ("House", False), ("Account", False), ("Mobile", True), ("tax no", True),
        ("account_number", True), ("Telefon", True), ("Kundennr", True), ("account balance", False),
    ],
)  # fmt: skip
def test_a_number_by_which_something_is_known_is_no_amount(
    name: str, *, is_identifier: bool
) -> None:
    """A tax is one."""
    assert ColumnSample(name, ["1200", "350"]).is_identifier is is_identifier


def test_persons_are_no_older_than_the_oldest(tmp_path: Path) -> None:
    """Students over 90 have a score."""
    (tmp_path / "students.csv").write_text("student,age,score\nAnn,21,95\nBo,24,60\nCy,30,91\n")
    query = Environment().readings(
        "Which students are over 90?", TableSources(Workspace(tmp_path)), 1
    )
    assert not query or query[0].query.filters[0].column == "score"
