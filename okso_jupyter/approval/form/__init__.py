"""The approval form: the widget, the messages it sends, and its view model.

In: an `ApprovalRequest` and a `FormEditor`. Out: the user's `Approval`. What the page sends is
untrusted: `message.py` validates it, `editing/` turns it into a plan. `person.py` opens the form.
"""
