"""Calendar: events, with their occurrences in a range, in a folder of iCalendar files or a store.

In: titles, times and ranges. Out: `CalendarEvent` records, and `Changes` of what was written.
The tools `calendar_*` use it; it knows nothing of plans.
"""
