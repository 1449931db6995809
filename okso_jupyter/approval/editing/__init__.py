"""Plan editing in the form: turns fields, ticks and step order into a plan that can be approved.

In: the proposed plan and a `FormDraft`. Out: an `ApprovalRequest` for the edited plan with its
effects, previews, flaws and points. `decisions.py` imports it.
"""
