"""Environment of planning: folder listing, clock and randomness, live or replayed."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from posixpath import dirname
from typing import TYPE_CHECKING, Any, Final

from okso_jupyter.errors import ToolError
from okso_jupyter.personal.ical.moments import zone_of
from okso_jupyter.plan.flaws import Flaw
from okso_jupyter.plan.plan import Plan
from okso_jupyter.planning.file_commands.folder_view import FolderView
from okso_jupyter.planning.file_commands.steps import Steps
from okso_jupyter.planning.personal_requests.known_titles import TitlesOf
from okso_jupyter.planning.request.courtesy import direct
from okso_jupyter.planning.request.facts import Facts, gather
from okso_jupyter.planning.table_questions.going_on import may_follow
from okso_jupyter.planning.table_questions.query_reading import FollowUp, QueryReading
from okso_jupyter.planning.table_questions.table_sources import TableSources
from okso_jupyter.tables.query import Query
from okso_jupyter.toolkit.plan_check import flaws_of
from okso_jupyter.toolkit.tool import Tool
from okso_jupyter.workspace import Workspace

if TYPE_CHECKING:
    from okso_jupyter.planning.table_questions.result_file import ResultFile

_MAX_SEED: Final = 2**31


class Environment:
    """Live folder listing, clock and randomness; a replay substitutes the recorded ones.

    Those that read requests are imported when one is read: importing them compiles a thousand
    patterns, which takes a fifth of a session's import.
    """

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
        """Return what a request may mean as a question about tables (see `readings_asked`)."""
        from okso_jupyter.planning.table_questions.table_request import readings_asked  # noqa: PLC0415  see the class

        return readings_asked(direct(request), sources, most, is_named=is_named)

    def rows_without(self, request: str, sources: TableSources) -> Steps:
        """Return the step for rows that no row refers to in a period; () for other requests."""
        from okso_jupyter.planning.table_questions.unmatched_in_period import unmatched_in_period  # noqa: PLC0415  see the class

        today = Environment.now(self).date()
        step = unmatched_in_period(direct(request), sources, today)
        return (step,) if step else ()

    def times_of_rate(self, request: str, sources: TableSources) -> Steps:
        """Return the step that multiplies a rate of a table; () for other requests."""
        from okso_jupyter.planning.table_questions.rate_times import rate_times  # noqa: PLC0415  see the class

        step = rate_times(direct(request), sources)
        return (step,) if step else ()

    def follow_up(
        self, request: str, sources: TableSources, last: Callable[[], Query | None]
    ) -> FollowUp | None:
        """Return the last query as a request changes it; None if it stands alone.

        Args:
            request: The request in plain words.
            sources: Where the table of the last query is.
            last: Returns the last query; None if there was none.
        """
        from okso_jupyter.planning.table_questions.follow_up import follow_up  # noqa: PLC0415  see the class
        from okso_jupyter.planning.table_questions.recognition import names_source  # noqa: PLC0415  see the class

        if not may_follow(request) or names_source(gather(request, sources.workspace), sources):
            return None
        query = last()
        table = sources.sample_of(query) if query else None
        return follow_up(request, query, table) if query and table else None

    def after_feedback(self, feedback: str, sources: TableSources, shown: Query) -> FollowUp | None:
        """Return the query of a plan as feedback changes it; None if some of it says another thing.

        Args:
            feedback: The feedback.
            sources: Where the table of the query is.
            shown: The query of the plan.
        """
        from okso_jupyter.planning.table_questions.follow_up import changed_query  # noqa: PLC0415  see the class
        from okso_jupyter.planning.table_questions.recognition import names_source  # noqa: PLC0415  see the class

        if names_source(gather(feedback, sources.workspace), sources):
            return None
        table = sources.sample_of(shown)
        return changed_query(feedback, shown, table) if table else None

    def result_file(self, request: str, workspace: Workspace) -> ResultFile | None:
        """Return the question of a request to save its answer, and the new file; else None."""
        from okso_jupyter.planning.table_questions.result_file import result_file_of  # noqa: PLC0415  see the class

        asked = direct(request)
        found = result_file_of(asked, gather(asked, workspace))
        has_folder = found and FolderView(workspace).is_folder(dirname(found.path) or ".")
        return found if has_folder else None

    def file_commands(self, request: str, workspace: Workspace) -> Steps:
        """Return the steps of a request that only says what to do with files; () for any other."""
        from okso_jupyter.planning.file_commands.command_steps import commands_asked  # noqa: PLC0415  see the class

        asked = direct(request)
        return commands_asked(asked, gather(asked, workspace), FolderView(workspace))

    def mail_request(self, request: str, workspace: Workspace) -> Steps:
        """Return the steps of a request that is only about mail; () for any other."""
        from okso_jupyter.planning.personal_requests.mail_asked import mail_asked  # noqa: PLC0415  see the class

        asked = direct(request)
        return mail_asked(asked, gather(asked, workspace).files)

    def text_question(self, request: str, workspace: Workspace) -> Steps:
        """Return the step that shows the text a question is about; () where no text is."""
        from okso_jupyter.planning.file_commands.text_questions import text_question  # noqa: PLC0415  see the class

        asked = direct(request)
        return text_question(asked, gather(asked, workspace), FolderView(workspace))

    def is_told_by_text(self, request: str, sources: TableSources, query: Query) -> bool:
        """Return whether a line of a text tells more of a request than the table of a query.

        Args:
            request: The request in plain words.
            sources: Where the table is.
            query: What the request would ask of the table.
        """
        from okso_jupyter.planning.file_commands.text_questions import told_by_text  # noqa: PLC0415  see the class

        table = sources.sample_of(query)
        if table is None or sources.workspace is None:
            return False
        cells = (cell for column in table.columns.values() for cell in column.cells)
        said = (*query.sources, *table.columns, *dict.fromkeys(cells))
        return told_by_text(direct(request), FolderView(sources.workspace), said)

    def personal_request(self, request: str, time_zone: str | None, titles: TitlesOf) -> Steps:
        """Return the steps of a request about notes, reminders or events; () for any other.

        Nor are there any where the zone is not known: the tools then say so.

        Args:
            request: The request in plain words.
            time_zone: Name of the user's zone; None for that of the system.
            titles: Returns the titles that the user's stores hold.
        """
        from okso_jupyter.planning.personal_requests.personal_asked import personal_asked  # noqa: PLC0415  see the class

        try:
            zone = zone_of(time_zone)
        except ToolError:
            return ()
        return personal_asked(request, Environment.now(self).astimezone(zone), titles)

    def calculation(self, request: str) -> Mapping[str, Any] | None:
        """Return the arguments of `calculator` for a request that is only a calculation."""
        from okso_jupyter.planning.calculations.calculation_asked import calculation_asked  # noqa: PLC0415  see the class

        return calculation_asked(request) or self.dated_calculation(request)

    def dated_calculation(self, request: str) -> Mapping[str, Any] | None:
        """Return the arguments of `calculator` for a question of dates relative to today."""
        from okso_jupyter.planning.calculations.calculation_asked import calculation_asked  # noqa: PLC0415  see the class
        from okso_jupyter.planning.calculations.relative_dates import with_absolute_dates  # noqa: PLC0415  see the class

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

    def leaves_thoughts_out(self, *, is_wanted: bool) -> bool:
        """Return whether steps are planned without thoughts.

        Args:
            is_wanted: Whether the settings and the model's size are for thoughts.
        """
        return not is_wanted

    def seed(self) -> int:
        """Return a random seed for the first candidate."""
        return secrets.randbelow(_MAX_SEED)
