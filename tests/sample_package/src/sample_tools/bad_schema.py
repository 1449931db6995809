"""Declares a tool with an invalid JSON Schema."""

from okso_jupyter import Tool

tool = Tool.from_schema("odd", "Odd.", {"type": "object", "required": "name"}, print, effect="none")
