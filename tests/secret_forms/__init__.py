"""Texts with secrets, and similar harmless ones: data of the redaction tests.

In the files, lines of `%%` separate the cases; a secret is enclosed in ⟦ and ⟧, and
¦ splits what secret scanners of repositories would take for a real key.
"""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_FOLDER: Final = Path(__file__).parent
#: A secret that the environment names.
KNOWN: Final = "Wm7-Quitten/Gelee+2031"


@dataclass(frozen=True, slots=True)
class Leak:
    """A text and the secret in it."""

    text: str
    secret: str


def leaks(file: str = "secret.txt") -> list[Leak]:
    """Return the texts of a file that contain secrets."""
    found = []
    for case in _cases(file):
        match = re.search("⟦(.*)⟧", case, re.DOTALL)
        assert match is not None, case
        found.append(Leak(case[: match.start()] + match[1] + case[match.end() :], match[1]))
    return found


def harmless(file: str = "harmless.txt") -> list[str]:
    """Return the harmless texts of a file."""
    return _cases(file)


def encoded() -> list[Leak]:
    """Return the reversible encodings of a known secret."""
    data = KNOWN.encode()
    code = base64.b64encode(b"user: ann, password: " + data + b", host: db.example").decode()
    forms = {
        "plain": KNOWN,
        "base32": base64.b32encode(data).decode().rstrip("="),
        "base32 in small letters": base64.b32encode(data).decode().lower().rstrip("="),
        "reversed": KNOWN[::-1],
        "spaced": " ".join(KNOWN),
        "one character a line": "\n".join(KNOWN),
        "base64 over lines": "\n".join(code[at : at + 24] for at in range(0, len(code), 24)),
        "base64 in a diff": "\n".join(f"+{code[at : at + 24]}" for at in range(0, len(code), 24)),
        "hexadecimal with blanks": data.hex(" "),
    }
    return [Leak(f"{name}:\n{form}", form) for name, form in forms.items()]


def _cases(file: str) -> list[str]:
    text = (_FOLDER / file).read_text("utf-8").replace("¦", "")
    return [case.strip("\n") for case in re.split(r"(?m)^%%$", text)]
