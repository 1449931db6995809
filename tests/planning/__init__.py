"""Tests of the planning package."""
