"""What a tool file needs: the `tool` decorator, what a tool is lent, and the catalogue.

In: declarations. Out: `Tool`, `ToolCatalog`, `ToolContext`, `ToolOutput`, `Workspace`, the
sandbox in which Python code runs, and the one way out to the web.
"""
