"""A Chromium and a server of JupyterLab and Notebook, which all tests of a process share.

Each is started when a test first asks for it, and anew where it has died; `end` ends both. A
test has pages, a folder and a kernel of its own. The programs of the front ends, 10 MB, are kept in
the browser's cache and compiled once; cookies and whatever else a page keeps are removed.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser, BrowserContext, Error, Page, ViewportSize, sync_playwright

from tests.approval.warm_kernel import WARM

CHROMIUM: Final = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))),
    "/usr/bin/chromium",
)
_FLAGS: Final = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--v8-cache-options=code",
)
#: Has the server fork the kernels of tests: to start them took half of the time of many tests.
_FORKS: Final = "from tests.approval.warm_kernel import register\nregister()\n"
#: Of a front end's pages.
_VIEWPORT: Final[ViewportSize] = {"width": 1200, "height": 1500}
#: What pages can keep beside the files that they load.
_STORED: Final = ("cookies", "indexeddb", "local_storage", "service_workers", "cache_storage")
_REPOSITORY: Final = Path(__file__).resolve().parents[1]
_START_S: Final = 180.0
_ANSWER_S: Final = 60.0
_SHOWS_APP: Final = {"expose_app_in_browser": True}
#: The root is the root of all files, so that any folder of a test is below it.
_OPTIONS: Final[dict[str, Any]] = {
    "ServerApp": {
        "root_dir": "/",
        "open_browser": False,
        "allow_root": True,
        "port_retries": 0,
        "disable_check_xsrf": True,
    },
    "IdentityProvider": {"token": ""},
    "PasswordIdentityProvider": {"hashed_password": ""},
    "ContentsManager": {"allow_hidden": True},
    "LabApp": {**_SHOWS_APP, "news_url": None, "collaborative": False},
    "JupyterNotebookApp": _SHOWS_APP,
}
#: No prompts about news and updates.
_QUIET: Final = {"fetchNews": "false", "checkForUpdates": False}
#: A page does not ask whether the front end is to be built anew, which starts node, nor what a
#: notebook can be exported to, for which the server looks through all installed packages.
_ASKS_LESS: Final = {
    "buildCheck": False,
    "buildAvailable": False,
    "disabledExtensions": {
        "@jupyterlab/notebook-extension:export": True,
        "@jupyterlab/notebook-extension:update-raw-mimetype": True,
    },
}


def until(condition: Callable[[], bool], what: str, *, timeout_s: float) -> None:
    """Wait for a condition; raise an AssertionError that names it after the timeout."""
    deadline_s = time.monotonic() + timeout_s
    while not condition():
        assert time.monotonic() < deadline_s, f"not in {timeout_s:g} s: {what}"
        time.sleep(0.1)


# --- the browser --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Running:
    """A Chromium, a page of its first context, the event loop of Playwright, and what ends all."""

    browser: Browser
    blank: Page
    loop: asyncio.AbstractEventLoop
    stack: ExitStack


_running: list[_Running] = []


@contextmanager
def browser_context(**options: Any) -> Iterator[BrowserContext]:
    """Open a context of the shared Chromium, with cookies and pages of its own, for the block."""
    with _inside_loop():
        context = _living().browser.new_context(**options)
        try:
            yield context
        finally:
            with suppress(Error):  # it died, and the test has failed already
                context.close()


@contextmanager
def front_end_context(address: str) -> Iterator[BrowserContext]:
    """Give the context that keeps the programs of a front end, and nothing else, for the block."""
    with _inside_loop():
        blank = _living().blank
        _forget(blank, address)
        try:
            yield blank.context
        finally:
            with suppress(Error):  # it died, and the test has failed already
                for page in set(blank.context.pages) - {blank}:
                    page.close()


def new_page(context: BrowserContext) -> Page:
    """Open a page of a context in the process that draws its first page, which stays open.

    A page beside it would have a window and processes of its own: more than a second.
    """
    first = context.pages[0] if context.pages else context.new_page()
    with first.expect_popup() as opened:
        first.evaluate("() => void window.open()")
    return opened.value


def _forget(blank: Page, address: str) -> None:
    """Remove all that pages of an address have stored, but not the files from there."""
    session = blank.context.new_cdp_session(blank)
    session.send(
        "Storage.clearDataForOrigin", {"origin": address, "storageTypes": ",".join(_STORED)}
    )
    session.detach()


@contextmanager
def _inside_loop() -> Iterator[None]:
    """Say that Playwright's loop runs, as it does itself; other tests run a loop of their own."""
    before = asyncio._get_running_loop()
    if _running:
        asyncio._set_running_loop(_running[0].loop)
    try:
        yield
    finally:
        asyncio._set_running_loop(before)


def _living() -> _Running:
    """Return the Chromium that runs, or a new one if that has died."""
    if _running:
        with suppress(Error):
            _running[0].blank.title()
            return _running[0]
        _end_browser()
    _running.append(_launch())
    return _running[0]


