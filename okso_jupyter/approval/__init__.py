"""The approval room: what is shown, who decides, and the wait for the decision.

In: a Proposal (plan, effects and previews per step, folder, request), a policy, and a Desk where
a person may edit what is proposed.
Out: an Approval that names by fingerprint exactly what was shown, or an ApprovalError; and a
Clearance that lets just the approved calls pass.
"""
