"""Edits of a plan in the form: from fields, ticks and an order to a plan that could be approved.

In: the plan as proposed and a `FormDraft`. Out: an `ApprovalRequest` of the edited plan with its
effects, previews, flaws and points. `decisions.py` imports it.
"""
