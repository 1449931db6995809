"""What taking out secrets costs, as a multiple of a plain copy of the same text."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Final

from okso_jupyter.redaction.redactor import Redactor

_WORDS: Final = "the of row amount customer region date total 12 3.5 sales,9,north".split()
_NAMES: Final = "token key password author".split()
_CHARACTERS: Final = 1_000_000
_REPEATS: Final = 5
_KNOWN: Final = {
    "A_API_KEY": "zq8-Kx41-Vw93-Lm77", "B_SECRET": "fj39dk20sk10", "C_TOKEN": "tok-Kx41-Vw93",
}  # fmt: skip


def text_of(words: list[str]) -> str:
    """Return a megabyte of these words, always the same."""
    chosen = random.Random(1)  # noqa: S311  a text, no secret
    return " ".join(chosen.choices(words, k=_CHARACTERS // 3))[:_CHARACTERS]


def seconds(work: Callable[[str], object], text: str) -> float:
    """Return the shortest time of several; every text is new, so that none is remembered."""
    times = []
    for number in range(_REPEATS):
        fresh = f"{number} {text}"
        started = time.perf_counter()
        work(fresh)
        times.append(time.perf_counter() - started)
    return min(times)


def copied(text: str) -> str:
    """Return a copy that was made character by character in C."""
    return "".join(list(text))


def main() -> None:
    """Print one line per kind of text."""
    redactor = Redactor.from_environment(_KNOWN)
    for name, words in (("ordinary", _WORDS), ("full of names", [*_WORDS, *_NAMES])):
        text = text_of(words)
        ratio = seconds(redactor.text, text) / seconds(copied, text)
        print(f"{name}: {ratio:.1f} times a copy of the text")


if __name__ == "__main__":
    main()
