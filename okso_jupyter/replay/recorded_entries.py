"""Recording entries: things a run took from outside, collected from its journal events.

A run is identified by its request and the settings that change what is asked for it; within a run,
an entry is identified by its question and by how often that was asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from okso_jupyter import errors
from okso_jupyter.errors import OksoError, RecordingError
from okso_jupyter.journal.codec import sha256_of
from okso_jupyter.journal.events import (
    CallStarted,
    DecisionMade,
    Event,
    KnownEvent,
    ObservationMade,
    OutsideAsked,
    PlanMade,
    PlanProposed,
    ProposalShown,
    RunStarted,
    SearchDecided,
)
from okso_jupyter.journal.store import Record, events_of
from okso_jupyter.plan.records import Observation
from okso_jupyter.replay.normalization import Normalization, Places

#: Settings that distinguish two runs of the same request.
TELLING: Final = (
    "PLANNER_SEED",
    "PLANNER_SAMPLE_COUNT",
    "PLANNER_TEMPERATURE",
    "PLAN_ALGORITHM",
    "PLAN_ENABLED",
    "EXECUTOR_MODE",
)

#: Kinds of events that an `EntryCollector` reads; it ignores all others.
ENTRY_KINDS: Final[tuple[type[KnownEvent], ...]] = (
    RunStarted,
    OutsideAsked,
    CallStarted,
    ObservationMade,
    ProposalShown,
    PlanMade,
    PlanProposed,
    DecisionMade,
    SearchDecided,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedEntry:
    """One question to the outside, and its answer.

    Attributes:
        kind: Kind of question, such as "completions", "call" or "decision".
        asked: The question, normalized.
        gave: The answer, unchanged.
        raised: Instead of an answer, the error: type, message, hint.
    """

    kind: str
    asked: Any
    gave: Any = None
    raised: Mapping[str, str] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """Look-up key: the hash of the question."""
        return key_of(self.kind, self.asked)


def key_of(kind: str, asked: Any) -> str:  # noqa: ANN401  any JSON value
    """Return the hash of a normalized question, as 64 hexadecimal digits."""
    return sha256_of([kind, asked])


def head_of(started: RunStarted, *places: Places) -> dict[str, Any]:
    """Return what distinguishes a run from others, normalized.

    Args:
        started: The run's `run_started` event.
        places: Folders of further known machines.
    """
    settings = started.settings
    changed = {name: settings[name] for name in TELLING if settings.get(name) is not None}
    head = {
        "request": started.request,
        "plan": started.plan_sha256,
        "data": started.data,
        "model": spec_name(started.model),
        "settings": changed,
        "occurrence": started.occurrence,
    }
    known: dict[str, Any] = Normalization(places_of(started), *places).json(head)
    return known


def spec_name(spec: str) -> str:
    """Return the identifying part of a model's spec: for a server, its model, not its address."""
    if spec.startswith(("http://", "https://")):
        return f"http#{spec.partition('#')[2]}"
    return spec


def places_of(started: RunStarted) -> Places:
    """Return the places of the machine on which a run began."""
    return Places.from_dict(started.places)


class EntryCollector:
    """Collects entries from the events of one run, in order.

    Args:
        places: Folders of known machines, besides that of the run.
    """

    def __init__(self, *places: Places) -> None:
        self._places = places
        self._normal = Normalization(*places)
        self._asked_about: str | None = None
        self._shown: ProposalShown | None = None
        self._edited: PlanMade | PlanProposed | None = None
        self._begun: set[int] = set()

    def read(self, event: Event) -> RecordedEntry | None:
        """Return the entry that an event completes, or None."""
        match event:
            case RunStarted():
                self._normal = Normalization(places_of(event), *self._places)
            case OutsideAsked(of=of, asked=asked, gave=gave, raised=raised):
                return RecordedEntry(kind=of, asked=asked, gave=gave, raised=raised)
            case CallStarted(step_id=step_id):
                self._begun.add(step_id)
            case ObservationMade():
                return self._observed(event)
            case ProposalShown():
                self._asked_about = self._asked_about if self._edited else event.anywhere
                self._shown = event
            case PlanMade() | PlanProposed() if self._asked_about is not None:
                self._edited = event
            case DecisionMade():
                return self._decided(event)
            case SearchDecided() if event.anywhere:
                return _consent(event)
        return None

    def _decided(self, made: DecisionMade) -> RecordedEntry:
        """Return a decision together with the person's edit of the plan, if any."""
        shown, edited = self._shown, self._edited
        gave = {
            **made.to_json(),
            "anywhere": shown.anywhere if shown is not None else None,
            "edited": edited.to_json() if edited is not None else None,
        }
        entry = RecordedEntry(kind="decision", asked={"shown": self._asked_about}, gave=gave)
        self._asked_about, self._edited = None, None
        return entry

    def _observed(self, made: ObservationMade) -> RecordedEntry:
        """Return the result of a call, or the time of an observation without one."""
        seen = made.observation
        if seen.call.step_id not in self._begun:
            timed = {"started_at": seen.started_at, "duration_s": seen.duration_s}
            return RecordedEntry(kind="remark", asked=remark_asked(seen), gave=timed)
        self._begun.remove(seen.call.step_id)
        asked = self._normal.json({"tool": seen.call.tool, "args": dict(seen.call.args)})
        return RecordedEntry(kind="call", asked=asked, gave=made.to_json())


def _consent(decided: SearchDecided) -> RecordedEntry:
    """Return the decision about a search before planning."""
    steps = range(1, len(decided.terms) + 1) if decided.given else ()
    gave = {
        "decision": "approve" if decided.given else "reject",
        "shown": decided.shown,
        "anywhere": decided.anywhere,
        "by": decided.by,
        "steps": {str(step_id): "" for step_id in steps},
    }
    return RecordedEntry(kind="consent", asked={"shown": decided.anywhere}, gave=gave)


def remark_asked(seen: Observation) -> dict[str, Any]:
    """Return what distinguishes an observation without a call from others of its run."""
    return {"step_id": seen.call.step_id, "tool": seen.call.tool, "status": seen.status}


def counted(records: Iterable[Record], *places: Places) -> Counter[str]:
    """Return how often each question was asked so far, by its key."""
    reader = EntryCollector(*places)
    entries = (reader.read(event) for event in events_of(records, *ENTRY_KINDS))
    return Counter(entry.key for entry in entries if entry is not None)


def error_to_json(error: OksoError) -> dict[str, str]:
    """Return an error as JSON data, for `error_from_json`."""
    return {"type": type(error).__name__, "message": error.message, "hint": error.hint}


def error_from_json(data: Mapping[str, str]) -> OksoError:
    """Return a recorded error as an exception.

    Raises:
        RecordingError: Its type is not an error of this package.
    """
    kind = vars(errors).get(data["type"])
    if not (isinstance(kind, type) and issubclass(kind, OksoError)):
        msg = f"the recording holds an error of an unknown kind: {data['type']}"
        raise RecordingError(msg, hint="record it again")
    return kind(data["message"], hint=data["hint"])
