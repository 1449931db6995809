"""OksoMagics: parses a cell or line, delegates to a session, binds and shows the result."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from IPython.core.magic import Magics, line_cell_magic, magics_class, no_var_expand
from IPython.display import display

from okso_jupyter.errors import OksoError, UsageError
from okso_jupyter.kernel import interrupt
from okso_jupyter.magic import options
from okso_jupyter.magic.completing import matcher
from okso_jupyter.magic.subcommands import is_request, usage, words_of
from okso_jupyter.magic.traits import SETTING_OF, SettingsTrait, SettingTrait
from okso_jupyter.magic.used_tools import UsedTools
from okso_jupyter.runs.run_ids import RequestKeys
from okso_jupyter.views.shown_text import ShownText

if TYPE_CHECKING:
    from traitlets.config import Config

    from okso_jupyter.magic.display.cell_display import CellDisplay
    from okso_jupyter.planning.outcome import Planning
    from okso_jupyter.results import Run
    from okso_jupyter.session.session import Session
    from okso_jupyter.settings import Settings

#: Not imported before the first cell: it takes seconds.
_SESSION: Final = "okso_jupyter.session.session"
_STOPPED: Final = "KeyboardInterrupt: the cell was stopped, and nothing of it runs any more"


@magics_class
class OksoMagics(Magics):  # type: ignore[misc]  # IPython ships no types
    """`%%okso` and `%okso`.

    Args:
        shell: The IPython shell to register them in.

    Attributes:
        matcher: Completes their input.
    """

    approve = SettingTrait(SETTING_OF["approve"])
    timeout_s = SettingTrait(SETTING_OF["timeout_s"])
    confirm = SettingTrait(SETTING_OF["confirm"])
    samples = SettingTrait(SETTING_OF["samples"])
    temperature = SettingTrait(SETTING_OF["temperature"])
    seed = SettingTrait(SETTING_OF["seed"])
    model = SettingTrait(SETTING_OF["model"])
    planning = SettingTrait(SETTING_OF["planning"])
    mode = SettingTrait(SETTING_OF["mode"])
    keep_going = SettingTrait(SETTING_OF["keep_going"])
    record = SettingTrait(SETTING_OF["record"])
    replay = SettingTrait(SETTING_OF["replay"])
    home = SettingTrait(SETTING_OF["home"])
    verbosity = SettingTrait(SETTING_OF["verbosity"])
    settings = SettingsTrait()

    def __init__(self, shell: Any) -> None:  # noqa: ANN401  IPython ships no types
        super().__init__(shell=shell)
        self._occurrences = RequestKeys()
        self._used = UsedTools()
        self.matcher = matcher(lambda: self.shell.user_ns, self._config)

    def update_config(self, config: Config) -> None:
        """Apply the values that `%config` sets.

        IPython also stores them in the shell's configuration, before or after this call, and
        would keep a refused value there: a reload would fail. So the old values are restored.

        Raises:
            SettingError: A value is refused; nothing is changed.
        """
        name = type(self).__name__
        before = {trait: getattr(self, trait) for trait in config[name] if self.has_trait(trait)}
        try:
            super().update_config(config)
        except OksoError:
            for known in (config, self.shell.config):
                known[name].update(before)
            raise

    @no_var_expand  # type: ignore[untyped-decorator]  # IPython ships no types
    @line_cell_magic  # type: ignore[untyped-decorator]  # see above
    def okso(self, line: str, cell: str | None = None) -> object:
        """Plan the request in the cell, have the plan approved, run it, show the answer."""
        if cell is None and line.split() in (["plan", "on"], ["plan", "off"]):
            self.set_trait("planning", line.split()[1] == "on")
            return f"planning is {line.split()[1]} for the cells that follow"
        if cell is None and is_request(line):
            line, cell = "", line.strip()
        debug = cell is not None and "--debug" in line.split()
        try:
            return self._command(line) if cell is None else self._cell(options.parse(line), cell)
        except OksoError as error:
            error.show_stack = debug
            raise
        except KeyboardInterrupt as stop:
            if not debug:  # formatting a stack takes IPython longer than it takes us to stop
                stop._render_traceback_ = lambda: [_STOPPED]  # type: ignore[attr-defined]  # a hook of IPython
            raise

    def _command(self, line: str) -> object:
        """Run a subcommand; bind the run if the subcommand resumed one."""
        words_of(line)  # a typing mistake is said before anything is loaded
        with interrupt.deferred():
            from okso_jupyter.magic import line_magic  # noqa: PLC0415  loads pandas for its tables
            from okso_jupyter.results import Run  # noqa: PLC0415  see _cell
            from okso_jupyter.settings import Settings  # noqa: PLC0415  see _cell

        variables = self.shell.user_ns
        try:
            result = line_magic.run(
                line,
                variables.get("_okso"),
                self._config(),
                variables=variables,
                display=display,
                new_cell=self.shell.set_next_input,
                used=self._used,
            )
        except KeyboardInterrupt:
            self._bind_stopped_resume(line.split())
            raise
        if isinstance(result, Run):
            variables.update(result.outputs, _okso=result)
            return self._ended(result, Settings.load(self._config()))
        return result

    def _bind_stopped_resume(self, words: Sequence[str]) -> None:
        """Bind and show the run that `%okso resume RUN` had gone on with when Stop ended it."""
        from okso_jupyter.session.session import Session  # noqa: PLC0415  see _cell
        from okso_jupyter.settings import Settings  # noqa: PLC0415  see _cell

        if words[0] != "resume" or not words[1:]:
            return
        with Session(Settings.load(self._config())) as session:
            run = session.load_run(words[1])
        self.shell.user_ns["_okso"] = run
        self._show_stopped(run)

    def _config(self) -> Mapping[str, Any]:
        """Return the settings that `%config` set, by name in capitals."""
        own = {setting: getattr(self, trait) for trait, setting in SETTING_OF.items()}
        return {**self.settings, **{name: v for name, v in own.items() if v is not None}}

    def _cell(self, line: options.CellOptions, request: str) -> object:
        """Run one cell and return the value to display as its result."""
        if not request.strip():
            msg = "%%okso: the cell holds no request"
            raise UsageError(msg, hint="write below the first line what should be done")
        with interrupt.deferred():
            from okso_jupyter.kernel.front_end import detect  # noqa: PLC0415  see below
            from okso_jupyter.magic.display.cell_display import CellDisplay  # noqa: PLC0415  keeps %load_ext quick
            from okso_jupyter.settings import Settings  # noqa: PLC0415  see above

        settings = Settings.load(self._config(), line.settings)
        with CellDisplay(
            display, detect(), quiet=settings.verbosity == 0, keeps=not line.shows
        ) as showing:
            if _SESSION not in sys.modules:
                showing.loading()
            with interrupt.deferred():
                from okso_jupyter.session.session import Session  # noqa: PLC0415  see above

            with Session(settings) as session:
                showing.pause = session.pause
                session.use(*self._used.tools(self.shell.user_ns))
                session.request_keys = self._of_this_cell()
                result = self._conducted_or_bound(line, request, session, showing)
        return self._shown_result(line, result, settings, showing)

    def _shown_result(
        self,
        line: options.CellOptions,
        result: Planning | Run,
        settings: Settings,
        showing: CellDisplay,
    ) -> object:
        """Bind the result of a cell, and return the value to display."""
        from okso_jupyter.planning.outcome import Planning  # noqa: PLC0415  see _cell

        if isinstance(result, Planning):
            return self._bind(line, result)
        self.shell.user_ns.update(result.outputs)
        showing.missing(result.missing_outputs)
        self._bind(line, result)
        return self._ended(result, settings, shows=line.shows, is_dry=line.dry_run)

    def _conducted_or_bound(
        self, line: options.CellOptions, request: str, session: Session, showing: CellDisplay
    ) -> Planning | Run:
        """Plan the request and execute the plan; bind the run as it is if that is interrupted."""
        try:
            return self._conducted(line, request, session, showing)
        except KeyboardInterrupt:
            self._bind_stopped(line, session)
            raise
        except OksoError:
            self._bind_stopped(line, session, only_open=True)
            raise

    def _conducted(
        self, line: options.CellOptions, request: str, session: Session, showing: CellDisplay
    ) -> Planning | Run:
        """Plan the request and, unless only the plan is wanted, execute the plan."""
        from okso_jupyter.session.templating import fill_template  # noqa: PLC0415  see _cell

        inputs, variables = self._inputs(line.inputs), self.shell.user_ns
        if not line.plan_only:
            session.check_approver(line.approve)
        # `plan` checks it too; checked before planning is shown, an error is the only output
        fill_template(request, variables, settings=session.settings, redactor=session.redactor)
        showing.planning()
        given: dict[str, Any] = {
            "approve": line.approve,
            "on_sampling": showing.sampling,
            "inputs": inputs,
            "outputs": line.outputs,
            "variables": variables,
        }
        if line.plan_only:
            return session.plan(request, **given)
        return session.run(
            request,
            on_planning=showing.planned,
            on_live=showing.live,
            dry_run=line.dry_run,
            may_replace=line.may_replace,
            **given,
        )

    def _ended(
        self, run: Run, settings: Settings, *, shows: bool = True, is_dry: bool = False
    ) -> Run | None:
        """Return the run to display; None where nothing is displayed.

        Raises:
            RunFailedError: The run, already displayed, did not complete, and KEEP_GOING is off.
        """
        from okso_jupyter.magic.failed_cells import failure_of  # noqa: PLC0415  see _cell

        shown = self._shown(run, is_brief=settings.verbosity == 0) if shows else None
        failure = None if is_dry else failure_of(run)
        if failure is None:
            return shown
        if not settings.keep_going:
            self._show_unfinished(shown)
            raise failure
        self.tell(str(failure))  # in place of the error
        if shown is None or not shown.is_resumable_here:
            return shown
        self._show_unfinished(shown)
        return None

    def tell(self, text: str) -> None:
        """Show a text, if there is one."""
        if text:
            display(ShownText(text))

    def _show_unfinished(self, run: Run | None) -> None:
        """Display a run that did not complete; a paused one with a button that resumes it."""
        from okso_jupyter.magic.resume_offer import show_paused  # noqa: PLC0415  see _cell

        if run is not None and run.is_resumable_here:
            show_paused(run, run, lambda: self.okso(f"resume {run.id}"))
        elif run is not None:
            display(run)

    def _show_stopped(self, run: Run) -> None:
        """Display briefly that Stop has paused a run, if so, with a button that resumes it."""
        from okso_jupyter.magic.resume_offer import show_paused, stopped_page  # noqa: PLC0415  see _cell

        if run.is_resumable_here:
            show_paused(run, stopped_page(run), lambda: self.okso(f"resume {run.id}"))

    def _shown(self, run: Run, *, is_brief: bool) -> Run:
        """Return the run to display; offer to undo its file changes, and rules for its steps."""
        from okso_jupyter.magic.rule_offer import offer_rules  # noqa: PLC0415  see _cell
        from okso_jupyter.magic.undo_commands import offer  # noqa: PLC0415  see _cell

        offer(run)
        offer_rules(run, self._session)
        return replace(run, is_brief=True) if is_brief else run

    def _session(self) -> Session:
        """Return a session with the notebook's settings and its own tools, as they are now."""
        from okso_jupyter.session.session import Session  # noqa: PLC0415  see _cell
        from okso_jupyter.settings import Settings  # noqa: PLC0415  see _cell

        session = Session(Settings.load(self._config()))
        session.use(*self._used.tools(self.shell.user_ns))
        return session

    def _of_this_cell(self) -> RequestKeys:
        """Return the notebook's counter of runs per request, set to the id of this cell."""
        parent = self.shell.get_parent() if hasattr(self.shell, "get_parent") else {}
        self._occurrences.cell = str(parent.get("metadata", {}).get("cellId", ""))
        return self._occurrences

    def _inputs(self, names: Sequence[str]) -> dict[str, object]:
        """Return the notebook's variables of these names.

        Raises:
            UsageError: A variable does not exist.
        """
        from okso_jupyter.toolkit.notebook_variables import check_name  # noqa: PLC0415  see _cell

        variables = self.shell.user_ns
        for name in names:
            check_name(name)
            if name not in variables:
                near = difflib.get_close_matches(name, variables, n=1)
                msg = f"%%okso: --in {name}: there is no variable {name}"
                hint = f"did you mean {near[0]}?" if near else "run the cell that makes it first"
                raise UsageError(msg, hint=hint)
        return {name: variables[name] for name in names}

    def _bind(self, line: options.CellOptions, result: object) -> object:
        """Bind a result to its names; return it if it is to be displayed, else None."""
        self.shell.user_ns["_okso"] = result
        if line.target:
            self.shell.user_ns[line.target] = result
        return result if line.shows else None

    def _bind_stopped(
        self, line: options.CellOptions, session: Session, *, only_open: bool = False
    ) -> None:
        """Bind the interrupted run in its current state.

        Args:
            line: The parsed line of the cell, which holds the names.
            session: The session that ran it.
            only_open: Whether to skip a run that cannot be resumed.
        """
        run = session.newest_run()
        if run is not None and (run.is_open or not only_open):
            self._bind(line, run)
            if line.shows and not only_open:
                self._show_stopped(run)


OksoMagics.okso.__doc__ = usage()
