"""The approval of a plan: what is shown, who decides, and the gate that checks each call.

In: a plan (`request_builder.py` makes an `ApprovalRequest` of it) and a policy. Out: an `Approval`
that names by fingerprint what was shown, or an ApprovalError; and an `ApprovalGate` that lets
approved calls pass. `form/` shows it in a notebook, `terminal_prompt.py` on a line; `editing/`
applies what a user changes.
`runs`, `resume` and `session` import it; it plans nothing and runs nothing.
"""
