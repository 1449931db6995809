"""Search stage: a web search before planning, with its terms, its consent and its result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import TimeoutError as FutureTimeoutError
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any, Final

from okso_jupyter.approval.policy import Policy
from okso_jupyter.approval.search_consent import EXPLANATION, Consent, Rules, can_ask, consent
from okso_jupyter.errors import ToolError, ToolRefusedError, ToolTimeoutError, error_text
from okso_jupyter.journal.events import SearchDecided
from okso_jupyter.plan.approval_request import ApprovalRequest, ShownStep
from okso_jupyter.plan.plan import Plan
from okso_jupyter.plan.run_inputs import RunInputs
from okso_jupyter.planning.background import WebContext
from okso_jupyter.planning.request.intent import WEB_RESEARCH, Ask, Intent, wants_search
from okso_jupyter.planning.request.search_terms import as_written, found_text, search_terms
from okso_jupyter.replay.recorded_decisions import portable_fingerprint
from okso_jupyter.runs.run_context import RunContext
from okso_jupyter.toolkit.context import ToolContext
from okso_jupyter.toolkit.handler_threads import result_within, start

_TOOL: Final = "web_search"
_PAGES: Final = 5
#: Most times that other search terms may be given.
_MAX_ROUNDS: Final = 5
_GRACE_S: Final = 1.0
_RULES: Final = "consents.json"
_RULED: Final = "ruled"
_ASKED: Final = "asked"


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchStage:
    """Searches the web for one planning call, if consent is given.

    Attributes:
        context: What the stages of the run share.
        policy: The policy that decides about consent.
        ask: Calls the model that writes search terms.
    """

    context: RunContext
    policy: Policy
    ask: Ask

    def search(self, request: str, intent: Intent) -> WebContext:
        """Return the result of the search, or the reason why there was none.

        Raises:
            ApprovalError: The approver returned something that is not a decision.
            KeyboardInterrupt: The user stopped the cell.
        """
        settings, take = self.context.settings, self.context.boundary.take
        if settings.intent_disable_search or not wants_search(intent, request):
            return WebContext()
        try:
            destination = str(take("search engine", {}, self._destination))
        except ToolError as error:
            return _not_searched(error.message.removeprefix(f"{_TOOL}: "))
        rules = Rules(settings.home / _RULES)
        leave = take("leave to search", {}, partial(self._leave, destination, rules))
        if leave not in {_RULED, _ASKED}:
            return _not_searched(str(leave))
        needed = intent.label == WEB_RESEARCH
        terms = self._worded(search_terms(request, settings, self.ask, needed=needed))
        if not terms:
            return _not_searched("the request needs nothing from it")
        asked = self._proposal(request, terms, destination)
        is_against = any(map(_is_against_consent, asked.steps))
        is_against = self.context.boundary.happened("search rule", {}, live=is_against)
        ruled = leave == _RULED and not is_against
        agreed = Consent(given=True, by="rule") if ruled else Consent(given=False, by="nobody")
        if not ruled:
            terms, agreed = self._agree(request, terms, destination, rules)
        shown = self._proposal(request, terms, destination)
        decided = SearchDecided(
            terms=terms,
            destination=destination,
            shown=shown.fingerprint,
            anywhere=portable_fingerprint(shown),
            **asdict(agreed),
        )
        self.context.recorder.record(decided)
        if not agreed.given:
            return WebContext(terms=terms, note=f"the web was not searched: no, by {agreed.by}")
        return self._searched(terms, destination, agreed.by)

    def _leave(self, destination: str, rules: Rules) -> str:
        """Return whether there is a standing consent, or an approver; else why there is none."""
        is_forced = self.context.settings.force_confirm
        if self.policy == "ask" and not is_forced and destination in rules:
            return _RULED
        if can_ask(self.policy):
            return _ASKED
        return "the policy is deny" if self.policy == "deny" else "no person could be asked"

    def _proposal(self, request: str, terms: Sequence[str], destination: str) -> ApprovalRequest:
        """Return the approval request for the searches, which names their destination."""
        steps = [{"tool": _TOOL, "args": {"query": term}} for term in terms]
        plan = Plan.from_dict(
            {"title": "Search the web before planning", "request": request, "steps": steps}
        )
        builder = replace(self.context.request_builder(request), data=RunInputs())
        return builder.proposal(plan, f"{EXPLANATION}. They go to {destination}")

    def _destination(self) -> str:
        """Return the destination of the terms: the search engine, or the user's own search tool.

        Raises:
            ToolRefusedError: There is no search tool, or no search engine.
        """
        from okso_jupyter.tools.web_search import web_search  # noqa: PLC0415  tools load jsonschema

        tool = self.context.tools.get(_TOOL)
        if tool is None:
            msg = f"there is no tool {_TOOL}"
            raise ToolRefusedError(msg)
        if tool is not web_search:
            return f"a {_TOOL} of your own ({_name_of(tool.handler)})"
        return self.context.resources.search.open().destination

    def _worded(self, terms: Sequence[str]) -> tuple[str, ...]:
        """Return the search terms without secrets."""
        return tuple(self.context.redactor.text(term) for term in terms)

    def _agree(
        self, request: str, terms: tuple[str, ...], destination: str, rules: Rules
    ) -> tuple[tuple[str, ...], Consent]:
        """Ask for consent until there is a decision; return it with the terms shown last."""
        take, agreed = self.context.boundary.take, Consent(given=False, by="nobody")
        for _ in range(_MAX_ROUNDS):
            asking = partial(
                consent,
                self._proposal(request, terms, destination),
                self.policy,
                destination=destination,
                rules=rules,
                timeout_s=self.context.settings.okso_approve_timeout_s,
            )
            with self.context.recorder.span("consent"):
                asked = {"terms": terms, "destination": destination}
                agreed = Consent(**take("consent to search", asked, lambda: asdict(asking())))  # noqa: B023  called at once
            if not agreed.words:
                break
            terms = self._worded([as_written(agreed.words)])
        return terms, agreed

    def _searched(self, terms: tuple[str, ...], destination: str, by: str) -> WebContext:
        """Run the searches and return the pages found; one that fails does not affect the rest."""
        found: dict[str, Sequence[Mapping[str, Any]]] = {}
        take, problems = self.context.boundary.take, []
        for term in terms:
            with self.context.recorder.span("search", query=term) as span:
                try:
                    found[term] = take("pages", {"query": term}, partial(self._pages, term))
                except ToolError as error:
                    span.status = "error"
                    problems.append(error.message)
        pages = sum(map(len, found.values()))
        note = f"the web was searched ({destination}, by {by}): {pages} pages"
        if problems:
            note += f"; {problems[0]}"
        return WebContext(terms=terms, text=found_text(found), note=note)

    def _pages(self, term: str) -> Sequence[Mapping[str, Any]]:
        """Return the pages that one search finds; it runs in a thread, so that Stop can end it.

        Raises:
            ToolError: The search failed or did not finish in time.
        """
        timeout_s = self.context.settings.web_http_timeout + _GRACE_S
        context = ToolContext(run=self.context.resources, timeout_s=timeout_s)
        tool, given = self.context.tools[_TOOL], {"query": term, "num": _PAGES}
        args = {name: value for name, value in given.items() if name in tool.properties}
        future = start(lambda: tool.call(context, args))
        try:
            value = result_within(future, timeout_s + _GRACE_S).value
        except FutureTimeoutError as error:
            context.cancelled.set()
            msg = f"no result within {timeout_s:g} s"
            raise ToolTimeoutError(msg) from error
        except KeyboardInterrupt:
            context.cancelled.set()
            raise
        except ToolError:
            raise
        except (Exception, SystemExit) as error:  # a handler may be foreign code
            msg = f"{_TOOL} failed: {error_text(error)}"
            raise ToolError(msg) from error
        items = value.get("items") if isinstance(value, Mapping) else value
        pages = items if isinstance(items, list | tuple) else ()
        return [page for page in pages if isinstance(page, Mapping)]


def _name_of(handler: object) -> str:
    """Return module and name of a function, so that a standing consent covers no other one."""
    kind = handler if hasattr(handler, "__qualname__") else type(handler)
    return f"{getattr(kind, '__module__', '')}.{getattr(kind, '__qualname__', '')}"


def _is_against_consent(shown: ShownStep) -> bool:
    """Return whether a rule of a policy file asks or denies, whatever was agreed once."""
    return shown.rule is not None and shown.rule.decision != "allow"


def _not_searched(reason: str) -> WebContext:
    return WebContext(note=f"the web was not searched: {reason}")
