"""Redaction: removes secrets from text before it is shown, logged or sent.

In: any text. Out: the text with marks in place of secrets. Other packages import `redactor.py`; the
other modules find secrets by their form, their command line or their name.
"""
