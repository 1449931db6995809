"""The tools for notes, reminders, calendar and mail, one file each; each uses one store.

In: arguments and a ToolContext. Out: text, a JSON value or a ToolOutput; failures are raised.
They are offered where PERSONAL says so and the extra `personal` is installed.
"""
