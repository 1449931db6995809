"""Tests of notes, reminders and events: stores, tools, plans and undo, with real peers."""
