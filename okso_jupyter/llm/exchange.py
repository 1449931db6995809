"""Exchange: one chat completion asked of a server, again where a failure may pass."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Final

import httpx
import tenacity

from okso_jupyter.llm.dialect import Dialect, after, is_about_format, told
from okso_jupyter.llm.endpoint import Endpoint, RefusedError
from okso_jupyter.llm.protocol import CompletionRequest
from okso_jupyter.llm.stream import PartialCompletion
from okso_jupyter.llm.unpacking import UNPACKED, unpacked
from okso_jupyter.log import LOGGER

#: Times that a request is sent again after a failure that may pass.
_RETRIES: Final = 3
_SECOND: Final = 2
_LONGEST_WAIT_S: Final = 60.0
_MOST_REFUSAL_BYTES: Final = 1 << 16
_OK, _TOO_MANY, _SERVER_ERROR = 200, 429, 500
_HEADERS: Final = {"content-type": "application/json", **UNPACKED}
_BACKOFF: Final = tenacity.wait_exponential(multiplier=0.25, max=8) + tenacity.wait_random(0, 0.25)


@dataclass(slots=True)
class Known:
    """What is known of a server from its answers, for as long as its model is open.

    Attributes:
        dialect: How it is told of a schema.
        is_down: Whether it failed the last time, however often it was asked; then it is asked
            once until it answers again.
    """

    dialect: Dialect = "json_schema"
    is_down: bool = False


@dataclass(slots=True, kw_only=True)
class Exchange:
    """What the requests of one call share.

    Where several fail at once, one of them tries again and the others wait for what comes of it:
    a server that is down is not asked as often as there are requests.

    Attributes:
        endpoint: The server and its model.
        client: What the requests go through.
        request: What is asked.
        drafts: All that is to be written.
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

    async def fill(self, draft: PartialCompletion) -> None:
        """Ask for a draft's text, in the way of telling a schema that the server knows.

        Raises:
            RefusedError: The server answers with something else.
            ModelError: What it answers is no completion.
            httpx.HTTPError: It cannot be reached, or the connection broke off.
        """
        dialect = self.known.dialect if draft.schema is not None else "words"
        while True:
            try:
                await self._ask(self._body(draft, dialect), draft, dialect)
            except RefusedError as refused:
                other = after(dialect, refused)
                if other is None:
                    raise
                words, dialect = refused.words, other
            else:
                break
        if draft.schema is not None and dialect != self.known.dialect:
            self._learn(dialect, words)

    def _learn(self, dialect: Dialect, words: str) -> None:
        """Keep how the server is told of a schema; the model is worse at keeping to words."""
        self.known.dialect = dialect
        if dialect == "words":
            LOGGER.warning(
                "the server enforces no JSON Schema: the model is told it in words",
                extra={"detail": self.endpoint.clean(words)},
            )

    def _body(self, draft: PartialCompletion, dialect: Dialect) -> dict[str, Any]:
        """Return what is sent for one completion."""
        return {
            "model": self.endpoint.model,
            "temperature": self.request.temperature,
            "max_tokens": self.request.max_tokens,
            "seed": draft.seed,
            "stream": True,
            "stream_options": {"include_usage": True},
            **told(self.request, draft.schema, dialect),
        }

    async def _ask(
        self, body: Mapping[str, Any], draft: PartialCompletion, dialect: Dialect
    ) -> None:
        """Send a request until it is answered, or fails for good."""
        content = json.dumps(body).encode("ascii")  # half a character of a file's name is escaped
        try:
            async with AsyncExitStack() as held:
                if dialect == "json_object":
                    # llama-cpp-python's server ends an answer when the next request comes in
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
        """Return the attempts of one request."""
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
        """Send a request once; not at all where another has shown meanwhile that it is in vain."""
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
    """Say whether the same request may do better later."""
    if isinstance(error, RefusedError):
        passing = error.status == _TOO_MANY or error.status >= _SERVER_ERROR
        is_ours = is_about_format(error) or (error.retry_after_s or 0) > _LONGEST_WAIT_S
        return passing and not is_ours
    return isinstance(error, httpx.TransportError) and not isinstance(error, httpx.ReadTimeout)


def _wait_s(state: tenacity.RetryCallState) -> float:
    """Return the seconds to wait: what the server asks for, else longer each time."""
    error = state.outcome.exception() if state.outcome else None
    asked = error.retry_after_s if isinstance(error, RefusedError) else None
    return _BACKOFF(state) if asked is None else asked


async def _refusal(response: httpx.Response) -> RefusedError:
    """Return what an answer other than a completion says."""
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
    """Return what an error's body says: its message and code, else all of it."""
    try:
        error = json.loads(body)["error"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return body
    if not isinstance(error, dict):
        return str(error)
    parts = [error.get(name) for name in ("message", "code", "type")]
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
