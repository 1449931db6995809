"""Exchange: the requests to a server for the completions of one call, with retries."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Final

import httpx
import tenacity

from okso_jupyter.llm.dialect import (
    Dialect,
    body_fields,
    is_about_format,
    may_be_of_format,
    named_instead,
)
from okso_jupyter.llm.endpoint import Endpoint, RefusedError
from okso_jupyter.llm.probes import best_after
from okso_jupyter.llm.protocol import CompletionRequest
from okso_jupyter.llm.stream import PartialCompletion
from okso_jupyter.llm.unpacking import UNPACKED, unpacked
from okso_jupyter.log import LOGGER

#: Retries of a request after a transient failure.
_RETRIES: Final = 3
_SECOND: Final = 2
_LONGEST_WAIT_S: Final = 60.0
_MOST_REFUSAL_BYTES: Final = 1 << 16
_OK, _TOO_MANY, _SERVER_ERROR = 200, 429, 500
_HEADERS: Final = {"content-type": "application/json", **UNPACKED}
_TITLE: Final = re.compile(r"(?is)<title[^>]*>([^<]+)</title>")
_BACKOFF: Final = tenacity.wait_exponential(multiplier=0.25, max=8) + tenacity.wait_random(0, 0.25)


@dataclass(slots=True)
class Known:
    """What is known of a server from its answers, while its model is open.

    Attributes:
        dialect: How schemas are sent to it.
        answered: In which dialect it has answered a schema; what it refuses in it is a schema.
        is_down: Whether its last request failed after all retries; until it answers again there
            are no retries.
        needs_blanks: Whether its texts have blanks between values, and no grammar spares them.
    """

    dialect: Dialect = "json_schema"
    answered: Dialect | None = None
    is_down: bool = False
    needs_blanks: bool = False


@dataclass(slots=True, kw_only=True)
class Exchange:
    """State that the requests of one call share.

    If several requests fail at once, one of them retries and the others wait for its result, so a
    server that is down does not get the retries of every request.

    Attributes:
        endpoint: The server and its model.
        client: HTTP client of the requests.
        request: What to complete.
        drafts: All completions to write.
        known: What is known of the server.
    """

    endpoint: Endpoint
    client: httpx.AsyncClient
    request: CompletionRequest
    drafts: Sequence[PartialCompletion]
    known: Known
    _lost: RefusedError | httpx.TransportError | None = None
    _trying: asyncio.Lock = field(default_factory=asyncio.Lock)
    _alone: asyncio.Lock = field(default_factory=asyncio.Lock)
    _probing: asyncio.Lock = field(default_factory=asyncio.Lock)
    _best: dict[Dialect, Dialect] = field(default_factory=dict)

    async def fill(self, draft: PartialCompletion) -> None:
        """Request the text of a draft, in the first dialect that the server accepts.

        Raises:
            RefusedError: The server answers with something else.
            ModelError: Its answer is not a completion.
            httpx.HTTPError: It cannot be reached, or the connection broke off.
        """
        dialect = self.known.dialect if draft.schema is not None else "words"
        while True:
            try:
                await self._ask(self._body(draft, dialect), draft, dialect)
            except RefusedError as refused:
                if dialect == "words" or not may_be_of_format(refused):
                    raise
                words = refused.words
                dialect = named_instead(dialect, refused) or await self._best_after(dialect)
            else:
                break
        if draft.schema is None:
            return
        if dialect == self.known.dialect:
            self.known.answered = dialect
        elif self.known.answered != self.known.dialect:
            self._learn(dialect, words)

    async def _best_after(self, dialect: Dialect) -> Dialect:
        """Return the best dialect that the server has after a refused one."""
        async with self._probing:  # one request asks, the others hear of it
            if dialect not in self._best:
                self._best[dialect] = await best_after(dialect, self.endpoint, self.client)
        return self._best[dialect]

    def _learn(self, dialect: Dialect, words: str) -> None:
        """Store the server's dialect; warn about forms in words, which models follow less well."""
        self.known.dialect = dialect
        if dialect in {"json_mode", "words"}:
            LOGGER.warning(
                "the server enforces no JSON Schema: the model is told it in words",
                extra={"detail": self.endpoint.clean(words)},
            )

    def _body(self, draft: PartialCompletion, dialect: Dialect) -> dict[str, Any]:
        """Return the request body for one completion."""
        return {
            "model": self.endpoint.model,
            "temperature": self.request.temperature,
            "max_tokens": self.request.max_tokens,
            "seed": draft.seed,
            "stream": True,
            "stream_options": {"include_usage": True},
            **body_fields(self.request, draft.schema, dialect),
        }

    async def _ask(
        self, body: Mapping[str, Any], draft: PartialCompletion, dialect: Dialect
    ) -> None:
        """Send a request until it succeeds or fails for good."""
        # ASCII: it escapes lone surrogates of file names
        content = json.dumps(body, separators=(",", ":")).encode("ascii")
        try:
            async with AsyncExitStack() as held:
                if dialect == "json_object":
                    # llama-cpp-python's server ends an answer when the next request arrives
                    await held.enter_async_context(self._alone)
                async for attempt in self._attempts():
                    with attempt:
                        if attempt.retry_state.attempt_number == _SECOND:
                            await held.enter_async_context(self._trying)
                        await self._send(content, draft)
        except (RefusedError, httpx.TransportError) as error:
            if _may_pass(error) and not any(other.pieces for other in self.drafts):
                self._lost, self.known.is_down = error, True
            raise

    def _attempts(self) -> tenacity.AsyncRetrying:
        """Return the retry policy of one request."""
        return tenacity.AsyncRetrying(
            retry=tenacity.retry_if_exception(
                lambda error: not self.known.is_down and _may_pass(error)
            ),
            stop=tenacity.stop_after_attempt(1 + _RETRIES),
            wait=_wait_s,
            before_sleep=self._say,
            reraise=True,
        )

    async def _send(self, content: bytes, draft: PartialCompletion) -> None:
        """Send a request once; raise at once if another request of the call has failed for good."""
        if self._lost is not None:
            raise self._lost
        draft.begin()
        url = self.endpoint.url("/chat/completions")
        async with self.client.stream("POST", url, content=content, headers=_HEADERS) as response:
            if response.status_code != _OK:
                raise await _refusal(response)
            await draft.read(response)
        self.known.is_down = False

    def _say(self, state: tenacity.RetryCallState) -> None:
        """Log that a request is sent again."""
        error = state.outcome.exception() if state.outcome else None
        reason = f"HTTP {error.status}" if isinstance(error, RefusedError) else type(error).__name__
        detail = {
            "server": self.endpoint.address,
            "reason": reason,
            "attempt": state.attempt_number,
        }
        LOGGER.info("the model is asked again", extra={"detail": detail})


