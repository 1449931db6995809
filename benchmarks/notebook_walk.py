"""Walk of twenty requests in a real JupyterLab: seconds and clicks from Shift+Enter to the answer.

    python -m benchmarks.notebook_walk [--markdown FILE]

The bundled model plans, and every plan that can run is approved by a click; one that cannot is
rejected, which is said in place of the answer. A click is counted also where the form or the answer
has to be scrolled into view first. Times hold for the machine at that moment.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from playwright.sync_api import Locator

from benchmarks.machine import describe
from tests.browser_lab import BrowserLab

_DATA: Final = Path(__file__).resolve().parents[1] / "notebooks" / "data"
_SIZE: Final = {"width": 1280, "height": 900}
_ANSWER_CHARS: Final = 60
_WAIT_MS: Final = 180_000
#: What a cell shows when it is over: the page of its run, or why there is none.
_OVER: Final = (
    ".okso-run, [data-mime-type='application/vnd.jupyter.stderr'], "
    "[data-mime-type='application/vnd.jupyter.error']"
)
REQUESTS: Final = (
    "How many rows has data/weather.csv?",
    "What is the mean of temperature in data/weather.csv?",
    "What is the total rain_mm by station in data/weather.csv?",
    "Which station has the highest wind_kmh in data/weather.csv?",
    "How many days had more than 5 rain_mm in data/weather.csv?",
    "Show the three warmest rows of data/weather.csv",
    "Plot the mean temperature per date in data/weather.csv",
    "How many lines of data/logger.log contain ERROR?",
    "What does data/notes.md say about calibration?",
    "Show data/notes.md",
    "How many words has data/notes.md?",
    "Summarize data/notes.md",
    "Which files are here?",
    "Which is the largest file in data?",
    "Write 'order a funnel' into todo.txt",
    "Append 'and a lid' to todo.txt",
    "Copy todo.txt to done.txt",
    "What is 17 % of 2,340?",
    "Convert 12 km/h to m/s",
    "How many days are there from 3 March 2026 to 1 June 2026?",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Walk:
    """One request, from Shift+Enter to its answer.

    Attributes:
        request: The request.
        form_s: Seconds until the form was there.
        answer_s: Seconds from the form until the cell was over.
        clicks: Clicks and scrolls in between.
        answer: The beginning of what the page shows.
    """

    request: str
    form_s: float
    answer_s: float
    clicks: int
    answer: str


def walk(lab: BrowserLab, request: str) -> Walk:
    """Run a request in the last cell, approve it, and read the answer."""
    lab.write([f"%%okso\n{request}"])
    begun_s = time.monotonic()
    lab.command("notebook:run-cell")
    approve = lab.button("Approve").last
    over = lab.outputs().locator(_OVER)
    approve.or_(over).first.wait_for(timeout=_WAIT_MS)
    planned_s = time.monotonic()
    clicks = _decide(lab, approve) if approve.is_visible() else 0
    lab.wait_done()
    ended_s = time.monotonic()
    clicks += _is_out_of_view(lab, over.last)
    return Walk(
        request=request,
        form_s=planned_s - begun_s,
        answer_s=ended_s - planned_s,
        clicks=clicks,
        answer=" ".join(over.last.inner_text().split())[:_ANSWER_CHARS],
    )


def _decide(lab: BrowserLab, approve: Locator) -> int:
    """Approve a plan, or reject one that cannot run; return the number of clicks."""
    scrolls = _is_out_of_view(lab, approve)
    button = approve if approve.is_enabled() else lab.button("Reject").last
    button.click(timeout=_WAIT_MS)
    return scrolls + 1


def _is_out_of_view(lab: BrowserLab, part: Locator) -> bool:
    """Return whether the top of a part of the page is not in view once the page has settled."""
    lab.page.wait_for_timeout(500)
    box = part.bounding_box()
    return box is None or not 0 <= box["y"] <= _SIZE["height"]


def table(walks: list[Walk]) -> str:
    """Return the walks as a Markdown table, with their medians below."""
    lines = [
        "| request | to the form (s) | to the answer (s) | clicks | answer |",
        "|---|--:|--:|--:|---|",
    ]
    lines += [
        f"| {one.request} | {one.form_s:.1f} | {one.answer_s:.1f} | {one.clicks} "
        f"| {one.answer.replace('|', ' ')} |"
        for one in walks
    ]
    form_s = statistics.median(one.form_s for one in walks)
    answer_s = statistics.median(one.answer_s for one in walks)
    most = max(one.form_s + one.answer_s for one in walks)
    lines.append(
        f"\nMedian: {form_s:.1f} s to the form, {answer_s:.1f} s from there to the answer; "
        f"the slowest took {most:.1f} s in all. "
        f"Clicks: {sum(one.clicks for one in walks)} for {len(walks)} requests."
    )
    return "\n".join(lines)


def main() -> None:
    """Walk through all requests and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--markdown", type=Path, help="file for the table")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copytree(_DATA, folder / "data")
        with BrowserLab(folder, ["%load_ext okso_jupyter"]) as lab:
            lab.page.set_viewport_size(_SIZE)
            lab.run_cell()
            lab.wait_done()
            walks = []
            for request in REQUESTS:
                walks.append(walk(lab, request))
                print(walks[-1], flush=True)
    text = "\n".join([table(walks), "", *(f"- {line}" for line in describe())])
    print(text)
    if options.markdown:
        options.markdown.write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main()
