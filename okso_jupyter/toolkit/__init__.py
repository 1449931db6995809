"""What a tool file needs: the `tool` decorator, what a tool is lent, and the catalogue.

In: declarations. Out: `Tool`, `ToolCatalog`, `ToolContext`, `ToolOutput`, `Workspace`.
Tools, planning, approval and execution may import it; it knows only the plan model.
"""
