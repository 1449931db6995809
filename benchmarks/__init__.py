"""How fast this project is, as ratios against limits and peers that are measured in the same run.

Each entry is a module of its own: `python -m benchmarks.planner_speed`. Nothing here is part of
the package that is installed, and no test is timed: figures are printed, never asserted.
"""
