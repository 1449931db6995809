"""Trial of a policy: what would be decided about a call, which is not made."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from okso_jupyter.approval.request_builder import RequestBuilder, check_arguments, check_tools
from okso_jupyter.plan.approval_request import ShownStep
from okso_jupyter.plan.plan import Plan
from okso_jupyter.policies.policy_rules import PolicyRules
from okso_jupyter.session.session import Session
from okso_jupyter.toolkit.context import RunResources
from okso_jupyter.workspace import Workspace


def tried(session: Session, tool: str, args: Mapping[str, Any]) -> ShownStep:
    """Return a call as the form would show it, with the rule that would decide; nothing is run.

    Its values count as typed by a person.

    Args:
        session: The session whose tools and folder it would use.
        tool: Name of the tool.
        args: The arguments.

    Raises:
        PlanError: There is no such tool, or the arguments break its schema.
        PolicyError: A policy file has an error.
    """
    plan = Plan.from_dict([{"tool": tool, "args": dict(args)}])
    check_tools(plan, session.tools)
    check_arguments(plan, session.tools)
    with tempfile.TemporaryDirectory() as scratch:
        workspace = Workspace(session.root, closed=session.settings.home)
        resources = RunResources(workspace=workspace, scratch=Path(scratch))
        try:
            builder = RequestBuilder(
                tools=session.tools,
                resources=resources,
                settings=session.settings,
                request=" ".join(map(str, args.values())),
                rules=PolicyRules.load(session.root),
            )
            return builder.proposal(plan, "").steps[0]
        finally:
            resources.close()
            workspace.close()
