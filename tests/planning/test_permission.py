"""What a request asks to replace or remove, determined from its text."""

from __future__ import annotations

import pytest

from benchmarks.plan_safety.cases import FILES, load
from okso_jupyter.effects.file_effects import Extent, FileEffect
from okso_jupyter.planning.request.permission import Permission

NAMES = [file.relative_to(FILES).as_posix() for file in FILES.rglob("*") if file.is_file()]
HELD = Extent(size_bytes=12, lines=3)


def test_harmless_requests_do_not_permit_a_loss() -> None:
    """None of 120 requests that read, describe, join, fill or clean permits losing a file."""
    keeping = [case.request for case in load() if not case.path]
    assert len(keeping) == 120
    lost = [FileEffect(kind=kind, path=name, before=HELD, after=HELD)
            for kind in ("replace", "remove") for name in NAMES]  # fmt: skip
    assert [(request, str(one)) for request in keeping for one in lost
            if Permission(request).allows(one)] == []  # fmt: skip


@pytest.mark.parametrize(
    "request_text",
    [
        "Ersetze den ganzen Inhalt von a.txt durch 'leer'",
        "Ersetze den gesamten Text der Datei a.txt durch 'leer'",
        "Replace everything in a.txt with 'x'",
        "Copy b.csv over a.txt",
    ],
)
def test_a_request_for_new_content_permits_replacing_that_file(request_text: str) -> None:
    """The permission covers that file only."""
    assert Permission(request_text).replaces("a.txt")
    assert not Permission(request_text).replaces("b.csv")


@pytest.mark.parametrize(
    ("request_text", "is_allowed"),
    [
        ("Remove all lines with INFO from a.txt", True),
        ("Delete every line of a.txt that holds x", True),
        ("Replace x with nothing in a.txt", True),
        ("Empty a.txt", True),
        ("Lösche alle Zeilen aus a.txt", True),
        ("Describe a.txt", False),
        ("Remove all lines with INFO from b.txt", False),
        ("Fix the typo in a.txt", False),
        ("Change the date in a.txt", False),
        ("Clear a.txt", True),
        ("Remove the blank lines of b.txt, and do not change a.txt", False),
    ],
)
def test_an_edit_that_empties_a_file_has_to_be_asked_for(
    request_text: str, *, is_allowed: bool
) -> None:
    """By words for taking out or changing what the file holds."""
    effect = FileEffect(kind="change", path="a.txt", before=HELD, after=Extent(), empties=True)
    assert effect.is_loss
    assert Permission(request_text).allows(effect) is is_allowed
