"""Trace builder: makes the spans of a run out of its records, to be sent or exported.

The journal has spans already; their attributes come from the records beside them: a completion
belongs to the last request in its role, an observation to the last call of its step.
"""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from typing import Final

from okso_jupyter.journal.events import (
    AnswerGiven,
    CallStarted,
    CompletionMade,
    ErrorRaised,
    ModelUsed,
    ObservationMade,
    Recorded,
    RunMoved,
    RunStarted,
    SpanEnded,
)
from okso_jupyter.journal.store import Record, with_events
from okso_jupyter.plan.states import RunState
from okso_jupyter.telemetry import genai_attributes as genai
from okso_jupyter.telemetry.trace import (
    Attributes,
    RunTrace,
    TraceEvent,
    TraceSpan,
    nanoseconds,
    span_id_of,
    trace_id_of,
)
from okso_jupyter.telemetry.trace_events import NOTED, event_of

_SPAN_KINDS: Final[tuple[type[Recorded], ...]] = (
    RunStarted,
    ModelUsed,
    CompletionMade,
    CallStarted,
    ObservationMade,
    SpanEnded,
    AnswerGiven,
    ErrorRaised,
    RunMoved,
)
_FAILED: Final = frozenset({RunState.FAILED, RunState.CANCELLED})
#: States in which a run has ended.
ENDED: Final = frozenset({RunState.COMPLETED, *_FAILED})


@dataclass(slots=True)
class _Draft:
    """A span of the journal with the records that belong to it."""

    ended: SpanEnded
    model: ModelUsed | None = None
    completions: list[CompletionMade] = field(default_factory=list)
    call: CallStarted | None = None
    made: ObservationMade | None = None

    def name(self) -> str:
        """Return the name of the span, by the conventions where there is one."""
        if self.ended.name == "chat" and self.model is not None:
            return f"chat {self.model.name}"
        if self.ended.name == "execute_tool":
            return f"execute_tool {self.ended.attributes.get('tool', '')}"
        return self.ended.name

    def attributes(self, *, content: bool) -> Attributes:
        """Return the attributes of the span."""
        if self.ended.name == "chat":
            found = genai.of_chat(self.model, self.completions)
            more = genai.content_of_chat(self.completions) if content else {}
            return {**found, "okso.role": str(self.ended.attributes.get("role", "")), **more}
        if self.ended.name == "execute_tool":
            more = genai.content_of_call(self.call, self.made) if content else {}
            return {**genai.of_call(self.call, self.made), **more}
        return {"gen_ai.operation.name": "plan"} if self.ended.name == "plan" else {}


