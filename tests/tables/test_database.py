"""The database of TABLE_BACKEND: a real Postgres and a SQLite file, asked read-only."""

from __future__ import annotations

import socket
import sqlite3
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest

from okso_jupyter.errors import (
    SettingError,
    ToolFailedError,
    ToolInputError,
    ToolRefusedError,
    ToolTimeoutError,
)
from okso_jupyter.planning.environment import Environment
from okso_jupyter.planning.table_questions.table_sources import TableSources
from okso_jupyter.tables.column_kinds import OF_PAIRS
from okso_jupyter.tables.database import Database, is_remote_source
from okso_jupyter.tables.engine import TableEngine
from okso_jupyter.tables.query import FUNCTIONS, Bound, Filter, Function, Measure, Query
from okso_jupyter.workspace import Workspace
from tests.tables import postgres_server
from tests.tables.postgres_server import Server

_PASSWORD = "s3cret-Of-Tests"  # noqa: S105  of a server that lives for a test
_TABLES = """
CREATE TABLE customers (id integer, name text, city text);
CREATE TABLE orders (id integer, city text, total numeric, placed date, paid boolean);
INSERT INTO customers VALUES (1, 'Ann', 'Bern'), (2, 'Bob', 'Chur');
INSERT INTO orders VALUES
    (1, 'Bern', 2, '2024-01-05', true), (2, 'Bern', 4, '2024-02-06', false),
    (3, 'Chur', 9, '2025-03-07', true), (4, 'Chur', NULL, '2025-04-08', true);
CREATE VIEW large AS SELECT * FROM orders WHERE total > 3;
"""
#: What Postgres has no function for.
_NOT_IN_POSTGRES = {
    "skewness", "normality", "rank correlation", "correlation p-value", "outliers",
}  # fmt: skip


@pytest.fixture(name="server", scope="module")
def _server(_peer: None) -> Iterator[Server]:
    programs = postgres_server.binaries()
    if programs is None:
        pytest.skip("NOT TESTED: there is no Postgres here (Debian: apt-get install postgresql)")
    # the user of the server has no way into the folders of pytest
    with (
        tempfile.TemporaryDirectory() as folder,
        postgres_server.running(Path(folder), programs, _PASSWORD) as server,
    ):
        with psycopg.connect(server.address) as connection:
            connection.execute(_TABLES)
        yield server


@pytest.fixture(name="engine")
def _engine(server: Server, tmp_path: Path) -> Iterator[TableEngine]:
    with _engine_of(server.address, tmp_path) as engine:
        yield engine


def _engine_of(address: str, folder: Path) -> TableEngine:
    root = folder / "files"
    root.mkdir(exist_ok=True)
    return TableEngine(Workspace(root), folder / "scratch", database=Database(address))


@pytest.mark.parametrize(
    ("source", "is_remote"),
    [
        ("postgres", True),
        ("postgres/orders", True),
        ("postgres/orders.csv", False),
        ("postgres/shop.db/orders", False),
        ("postgresql/orders", False),
    ],
)
def test_a_folder_may_be_called_as_a_database_is(source: str, is_remote: bool) -> None:  # noqa: FBT001  pytest names it
    """Its files are read as files, without the network."""
    assert is_remote_source(source) is is_remote


def test_a_sqlite_file_is_a_backend_too(tmp_path: Path) -> None:
    """Its SQL is SQLite's own; the file may lie anywhere."""
    path = tmp_path / "shop.db"
    with closing(sqlite3.connect(path)) as made:
        made.executescript(_TABLES)
    with _engine_of(f"sqlite:///{path}", tmp_path) as engine:
        query = Query(
            "sqlite/orders", by="placed", part="year", order="placed",
            measures=(Measure("sum", "total"),),
        )  # fmt: skip
        assert engine.run(query).rows == [[2024, 6], [2025, 9]]
        assert engine.run(replace(query, bounds=(Bound(">", 6),))).rows == [[2025, 9]]
        with pytest.raises(ToolInputError, match=r"sqlite cannot compute it: .*Median"):
            engine.run(Query("sqlite/orders", measures=(Measure("median", "total"),)))


