"""The subcommands of `%okso`; each tabular one returns a DataFrame."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from typing import Any, Final

import pandas as pd

from okso_jupyter.amounts import counted
from okso_jupyter.audit.what_if import WhatIf
from okso_jupyter.audit.why_not import WhyNot
from okso_jupyter.errors import UsageError
from okso_jupyter.frames.rating_table import feedback_frame
from okso_jupyter.frames.resumable import resumable_frame
from okso_jupyter.journal.events import CandidateChosen
from okso_jupyter.kernel.front_end import detect
from okso_jupyter.legible import visible
from okso_jupyter.magic import (
    audit_command,
    doctor,
    export_command,
    forget_command,
    mcp_command,
    policy_command,
    undo_commands,
)
from okso_jupyter.magic.audit_arguments import read_candidate, read_weights
from okso_jupyter.magic.command_context import CommandContext
from okso_jupyter.magic.display.cell_display import CellDisplay
from okso_jupyter.magic.help import explained, overview
from okso_jupyter.magic.init_config import write_defaults
from okso_jupyter.magic.models_table import models_table
from okso_jupyter.magic.subcommands import SQL, as_perhaps_request, no_such_plan, words_of
from okso_jupyter.magic.tables import (
    runs_table,
    settings_table,
    tools_table,
    trust_table,
    used_table,
    workflows_table,
)
from okso_jupyter.magic.used_tools import UsedTools
from okso_jupyter.plan.states import RunState
from okso_jupyter.replay.recording_writer import RecordingFile, export
from okso_jupyter.results import Run
from okso_jupyter.resume.uncertain import read_answers
from okso_jupyter.resume.waiting_runs import waiting_runs
from okso_jupyter.session.file_trust import change_trust, file_trusts, inspect_file
from okso_jupyter.settings import config_path, working_folder
from okso_jupyter.toolkit.ratings import Rating, RatingLog, read_answer
from okso_jupyter.views.drawing import Drawing
from okso_jupyter.views.shown_text import ShownText


def run(  # noqa: PLR0913  what a subcommand may use of the notebook
    line: str,
    last: object,
    config: Mapping[str, Any],
    *,
    variables: Mapping[str, object],
    display: Callable[..., Any],
    new_cell: Callable[[str], object] = print,
    used: UsedTools | None = None,
) -> object:
    """Run one subcommand.

    Args:
        line: The subcommand and its words.
        last: The value of `_okso`.
        config: Settings from `%config`.
        variables: The notebook's variables.
        display: IPython's display function.
        new_cell: Puts a text into a new cell of the notebook.
        used: The tools that `%okso use` took from the notebook.

    Raises:
        UsageError: There is no such subcommand, or it does not take these words.
    """
    name, words = words_of(line)
    given = (words, last, config, variables, display, new_cell, used or UsedTools())
    try:
        result = _COMMANDS[name](CommandContext(*given))
    except UsageError as error:
        raise as_perhaps_request(error, name, words) from error
    return ShownText(result) if isinstance(result, str) else result


def _settings(asked: CommandContext) -> pd.DataFrame:
    """The settings: value, where it comes from, default, unit, range, meaning; all, or by name."""
    return asked.rows_of(settings_table(asked.settings, asked.config), "setting")


def _tools(asked: CommandContext) -> pd.DataFrame:
    """The tools: description, arguments, effects, groups, safety note; all, or by name."""
    with asked.session() as session:
        return asked.rows_of(tools_table(session.tools.values()), "tool")


def _use(asked: CommandContext) -> pd.DataFrame:
    """Offer tools made in the notebook to the cells that follow: TOOL ...; --off TOOL; or list."""
    changed = asked.used.changed(asked.words)
    with replace(asked, used=changed).session():  # a name that is taken is said before it counts
        asked.used.names = changed.names
    return used_table(changed.tools(asked.variables))


def _candidates(asked: CommandContext) -> pd.DataFrame:
    """The candidates of the last run, one column per scoring rule."""
    return asked.run().candidates


def _ranking(asked: CommandContext) -> pd.DataFrame:
    """The tools by how well they fit the last request."""
    return asked.run().ranking


def _tree_stats(asked: CommandContext) -> pd.DataFrame:
    """The trees of plans that the last run grew: nodes, depth, model calls, tokens, seconds."""
    return asked.run().tree_stats


def _plan(asked: CommandContext) -> str:
    """The plan of the last run and where it stands; on, off, status: whether cells are planned."""
    if asked.words == ["status"]:
        row = settings_table(asked.settings, asked.config).loc["PLAN_ENABLED"]
        return f"planning is {'on' if row['value'] else 'off'} (PLAN_ENABLED, {row['source']})"
    with asked.session() as session:
        if asked.words and not session.journal.records(asked.words[0]):
            raise no_such_plan(asked.words[0])
        pending = {run.id: run for run in waiting_runs(session.journal, session.root)}
    if pending and not asked.words and asked.last is None:
        asked = replace(asked, words=[next(iter(pending))])  # a run of an earlier kernel
    run = asked.run()
    waiting = pending.get(run.id)
    if waiting is None or waiting.state is RunState.PAUSED:  # the report says how to resume it
        return visible(run.report())
    go_on = f"It {waiting.words}: %okso resume {run.id} resumes it."
    return visible(f"{run.report()}\n{go_on}")


def _why_not(asked: CommandContext) -> WhyNot:
    """Why candidate K did not win, and the least that would have made it: why-not K."""
    number, words = read_candidate(asked.words)
    return replace(asked, words=words).run().why_not(number)


def _rescore(asked: CommandContext) -> pd.DataFrame:
    """The candidates as other weights rank them: rescore RULE=WEIGHT ..."""
    weights, words = read_weights(asked.words)
    return replace(asked, words=words).run().rescore(weights)


def _what_if(asked: CommandContext) -> WhatIf:
    """The candidates with a slider for every weight, ranked anew in place."""
    return asked.run().what_if()


def _history(asked: CommandContext) -> pd.DataFrame:
    """What became of every step in every version of the plan, and why."""
    return asked.run().plan_history()


def _observations(asked: CommandContext) -> pd.DataFrame:
    """The observations of the last run."""
    return asked.run().observations


def _trace(asked: CommandContext) -> pd.DataFrame:
    """The spans of the last run."""
    return asked.run().trace


def _ledger(asked: CommandContext) -> pd.DataFrame:
    """What each step of the last run did."""
    return asked.run().ledger


def _graph(asked: CommandContext) -> Drawing:
    """The plan of the last run as a drawing, with how far every step is."""
    return asked.run().graph()


def _timeline(asked: CommandContext) -> Drawing:
    """The spans of the last run as a drawing."""
    return asked.run().timeline()


def _report(asked: CommandContext) -> str:
    """The report of the last run, as text."""
    return asked.run().report()


def _show(asked: CommandContext) -> Run:
    """The last run, or the one with this id, as its cell showed it: the answer and its evidence."""
    return asked.run()


def _runs(asked: CommandContext) -> pd.DataFrame:
    """The runs in the journal, the newest first."""
    with asked.session() as session:
        return runs_table(session.journal)


def _pause(asked: CommandContext) -> str:
    """Pause a run before its next step; without an id, the only one that is running."""
    with asked.session() as session:
        run_id = session.pause(*asked.words[:1])
    return f"run {run_id} pauses before its next step; %okso resume {run_id} resumes it"


def _resume(asked: CommandContext) -> pd.DataFrame | Run:
    """Go on with a run: its id, STEP=done|again|"leave out" for uncertain steps; or list them."""
    said = read_answers(asked.words[1:])
    with asked.session() as session:
        if not asked.words or asked.words == ["list"]:
            return resumable_frame([asdict(run) for run in session.resumable()])
        run_id = asked.words[0]
        inputs = session.load_run(run_id).data.get("inputs", ())
        names = [value["name"] for value in inputs if value["name"] in asked.variables]
        quiet = session.settings.verbosity == 0
        with CellDisplay(asked.display, detect(), quiet=quiet, pause=session.pause) as showing:
            return session.resume(
                run_id,
                on_planning=showing.planned,
                on_sampling=showing.sampling,
                on_live=showing.live,
                uncertain=said,
                inputs={name: asked.variables[name] for name in names},
            )


def _feedback(asked: CommandContext) -> pd.DataFrame:
    """The ratings of steps; with a rating and a note, first the last run's own."""
    with asked.session() as session:
        log = RatingLog.of(session.settings, session.redactor)
        if asked.words:
            log.add(_rating(asked))
        rows = [asdict(rating) for rating in log.entries()]
        for row in rows:
            chosen = session.journal.events(row["run"], CandidateChosen)
            row["score"] = chosen[-1].score if chosen else None
    return feedback_frame(rows)