def _launch() -> _Running:
    with ExitStack() as stack:
        playwright = stack.enter_context(sync_playwright())
        loop = asyncio.get_running_loop()
        folder = tempfile.TemporaryDirectory(prefix="okso-chromium-", ignore_cleanup_errors=True)
        kept = playwright.chromium.launch_persistent_context(
            stack.enter_context(folder),
            executable_path=CHROMIUM,
            args=list(_FLAGS),
            viewport=_VIEWPORT,
        )
        stack.callback(kept.close)
        assert kept.browser is not None
        return _Running(kept.browser, kept.pages[0], loop, stack.pop_all())


def _end_browser() -> None:
    with suppress(Error):  # it may have died
        _running.pop().stack.close()


# --- the server ---------------------------------------------------------------------------------


class Server:
    """A server of JupyterLab and Notebook 7 on the loopback, without the user's settings.

    Args:
        folder: Empty folder for its settings and its log.

    Attributes:
        address: Where it answers, without a slash at the end.
        process: The process itself.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        port = _free_port()
        self.address = f"http://127.0.0.1:{port}"
        self._reset_settings()
        options = {**_OPTIONS, "ServerApp": {**_OPTIONS["ServerApp"], "port": port}}
        config = folder / "config"
        (config / "labconfig").mkdir()
        (config / "labconfig" / "page_config.json").write_text(json.dumps(_ASKS_LESS), "utf-8")
        (config / "jupyter_server_config.json").write_text(json.dumps(options), "utf-8")
        (config / "jupyter_server_config.py").write_text(_FORKS, "utf-8")
        with (folder / "server.log").open("wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "jupyterlab"],
                cwd=folder,
                env=self._environment(),
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        until(self.answers, "the server answers", timeout_s=_START_S)

    def answers(self) -> bool:
        """Return whether the server answers."""
        try:
            self._ask("api/status")
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            return False
        return True

    def prepare(self, folder: Path) -> str:
        """Return the name of a kernel with its own OKSO_HOME and IPYTHONDIR in a folder.

        Settings and open tabs of an earlier page are forgotten.
        """
        self._reset_settings()
        kernels = self._folder / "data" / "kernels"
        kernel = kernels / f"test{len(list(kernels.glob('*'))) + 1}"
        kernel.mkdir(parents=True)
        private = {name: str(folder / name.lower()) for name in ("OKSO_HOME", "IPYTHONDIR")}
        # a test may have set this one
        private["XDG_CONFIG_HOME"] = os.environ["XDG_CONFIG_HOME"]
        spec = {
            "argv": [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"],
            "display_name": "Python 3 (ipykernel)",
            "language": "python",
            "env": private,
            "metadata": WARM,
        }
        (kernel / "kernel.json").write_text(json.dumps(spec), "utf-8")
        return kernel.name

    def end_kernels(self) -> None:
        """End all kernels."""
        for kernel in self._ask("api/kernels"):
            with suppress(urllib.error.HTTPError):  # it is about to end by itself
                self._ask(f"api/kernels/{kernel['id']}", method="DELETE")

    def end(self) -> None:
        """Stop the server and the kernels that it started."""
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(timeout=15)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _reset_settings(self) -> None:
        own = self._folder / "config" / "lab"
        shutil.rmtree(own, ignore_errors=True)
        notification = own / "user-settings" / "@jupyterlab" / "apputils-extension"
        notification.mkdir(parents=True)
        (notification / "notification.jupyterlab-settings").write_text(json.dumps(_QUIET), "utf-8")

    def _environment(self) -> dict[str, str]:
        """Return an environment without user settings, with the package of this checkout."""
        private = {
            f"JUPYTER_{name.upper()}_DIR": str(self._folder / name)
            for name in ("config", "data", "runtime")
        }
        return {**os.environ, **private, "PYTHONPATH": str(_REPOSITORY)}

    def _ask(self, path: str, *, method: str = "GET") -> Any:
        """Return the server's answer as Python data; None if it is empty."""
        request = urllib.request.Request(f"{self.address}/{path}", method=method)  # noqa: S310  http
        with urllib.request.urlopen(request, timeout=_ANSWER_S) as answer:  # noqa: S310  loopback
            text = answer.read()
        return json.loads(text) if text else None


_servers: list[Server] = []


def server() -> Server:
    """Return the shared server, started if there is none or the last one has died."""
    if _servers and _servers[0].process.poll() is not None:
        _servers.pop().end()
    if not _servers:
        _servers.append(Server(Path(tempfile.mkdtemp(prefix="okso-jupyter-"))))
    return _servers[0]


def end() -> None:
    """End what was started."""
    with _inside_loop():
        if _running:
            _end_browser()
    if _servers:
        _servers.pop().end()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
