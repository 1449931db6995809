"""The approval form: the widget, the messages it sends, and the model of what it shows.

In: an `ApprovalRequest` and a `FormEditor`. Out: the user's `Approval`. Nothing that the page sends
is trusted: `message.py` reads it, `editing/` makes a plan of it. `person.py` opens the form.
"""
