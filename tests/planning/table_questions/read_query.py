"""The query that a question about the tables of a folder is read as."""

from __future__ import annotations

from pathlib import Path

from okso_jupyter.planning.environment import Environment
from okso_jupyter.planning.table_questions.table_sources import TableSources
from okso_jupyter.tables.query import Query
from okso_jupyter.workspace import Workspace


def query_of(folder: Path, request: str) -> Query:
    """Return the first reading of a question."""
    sources = TableSources(workspace=Workspace(folder))
    return Environment().readings(request, sources, 1)[0].query
