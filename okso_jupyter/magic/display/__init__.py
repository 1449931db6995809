"""Display of a cell while it works: status and steps, with Pause and Stop.

In: planning progress and `Live` states. Out: outputs of the cell, or lines in a terminal.
"""
