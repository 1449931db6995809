"""Runs of older versions are exported too."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from okso_jupyter.journal.store import Journal
from okso_jupyter.telemetry.atif import to_atif
from okso_jupyter.telemetry.trace_builder import trace_of
from tests.frozen.reading import SNAPSHOTS, opened

RUNS = sorted(file.stem for file in SNAPSHOTS.glob("*.json") if file.stem != "all")


@pytest.fixture(name="journal", scope="module")
def _journal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Journal]:
    """The journal of an older version, in a folder of this test."""
    journal = opened(tmp_path_factory.mktemp("telemetry") / "home")
    yield journal
    journal.close()


@pytest.mark.parametrize("run_id", RUNS)
def test_an_older_run_is_exported(journal: Journal, run_id: str) -> None:
    """Every span is within a known one, the run's own is the last, and no event is lost."""
    records = journal.records(run_id)
    spans = trace_of(run_id, records, content=True).spans
    ids = {span.span_id for span in spans}
    assert len(ids) == len(spans)
    assert spans[-1].name == "invoke_agent okso"
    assert all(span.parent_id in ids for span in spans[:-1])
    decisions = sum(record.kind == "decision" for record in records)
    names = [event.name for span in spans for event in span.events]
    assert names.count("okso.decision") == decisions
    turns = to_atif(run_id, records)["steps"]
    calls = sum(record.kind == "call_started" for record in records)
    assert turns[0]["source"] == "user"
    assert sum("tool_calls" in turn for turn in turns) <= calls
