"""One run, stage by stage: plan, approve, execute, replan, answer.

In: a request or a plan, and the session's resources. Out: records in the journal; `Run` reads them.
`controller.py` calls the stages in order: `planning_stage.py`, `approval_loop.py`, the executor,
`replanning.py`, `outputs.py`. They share one `run_context.py`. A decision is recorded before it
takes effect. `session` imports it.
"""
