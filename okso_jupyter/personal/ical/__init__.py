"""iCalendar: what reminders and events share, a folder of `.ics` files and times in a zone.

In: texts and bytes. Out: dates, times with a zone, calendar components, one-sentence errors.
The stores of reminders and events use it; it knows nothing of plans.
"""
