"""Resume button of a paused run: goes on in the cell that the run began in, as `%okso resume`."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Final

from IPython.display import clear_output, display

from okso_jupyter.errors import ApprovalError, RunFailedError
from okso_jupyter.kernel import interrupt
from okso_jupyter.kernel.copied_outputs import copied_outputs
from okso_jupyter.kernel.front_end import current_shell
from okso_jupyter.kernel.pump import is_pumping, request_of
from okso_jupyter.magic.clickable import KeptButtons, can_click
from okso_jupyter.views.run_html import RunPage

if TYPE_CHECKING:
    from okso_jupyter.results import Run
    from okso_jupyter.widgets.resume_button import ResumeButton

_OFFERED: Final = KeptButtons()
_RESUMED: Final = "This run was paused here, and resumed: it goes on below."
_OCCUPIED: Final = "another cell is at work; resume this run when it is done"


def show_paused(run: Run, shown: object, resume: Callable[[], object]) -> None:
    """Display a paused run, with a button that resumes it where the kernel can handle clicks.

    Args:
        run: The run.
        shown: What is displayed: the run, or its page as a MIME bundle.
        resume: Goes on with the run, and returns what is to be displayed.
    """
    with interrupt.deferred():
        _OFFERED.drop(run.id)  # before the page is shown, which has a place for one button
        display(shown, raw=isinstance(shown, dict))
        if not can_click():
            return
        from okso_jupyter.widgets.resume_button import ResumeButton  # noqa: PLC0415  loads ipywidgets

        cell = request_of(current_shell().kernel)
        button = ResumeButton(run.id, lambda: _resumed(button, shown, cell, resume))
        _OFFERED.keep(run.id, button)


def stopped_page(run: Run) -> dict[str, str]:
    """Return a short page of a run that Stop has paused; it takes no time to make."""
    page = RunPage(
        answer=None,
        state=run.state,
        report="",
        failure=run.failure,
        way_on=run.way_on,
        resume=run.id,
        is_brief=True,
    )
    return page.faces()


def _resumed(
    button: ResumeButton,
    shown: object,
    cell: Callable[[], AbstractContextManager[None]],
    resume: Callable[[], object],
) -> None:
    """Go on with a run in the outputs of its cell; a run that fails or is paused shows itself.

    The old outputs go: beside the page of the paused run, there is the error that it ended with.

    Raises:
        ApprovalError: Another cell is at work.
        OksoError: The run cannot be resumed now.
    """
    if is_pumping():
        raise ApprovalError(_OCCUPIED)
    line = {"text/html": f"<p>{_RESUMED}</p>", "text/plain": _RESUMED}
    with cell():
        clear_output(wait=True)
        handle = display(line, raw=True, display_id=True)
        try:
            with copied_outputs(button.show):
                result = resume()
                if result is not None:
                    display(result)
        except (RunFailedError, KeyboardInterrupt):
            return  # it has been displayed
        except BaseException:
            button.show(())  # the page has a place for the button, which would be drawn into itself
            handle.update(shown, raw=isinstance(shown, dict))
            raise
