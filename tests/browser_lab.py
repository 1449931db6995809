"""A real JupyterLab or Notebook in a headless Chromium, driven as by a user."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Literal, Self
from urllib.parse import quote

import nbformat
from playwright.sync_api import Locator, Page, expect

from tests.shared_browser import CHROMIUM, front_end_context, new_page, server, until

__all__ = ["CHROMIUM", "RESTART", "BrowserLab", "FrontEnd"]

#: Far beyond what any wait takes: the machine may be busy.
_WAIT_MS: Final = 180_000
expect.set_options(timeout=_WAIT_MS)
#: Between two looks at a page; by itself Playwright looks as often as the page could be drawn.
_POLL_MS: Final = 100
#: Beyond what a server takes to start a kernel in place of one that died.
_RESTARTED_S: Final = 30.0
FrontEnd = Literal["lab", "notebook"]
#: Where it shows a file.
_PAGES: Final = {"lab": "lab/tree", "notebook": "notebooks"}
#: Puts code cells of these sources in the place of all that the notebook has; selects the first.
_WRITE: Final = """sources => {
    const notebook = window.jupyterapp.shell.currentWidget.content.model.sharedModel;
    const cells = sources.map(source => ({ cell_type: "code", source }));
    notebook.transact(() => {
        notebook.deleteCellRange(0, notebook.cells.length);
        notebook.insertCells(0, cells);
    });
    window.jupyterapp.shell.currentWidget.content.activeCellIndex = 0;
}"""
#: Ends its kernel and starts another.
RESTART: Final = "() => window.jupyterapp.shell.currentWidget.sessionContext.restartKernel()"
#: The indicator in the toolbar says "idle" before there is a kernel at all.
_KERNEL_IS_IDLE: Final = (
    "() => window.jupyterapp?.shell.currentWidget"
    "?.sessionContext?.session?.kernel?.status === 'idle'"
)
#: Asks it for its state; false, as the answer comes later.
_ASK_KERNEL: Final = (
    "() => { window.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel"
    "?.requestKernelInfo().catch(() => {}); return false; }"
)

_NO_CELL_RUNS: Final = (
    "() => ![...document.querySelectorAll('.jp-InputPrompt')]"
    ".some(prompt => prompt.innerText.includes('*'))"
)


class BrowserLab:
    """A notebook with the given cells, open in a front end; nothing has run yet.

    Browser and server are shared with other tests; page and kernel are its own.

    Args:
        folder: Folder for the notebook, and for OKSO_HOME and IPYTHONDIR of its kernel.
        cells: Sources of the notebook's code cells.
        front_end: JupyterLab 4 or Notebook 7.

    Attributes:
        page: The browser page, for anything that the helpers do not offer.
        notebook: Path of the notebook file.
    """

    def __init__(self, folder: Path, cells: list[str], *, front_end: FrontEnd = "lab") -> None:
        self.page: Page
        self.notebook = folder / "test.ipynb"
        self._folder = _PAGES[front_end]
        self._cells = cells
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        running = server()
        self._write_notebook(running.prepare(self.notebook.parent))
        with ExitStack() as stack:
            stack.callback(running.end_kernels)
            self.page = self._open_page(stack)
            self._stack = stack.pop_all()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stack.close()

    def command(self, name: str) -> None:
        """Execute a command of JupyterLab, such as "notebook:run-all-cells"."""
        self.page.evaluate("name => { window.jupyterapp.commands.execute(name) }", name)

    def write(self, cells: list[str]) -> None:
        """Replace all cells by code cells with these sources."""
        self.page.evaluate(_WRITE, cells)

    def begin(self, cells: list[str], *, folder: Path | None = None) -> None:
        """Begin anew with these cells, a fresh kernel and the light theme, in a second.

        For the next of the tests that share a page; to open one takes five times as long.

        Args:
            cells: Their sources.
            folder: Where they run, if not in the folder of the notebook.
        """
        self.page.evaluate(RESTART)
        first = cells[0] if folder is None else f"%cd -q {folder}\n{cells[0]}"
        self.write([first, *cells[1:]])
        self.set_theme("JupyterLab Light")

    def wait_idle(self, *, timeout_s: float = _WAIT_MS / 1000) -> None:
        """Wait until the page has a kernel that does nothing, as after one that died.

        The kernel in its place may have told its state before the page listened, so it is asked.
        """

        def is_idle() -> bool:
            return bool(self.page.evaluate(_KERNEL_IS_IDLE)) or self.page.evaluate(_ASK_KERNEL)

        until(is_idle, "the kernel is idle", timeout_s=timeout_s)

    def run_cell(self) -> None:
        """Run the selected cell and select the next one."""
        self.command("notebook:run-cell-and-select-next")

    def run_all(self) -> None:
        """Run all cells."""
        self.command("notebook:run-all-cells")

    def stop(self) -> None:
        """Interrupt the kernel."""
        self.command("notebook:interrupt-kernel")

    def save(self) -> Any:
        """Save the notebook and return it as read from disk."""
        before_ns = self.notebook.stat().st_mtime_ns
        self.command("docmanager:save")
        until(
            lambda: self.notebook.stat().st_mtime_ns > before_ns and _is_whole(self.notebook),
            "the notebook is saved",
            timeout_s=_WAIT_MS / 1000,
        )
        return nbformat.read(self.notebook, as_version=4)

    def reload(self) -> None:
        """Reload the page; the kernel keeps running."""
        self.page.reload()
        self.page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=_WAIT_MS * 2)

    def forget_death(self) -> None:
        """After the kernel died: close the message about it, and wait for another kernel.

        The message comes late and would take the focus in the next test; the server starts the
        other kernel, and a restart meanwhile would get in its way. Where the page does not hear
        from that kernel, it starts one itself.
        """
        self.page.locator(".jp-Dialog").get_by_role("button", name="Ok").click(timeout=_WAIT_MS)
        try:
            self.wait_idle(timeout_s=_RESTARTED_S)
        except AssertionError:
            self.page.evaluate(RESTART)
            self.wait_idle()

    @contextmanager
    def second_tab(self, notebook: Path | None = None) -> Iterator[Page]:
        """Act on a second tab, of this notebook if no other, in the block; yield the first tab."""
        first = self.page
        self.page = new_page(first.context)
        try:
            self.page.goto(self._address(notebook or self.notebook))
            self.page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=_WAIT_MS * 2)
            yield first
        finally:
            self.page.close()
            self.page = first

    def set_theme(self, name: str) -> None:
        """Change the theme, such as "JupyterLab Dark"."""
        self.page.evaluate(
            "theme => window.jupyterapp.commands.execute('apputils:change-theme', {theme})", name
        )
        body = self.page.locator(f"body[data-jp-theme-name='{name}']")
        body.wait_for(state="attached", timeout=_WAIT_MS)

    def button(self, label: str) -> Locator:
        """Return the button in an output with this text."""
        return self.outputs().get_by_role("button", name=label)

    def click(self, label: str) -> None:
        """Click a button in an output."""
        self.button(label).click(timeout=_WAIT_MS)

    def outputs(self) -> Locator:
        """Return all output areas."""
        return self.page.locator(".jp-Cell-outputArea")

    def wait_text(self, text: str) -> None:
        """Wait until an output shows a text."""
        self.outputs().get_by_text(text).first.wait_for(timeout=_WAIT_MS)

    def wait_done(self) -> None:
        """Wait until no cell runs or is queued."""
        self.page.wait_for_function(_NO_CELL_RUNS, timeout=_WAIT_MS, polling=_POLL_MS)

    def screenshot(self, path: Path) -> None:
        """Write a picture of the page as PNG."""
        self.page.screenshot(path=path)

    def _address(self, notebook: Path) -> str:
        return f"{server().address}/{self._folder}{quote(str(notebook))}"

    def _write_notebook(self, kernel: str) -> None:
        """Write the notebook, to run in this kernel."""
        notebook = nbformat.v4.new_notebook(
            cells=[nbformat.v4.new_code_cell(source) for source in self._cells],
            metadata={"kernelspec": {"name": kernel, "display_name": "Python 3 (ipykernel)"}},
        )
        nbformat.write(notebook, self.notebook)

    def _open_page(self, stack: ExitStack) -> Page:
        """Open the notebook in a browser and return the page once its kernel is ready."""
        page = new_page(stack.enter_context(front_end_context(server().address)))
        page.goto(self._address(self.notebook))
        page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=_WAIT_MS * 2)
        page.wait_for_function(_KERNEL_IS_IDLE, timeout=_WAIT_MS, polling=_POLL_MS)
        return page


def _is_whole(notebook: Path) -> bool:
    """Return whether a notebook file is complete; it is emptied before it is written."""
    try:
        json.loads(notebook.read_text("utf-8"))
    except ValueError:
        return False
    return True
