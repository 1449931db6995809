"""Text from outside stays plain text in both front ends and in an exported page."""

from __future__ import annotations

import http.server
import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Self, get_args

import nbformat
import pytest
from nbconvert import HTMLExporter
from playwright.sync_api import Page, Route

from tests.browser_lab import CHROMIUM, BrowserLab, FrontEnd
from tests.hostile import STRINGS
from tests.shared_browser import browser_context

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=f"no browser at {CHROMIUM}"),
]

#: One cell each: a front end shows no more than fifty outputs of a cell.
SHARES: Final = [(start, start + 17) for start in range(0, len(STRINGS), 17)]
CELLS: Final = [
    f"%run {Path(__file__).with_name('hostile_cell.py')}",
    "asked()",
    "form()",
    *(f"runs({start}, {end})" for start, end in SHARES),
    "errors()",
]
FEEDBACK: Final = "Feedback: what should be different?"
WAIT_MS: Final = 300_000
#: Cells out of sight are drawn too.
DRAW_ALL: Final = """() => {
    const notebook = window.jupyterapp.shell.currentWidget.content;
    notebook.notebookConfig = { ...notebook.notebookConfig, windowingMode: "none" };
}"""
#: What the outputs hold that text never becomes. Front ends show a drawing as a picture, and make
#: links of addresses in plain text.
FOUND: Final = """() => {
    const made = "script, iframe, object, embed, link, meta, base, video, audio, form, template,"
        + " math, marquee, svg image, svg use, svg foreignObject, x-y,"
        + " [data-commandlinker-command],"
        + " img:not([src^='data:image/svg+xml'])";
    const known = ".okso-what-if > script:only-of-type, .jp-RenderedText a";
    const acts = ({ name, value }) => name.startsWith("on")
        || (["href", "xlink:href", "src", "action", "formaction"].includes(name)
            && /^\\s*(javascript|data:text)/i.test(value))
        || (name === "style" && /url\\(/i.test(value));
    const all = [...document.querySelectorAll(".jp-OutputArea-output *")];
    return all.filter(one => !one.matches(known))
        .filter(one => one.matches(made) || [...one.attributes].some(acts))
        .map(one => one.outerHTML.slice(0, 200));
}"""
OPEN_ALL: Final = "() => document.querySelectorAll('details').forEach(one => { one.open = true; })"
RAN: Final = "a script ran"
#: What an exported page itself asks for; it is refused.
OF_NBCONVERT: Final = ("https://cdnjs.cloudflare.com/ajax/libs/", "https://unpkg.com/")
HACKED: Final = "() => [window.okso_hacked, ({}).okso_hacked].some(one => one !== undefined)"


@dataclass
class Watch:
    """Everything that a page did which plain text does not do.

    Attributes:
        own: How the addresses begin that the page may request.
        seen: One line for each.
    """

    own: tuple[str, ...]
    seen: list[str] = field(default_factory=list)

    def over(self, page: Page) -> Self:
        """Start to watch a page."""
        page.on("request", lambda request: self._request(request.url))
        page.on("popup", lambda popup: self.seen.append(f"window {popup.url}"))
        page.on("dialog", self._dialog)
        return self

    def look(self, page: Page) -> None:
        """Open all folded parts, wait for scripts to run, and note what they did."""
        page.evaluate(OPEN_ALL)
        page.wait_for_timeout(1_000)
        self.seen += [f"element {found}" for found in page.evaluate(FOUND)]
        if page.evaluate(HACKED):
            self.seen.append(RAN)

    def _request(self, address: str) -> None:
        if not address.startswith((*self.own, "data:", "blob:")):
            self.seen.append(f"request {address}")

    def _dialog(self, dialog: Any) -> None:
        self.seen.append(f"dialog {dialog.message}")
        dialog.dismiss()


@pytest.fixture
def outside() -> Iterator[tuple[str, list[str]]]:
    """The address of a listener, and the paths that were requested from it."""
    asked: list[str] = []

    class _Ear(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(200)
            self.end_headers()

        do_POST = do_HEAD = do_OPTIONS = do_GET  # noqa: N815  names that the base class looks for

        def log_message(self, *_: object) -> None:
            """Do not log."""

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Ear)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}", asked
    server.shutdown()
    server.server_close()
    thread.join()


