"""Answers that need no plan: what this session can do, small talk, and what it cannot do."""
