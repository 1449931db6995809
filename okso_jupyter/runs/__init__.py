"""One run, stage by stage: plan, approve, execute, replan, answer.

In: a request or a plan, and what a session holds. Out: records in the journal; `Run` reads them.
`controller.py` is the way through it: `planning_stage.py`, `approval_loop.py`, the executor,
`replanning.py`, `outputs.py`. A decision is recorded before it takes effect. `session` imports it.
"""
