"""Scoring of plans: one function for each rule, weighted and summed to a `Scorecard`.

In: a plan, the request and the catalogue. Out: findings, points and the winner. It runs no tool.
"""
