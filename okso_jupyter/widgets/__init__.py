"""Widgets drawn into static HTML: the slot, the live panel, the Undo button.

In: HTML and state. Out: clicks. `static/` has the scripts and styles, including the form's.
A page without a kernel shows the slot's static HTML. `approval.form` and `magic` import it.
"""
