"""Environment of planning: folder listing, clock and randomness, live or replayed."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from posixpath import dirname
from typing import Any, Final

from okso_jupyter.plan.flaws import Flaw
from okso_jupyter.plan.plan import Plan
from okso_jupyter.planning.calculations.calculation_asked import calculation_asked
from okso_jupyter.planning.calculations.relative_dates import with_absolute_dates
from okso_jupyter.planning.file_commands.clause import Steps
from okso_jupyter.planning.file_commands.command_steps import commands_asked
from okso_jupyter.planning.file_commands.folder_view import FolderView
from okso_jupyter.planning.request.facts import Facts, gather
from okso_jupyter.planning.table_questions.calendar_periods import (
    of_calendar,
    with_known_periods,
)
from okso_jupyter.planning.table_questions.chart_words import chart_asked
from okso_jupyter.planning.table_questions.charted_readings import charted
from okso_jupyter.planning.table_questions.compared_columns import of_columns
from okso_jupyter.planning.table_questions.computed_words import computed_asked, wants_column
from okso_jupyter.planning.table_questions.fitted_weights import shipped_weights
from okso_jupyter.planning.table_questions.follow_up import FollowUp, follow_up, may_follow
from okso_jupyter.planning.table_questions.instructions import (
    as_instructed,
    hinted,
    without_level,
)
from okso_jupyter.planning.table_questions.joined_sample import with_computed
from okso_jupyter.planning.table_questions.meant_table import (
    may_mean_table,
    table_meant,
    table_within,
)
from okso_jupyter.planning.table_questions.outlier_words import outliers_asked, without_outliers
from okso_jupyter.planning.table_questions.readings import QueryReading, readings_of
from okso_jupyter.planning.table_questions.recognition import (
    as_asked,
    database_named,
    names_source,
    question_of,
    table_named,
)
from okso_jupyter.planning.table_questions.related_tables import (
    heads_of,
    of_tables,
    related_tables,
    table_of_formula,
)
from okso_jupyter.planning.table_questions.result_file import ResultFile, result_file_of
from okso_jupyter.planning.table_questions.stated_measures import of_several
from okso_jupyter.planning.table_questions.stated_parts import LOOKED_THROUGH, as_stated
from okso_jupyter.planning.table_questions.table_sources import TableSources
from okso_jupyter.planning.table_questions.two_tables import two_tables_asked
from okso_jupyter.tables.query import Query
from okso_jupyter.toolkit.plan_check import flaws_of
from okso_jupyter.toolkit.tool import Tool
from okso_jupyter.workspace import Workspace

_MAX_SEED: Final = 2**31


class Environment:
    """Live folder listing, clock and randomness; a replay substitutes the recorded ones."""

    def facts(
        self,
        request: str,
        workspace: Workspace | None,
        tables: Mapping[str, Sequence[str]] | None = None,
    ) -> Facts:
        """Return the files, columns and values that a request names (see `facts.gather`)."""
        return gather(request, workspace, tables)

    def readings(
        self, request: str, sources: TableSources, most: int, *, is_named: bool = False
    ) -> tuple[QueryReading, ...]:
        """Return what a request may mean as a question about a table; () if it is none.

        Args:
            request: The request in plain words.
            sources: The tables that it can be about.
            most: The most readings that are wanted.
            is_named: Whether the request must name its table.
        """
        both = two_tables_asked(request, lambda: heads_of(sources))
        if both is not None:
            return (QueryReading.of_statement(both),)
        facts = gather(request, sources.workspace)
        known = [*facts.columns, *(name for own in sources.frames.values() for name in own)]
        chart = chart_asked(request, known)
        asked = with_known_periods(chart.question if chart else request, known)
        outliers = outliers_asked(asked, known)
        asked = outliers.question if outliers else asked
        own = table_of_formula(asked, facts, sources)
        asked = own.question if own else asked
        facts = gather(asked, sources.workspace) if asked != request else facts
        named = table_named(facts, sources.frames) or database_named(facts, sources.database)
        is_meant = not (named or is_named)
        source = table_meant(facts, sources, is_chart=bool(chart)) if is_meant else named
        plain = question_of(asked, source)
        plain = as_asked(plain) if is_meant and not chart else plain
        source = table_within(source, plain, sources) if source else ""
        table = sources.sample(source) if source else None
        if source or may_mean_table(facts, is_chart=bool(chart)):
            table = related_tables(plain, table, sources) or table
        if table is None:
            return ()
        computed = own or computed_asked(asked, table)
        if computed is None and wants_column(asked):
            return ()
        if computed:
            plain = question_of(computed.question, source)
            table = with_computed(table, computed.computed)
            if computed.shows_rows(plain):
                return of_tables([QueryReading.of_statement(Query(table.source))], table)
        columns = [*table.columns]
        question = hinted(without_level(plain), asked, columns)
        readings = readings_of(question, table, shipped_weights(), LOOKED_THROUGH)
        if outliers:
            stated = as_stated(question, readings, columns)
            readings = without_outliers(stated, outliers, columns)
        elif not chart:
            readings = as_stated(question, readings, columns)
            readings = of_several(question, of_columns(question, readings, table), table)
        if not chart:
            found = as_instructed(asked, readings)[:most]
        else:
            found = charted(readings, replace(chart, question=question), table, most)
        return of_tables(of_calendar(request, found, table), table)

    def follow_up(
        self, request: str, sources: TableSources, last: Callable[[], Query | None]
    ) -> FollowUp | None:
        """Return the last query as a request changes it; None if it stands alone.

        Args:
            request: The request in plain words.
            sources: Where the table of the last query is.
            last: Returns the last query; None if there was none.
        """
        if not may_follow(request) or names_source(gather(request, sources.workspace), sources):
            return None
        query = last()
        table = sources.sample_of(query) if query else None
        return follow_up(request, query, table) if query and table else None

    def result_file(self, request: str, workspace: Workspace) -> ResultFile | None:
        """Return the question of a request to save its answer, and the new file; else None."""
        found = result_file_of(request, gather(request, workspace))
        has_folder = found and FolderView(workspace).is_folder(dirname(found.path) or ".")
        return found if has_folder else None

    def file_commands(self, request: str, workspace: Workspace) -> Steps:
        """Return the steps of a request that only says what to do with files; () for any other."""
        return commands_asked(request, gather(request, workspace), FolderView(workspace))

    def dated_calculation(self, request: str) -> Mapping[str, Any] | None:
        """Return the arguments of `calculator` for a question of dates relative to today."""
        dated = with_absolute_dates(request, Environment.now(self).date())
        return calculation_asked(dated) if dated != request.lower() else None

    def flaws(
        self, plan: Plan, tools: Mapping[str, Tool], workspace: Workspace | None
    ) -> tuple[Flaw, ...]:
        """Return why a plan would fail in the current workspace (see `plan_check.flaws_of`)."""
        return flaws_of(plan, tools, workspace)

    def now(self) -> datetime:
        """Return the local time."""
        return datetime.now().astimezone()

    def is_in_time(self, *, is_by_clock: bool) -> bool:
        """Return whether time is left; in a live run, as the clock says (`is_by_clock`)."""
        return is_by_clock

    def seed(self) -> int:
        """Return a random seed for the first candidate."""
        return secrets.randbelow(_MAX_SEED)
