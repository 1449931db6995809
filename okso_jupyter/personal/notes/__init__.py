"""Notes: titled texts with tags, in a folder of Markdown files or another store.

In: titles and texts. Out: `Note` records, and `Changes` of what was written.
The tools `notes_*` use it; it knows nothing of plans.
"""