def _rating(asked: CommandContext) -> Rating:
    """Return the rating of the last run.

    Raises:
        UsageError: The words do not begin with a rating.
    """
    answer = read_answer(" ".join(asked.words))
    if answer is None:
        msg = f"%okso feedback: {asked.words[0]!r} is not a rating from 1 to 5"
        raise UsageError(msg, hint="such as: %okso feedback 4 quick and right")
    run = replace(asked, words=[]).run()
    return Rating(run=run.id, step=None, rating=answer[0], note=answer[1], plan_item=run.request)


def _record(asked: CommandContext) -> str:
    """Add the last run, or the one with the id behind the file, to a recording: FILE [RUN]."""
    run = replace(asked, words=asked.words[1:]).run()
    file = RecordingFile.open(asked.words[0], asked.settings.home)
    recorded = export(run.records, file)
    return f"{file.path}: run {run.id} added, {len(recorded.entries):,} entries, raw and private"


def _cell(asked: CommandContext) -> None:
    """The last question about a table as pandas code in a new cell, or RUN's; --sql: as SQL."""
    run = replace(asked, words=[word for word in asked.words if word != SQL]).run()
    asked.new_cell(visible(run.code("sql" if SQL in asked.words else "pandas")))


def _workflows(asked: CommandContext) -> pd.DataFrame:
    """The workflows: parameters, steps, intents, file, and what is wrong with a skipped one."""
    with asked.session() as session:
        return workflows_table(session.workflows.entries)


