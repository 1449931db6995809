"""Workflows: files of steps with places for values, offered to the planner as tools.

In: folders with JSON and YAML files, and the catalogue whose tools they call. Out: one `Tool` per
good file, and what is wrong with every other one. Files are data from anywhere: they are bounded,
checked against `schemas/workflow.schema.json`, and nothing in them is run. The session imports it.
"""
