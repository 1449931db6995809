"""Rehearsal: runs a call on a forecast of the folder and reports its file changes."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import TimeoutError as FutureTimeoutError
from dataclasses import dataclass, field, replace
from typing import Any, Final

from okso_jupyter.effects.effect import LASTING
from okso_jupyter.effects.file_effects import Rehearsal
from okso_jupyter.errors import ToolError, error_text
from okso_jupyter.plan.plan import Step
from okso_jupyter.toolkit.context import RunResources, ToolContext
from okso_jupyter.toolkit.handler_threads import result_within, start
from okso_jupyter.toolkit.tool import Tool
from okso_jupyter.workspace import Forecast, UnknownContentError

_TIMEOUT_S: Final = 5.0
#: Extra seconds in which a call that respects its time limit can return its partial result.
_GRACE_S: Final = 1.0


@dataclass(slots=True)
class Rehearser:
    """Rehearses calls in order, each on the state that the calls before it would leave.

    Args:
        resources: State shared by the calls of the run; not changed.
    """

    resources: RunResources
    forecast: Forecast = field(init=False)
    _folder: str = field(init=False)

    def __post_init__(self) -> None:
        """Start from the present state of the folder."""
        self.forecast = Forecast(self.resources.workspace, self.resources.made.is_own)
        self._folder = self.resources.folder

    @property
    def context(self) -> ToolContext:
        """Context for a preview of the next call."""
        run = replace(self.resources, workspace=self.forecast, folder=self._folder, _python=None)
        return ToolContext(run=run, timeout_s=_TIMEOUT_S)

    def rehearse(self, tool: Tool, step: Step) -> Rehearsal | None:
        """Return the file changes of a step; None for a tool that cannot be rehearsed.

        Arguments that are filled in later are replaced by empty texts.
        """
        args = _filled(tool, step)
        if not tool.rehearses or args is None or not tool.effect_of(args) & LASTING:
            return None
        self.forecast.begin()
        self.forecast.is_vague = bool(step.open_args)
        context = self.context
        try:
            tool.check(args)
            output = result_within(start(lambda: tool.call(context, args)), _TIMEOUT_S + _GRACE_S)
        except UnknownContentError:
            return self.forecast.rehearsal()
        except FutureTimeoutError:
            context.cancelled.set()
            return self.forecast.rehearsal(f"it did not end within {_TIMEOUT_S:g} s")
        except ToolError as error:
            return self.forecast.rehearsal(error.message)
        except (Exception, SystemExit) as error:  # noqa: BLE001  a handler may be foreign code
            return self.forecast.rehearsal(error_text(error))
        finally:
            self._folder = context.run.folder
        return self.forecast.rehearsal(output.error)


def _filled(tool: Tool, step: Step) -> Mapping[str, Any] | None:
    """Return the arguments with open texts empty; None if any other argument is open."""
    if not step.open_args:
        return step.args
    kinds = {name: tool.properties.get(name, {}).get("x-ground") for name in step.open_args}
    if any(kind != "text" for kind in kinds.values()):
        return None
    return {**step.args, **dict.fromkeys(step.open_args, "")}
