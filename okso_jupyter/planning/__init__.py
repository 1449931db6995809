"""From a request to one chosen plan: gather facts, show examples, sample, normalize, score, select.

In: a request, the catalogue, the settings and a model. Out: a `Planning` with every candidate.
It runs no tool.
"""