def test_an_address_of_another_kind_is_an_error() -> None:
    """The address itself is not repeated: it may hold a password."""
    with pytest.raises(SettingError, match="begins with postgres:// or sqlite:///") as caught:
        Database("mysql://me:secret@host/db")
    assert "secret" not in str(caught.value)


def test_a_question_is_answered_in_the_sql_of_postgres(engine: TableEngine) -> None:
    """Groups, filters and sums run there; what is shown is what runs."""
    query = Query(
        "postgres/orders",
        (Filter("placed", ">=", "2024-02-01"),),
        by="city",
        order="city",
        measures=(Measure("mean", "total"), Measure("count")),
    )
    result = engine.run(query)
    assert result.rows == [["Bern", 4, 1], ["Chur", 9, 2]]
    assert result.sql == engine.sql(query)
    assert 'FROM "orders"' in result.sql
    assert "okso" not in result.sql


@pytest.mark.parametrize("function", [f for f in FUNCTIONS if f not in _NOT_IN_POSTGRES])
def test_the_functions_of_numbers(engine: TableEngine, function: Function) -> None:
    """Each gives one row for each group."""
    other = "id" if function in OF_PAIRS else ""
    query = Query("postgres/orders", by="city", measures=(Measure(function, "total", other),))
    assert len(engine.run(query).rows) == 2


@pytest.mark.parametrize(
    ("query", "rows"),
    [
        (Query("postgres/orders", (Filter("paid", "=", "true"),), columns=("id",)),
         [[1], [3], [4]]),
        (Query("postgres/orders", by="placed", part="year", order="placed",
               measures=(Measure("sum", "total"),)), [[2024, 6], [2025, 9]]),
        (Query("postgres/orders", columns=("city",), distinct=True), [["Bern"], ["Chur"]]),
        (Query("postgres/orders", order="total", descending=True, limit=1, columns=("id",)), [[3]]),
        (Query("postgres/orders", (Filter("id", "=", 1),), shift=1, columns=("id",)), [[2]]),
        (Query("postgres/orders", (Filter("city", "=", "bern"),), measures=(Measure("count"),)),
         [[2]]),
        (Query("postgres/large", measures=(Measure("count"),)), [[2]]),
        (Query("postgres", columns=("table",)), [["customers"], ["large"], ["orders"]]),
    ],
)  # fmt: skip
def test_the_parts_of_a_query(engine: TableEngine, query: Query, rows: list[list[object]]) -> None:
    """Dates, truth values, order and the table of tables."""
    assert engine.run(query).rows == rows


def test_a_request_finds_its_table(engine: TableEngine, tmp_path: Path) -> None:
    """By the name of the database's kind, and the words of table and columns."""
    sources = TableSources(Workspace(tmp_path), engine)
    count, mean, tables = (
        Environment().readings(request, sources, 3)[0].query
        for request in (
            "How many orders are in postgres?",
            "mean total by city in the orders of the database",
            "Which tables are in postgres?",
        )
    )
    assert count == Query("postgres/orders", measures=(Measure("count"),))
    assert (mean.source, mean.by, mean.measures) == (
        "postgres/orders", "city", (Measure("mean", "total"),)
    )  # fmt: skip
    assert (tables.source, tables.columns) == ("postgres", ("table",))


def test_what_cannot_be_asked_is_one_sentence(engine: TableEngine) -> None:
    """Of columns, tables, functions and charts."""
    with pytest.raises(ToolInputError, match="no column 'totl'; did you mean 'total'"):
        engine.run(Query("postgres/orders", measures=(Measure("sum", "totl"),)))
    with pytest.raises(ToolFailedError, match='postgres/none: relation "none" does not exist'):
        engine.head("postgres/none")
    with pytest.raises(ToolFailedError, match="skewness"):
        engine.run(Query("postgres/orders", measures=(Measure("skewness", "total"),)))


