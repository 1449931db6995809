"""OksoMagics: parse, delegate, bind, show."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final

from IPython.core.magic import Magics, line_cell_magic, magics_class, no_var_expand
from IPython.display import display
from traitlets import Bool, CaselessStrEnum, Float, Int, Unicode

from okso_jupyter.errors import OksoError, UsageError
from okso_jupyter.magic import options

_STOPPED: Final = "KeyboardInterrupt: the cell was stopped, and nothing of it runs any more"


@magics_class
class OksoMagics(Magics):  # type: ignore[misc]  # IPython ships no types
    """`%%okso` and `%okso`."""

    approve = CaselessStrEnum(
        ["ask", "auto", "deny"], None, allow_none=True, help="Who decides about a plan."
    ).tag(config=True)
    timeout_s = Float(None, allow_none=True, help="Seconds to decide; then rejected.").tag(
        config=True
    )
    samples = Int(None, allow_none=True, help="Candidates to sample.").tag(config=True)
    temperature = Float(None, allow_none=True, help="Sampling temperature, 0 to 1.").tag(
        config=True
    )
    seed = Int(None, allow_none=True, help="Seed of the first candidate.").tag(config=True)
    model = Unicode(
        None, allow_none=True, help="Model: bundled, auto, a GGUF file, or repo[:file]."
    ).tag(config=True)
    planning = Bool(None, allow_none=True, help="False makes one call in place of a plan.").tag(
        config=True
    )
    mode = CaselessStrEnum(
        ["plan", "react", "call"], None, allow_none=True, help="Who makes the calls of a plan."
    ).tag(config=True)
    home = Unicode(None, allow_none=True, help="Folder of journal and logs.").tag(config=True)

    _TRAITS: ClassVar[Mapping[str, str]] = {
        "approve": "OKSO_APPROVE",
        "timeout_s": "OKSO_APPROVE_TIMEOUT_S",
        "samples": "PLANNER_SAMPLE_COUNT",
        "temperature": "PLANNER_TEMPERATURE",
        "seed": "PLANNER_SEED",
        "model": "PLANNER_MODEL_SPEC",
        "planning": "PLAN_ENABLED",
        "mode": "EXECUTOR_MODE",
        "home": "OKSO_HOME",
    }  # fmt: skip

    @no_var_expand  # type: ignore[untyped-decorator]  # IPython ships no types
    @line_cell_magic  # type: ignore[untyped-decorator]  # see above
    def okso(self, line: str, cell: str | None = None) -> object:
        """Plan the request in the cell, have the plan approved, run it, show the answer."""
        if cell is None and line.split() in (["plan", "on"], ["plan", "off"]):
            self.planning = line.split()[1] == "on"
            return f"planning is {line.split()[1]} for the cells that follow"
        if cell is None:
            from okso_jupyter.magic import commands  # noqa: PLC0415  loads pandas for its tables
            from okso_jupyter.run import Run  # noqa: PLC0415  see _cell

            variables = self.shell.user_ns
            result = commands.run(
                line, variables.get("_okso"), self._config(), variables=variables, display=display
            )
            if isinstance(result, Run):  # one that was gone on with
                variables.update(result.outputs, _okso=result)
            return result
        debug = "--debug" in line.split()
        try:
            return self._cell(options.parse(line), cell)
        except OksoError as error:
            error.show_stack = debug
            raise
        except KeyboardInterrupt as stop:
            if not debug:  # formatting a stack takes IPython longer than it takes us to stop
                stop._render_traceback_ = lambda: [_STOPPED]  # type: ignore[attr-defined]  # a hook of IPython
            raise

    def _config(self) -> Mapping[str, Any]:
        """Return what `%config` set, as settings."""
        return {
            setting: getattr(self, trait)
            for trait, setting in self._TRAITS.items()
            if getattr(self, trait) is not None
        }

    def _cell(self, line: options.CellOptions, request: str) -> object:
        """Run one cell; give back what is to be shown as its result."""
        if not request.strip():
            msg = "%%okso: the cell holds no request"
            raise UsageError(msg, hint="write below the first line what should be done")
        from okso_jupyter.approval.front_end import detect  # noqa: PLC0415  see below
        from okso_jupyter.magic.showing import Showing  # noqa: PLC0415  keeps %load_ext quick
        from okso_jupyter.session.inserting import insert  # noqa: PLC0415  see above
        from okso_jupyter.session.session import Session  # noqa: PLC0415  see above
        from okso_jupyter.settings import Settings  # noqa: PLC0415  see above

        settings = Settings.load(self._config(), line.settings)
        inputs = self._inputs(line.inputs)
        showing = Showing(display, detect(), quiet=settings.verbosity == 0, keeps=not line.shows)
        with Session(settings) as session, showing:
            if not line.plan_only:
                session.check_approver(line.approve)
            # also checked by `plan`, but before anything is shown a refusal is all there is to see
            insert(request, self.shell.user_ns, settings=settings, redactor=session.redactor)
            showing.planning()
            planning = session.plan(
                request,
                on_sampling=showing.sampling,
                inputs=inputs,
                outputs=line.outputs,
                variables=self.shell.user_ns,
                approve=line.approve,
            )
            if line.plan_only:
                return self._bind(line, planning)
            showing.candidates(planning)
            run = session.execute(
                planning,
                approve=line.approve,
                on_planning=showing.candidates,
                on_sampling=showing.sampling,
                on_live=showing.live,
                dry_run=line.dry_run,
            )
        self.shell.user_ns.update(run.outputs)
        showing.missing(run.missing_outputs)
        return self._bind(line, run)

    def _inputs(self, names: Sequence[str]) -> dict[str, object]:
        """Return the notebook's variables of these names.

        Raises:
            UsageError: One is not there.
        """
        from okso_jupyter.toolkit.sandbox.parcels import check_name  # noqa: PLC0415  see _cell

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
        """Bind a result to its names and return it if it is to be shown."""
        self.shell.user_ns["_okso"] = result
        if line.target:
            self.shell.user_ns[line.target] = result
        return result if line.shows else None


OksoMagics.okso.__doc__ = f"{OksoMagics.okso.__doc__}\n\n{options.parser().format_help()}"
