"""How far a model is, in the words and the place of each front end."""

from __future__ import annotations

from typing import Any

import pytest

from okso_jupyter.llm.protocol import Sampling
from okso_jupyter.magic.showing import Showing

READING = Sampling(
    prompt_tokens=700, prompt_done=96, completions=8, completions_done=0, output_tokens=0,
    elapsed_s=1.0, tokens_per_s=0.0,
)  # fmt: skip
WRITING = Sampling(
    prompt_tokens=700, prompt_done=700, completions=8, completions_done=3, output_tokens=150,
    elapsed_s=3.0, tokens_per_s=80.4, left_s=1.2,
)  # fmt: skip
ASKING = Sampling(
    prompt_tokens=0, prompt_done=0, completions=3, completions_done=0, output_tokens=0,
    elapsed_s=4.2, tokens_per_s=0.0,
)  # fmt: skip
LINES = {
    "Reading the prompt: 96 of 700 tokens": READING,
    "Sampling: 3 of 8 done, 150 tokens, 80 tokens/s, about 1 s left": WRITING,
    "Asking the model … 4 s": ASKING,
}


class Screen:
    """Takes what IPython's display function would take, and shows the newest."""

    def __init__(self) -> None:
        self.shown: list[dict[str, str]] = []

    def __call__(self, data: dict[str, str], **_how: Any) -> Screen:
        """Show something new."""
        self.shown.append(data)
        return self

    def update(self, data: dict[str, str], **_how: Any) -> None:
        """Change what was shown."""
        self.shown.append(data)


@pytest.mark.parametrize(("line", "sampling"), LINES.items())
def test_a_notebook_shows_the_line_in_place(line: str, sampling: Sampling) -> None:
    """One output is made, changed with every report, and emptied at the end."""
    screen = Screen()
    with Showing(screen, "notebook", quiet=False) as showing:
        showing.planning()
        showing.sampling(sampling)

    assert [data["text/plain"] for data in screen.shown] == ["Planning …", line, ""]
    assert line in screen.shown[1]["text/html"]


@pytest.mark.parametrize(("line", "sampling"), LINES.items())
def test_a_terminal_shows_its_last_line(
    line: str, sampling: Sampling, capsys: pytest.CaptureFixture[str]
) -> None:
    """The line is written over and wiped at the end, and nothing goes through display."""
    screen = Screen()
    with Showing(screen, "terminal", quiet=False) as showing:
        showing.sampling(sampling)

    assert screen.shown == []
    assert [part.strip() for part in capsys.readouterr().err.split("\r")] == ["", line, "", ""]


@pytest.mark.parametrize("front_end", ["terminal", "notebook"])
def test_quiet_shows_nothing(front_end: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """Who asked for quiet sees neither line nor output."""
    screen = Screen()
    with Showing(screen, front_end, quiet=True) as showing:
        showing.planning()
        showing.sampling(WRITING)

    assert (screen.shown, capsys.readouterr().err) == ([], "")
