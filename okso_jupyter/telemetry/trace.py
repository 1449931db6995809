"""Trace: the spans of one run, as OpenTelemetry describes them, with its types of attributes."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

#: What an attribute may be; a tuple holds values of one type.
Value = str | bool | int | float | tuple[str, ...]
Attributes = Mapping[str, Value]

_TRACE_ID_DIGITS: Final = 32
_SPAN_ID_DIGITS: Final = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceEvent:
    """Something that happened at one moment of a span.

    Attributes:
        name: Its name, such as "okso.decision".
        at_ns: When, in nanoseconds since 1970 in UTC.
        attributes: Facts about it.
    """

    name: str
    at_ns: int
    attributes: Attributes


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceSpan:
    """A timed piece of work.

    Attributes:
        name: Its name, such as "execute_tool file_read".
        span_id: Its id, 16 hexadecimal digits.
        parent_id: Id of the span that contains it; empty for the run's own span.
        start_ns: When it began, in nanoseconds since 1970 in UTC.
        end_ns: When it ended.
        asks_others: Whether it asks a model, which the conventions call a client.
        attributes: Facts about it.
        events: What happened in it, in order.
        is_error: Whether it failed.
    """

    name: str
    span_id: str
    parent_id: str
    start_ns: int
    end_ns: int
    asks_others: bool
    attributes: Attributes
    events: tuple[TraceEvent, ...]
    is_error: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RunTrace:
    """The spans of one run, in the order in which they ended; the run's own span is the last.

    The ids are hashes of the run's id, so that every export of a run names the same spans.

    Attributes:
        trace_id: Id of the trace, 32 hexadecimal digits.
        spans: The spans.
    """

    trace_id: str
    spans: tuple[TraceSpan, ...]


def trace_id_of(run_id: str) -> str:
    """Return the id of a run's trace."""
    return _hash("trace", run_id)[:_TRACE_ID_DIGITS]


def span_id_of(run_id: str, number: str) -> str:
    """Return the id of a span of a run by its number; an empty number is the run's own span."""
    return _hash("span", run_id, number)[:_SPAN_ID_DIGITS]


def nanoseconds(at: str) -> int:
    """Return a time, ISO 8601, in nanoseconds since 1970 in UTC."""
    moment = datetime.fromisoformat(at)
    return int(moment.timestamp()) * 1_000_000_000 + moment.microsecond * 1_000


def _hash(*parts: str) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()
