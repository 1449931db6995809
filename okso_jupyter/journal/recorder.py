"""RunRecorder: writes the records of one run and times its spans."""

from __future__ import annotations

import hashlib
import itertools
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from okso_jupyter.journal.events import CompletionMade, Event, SpanEnded
from okso_jupyter.journal.store import Journal, now
from okso_jupyter.llm.protocol import Completion, CompletionRequest
from okso_jupyter.log import LOGGER

_CURRENT: ContextVar[str] = ContextVar("okso_current_span", default="")


@dataclass(slots=True)
class Span:
    """A timed piece of work; attributes may be added until it ends."""

    span_id: str
    attributes: dict[str, Any]
    status: str = "ok"


@dataclass(slots=True)
class RunRecorder:
    """Writes the records of one run.

    Attributes:
        journal: The journal.
        run_id: The run.
        listeners: Called with every event after it is recorded; an exception from one of them
            ends the run.
    """

    journal: Journal
    run_id: str
    listeners: list[Callable[[Event], None]] = field(default_factory=list)
    _numbers: Iterator[int] = field(init=False)

    def __post_init__(self) -> None:
        """Number new spans after existing ones: a run may be planned first and executed later."""
        spans = self.journal.events(self.run_id, SpanEnded)
        # A parent span that never ended has no record, but its children's records hold its number.
        ids = [int(number or 0) for span in spans for number in (span.span_id, span.parent_id)]
        self._numbers = itertools.count(1 + max(ids, default=0))

    def record(self, event: Event) -> None:
        """Append one record; it is on disk when this returns."""
        self.journal.append(self.run_id, event)
        self._notify(event)

    def record_with_next(self, event: Event) -> None:
        """Append one record that is written to disk together with the next one.

        Use it for records of one moment, of which the last one states the outcome. See
        `Journal.append_with_next`.
        """
        self.journal.append_with_next(self.run_id, event)
        self._notify(event)

    def settle(self) -> None:
        """Write all pending records to disk."""
        self.journal.settle()

    def _notify(self, event: Event) -> None:
        for listener in self.listeners:
            listener(event)

    @contextmanager
    def span(
        self,
        name: str,
        *,
        with_next: bool = False,
        **attributes: Any,  # noqa: ANN401  any JSON value
    ) -> Iterator[Span]:
        """Time a piece of work; spans opened inside it are its children.

        The span is recorded when it ends, with status "error" if an exception ends it.

        Args:
            name: What is timed.
            with_next: Whether its record is written together with the next record.
            attributes: Further facts about it.
        """
        span = Span(span_id=f"{next(self._numbers):04d}", attributes=dict(attributes))
        parent, started_at, started = _CURRENT.get(), now(), time.monotonic()
        token = _CURRENT.set(span.span_id)
        try:
            yield span
        except BaseException as error:
            span.status = "error"
            span.attributes["error_type"] = type(error).__name__
            raise
        finally:
            _CURRENT.reset(token)
            write = self.record_with_next if with_next else self.record
            write(
                SpanEnded(
                    span_id=span.span_id,
                    parent_id=parent,
                    name=name,
                    started_at=started_at,
                    duration_s=time.monotonic() - started,
                    status=span.status,
                    attributes=span.attributes,
                )
            )

    def completion(
        self,
        role: str,
        request: CompletionRequest,
        completion: Completion,
        step_id: int | None = 0,
    ) -> None:
        """Record one completion with the request that it answers.

        Args:
            role: The role in which the model was asked.
            request: The request.
            completion: The model's completion.
            step_id: The step that it was for; None for no step, 0 if there is no plan yet.
        """
        detail = {"role": role, "prompt": completion.prompt, "text": completion.text}
        LOGGER.debug("completion", extra={"detail": detail})
        event = CompletionMade(
            role=role,
            prompt=completion.prompt,
            prompt_sha256=hashlib.sha256(completion.prompt.encode()).hexdigest(),
            schema=request.for_server.schema,
            temperature=request.temperature,
            hot=request.hot.pattern if request.hot else None,
            max_tokens=request.max_tokens,
            seed=completion.seed,
            text=completion.text,
            prompt_tokens=completion.prompt_tokens,
            cached_tokens=completion.cached_tokens,
            output_tokens=completion.output_tokens,
            duration_s=completion.duration_s,
            finish=completion.finish,
            step_id=step_id,
            log_likelihood=completion.log_likelihood,
        )
        self.record(event)
