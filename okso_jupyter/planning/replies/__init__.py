"""Replies without a plan: capabilities of the session, small talk, and refusals."""
