"""The tools of real MCP servers as a catalogue: how often the right one is planned."""