def _texts(address: str) -> list[str]:
    return [text.replace("ADDRESS", address) for text in STRINGS]


def _look_at_file(page: Page, path: Path, own: tuple[str, ...]) -> list[str]:
    """Open a file in a page without web access, and return what it did."""
    page.route(lambda url: not url.startswith(("file:", "http://127.0.0.1:")), _refuse)
    watch = Watch(own=("file:", *own)).over(page)
    page.goto(path.as_uri())
    watch.look(page)
    return watch.seen


def _refuse(route: Route) -> None:
    route.abort()


def test_unescaped_text_is_detected(tmp_path: Path, outside: tuple[str, list[str]]) -> None:
    """As HTML, the same texts run scripts, send requests and create elements."""
    address, asked = outside
    bare = [text for text in _texts(address) if "http-equiv" not in text]
    outputs = "".join(f"<div class='jp-OutputArea-output'>{text}</div>" for text in bare)
    path = tmp_path / "bare.html"
    path.write_text(f"<!DOCTYPE html><script>alert('hello')</script>{outputs}", "utf-8")
    with browser_context() as context:
        seen = _look_at_file(context.new_page(), path, ())
    assert {"dialog hello", f"request {address}/i.png", RAN} <= set(seen)
    assert sum(line.startswith("element ") for line in seen) > 40
    assert "/i.png" in asked


@pytest.mark.parametrize("front_end", get_args(FrontEnd))
def test_hostile_text_stays_text(
    tmp_path: Path, outside: tuple[str, list[str]], front_end: FrontEnd
) -> None:
    """At least 60 texts in every view cause nothing in the front end or the exported page."""
    address, asked = outside
    texts = _texts(address)
    assert len(texts) >= 60
    (tmp_path / "hostile.json").write_text(json.dumps(texts), "utf-8")
    with BrowserLab(tmp_path, CELLS, front_end=front_end) as lab:
        origin = "/".join(lab.page.url.split("/")[:3])
        watch = Watch(own=(f"{origin}/",)).over(lab.page)
        lab.page.evaluate(DRAW_ALL)
        lab.run_all()
        _decide(lab, "\n".join(texts))
        # not in all outputs: to look for a text in them again and again took seconds
        lab.outputs().last.get_by_text("OksoError").first.wait_for(timeout=WAIT_MS)
        lab.button("Approve").wait_for(timeout=WAIT_MS)
        watch.look(lab.page)
        assert watch.seen == []
        lab.screenshot(tmp_path / "hostile.png")
        shown = lab.page.evaluate("document.querySelector('.jp-Notebook').innerText")
        saved = lab.save()
        path = tmp_path / "exported.html"
        path.write_text(HTMLExporter().from_notebook_node(saved)[0], "utf-8")
        seen = _look_at_file(lab.page.context.new_page(), path, OF_NBCONVERT)
    assert seen == []
    assert asked == []
    assert not set(shown) & set("\u202e\u2066\u200b\U000e0068\x85\x9b")
    assert "⟨U+202E⟩" in shown
    _check_all_was_shown(saved)


def _decide(lab: BrowserLab, text: str) -> None:
    """Send a text as feedback, put it into an argument of the next plan, and approve."""
    lab.outputs().get_by_label(FEEDBACK).fill(text, timeout=WAIT_MS)
    lab.click("Send feedback")
    lab.wait_text("Changes since version 1")
    lab.page.evaluate(OPEN_ALL)
    lab.outputs().get_by_role("textbox", name="text").first.fill(text)
    lab.click("Approve")
    lab.wait_text("Look, then approve")
    lab.click("Approve")


def _check_all_was_shown(saved: nbformat.NotebookNode) -> None:
    """Check that every view was shown and that only the last cell failed, as intended."""
    failed = [any(output.output_type == "error" for output in cell.outputs) for cell in saved.cells]
    assert failed == [False] * (len(CELLS) - 1) + [True]
    assert all(20 < len(cell.outputs) < 50 for cell in saved.cells[3:-1])
    assert "Changed by you" in json.dumps(saved.cells[1].outputs)
