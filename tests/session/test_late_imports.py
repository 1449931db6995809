"""A session is imported without what it needs for single calls or for reading requests."""

from __future__ import annotations

import subprocess
import sys

import pytest

LATE = (
    "httpcore2",
    "jsonschema",
    "markdown_it",
    "okso_jupyter.personal.ical.spoken_moments",
    "okso_jupyter.planning.calculations.calculation_asked",
    "okso_jupyter.planning.personal_requests.personal_asked",
    "okso_jupyter.planning.table_questions.follow_up",
    "okso_jupyter.planning.table_questions.recognition",
    "okso_jupyter.planning.table_questions.table_request",
    "pandas",
    "snowballstemmer",
)


@pytest.mark.process
def test_importing_a_session_leaves_out_what_is_imported_late() -> None:
    """`python -X importtime` names none of these modules, and the session's own."""
    told = subprocess.run(
        [sys.executable, "-X", "importtime", "-c", "import okso_jupyter.session.session"],
        capture_output=True,
        text=True,
        check=True,
    )
    imported = {line.rpartition("|")[2].strip() for line in told.stderr.splitlines()}
    assert "okso_jupyter.session.session" in imported
    assert imported.isdisjoint(LATE), sorted(imported.intersection(LATE))
