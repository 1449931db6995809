"""Exchange: one chat completion asked of a server, again where a failure may pass."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Final

import httpx
import tenacity

from okso_jupyter import assets
from okso_jupyter.llm.endpoint import Endpoint, RefusedError
from okso_jupyter.llm.protocol import CompletionRequest
from okso_jupyter.llm.stream import Draft
from okso_jupyter.llm.unpacking import UNPACKED, unpacked
from okso_jupyter.log import LOGGER

_ATTEMPTS: Final = 4
_LONGEST_WAIT_S: Final = 60.0
_MOST_REFUSAL_BYTES: Final = 1 << 16
_OK, _BAD_REQUEST, _TOO_MANY, _SERVER_ERROR = 200, 400, 429, 500
_UNPROCESSABLE: Final = 422
_HEADERS: Final = {"content-type": "application/json", **UNPACKED}
_BACKOFF: Final = tenacity.wait_exponential(multiplier=0.25, max=8) + tenacity.wait_random(0, 0.25)


@dataclass(slots=True, kw_only=True)
class Exchange:
    """What the requests of one call share.

    Attributes:
        endpoint: The server and its model.
        client: What the requests go through.
        request: What is asked.
        enforces: Whether the server takes a JSON Schema; turns false when it refuses one.
    """

    endpoint: Endpoint
    client: httpx.AsyncClient
    request: CompletionRequest
    enforces: bool

    async def fill(self, draft: Draft) -> None:
        """Ask for a draft's text: with the schema, or where that is refused with it in words.

        Raises:
            RefusedError: The server answers with something else.
            ModelError: What it answers is no completion.
            httpx.HTTPError: It cannot be reached, or the connection broke off.
        """
        enforced = self.enforces and draft.schema is not None
        try:
            await self._ask(self._body(draft, enforced=enforced), draft)
        except RefusedError as refused:
            if not enforced or refused.status not in {_BAD_REQUEST, _UNPROCESSABLE}:
                raise
            await self._ask(self._body(draft, enforced=False), draft)
            if self.enforces:
                LOGGER.warning(
                    "the server enforces no JSON Schema: the model is told it in words",
                    extra={"detail": self.endpoint.clean(refused.words)},
                )
            self.enforces = False

    def _body(self, draft: Draft, *, enforced: bool) -> dict[str, Any]:
        """Return what is sent for one completion."""
        request = self.request
        messages = [{"role": turn.role, "content": turn.content} for turn in request.messages]
        body: dict[str, Any] = {
            "model": self.endpoint.model,
            "messages": messages,
            "temperature": request.temperature,
            "max_tokens": request.max_tokens,
            "seed": draft.seed,
            "stream": True,
            "stream_options": {"include_usage": True},
        }
        if enforced:
            schema = _as_servers_read(draft.schema)
            form = {"name": request.role, "strict": True, "schema": schema}
            body["response_format"] = {"type": "json_schema", "json_schema": form}
        elif draft.schema is not None:
            wish = assets.prompt("schema", schema=json.dumps(draft.schema))
            messages[-1]["content"] += f"\n\n{wish}"
        return body

    async def _ask(self, body: Mapping[str, Any], draft: Draft) -> None:
        """Send a request until it is answered, or fails for good."""
        content = json.dumps(body).encode("ascii")  # half a character of a file's name is escaped
        async for attempt in tenacity.AsyncRetrying(
            retry=tenacity.retry_if_exception(_may_pass),
            stop=tenacity.stop_after_attempt(_ATTEMPTS),
            wait=_wait_s,
            before_sleep=self._say,
            reraise=True,
        ):
            with attempt:
                draft.begin()
                url = self.endpoint.url("/chat/completions")
                async with self.client.stream(
                    "POST", url, content=content, headers=_HEADERS
                ) as response:
                    if response.status_code != _OK:
                        raise await _refusal(response)
                    await draft.read(response)

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


def _as_servers_read(schema: Any) -> Any:  # noqa: ANN401  any part of a JSON Schema
    """Return a schema as llama.cpp's server reads it: `items: false` it takes for an error.

    What that forbids, items beyond those of `prefixItems`, `maxItems` forbids as well.
    """
    if isinstance(schema, Mapping):
        parts = {name: _as_servers_read(part) for name, part in schema.items()}
        if parts.get("items") is False and "prefixItems" in parts:
            del parts["items"]
            parts.setdefault("maxItems", len(parts["prefixItems"]))
        return parts
    return [_as_servers_read(part) for part in schema] if isinstance(schema, list) else schema


def _may_pass(error: BaseException) -> bool:
    """Say whether the same request may do better later."""
    if isinstance(error, RefusedError):
        passing = error.status == _TOO_MANY or error.status >= _SERVER_ERROR
        return passing and (error.retry_after_s or 0) <= _LONGEST_WAIT_S
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
