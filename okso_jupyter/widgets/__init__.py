"""Widgets that are drawn into static HTML: the slot, the live panel, the Undo button.

In: HTML and state. Out: clicks. `static/` has the scripts and styles, those of the form too.
A page without a kernel shows what the slot held. `approval.form` and `magic` import it.
"""