def test_names_are_names_and_nothing_is_written(server: Server, tmp_path: Path) -> None:
    """A table and a column that read like SQL change nothing."""
    name = 'x"; DROP TABLE orders; --'
    quoted = '"x""; DROP TABLE orders; --"'
    with psycopg.connect(server.address) as connection:
        connection.execute(f"CREATE TABLE {quoted} ({quoted} integer)")
        connection.execute(f"INSERT INTO {quoted} VALUES (7)")  # noqa: S608  our own
    with _engine_of(server.address, tmp_path) as engine:
        assert engine.run(Query(f"postgres/{name}", measures=(Measure("sum", name),))).rows == [[7]]
        assert engine.run(Query("postgres/orders", measures=(Measure("count"),))).rows == [[4]]
    with psycopg.connect(server.address) as connection:
        connection.execute(f"DROP TABLE {quoted}")


def test_a_view_that_would_write_may_not(server: Server, tmp_path: Path) -> None:
    """The transaction only reads, whatever a function of the database does."""
    with psycopg.connect(server.address) as connection:
        connection.execute(
            "CREATE FUNCTION add() RETURNS integer LANGUAGE sql VOLATILE AS"
            " $$ INSERT INTO customers VALUES (9, 'x', 'y') RETURNING id $$;"
            "CREATE VIEW writing AS SELECT add() AS id"
        )
    with (
        _engine_of(server.address, tmp_path) as engine,
        pytest.raises(ToolFailedError, match="cannot execute INSERT in a read-only transaction"),
    ):
        engine.head("postgres/writing")


@pytest.mark.parametrize("is_stopped", [True, False])
def test_a_slow_query_ends(server: Server, tmp_path: Path, *, is_stopped: bool) -> None:
    """By its time limit and by Stop; the server ends it, too."""
    with psycopg.connect(server.address) as connection:
        connection.execute("CREATE OR REPLACE VIEW slow AS SELECT pg_sleep(60) IS NULL AS slept")
    cancelled = threading.Event()
    if is_stopped:
        threading.Timer(1, cancelled.set).start()
    error = ToolRefusedError if is_stopped else ToolTimeoutError
    with _engine_of(server.address, tmp_path) as engine, pytest.raises(error):
        engine.head("postgres/slow", timeout_s=60 if is_stopped else 2, cancelled=cancelled)
    with psycopg.connect(server.address, autocommit=True) as connection:
        until = time.monotonic() + 20
        busy = (
            "SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%slow%'"
            " AND state = 'active' AND pid <> pg_backend_pid()"
        )
        while connection.execute(busy).fetchone() != (0,):
            assert time.monotonic() < until
            time.sleep(0.1)


def test_a_server_that_is_not_there_refuses_or_hangs(server: Server, tmp_path: Path) -> None:
    """Each is one sentence, which holds no password."""
    wrong = server.address.replace(_PASSWORD, "wr0ng-Password")
    gone = f"postgres://tester:{_PASSWORD}@127.0.0.1:1/postgres"
    for address, reason in ((wrong, "password authentication failed"), (gone, "refused")):
        with (
            _engine_of(address, tmp_path) as engine,
            pytest.raises(ToolFailedError, match=reason) as caught,
        ):
            engine.head("postgres/orders")
        assert "\n" not in str(caught.value)
        assert not any(secret in str(caught.value) for secret in (_PASSWORD, "wr0ng-Password"))
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"postgres://tester@127.0.0.1:{silent.getsockname()[1]}/postgres"
        with _engine_of(address, tmp_path) as engine, pytest.raises(ToolTimeoutError):
            engine.head("postgres/orders", timeout_s=1)
