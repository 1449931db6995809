"""One file per question that is asked of the planner; each turns measurements into rows."""
