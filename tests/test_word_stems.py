"""Stems of words, in several threads at once."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from okso_jupyter.word_stems import english_stem, german_stem

_WORDS = [f"{start}{end}" for start in ("relat", "nation", "kauf", "bestell", "haus") for end in (
    "ional", "ities", "ungen", "lichkeiten", "ing", "e", "er", "ende", "ationen", "s", "heiten",
)]  # fmt: skip


@pytest.fixture(name="_switching")
def _switching() -> Iterator[None]:
    """Threads take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("_switching")
@pytest.mark.parametrize("stem", [english_stem, german_stem])
def test_threads_do_not_disturb_each_other(stem: Callable[[str], str]) -> None:
    """Plans are made in several, and a stem that one of them got wrong was kept for all."""
    expected = [stem(word) for word in _WORDS]
    count = 8
    together = Barrier(count)

    def stems(_number: int) -> list[list[str]]:
        together.wait()
        return [[stem(word) for word in _WORDS] for _ in range(5)]

    with ThreadPoolExecutor(count) as pool:
        for found in pool.map(stems, range(count)):
            assert found == [expected] * 5


def test_words_with_other_endings_have_one_stem() -> None:
    """In either language."""
    assert english_stem("orders") == english_stem("ordered")
    assert german_stem("bestellung") == german_stem("bestellungen")