def _trust(asked: CommandContext) -> pd.DataFrame | str:
    """Have a workflow, policy or mcp.json count until it changes; --show, --revoke; or list all."""
    root = working_folder()
    if not asked.words:
        return trust_table(file_trusts(root))
    *options, name = asked.words
    file = shlex.quote(name)
    if options == ["--revoke"]:
        change_trust(root, name, revoke=True)
        return f"{file} is not trusted any more"
    if not options:
        change_trust(root, name)
    found = inspect_file(root, name)
    other = f"--revoke {file} takes it back" if found.is_trusted else f"{file} trusts it"
    state = "trusted" if found.is_trusted else "not trusted"
    asked.display(ShownText(f"{file} is {state}: %okso trust {other}"))
    return trust_table([replace(found, does=(part,)) for part in found.does])


def _init(_asked: CommandContext) -> str:
    """Write the defaults into config.env; what is there already is kept."""
    path = config_path()
    added = write_defaults(path)
    return f"{path}: {counted(len(added), 'setting')} added, the others kept"


def _doctor(asked: CommandContext) -> pd.DataFrame:
    """What works here, what does not, and why."""
    return doctor.examine(asked.settings)


def _models(asked: CommandContext) -> pd.DataFrame:
    """The models at hand, and what fits this machine; with a MODEL, one short question tests it."""
    return models_table(asked.settings, next(iter(asked.words), ""))


def _help(asked: CommandContext) -> None:
    """How a cell is written, and the subcommands of %okso; with a NAME, that one alone."""
    about = {name: command.__doc__ or "" for name, command in _COMMANDS.items()}
    if not asked.words:
        asked.display(ShownText(overview(about)))
        return
    with asked.session() as session:
        asked.display(ShownText(explained(asked.words[0], about, session.tools)))


_COMMANDS: Final[Mapping[str, Callable[[CommandContext], object]]] = {
    "settings": _settings,
    "tools": _tools,
    "use": _use,
    "candidates": _candidates,
    "ranking": _ranking,
    "tree-stats": _tree_stats,
    "why-not": _why_not,
    "rescore": _rescore,
    "what-if": _what_if,
    "audit": audit_command.audit,
    "plan": _plan,
    "history": _history,
    "observations": _observations,
    "trace": _trace,
    "ledger": _ledger,
    "graph": _graph,
    "timeline": _timeline,
    "report": _report,
    "show": _show,
    "undo": undo_commands.undo,
    "redo": undo_commands.redo,
    "record": _record,
    "forget": forget_command.run,
    "cell": _cell,
    "export": export_command.run,
    "runs": _runs,
    "workflows": _workflows,
    "policy": policy_command.policy,
    "mcp": mcp_command.mcp,
    "trust": _trust,
    "pause": _pause,
    "resume": _resume,
    "feedback": _feedback,
    "init": _init,
    "doctor": _doctor,
    "models": _models,
    "help": _help,
}
