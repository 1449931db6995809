"""What tests share leaves them independent: nothing stays of a page, and what died starts anew."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import psutil
import pytest
from playwright.sync_api import BrowserContext, Error

from tests.browser_lab import CHROMIUM, BrowserLab
from tests.shared_browser import browser_context, server

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=f"no browser at {CHROMIUM}"),
]

SAYS = "import os\nprint('left' in globals(), os.environ['OKSO_HOME'], os.getcwd())\nleft = 1"


def test_nothing_stays_of_a_page(tmp_path: Path) -> None:
    """The next page has a kernel, a folder, a home and settings of its own."""
    for name in ("one", "two"):
        folder = tmp_path / name
        folder.mkdir()
        with BrowserLab(folder, [SAYS]) as lab:
            assert lab.page.locator(".jp-NotebookPanel").count() == 1
            assert lab.page.locator("body[data-jp-theme-name='JupyterLab Light']").count() == 1
            lab.run_all()
            lab.wait_text(f"False {folder / 'okso_home'} {folder}")
            lab.set_theme("JupyterLab Dark")


def test_a_browser_that_died_is_started_anew() -> None:
    """The test in which it dies fails; the next one has another."""
    with browser_context() as context:
        page = context.new_page()
        _kill(context)
        with pytest.raises(Error):
            page.title()
    with browser_context() as context:
        assert context.new_page().title() == ""


def test_a_server_that_died_is_started_anew() -> None:
    """The next test asks another."""
    died = server()
    os.kill(died.process.pid, signal.SIGKILL)
    died.process.wait()
    assert server() is not died
    assert server().answers()


def test_other_tests_run_a_loop_of_their_own() -> None:
    """While no test uses the browser, its event loop does not count as running."""
    with browser_context():
        pass
    assert asyncio.run(asyncio.sleep(0, "done")) == "done"


def _kill(context: BrowserContext) -> None:
    """Kill the process of the browser itself."""
    assert context.browser is not None
    session = context.browser.new_browser_cdp_session()
    processes = session.send("SystemInfo.getProcessInfo")["processInfo"]
    process = psutil.Process(next(one["id"] for one in processes if one["type"] == "browser"))
    process.kill()
    process.wait()
