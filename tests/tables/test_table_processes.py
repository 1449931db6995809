"""Processes that wait for the next question: who gets them, and when they end."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pandas as pd
import pytest

from okso_jupyter import Session, removal
from okso_jupyter.errors import ToolRefusedError
from okso_jupyter.sandbox import value_codec
from okso_jupyter.tables.engine import TableEngine
from okso_jupyter.tables.query import Measure, Query
from okso_jupyter.tables.table_processes import Key, TableProcess, TableProcesses
from okso_jupyter.workspace import Workspace

pytestmark = pytest.mark.process

COUNT = Query("sales.csv", measures=(Measure("count"),))
SORTED = Query("large.csv", by="name", measures=(Measure("median", "price"),), limit=2)


@pytest.fixture(name="root")
def _root(tmp_path: Path) -> Path:
    root = tmp_path / "root"
    root.mkdir()
    (root / "sales.csv").write_text("region,price\nnorth,1.5\nsouth,2.5\n")
    return root


@pytest.fixture(name="processes")
def _processes(root: Path) -> Iterator[TableProcesses]:
    processes = TableProcesses()
    with _engine(root, processes) as engine:
        try:
            engine.head("sales.csv")
        except ToolRefusedError as error:
            pytest.skip(f"NOT TESTED, a layer is missing here: {error}")
    yield processes
    processes.close()


@contextmanager
def _engine(
    root: Path, processes: TableProcesses | None, frame: object = None
) -> Iterator[TableEngine]:
    """Yield the engine of another run."""
    frames = {} if frame is None else {"sold": value_codec.encode(frame)}
    workspace = Workspace(root)
    scratch = root.with_name("scratch")
    with TableEngine(workspace, scratch, frames=frames, processes=processes) as engine:
        yield engine
    workspace.close()


def _waiting(processes: TableProcesses) -> list[TableProcess]:
    return list(processes._waiting.values())


def _pids(processes: TableProcesses) -> list[int]:
    return [process.child.pid for process in _waiting(processes)]


def test_the_next_run_asks_the_same_process(root: Path, processes: TableProcesses) -> None:
    """A file that was written meanwhile is read by another one."""
    [first] = _pids(processes)
    for _ in range(2):
        with _engine(root, processes) as engine:
            assert engine.run(COUNT).rows == [[2]]
        assert _pids(processes) == [first]

    (root / "sales.csv").write_text("region,price\nnorth,1.5\n")
    with _engine(root, processes) as engine:
        assert engine.run(COUNT).rows == [[1]]
    assert _pids(processes) != [first]


def test_a_frame_is_known_by_its_values(root: Path, processes: TableProcesses) -> None:
    """The next run's frame of the same name may be another one."""
    count = Query("sold", measures=(Measure("sum", "pieces"),))
    asked = []
    for pieces in ([1, 2], [1, 2], [1, 3]):
        with _engine(root, processes, pd.DataFrame({"pieces": pieces})) as engine:
            assert engine.run(count).rows == [[sum(pieces)]]
        asked.append(_pids(processes)[-1])
    assert asked[0] == asked[1] != asked[2]


def test_a_process_is_lent_to_one_run(root: Path, processes: TableProcesses) -> None:
    """Two runs that ask the same table at once have a process each; one is kept."""
    [process] = _waiting(processes)
    assert processes.take(process.key) is process
    assert processes.take(process.key) is None
    with _engine(root, processes) as engine:
        assert engine.run(COUNT).rows == [[2]]
    [other] = _waiting(processes)
    assert other is not process

    processes.give_back(process)
    assert _waiting(processes) == [process]
    assert not other.child.alive


def test_two_wait_at_most(root: Path, processes: TableProcesses) -> None:
    """The one that has waited longest ends."""
    [oldest] = _waiting(processes)
    for name in ("a.csv", "b.csv"):
        (root / name).write_text("x\n1\n")
        with _engine(root, processes) as engine:
            engine.head(name)
    assert len(_waiting(processes)) == 2
    assert not oldest.child.alive
    assert not oldest.folder.exists()


def test_processes_end_some_time_after_the_last_question(
    root: Path, processes: TableProcesses
) -> None:
    """Nothing is left of them, and the next question starts another."""
    [process] = _waiting(processes)
    processes._wait_s = 0.2
    with _engine(root, processes) as engine:
        assert engine.run(COUNT).rows == [[2]]
        process.child._process.wait(60)
        with processes._lock:  # held until nothing is left of it
            assert not process.folder.exists()
        assert engine.run(COUNT).rows == [[2]]


def test_none_waits_after_the_end(root: Path, processes: TableProcesses) -> None:
    """A run that outlives its session leaves no process."""
    [process] = _waiting(processes)
    assert processes.take(process.key) is process
    processes.close()
    alive = [process.child.alive]
    processes.give_back(process)
    alive.append(process.child.alive)
    assert alive == [True, False]
    with _engine(root, processes) as engine:
        assert engine.run(COUNT).rows == [[2]]
    assert not _waiting(processes)


def test_one_that_ended_or_lost_its_folder_is_replaced(
    root: Path, processes: TableProcesses
) -> None:
    """Its folder is in that of a run, which the user may remove."""
    for spoil in (lambda each: each.child.kill(), lambda each: removal.remove(each.folder)):
        [process] = _waiting(processes)
        spoil(process)
        with _engine(root, processes) as engine:
            assert engine.run(COUNT).rows == [[2]]
        assert _pids(processes) != [process.child.pid]
        assert not process.child.alive


def test_a_run_that_ends_stops_its_query_alone(
    root: Path, processes: TableProcesses, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The processes that wait are there for the next run."""
    (root / "large.csv").write_text(
        "name,price\n" + "".join(f"name {n},{n * 7919 % 100003}\n" for n in range(2_000_000))
    )
    before = _pids(processes)
    refused = []

    def ask(engine: TableEngine) -> None:
        try:
            engine.run(SORTED, timeout_s=300)
        except ToolRefusedError as error:
            refused.append(str(error))

    with _engine(root, processes) as engine:
        engine.head("large.csv")
        taken, take = threading.Event(), processes.take

        def taking(key: Key) -> TableProcess | None:
            process = take(key)
            taken.set()
            return process

        monkeypatch.setattr(processes, "take", taking)
        asking = threading.Thread(target=ask, args=(engine,))
        asking.start()
        assert taken.wait(60)
    asking.join(60)
    assert refused == ["stopped"]
    assert _pids(processes) == before


def test_a_session_keeps_the_process_of_its_table(root: Path, tmp_path: Path) -> None:
    """Later questions need no new one; none is left when the session is closed."""
    with Session({"OKSO_HOME": str(tmp_path / "home")}, root=root) as session:
        asked = []
        for request, told in (("sum of price", "4"), ("highest price", "2.5")):
            run = session.execute(session.plan(request), approve="auto")
            assert told in str(run.answer)
            asked += _waiting(session._shared.table_processes())
    first, second = asked
    assert first is second
    assert not first.child.alive
    assert not first.folder.exists()
