"""Personal requests: those that ask for notes, reminders, events or mail, and for nothing else.

In: the request and the time. Out: the steps of a plan, or nothing. Precision comes first: a request
of which one word is not understood is left to the model. English and German.
"""
