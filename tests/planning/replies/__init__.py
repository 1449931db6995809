"""Requests that are answered without a plan, and requests that must be planned."""
