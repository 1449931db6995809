"""Tests of facts about the whole package."""
