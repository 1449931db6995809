"""Ratings: the user's judgement of steps, kept as JSON lines in a private file."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Self

from okso_jupyter import private_files
from okso_jupyter.amounts import duration
from okso_jupyter.errors import SettingError
from okso_jupyter.redaction.redactor import Redactor
from okso_jupyter.settings import Settings, config_path

LOWEST: Final = 1
HIGHEST: Final = 5
_FILE: Final = "feedback.jsonl"
_MAX_BYTES: Final = 64 * 1024 * 1024
_OTHER: Final = "it holds something else"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rating:
    """One rating.

    Attributes:
        run: Id of the run.
        step: Id of the rated step; None if the run is rated.
        rating: 1 to 5, where 5 is best.
        note: Free text.
        plan_item: The planned action, in words.
        observations: The result.
        at: Time of the rating, ISO 8601 in UTC.
    """

    run: str
    step: int | None
    rating: int
    note: str = ""
    plan_item: str = ""
    observations: str = ""
    at: str = field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="seconds"))


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingLog:
    """The log file of ratings.

    Attributes:
        path: The file. When full it is renamed to FILE.1, replacing the previous one.
        enabled: Whether ratings are collected.
        min_interval_s: Minimum seconds between two ratings.
        max_entries: Maximum ratings per file.
        answer: "rating|note" to use instead of asking; None asks the user.
        redactor: Removes secrets.
    """

    path: Path
    enabled: bool = True
    min_interval_s: float = 0.0
    max_entries: int = 1000
    answer: str | None = None
    redactor: Redactor = field(default_factory=Redactor)

    @classmethod
    def of(cls, settings: Settings, redactor: Redactor) -> Self:
        """Return the log described by the settings.

        Raises:
            SettingError: FEEDBACK_OUTPUT_PATH is outside OKSO_HOME and the config folder.
        """
        chosen = settings.feedback_output_path
        path = settings.home / (Path(chosen).expanduser() if chosen else _FILE)
        allowed = (settings.home, config_path().parent)
        # resolved and compared part by part: okso-evil is not inside okso
        if not any(_lies_in(path, folder) for folder in allowed):
            msg = f"FEEDBACK_OUTPUT_PATH {str(path)!r} lies outside okso's folders"
            raise SettingError(msg, hint=f"name a file in {allowed[0]} or {allowed[1]}")
        return cls(
            path=path,
            enabled=settings.feedback_enabled,
            min_interval_s=settings.feedback_min_interval,
            max_entries=settings.feedback_max_entries,
            answer=settings.feedback_noninteractive_input,
            redactor=redactor,
        )

    def reason_to_skip(self) -> str:
        """Return why no rating is collected now, or an empty string."""
        if not self.enabled:
            return "disabled"
        entries = self._read(self.path)
        if not entries or not self.min_interval_s:
            return ""
        since = datetime.now(UTC) - datetime.fromisoformat(entries[-1].at)
        left_s = self.min_interval_s - since.total_seconds()
        if left_s <= 0:
            return ""
        return f"the last one was just given; {duration(math.ceil(left_s))} to wait"

    def add(self, rating: Rating) -> None:
        """Append a rating.

        Raises:
            SettingError: The file cannot be written, or is not a log of ratings.
        """
        is_full = len(self._read(self.path)) >= self.max_entries
        line = json.dumps(self.redactor.json(asdict(rating)), ensure_ascii=False)
        try:
            if is_full:
                self.path.replace(self._older)
            private_files.append(self.path, f"{line}\n".encode())
        except OSError as error:
            raise self._unusable(str(error.strerror)) from error

    def entries(self) -> list[Rating]:
        """Return the stored ratings, oldest first.

        Raises:
            SettingError: A file cannot be read, or is not a log of ratings.
        """
        return [*self._read(self._older), *self._read(self.path)]

    @property
    def _older(self) -> Path:
        return self.path.with_name(f"{self.path.name}.1")

    def _read(self, path: Path) -> list[Rating]:
        try:
            lines = private_files.read(path, max_bytes=_MAX_BYTES).decode().splitlines()
            return [Rating(**json.loads(line)) for line in lines if line]
        except FileNotFoundError:
            return []
        except OSError as error:
            raise self._unusable(str(error.strerror)) from error
        except (ValueError, TypeError) as error:
            raise self._unusable(_OTHER) from error

    def _unusable(self, why: str) -> SettingError:
        msg = f"the file of ratings {str(self.path)!r} cannot be used: {why}"
        return SettingError(msg, hint="name another file with FEEDBACK_OUTPUT_PATH")


def _lies_in(path: Path, folder: Path) -> bool:
    inner, outer = (Path(os.path.realpath(place)) for place in (path, folder))
    return outer in inner.parents


def read_answer(text: str) -> tuple[int, str] | None:
    """Parse an answer such as "4", "4|quick" or "4 quick" into rating and note; None if invalid."""
    digits, _, note = text.strip().replace("|", " ", 1).partition(" ")
    rating = int(digits) if digits.isascii() and digits.isdigit() and len(digits) == 1 else 0
    return (rating, note.strip()) if LOWEST <= rating <= HIGHEST else None


#: Asks the user one question with a time limit in seconds; "" if there is no answer.
AskLine = Callable[[str, float], str]


def no_one(_question: str, _timeout_s: float) -> str:
    """Return an empty answer without asking."""
    return ""
