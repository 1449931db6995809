"""Personal data: the user's notes, reminders, events and mails, in open formats.

In: a workspace and the place of a store. Out: frozen records, and `Changes` of what was written.
One sub-package per kind, each with a protocol for its stores; none knows of plans or tools.
"""
