"""Tests of the audit of plan selection."""
