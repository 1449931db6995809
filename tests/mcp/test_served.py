"""This project as an MCP server: a real client of the SDK plans, approves, runs and audits."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final

import pytest
from mcp import Client, StdioServerParameters
from mcp.types import ElicitRequestParams, ElicitResult

from tests.bench import Bench

pytestmark = [pytest.mark.process, pytest.mark.model]
#: A request that is planned by rules, without asking a model.
WRITE: Final = "Save the text 'hello' in greeting.txt"
Answer = Callable[[ElicitRequestParams], ElicitResult]


def approves(_asked: ElicitRequestParams) -> ElicitResult:
    """Approve what is shown."""
    return ElicitResult(action="accept", content={"decision": "approve"})


def served(bench: Bench, answer: Answer | None, mode: str = "auto") -> Client:
    """Return a client of the server, started in the folder of the bench."""
    env = {**os.environ, "OKSO_HOME": str(bench.home), "OKSO_APPROVE": "auto"}
    server = StdioServerParameters(
        command=sys.executable, args=["-m", "okso_jupyter.mcp"], env=env, cwd=bench.root
    )

    async def asked(context: object, params: ElicitRequestParams) -> ElicitResult:
        del context
        assert answer is not None
        return answer(params)

    return Client(server, mode=mode, elicitation_callback=asked if answer else None)


def with_client(client: Client, work: Callable[[Client], Awaitable[None]]) -> None:
    """Do something with a connected client."""

    async def done() -> None:
        async with client as connected:
            await work(connected)

    asyncio.run(done())


async def call(client: Client, tool: str, **args: Any) -> str:
    """Call a tool and return its text."""
    result = await client.call_tool(tool, args)
    return "\n".join(getattr(block, "text", "") for block in result.content)


async def planned(client: Client, request: str = WRITE) -> tuple[str, str]:
    """Plan a request, and return its id and all that is shown of it."""
    said = await call(client, "plan", request=request)
    run_id = said.split()[1]
    shown = await call(client, "show", plan=run_id)
    key = shown.splitlines()[-1].split()[0]
    assert key == f"{run_id}/1"
    return key, shown


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_person_approves_by_elicitation_and_it_is_run(bench: Bench, mode: str) -> None:
    """The question has all that the form shows; nothing ran before; audit reads the journal."""
    asked: list[str] = []

    def answer(params: ElicitRequestParams) -> ElicitResult:
        asked.append(params.message)
        assert not (bench.root / "greeting.txt").exists()
        return approves(params)

    async def work(client: Client) -> None:
        key, shown = await planned(client)
        assert "changes files" in shown
        assert (await call(client, "approve", plan=key)).endswith(f"{key} is approved: call run")
        assert not (bench.root / "greeting.txt").exists()
        assert "completed" in await call(client, "run", plan=key)
        assert (bench.root / "greeting.txt").read_text().strip() == "hello"
        report = await call(client, "audit", run=key)
        assert "✓ Step 1: Write “hello” to the new file greeting.txt" in report

    with_client(served(bench, answer, mode), work)
    (question,) = asked
    assert "greeting.txt" in question
    assert question.endswith("/1: approve exactly this?")


#: Answers that approve nothing, what is said then, and what became of the plan.
NO_APPROVALS: Final = (
    ("decline", None, "nothing was decided", "not approved"),
    ("cancel", None, "nothing was decided", "not approved"),
    ("accept", {"decision": "reject"}, "is cancelled", "is cancelled"),
    ("accept", {"decision": "change"}, "is cancelled", "is cancelled"),
    ("accept", {"decision": "yes!"}, "", "not approved"),
)


def test_without_an_approval_nothing_runs(bench: Bench) -> None:
    """A person declines, cancels, rejects, or the client answers with something else."""
    answers = iter(NO_APPROVALS)

    def answer(_asked: ElicitRequestParams) -> ElicitResult:
        action, content, *_ = next(answers)
        return ElicitResult.model_validate({"action": action, "content": content})

    async def work(client: Client) -> None:
        for *_, said, state in NO_APPROVALS:
            key, _ = await planned(client)
            assert said in await call(client, "approve", plan=key)
            assert (await client.call_tool("run", {"plan": key})).is_error
            assert state in await call(client, "show", plan=key)

    with_client(served(bench, answer), work)
    assert not (bench.root / "greeting.txt").exists()


def test_a_client_that_cannot_ask_only_plans(bench: Bench) -> None:
    """It plans, shows and audits; to approve or run is refused with the reason."""

    async def work(client: Client) -> None:
        key, shown = await planned(client)
        assert "greeting.txt" in shown
        said = await call(client, "approve", plan=key)
        assert "this client cannot ask a person, so nothing is approved or run here" in said
        assert "was not approved by a person" in await call(client, "run", plan=key)
        assert "greeting.txt" in await call(client, "audit", run=key)

    with_client(served(bench, None), work)
    assert not (bench.root / "greeting.txt").exists()


def test_an_approval_is_for_one_question(bench: Bench) -> None:
    """Run under another key than the approved one is refused."""

    async def work(client: Client) -> None:
        good, _ = await planned(client)
        await call(client, "approve", plan=good)
        run_id = good.partition("/")[0]
        for key in (f"{run_id}/0", f"{run_id}/2", run_id, "20200101T000000Z-000000/1", "", "/1"):
            assert (await client.call_tool("run", {"plan": key})).is_error
        assert not (bench.root / "greeting.txt").exists()

    with_client(served(bench, approves), work)


def test_a_changed_plan_is_asked_about_again(bench: Bench) -> None:
    """What a person wants different makes another plan, under another key; the old key is dead."""
    asked: list[str] = []

    def answer(params: ElicitRequestParams) -> ElicitResult:
        asked.append(params.message)
        if len(asked) > 1:
            return approves(params)
        content: dict[str, Any] = {"decision": "change", "change": "name the file hi.txt"}
        return ElicitResult(action="accept", content=content)

    async def work(client: Client) -> None:
        key, _ = await planned(client)
        again = await call(client, "approve", plan=key)
        newer = again.splitlines()[-1].split()[0]
        assert newer == key.replace("/1", "/2")
        assert (await client.call_tool("run", {"plan": key})).is_error
        assert (await client.call_tool("run", {"plan": newer})).is_error
        assert not [*bench.root.glob("*hi*"), *bench.root.glob("greet*")]
        await call(client, "approve", plan=newer)
        assert "completed" in await call(client, "run", plan=newer)

    with_client(served(bench, answer), work)
    assert len(asked) == 2


def test_nobody_is_asked_about_a_plan_without_its_number(bench: Bench) -> None:
    """The answer would be to no request in particular: it is refused before a person is asked."""
    asked: list[str] = []

    def answer(params: ElicitRequestParams) -> ElicitResult:
        asked.append(params.message)
        return approves(params)

    async def work(client: Client) -> None:
        key, _ = await planned(client)
        said = await call(client, "approve", plan=key.partition("/")[0])
        assert "waits for no approval (call show with " in said
        assert (await client.call_tool("run", {"plan": key})).is_error

    with_client(served(bench, answer), work)
    assert asked == []


def test_what_a_rule_denies_is_not_even_asked_about(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The user's policy is above the person at the client."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    policy = tmp_path / "config" / "okso" / "okso-policy.toml"
    policy.parent.mkdir(parents=True)
    policy.write_text('[[rule]]\ndecision = "deny"\ntool = "file_write"\n')

    async def work(client: Client) -> None:
        said = await call(client, "plan", request=WRITE)
        assert "is cancelled" in await call(client, "show", plan=said.split()[1])

    with_client(served(bench, approves), work)
    assert not (bench.root / "greeting.txt").exists()


def test_bad_input_is_told_in_one_sentence(bench: Bench) -> None:
    """An empty request, and the report of a run that is not there."""

    async def work(client: Client) -> None:
        assert "the request is empty" in await call(client, "plan", request=" ")
        assert "there is no run" in await call(client, "audit", run="20200101T000000Z-000000")
        assert "there is no plan 'x'" in await call(client, "show", plan="x")

    with_client(served(bench, None), work)