@dataclass(slots=True)
class _TraceBuilder:
    """Takes the records of one run in their order."""

    run_id: str
    content: bool
    drafts: list[_Draft] = field(default_factory=list)
    events: list[TraceEvent] = field(default_factory=list)
    models: dict[str, ModelUsed] = field(default_factory=dict)
    completions: list[CompletionMade] = field(default_factory=list)
    started: RunStarted | None = None
    state: RunState | None = None
    answer: str = ""
    error: str = ""
    _chats: dict[str, _Draft] = field(default_factory=dict)
    _calls: dict[int, CallStarted] = field(default_factory=dict)
    _tools: dict[int, _Draft] = field(default_factory=dict)

    def take(self, event: Recorded) -> None:
        """Keep what an event tells of the run or of a span."""
        match event:
            case RunStarted():
                self.started = self.started or event
            case AnswerGiven(text=text):
                self.answer = text
            case ErrorRaised(type=name):
                self.error = name
            case RunMoved(after=after):
                self.state = after
            case _:
                self._take_of_span(event)

    def _take_of_span(self, event: Recorded) -> None:
        match event:
            case ModelUsed(role=role):
                self.models[role] = event
            case CompletionMade(role=role):
                self.completions.append(event)
                if role in self._chats:
                    self._chats[role].completions.append(event)
            case CallStarted(step_id=step_id):
                self._calls[step_id] = event
            case ObservationMade(observation=seen):
                if draft := self._tools.pop(seen.call.step_id, None):
                    draft.made = event
            case SpanEnded():
                self._begin(event)
            case _:
                pass

    def _begin(self, ended: SpanEnded) -> None:
        draft = _Draft(ended)
        self.drafts.append(draft)
        if ended.name == "chat":
            role = str(ended.attributes.get("role", ""))
            draft.model = self.models.get(role) or self.models.get("planner")
            self._chats[role] = draft
        elif ended.name == "execute_tool":
            step_id = int(ended.attributes.get("step_id", 0))
            draft.call = self._calls.get(step_id)
            self._tools[step_id] = draft

    def spans(self, start_ns: int, end_ns: int) -> list[TraceSpan]:
        """Return the spans; the run's own one, which is the last, has these ends."""
        ended = {draft.ended.span_id for draft in self.drafts}
        drawn = [self._span(draft, ended) for draft in self.drafts]
        drawn.append(self._run_span(start_ns, end_ns))
        return _with_events(drawn, self.events)

    def _span(self, draft: _Draft, known: AbstractSet[str]) -> TraceSpan:
        ended = draft.ended
        # a span around it has no record if its process was killed
        parent = ended.parent_id if ended.parent_id in known else ""
        start_ns = nanoseconds(ended.started_at)
        return TraceSpan(
            name=draft.name(),
            span_id=span_id_of(self.run_id, ended.span_id),
            parent_id=span_id_of(self.run_id, parent),
            start_ns=start_ns,
            end_ns=start_ns + round(ended.duration_s * 1e9),
            asks_others=ended.name == "chat",
            attributes=draft.attributes(content=self.content),
            events=(),
            is_error=ended.status == "error",
        )

    def _run_span(self, start_ns: int, end_ns: int) -> TraceSpan:
        found = dict(genai.of_run(self.run_id, self.started, self.completions))
        if self.state is not None:
            found["okso.run.state"] = str(self.state)
        is_error = self.state in _FAILED
        if is_error:
            found["error.type"] = self.error or str(self.state)
        if self.content and self.started is not None:
            found |= genai.content_of_run(self.started.request, self.answer)
        return TraceSpan(
            name=f"invoke_agent {genai.AGENT}",
            span_id=span_id_of(self.run_id, ""),
            parent_id="",
            start_ns=start_ns,
            end_ns=end_ns,
            asks_others=False,
            attributes=found,
            events=(),
            is_error=is_error,
        )


def trace_of(run_id: str, records: Iterable[Record], *, content: bool = False) -> RunTrace:
    """Return the spans of a run; a run without records has none.

    Args:
        run_id: The run.
        records: Its records, in order.
        content: Whether texts of people, models and tools are in it.

    Raises:
        JournalError: One of the records is damaged.
    """
    builder = _TraceBuilder(run_id, content)
    times = []
    for record, event in with_events(records, *_SPAN_KINDS, *NOTED):
        at_ns = nanoseconds(record.at)
        times.append(at_ns)
        builder.take(event)
        if isinstance(event, NOTED):
            builder.events.append(event_of(event, at_ns, content=content))
    spans = builder.spans(min(times), max(times)) if times else []
    return RunTrace(trace_id=trace_id_of(run_id), spans=tuple(spans))


def _with_events(spans: list[TraceSpan], events: list[TraceEvent]) -> list[TraceSpan]:
    """Return the spans with each event in the shortest span around it."""
    held: dict[int, list[TraceEvent]] = {}
    for event in events:
        around = [n for n, span in enumerate(spans) if span.start_ns <= event.at_ns <= span.end_ns]
        shortest = min(around, key=lambda n: spans[n].end_ns - spans[n].start_ns)
        held.setdefault(shortest, []).append(event)
    return [replace(span, events=tuple(held.get(n, ()))) for n, span in enumerate(spans)]
