"""The first cell of the kernel and browser tests: a small proposal and how to ask."""

from okso_jupyter.approval.person import ask
from okso_jupyter.effects.effect import as_effects
from okso_jupyter.plan.approval_request import ApprovalRequest, ShownStep
from okso_jupyter.plan.holes import FILL
from okso_jupyter.plan.plan import Plan

plan = Plan.from_dict(
    {
        "title": "Copy the notes",
        "steps": [
            {
                "tool": "file_read",
                "args": {"path": "notes.txt", "page": 1},
                "thought": "See what the notes say.",
                "parallel": True,
            },
            {
                "tool": "web_search",
                "args": {
                    "query": "<script>window.okso_hacked = 1</script> \u202etxt.exe",
                    "num": 5,
                },
                "thought": "Look for what the notes leave open.",
                "parallel": True,
            },
            {
                "tool": "file_write",
                "args": {"path": "out.txt", "mode": "replace", "content": dict(FILL)},
                "thought": "Keep a copy.",
                "depends_on": [1],
                "condition": "step_1_succeeded",
                "timeout_s": 20,
                "max_retries": 0,
            },
            {
                "tool": "terminal",
                "args": {"command": "rm", "args": ["old.txt", "older.txt"]},
                "depends_on": [3],
            },
            {"tool": "final_answer", "args": {}},
        ],
    }
)
_DIFF = "--- out.txt\n+++ out.txt\n@@ -1,2 +1,2 @@\n same\n-old line\n+new line"
_EFFECTS: tuple[list[str], ...] = (
    ["reads"],
    ["network"],
    ["reads", "writes"],
    ["writes", "irreversible"],
    [],
)
_SAFETY = {"terminal": "rm removes for good; there is no trash."}
proposal = ApprovalRequest(
    plan=plan,
    steps=tuple(
        ShownStep(
            step=step,
            effects=as_effects(effects),
            preview=_DIFF if step.tool == "file_write" else "",
            safety=_SAFETY.get(step.tool, ""),
        )
        for step, effects in zip(plan.steps, _EFFECTS, strict=True)
    ),
    folder="~/notebooks/demo",
    request="Copy my notes to out.txt and remove the old ones",
    candidates_note="best of 3 candidates, 12.5 points",
)
__all__ = ["ask"]
