"""Entries: each is one thing that a run took from outside, read from what the journal is told.

A run is told apart from others by its request and by the settings that change what is asked for
it; within a run, an entry by what was asked, and by how often it was.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from okso_jupyter.journal.codec import sha256_of
from okso_jupyter.journal.store import Record
from okso_jupyter.recording.normal import Normal, Places

#: The kind of record that holds what no other record does: see `tape`.
OUTSIDE: Final = "outside"
#: Settings that tell two runs of one request apart.
TELLING: Final = (
    "PLANNER_SEED",
    "PLANNER_SAMPLE_COUNT",
    "PLANNER_TEMPERATURE",
    "PLAN_ALGORITHM",
    "PLAN_ENABLED",
    "EXECUTOR_MODE",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One thing that was asked of the outside, and what it gave.

    Attributes:
        kind: Whom it was asked of, such as "completions", "call" or "decision".
        asked: What was asked, normalized.
        gave: The answer, to the letter.
        raised: In place of an answer, the error: type, message, hint.
    """

    kind: str
    asked: Any
    gave: Any = None
    raised: Mapping[str, str] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """What it is looked up by: the hash of what was asked."""
        return key_of(self.kind, self.asked)


def key_of(kind: str, asked: Any) -> str:  # noqa: ANN401  any JSON value
    """Return the hash of a normalized question, as 64 hexadecimal digits."""
    return sha256_of([kind, asked])


def head_of(started: Mapping[str, Any], *places: Places) -> dict[str, Any]:
    """Return what tells a run apart from others, normalized.

    Args:
        started: How the run began, as the journal holds it.
        places: Further machines whose folders are known.
    """
    settings = started["settings"]
    told = {name: settings[name] for name in TELLING if settings.get(name) is not None}
    head = {
        "request": started["request"],
        "plan": started.get("plan_sha256", ""),
        "data": started.get("data", {}),
        "model": named(started.get("model", "")),
        "settings": told,
        "occurrence": started.get("occurrence", 1),
    }
    known: dict[str, Any] = Normal(places_of(started), *places).json(head)
    return known


def named(spec: str) -> str:
    """Return what of a model's spec matters: of a server its model, not its address."""
    if spec.startswith(("http://", "https://")):
        return f"http#{spec.partition('#')[2]}"
    return spec


def places_of(started: Mapping[str, Any]) -> Places:
    """Return the places of the machine that a run began on."""
    return Places.from_dict(started.get("places", {}))


class EntryReader:
    """Reads entries from the records of one run, in order.

    Args:
        places: Machines whose folders are known, beside that of the run.
    """

    def __init__(self, *places: Places) -> None:
        self._places = places
        self._normal = Normal(*places)
        self._asked_about: str | None = None
        self._shown: Mapping[str, Any] = {}
        self._edited: Mapping[str, Any] | None = None
        self._begun: set[int] = set()

    def read(self, kind: str, body: Mapping[str, Any]) -> Entry | None:
        """Return the entry that a record completes, if it does."""
        if kind == "run_started":
            self._normal = Normal(places_of(body), *self._places)
        elif kind == OUTSIDE:
            return Entry(
                kind=body["of"], asked=body["asked"], gave=body["gave"], raised=body["raised"]
            )
        elif kind == "call_started":
            self._begun.add(body["step_id"])
        elif kind == "observation":
            return self._observed(body)
        elif kind == "shown":
            self._asked_about = self._asked_about if self._edited else str(body.get("anywhere"))
            self._shown = body
        elif kind in {"plan", "proposed"} and self._asked_about is not None:
            self._edited = body
        elif kind == "decision":
            return self._decided(body)
        elif kind == "search_consent" and "anywhere" in body:
            return _consent(body)
        return None

    def _decided(self, body: Mapping[str, Any]) -> Entry:
        """Return a decision, and what a person made of the plan before."""
        gave = {**body, "anywhere": self._shown.get("anywhere"), "edited": self._edited}
        entry = Entry(kind="decision", asked={"shown": self._asked_about}, gave=gave)
        self._asked_about, self._edited = None, None
        return entry

    def _observed(self, body: Mapping[str, Any]) -> Entry:
        """Return what came of a call, or when something was remarked without one."""
        call = body["call"]
        if call["step_id"] not in self._begun:
            timed = {name: body[name] for name in ("started_at", "duration_s")}
            return Entry(kind="remark", asked=remark_asked(body), gave=timed)
        self._begun.remove(call["step_id"])
        asked = self._normal.json({"tool": call["tool"], "args": dict(call["args"])})
        return Entry(kind="call", asked=asked, gave=dict(body))


def _consent(body: Mapping[str, Any]) -> Entry:
    """Return the decision about a search before planning."""
    steps = range(1, len(body["terms"]) + 1) if body["given"] else ()
    gave = {
        "decision": "approve" if body["given"] else "reject",
        "shown": body["shown"],
        "anywhere": body["anywhere"],
        "by": body["by"],
        "steps": {str(step_id): "" for step_id in steps},
    }
    return Entry(kind="consent", asked={"shown": body["anywhere"]}, gave=gave)


def remark_asked(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return what tells an observation without a call apart from others of its run."""
    call = body["call"]
    return {"step_id": call["step_id"], "tool": call["tool"], "status": body["status"]}


def counted(records: Iterable[Record], *places: Places) -> Counter[str]:
    """Return how often each question was asked so far, by its key; see `EntryReader`."""
    reader = EntryReader(*places)
    entries = (reader.read(record.kind, record.body) for record in records)
    return Counter(entry.key for entry in entries if entry is not None)
