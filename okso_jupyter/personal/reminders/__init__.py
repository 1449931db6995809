"""Reminders: what is to be done, with due dates, in a folder of iCalendar tasks or another store.

In: titles and times. Out: `Reminder` records, and `Changes` of what was written.
The tools `reminders_*` use it; it knows nothing of plans.
"""
