"""Redaction: secrets are removed from text before it is shown, logged or sent.

In: any text. Out: the text with marks in place of secrets. `redactor.py` is what others import;
the other modules find secrets by their form, their command line or their name.
"""
