"""What a tool's author needs: the `tool` decorator, what a tool is lent, and the catalogue.

In: declarations. Out: `Tool`, `ToolCatalog`, `ToolContext`, `ToolOutput`, and checks of calls.
What tools are lent lies in rooms below: workspace, terminal, sandbox, documents, web.
"""
