"""Trace events: what was decided, chosen and rejected, as events of spans under `okso.`."""

from __future__ import annotations

from typing import Final

from okso_jupyter.journal.events import (
    BudgetRaised,
    BudgetReached,
    CandidateChosen,
    CandidateScored,
    DecisionMade,
    PromptsSent,
    Recorded,
    ReplanRequested,
    RuleMatched,
    RunDeclined,
    SampleUnusable,
    SearchDecided,
)
from okso_jupyter.telemetry.genai_attributes import as_text, present
from okso_jupyter.telemetry.trace import TraceEvent, Value

#: Kinds of records that become events.
NOTED: Final[tuple[type[Recorded], ...]] = (
    CandidateScored,
    SampleUnusable,
    CandidateChosen,
    DecisionMade,
    RuleMatched,
    SearchDecided,
    PromptsSent,
    ReplanRequested,
    RunDeclined,
    BudgetReached,
    BudgetRaised,
)

Named = tuple[str, dict[str, Value | None]]


def event_of(event: Recorded, at_ns: int, *, content: bool) -> TraceEvent:
    """Return a record of one of the kinds `NOTED` as an event.

    Args:
        event: The record's event.
        at_ns: When it was recorded, in nanoseconds since 1970 in UTC.
        content: Whether texts of people, models and tools are in it.
    """
    name, attributes = _of_planning(event, content=content) or _of_deciding(event, content=content)
    return TraceEvent(name=f"okso.{name}", at_ns=at_ns, attributes=present(attributes))


def _of_planning(event: Recorded, *, content: bool) -> Named | None:
    """Return the name and attributes of an event of planning; None for another one."""
    match event:
        case CandidateScored(index=index, plan=plan, flaw=flaw):
            tools = tuple(str(step.get("tool", "")) for step in plan.get("steps", ()))
            score = event.candidate.scorecard.score
            text = as_text(plan) if content else ""
            return "candidate", {
                "okso.candidate.index": index,
                "okso.candidate.score": score,
                "okso.candidate.tools": tools,
                "okso.candidate.flaw": flaw,
                "okso.candidate.plan": text,
            }
        case SampleUnusable(index=index, reason=reason):
            return "candidate.unusable", {
                "okso.candidate.index": index,
                "okso.candidate.reason": reason,
            }
        case CandidateChosen(index=index, score=score, preset=preset):
            return "candidate.chosen", {
                "okso.candidate.index": index,
                "okso.candidate.score": score,
                "okso.candidate.preset": preset,
            }
        case ReplanRequested(cause=cause, reason=reason):
            return "replan", {
                "okso.replan.cause": cause,
                "okso.replan.reason": reason if content else "",
            }
        case PromptsSent(host=host, role=role):
            return "prompts_sent", {"server.address": host, "okso.role": role}
        case _:
            return None


def _of_deciding(event: Recorded, *, content: bool) -> Named:
    """Return the name and attributes of a decision, a rule or a budget."""
    match event:
        case DecisionMade(decision=decision, by=by, reason=reason, feedback=feedback):
            return "decision", {
                "okso.decision": decision,
                "okso.decision.by": by,
                "okso.decision.reason": reason if content else "",
                "okso.decision.feedback": feedback if content else "",
            }
        case RuleMatched(tool=tool, matched=rule):
            return "rule", {
                "gen_ai.tool.name": tool,
                "okso.rule.decision": rule.decision,
                "okso.rule.place": rule.place,
            }
        case SearchDecided(given=given, by=by, destination=destination):
            return "search_consent", {
                "okso.decision": "approve" if given else "reject",
                "okso.decision.by": by,
                "server.address": destination,
            }
        case RunDeclined(is_open=is_open, reason=reason):
            why = {"okso.declined.is_open": is_open}
            return "declined", {**why, "okso.declined.reason": reason if content else ""}
        case BudgetReached(name=name, used=used, limit=limit):
            spent = {"okso.budget.used": used, "okso.budget.limit": limit}
            return "budget.reached", {"okso.budget.name": name, **spent}
        case BudgetRaised(name=name, limit=limit):
            return "budget.raised", {"okso.budget.name": name, "okso.budget.limit": limit}
        case _:
            msg = f"{event.kind} is no event of a span"
            raise ValueError(msg)
