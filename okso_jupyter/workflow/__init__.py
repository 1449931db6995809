"""Workflows: files of steps with placeholders for values, offered to the planner as tools.

In: folders with JSON and YAML files, and the catalogue whose tools they call. Out: one `Tool` per
valid file, and the problem of every other one. Files are untrusted data: their size is limited,
they are checked against `schemas/workflow.schema.json`, and nothing in them is executed. The
session imports it.
"""
