"""An older version's journal is read exactly as that version read it."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator
from typing import Any

import pytest

from okso_jupyter.journal.store import Journal
from tests.frozen.reading import SNAPSHOTS, everything_of, everything_of_all, opened

RUNS = sorted(file.stem for file in SNAPSHOTS.glob("*.json") if file.stem != "all")


@pytest.fixture(name="journal", scope="module")
def _journal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Journal]:
    """The journal of the older version, in a folder of this test."""
    journal = opened(tmp_path_factory.mktemp("frozen") / "home")
    yield journal
    journal.close()


def test_snapshots_match_the_runs(journal: Journal) -> None:
    """Every run has a snapshot, and every snapshot has a run."""
    assert sorted(journal.run_ids()) == RUNS


@pytest.mark.parametrize("run_id", RUNS)
def test_an_older_run_is_read_unchanged(journal: Journal, run_id: str) -> None:
    """Every table, text, drawing and state made from the run's records is unchanged."""
    assert_same(everything_of(journal, run_id), run_id)


def test_older_runs_are_listed_unchanged(journal: Journal) -> None:
    """The lists of runs are unchanged, including the list of resumable ones."""
    assert_same(everything_of_all(journal), "all")


def assert_same(read: dict[str, Any], name: str) -> None:
    """Fail with a diff if a reading differs from its snapshot."""
    before = json.loads((SNAPSHOTS / f"{name}.json").read_text("utf-8"))
    after = json.loads(json.dumps(read))
    if before != after:
        pytest.fail("\n".join(_differences(before, after)))


def _differences(before: dict[str, Any], after: dict[str, Any]) -> Iterator[str]:
    for part in sorted(before.keys() | after.keys()):
        was, now = (json.dumps(one.get(part), indent=1).splitlines() for one in (before, after))
        yield from difflib.unified_diff(was, now, f"{part} before", f"{part} now", n=1, lineterm="")
