"""In a real JupyterLab no text of a tool, model, file or person is ever more than text."""

from __future__ import annotations

import http.server
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.browser_lab import CHROMIUM, BrowserLab
from tests.hostile import STRINGS

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=f"no browser at {CHROMIUM}"),
]

CELLS = [
    f"%run {Path(__file__).with_name('hostile_cell.py')}\nprint('ready')",
    "form()\nprint('form is shown')",
    "runs(0, 32)\nprint('first runs are shown')",
    "runs(32, len(TEXTS))\nprint('last runs are shown')",
    "errors()",
]


@pytest.fixture
def outside() -> Iterator[tuple[str, list[str]]]:
    """Address of a listener, and what it was asked for."""
    asked: list[str] = []

    class _Ear(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(200)
            self.end_headers()

        do_POST = do_HEAD = do_OPTIONS = do_GET  # noqa: N815  names that the base class looks for

        def log_message(self, *_: object) -> None:
            """Stay quiet."""

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Ear)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}", asked
    server.shutdown()
    server.server_close()
    thread.join()


def test_hostile_text_stays_text(tmp_path: Path, outside: tuple[str, list[str]]) -> None:
    """Sixty texts in every place: no script runs, no address but the server's own is asked."""
    address, asked = outside
    assert len(STRINGS) >= 60
    texts = [text.replace("ADDRESS", address) for text in STRINGS]
    (tmp_path / "hostile.json").write_text(json.dumps(texts), "utf-8")
    with BrowserLab(tmp_path, CELLS) as lab:
        requested: list[str] = []
        lab.page.on("request", lambda request: requested.append(request.url))
        lab.page.on("dialog", lambda dialog: dialog.dismiss())
        own = urlsplit(lab.page.url).netloc
        for text in ("ready", "form is shown", "first runs are shown", "last runs are shown"):
            lab.run_cell()
            lab.outputs().get_by_text(text, exact=True).wait_for(timeout=180_000)
        lab.button("Approve").wait_for(timeout=30_000)
        lab.run_cell()
        lab.wait_text("OksoError")
        lab.page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
        lab.page.wait_for_timeout(2_000)
        lab.screenshot(tmp_path / "hostile.png")
        shown = lab.page.evaluate("document.querySelector('.jp-Notebook').innerText")
        made = lab.page.evaluate(
            "document.querySelectorAll('.jp-OutputArea-output :is(script, iframe, object, embed,"
            " link, meta, base, img, svg image, video, audio, form, template)').length"
        )
        hacked = lab.page.evaluate("[window.okso_hacked, ({}).okso_hacked]")
        saved = lab.save()
        lab.reload()
        lab.page.wait_for_timeout(2_000)
        hacked += lab.page.evaluate("[window.okso_hacked]")
    assert hacked == [None, None, None]
    strangers = {url for url in requested if urlsplit(url).netloc not in {own, ""}}
    assert strangers == set()
    assert asked == []
    assert made == 0
    assert not set(shown) & set("\u202e\u2066\u200b\U000e0068\x85\x9b")
    assert "⟨U+202E⟩" in shown
    assert len(saved.cells[3].outputs) > 20
