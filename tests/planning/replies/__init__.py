"""Requests that are answered without a plan, and those that must not be."""
