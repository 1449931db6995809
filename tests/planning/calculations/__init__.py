"""Requests that are calculations."""
