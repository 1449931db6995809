"""Tests of the plan model: plans, states, effects."""
