"""Telemetry: a run as spans of OpenTelemetry and as a trajectory, for programs that others wrote.

In: the records of a run. Out: its spans by the conventions for generative AI, sent while `OTEL_*`
names an endpoint or exported later, and its ATIF document. Imported by `results` and `session`; it
changes no run, and a run does not wait for it.
"""
