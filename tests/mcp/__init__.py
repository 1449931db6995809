"""Tests of MCP servers as tools."""
