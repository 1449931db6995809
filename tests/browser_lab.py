"""A real JupyterLab or Notebook in a headless Chromium, driven as by a user."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Literal, Self

import nbformat
from playwright.sync_api import Locator, Page, expect, sync_playwright

CHROMIUM: Final = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))),
    "/usr/bin/chromium",
)
FLAGS: Final = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
_REPOSITORY: Final = Path(__file__).resolve().parents[1]
_START_S: Final = 180.0
#: Far beyond what any wait takes: the machine may be busy.
_WAIT_MS: Final = 180_000
expect.set_options(timeout=_WAIT_MS)
FrontEnd = Literal["lab", "notebook"]
#: Module, name of its options, and where it shows a file.
_APPLICATIONS: Final = {
    "lab": ("jupyterlab", "LabApp", "lab/tree"),
    "notebook": ("notebook", "JupyterNotebookApp", "notebooks"),
}
#: Puts code cells of these sources in the place of all that the notebook has.
_WRITE: Final = """sources => {
    const notebook = window.jupyterapp.shell.currentWidget.content.model.sharedModel;
    const cells = sources.map(source => ({ cell_type: "code", source }));
    notebook.transact(() => {
        notebook.deleteCellRange(0, notebook.cells.length);
        notebook.insertCells(0, cells);
    });
}"""
#: The indicator in the toolbar says "idle" before there is a kernel at all.
_KERNEL_IS_IDLE: Final = (
    "() => window.jupyterapp?.shell.currentWidget"
    "?.sessionContext?.session?.kernel?.status === 'idle'"
)

_NO_CELL_RUNS: Final = (
    "() => ![...document.querySelectorAll('.jp-InputPrompt')]"
    ".some(prompt => prompt.innerText.includes('*'))"
)


class BrowserLab:
    """A notebook with the given cells, open in a front end; nothing has run yet.

    Args:
        folder: Empty folder for the notebook, settings and server log.
        cells: Sources of the notebook's code cells.
        front_end: JupyterLab 4 or Notebook 7.

    Attributes:
        page: The browser page, for anything that the helpers do not offer.
        notebook: Path of the notebook file.
    """

    def __init__(self, folder: Path, cells: list[str], *, front_end: FrontEnd = "lab") -> None:
        self.page: Page
        self._application = _APPLICATIONS[front_end]
        self.notebook = folder / "test.ipynb"
        self._folder = folder
        self._cells = cells
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            port = self._start_server(stack)
            folder = self._application[-1]
            self.page = self._open_page(stack, f"http://127.0.0.1:{port}/{folder}/test.ipynb")
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
        self._until(
            lambda: self.notebook.stat().st_mtime_ns > before_ns and _is_whole(self.notebook),
            "the notebook is saved",
        )
        return nbformat.read(self.notebook, as_version=4)

    def reload(self) -> None:
        """Reload the page; the kernel keeps running."""
        self.page.reload()
        self.page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=_WAIT_MS * 2)

    @contextmanager
    def second_tab(self) -> Iterator[Page]:
        """Act on a second tab of the notebook within the block; yield the first tab."""
        first = self.page
        self.page = first.context.new_page()
        self.page.goto(first.url)
        self.page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=_WAIT_MS * 2)
        yield first
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
        self.page.wait_for_function(_NO_CELL_RUNS, timeout=_WAIT_MS)

    def screenshot(self, path: Path) -> None:
        """Write a picture of the page as PNG."""
        self.page.screenshot(path=path)

    def _start_server(self, stack: ExitStack) -> int:
        """Start the front end's server and return its port once it answers."""
        notebook = nbformat.v4.new_notebook(
            cells=[nbformat.v4.new_code_cell(source) for source in self._cells],
            metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}},
        )
        nbformat.write(notebook, self.notebook)
        port = _free_port()
        log = stack.enter_context((self._folder / "server.log").open("wb"))
        server = subprocess.Popen(  # noqa: S603  our own command line
            _command(port, *self._application[:2]),
            cwd=self._folder,
            env=self._environment(),
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        stack.callback(_end, server)
        address = f"http://127.0.0.1:{port}/api/status"
        self._until(lambda: _answers(address), "the server answers", timeout_s=_START_S)
        return port

    def _environment(self) -> dict[str, str]:
        """Return an environment without user settings, with the package of this checkout."""
        private = {
            name: str(self._folder / name.lower())
            for name in (
                "JUPYTER_CONFIG_DIR",
                "JUPYTER_DATA_DIR",
                "JUPYTER_RUNTIME_DIR",
                "IPYTHONDIR",
                "OKSO_HOME",
            )
        }
        _quiet_lab(Path(private["JUPYTER_CONFIG_DIR"]))
        return {**os.environ, **private, "PYTHONPATH": str(_REPOSITORY)}

    def _open_page(self, stack: ExitStack, address: str) -> Page:
        """Open the notebook in a browser and return the page once its kernel is ready."""
        playwright = stack.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        stack.callback(browser.close)
        page = browser.new_context(viewport={"width": 1200, "height": 1500}).new_page()
        page.goto(address)
        page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=_WAIT_MS * 2)
        page.wait_for_function(_KERNEL_IS_IDLE, timeout=_WAIT_MS)
        return page

    def _until(
        self, condition: Callable[[], bool], what: str, *, timeout_s: float = _WAIT_MS / 1000
    ) -> None:
        """Wait for a condition; raise an AssertionError that names it after the timeout."""
        deadline_s = time.monotonic() + timeout_s
        while not condition():
            assert time.monotonic() < deadline_s, f"not in {timeout_s:g} s: {what}"
            time.sleep(0.1)


def _command(port: int, module: str, options: str) -> list[str]:
    return [
        sys.executable,
        *("-m", module, "--no-browser", "--allow-root", f"--port={port}"),
        *("--ServerApp.token=", "--ServerApp.password=", "--ServerApp.port_retries=0"),
        f"--{options}.expose_app_in_browser=True",
        # not options of Notebook, which starts without any of its own if it is given them
        "--LabApp.news_url=",
        "--LabApp.collaborative=False",
    ]


def _quiet_lab(config: Path) -> None:
    """Write settings that disable JupyterLab's prompts about news and updates."""
    folder = config / "lab" / "user-settings" / "@jupyterlab" / "apputils-extension"
    folder.mkdir(parents=True)
    quiet = {"fetchNews": "false", "checkForUpdates": False}
    (folder / "notification.jupyterlab-settings").write_text(json.dumps(quiet), "utf-8")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _answers(address: str) -> bool:
    """Return whether a server on this machine answers at an address."""
    try:
        with urllib.request.urlopen(address, timeout=2):  # noqa: S310  http on the loopback
            return True
    except (urllib.error.URLError, ConnectionError, TimeoutError):
        return False


def _is_whole(notebook: Path) -> bool:
    """Return whether a notebook file is complete; it is emptied before it is written."""
    try:
        json.loads(notebook.read_text("utf-8"))
    except ValueError:
        return False
    return True


def _end(server: subprocess.Popen[bytes]) -> None:
    """Stop the server and the kernels that it started."""
    server.send_signal(signal.SIGTERM)
    try:
        server.wait(timeout=15)
    except subprocess.TimeoutExpired:
        os.killpg(server.pid, signal.SIGKILL)
        server.wait()