def _may_pass(error: BaseException) -> bool:
    """Return whether the same request may succeed later."""
    if isinstance(error, RefusedError):
        passing = error.status == _TOO_MANY or error.status >= _SERVER_ERROR
        is_ours = is_about_format(error) or (error.retry_after_s or 0) > _LONGEST_WAIT_S
        return passing and not is_ours
    return isinstance(error, httpx.TransportError) and not isinstance(error, httpx.ReadTimeout)


def _wait_s(state: tenacity.RetryCallState) -> float:
    """Return the seconds to wait: what the server asks for, else an exponential backoff."""
    error = state.outcome.exception() if state.outcome else None
    asked = error.retry_after_s if isinstance(error, RefusedError) else None
    return _BACKOFF(state) if asked is None else asked


async def _refusal(response: httpx.Response) -> RefusedError:
    """Return the error for a response other than a completion."""
    body = b""
    async for part in unpacked(response):
        body += part
        if len(body) > _MOST_REFUSAL_BYTES:
            break
    return RefusedError(
        response.status_code,
        _words(body.decode("utf-8", errors="replace")),
        place=response.headers.get("location", "") if response.is_redirect else "",
        retry_after_s=_retry_after_s(response.headers.get("retry-after", "")),
    )


def _words(body: str) -> str:
    """Return the message and code of an error's body, else the whole body.

    Most servers have them in `error`, older ones of vLLM at the root, and those that check the
    fields of a request in `detail`.
    """
    try:
        error = json.loads(body)
    except (ValueError, RecursionError):  # the latter: too deeply nested
        return _of_page(body)
    error = error.get("error", error) if isinstance(error, dict) else error
    details = error.get("detail") if isinstance(error, dict) else None
    found = details if isinstance(details, list) else [error]
    return "; ".join(filter(None, map(_said, found))) or body


def _of_page(body: str) -> str:
    """Return the title of an HTML page, as a proxy sends it; any other text as it is."""
    title = _TITLE.search(body)
    return title.group(1).strip() if title else body


def _said(error: object) -> str:
    """Return the words of one error."""
    if not isinstance(error, dict):
        return error if isinstance(error, str) else ""
    parts = [error.get(name) for name in ("message", "msg", "detail", "code", "type")]
    return " ".join(part for part in parts if isinstance(part, str))


def _retry_after_s(header: str) -> float | None:
    """Return the seconds of a Retry-After header, which may also be a date."""
    try:
        return max(0.0, float(header))
    except ValueError:
        pass
    try:
        when = parsedate_to_datetime(header)
    except ValueError:
        return None
    return max(0.0, (when - datetime.now(UTC)).total_seconds()) if when.tzinfo else None
