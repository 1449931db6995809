"""Plan approval: what is shown, who decides, and the gate that checks each call.

In: a plan (`request_builder.py` makes an `ApprovalRequest` of it) and a policy. Out: an `Approval`
that identifies by fingerprint what was shown, or an ApprovalError; and an `ApprovalGate` that lets
approved calls pass. `form/` shows the request in a notebook, `terminal_prompt.py` at a prompt;
`editing/` applies the user's edits.
`runs`, `resume` and `session` import it; it plans nothing and runs nothing.
"""
