"""Planning quality: cases with accepted calls come in, shares of right plans go out.

`benchmarks.planning_quality` imports this and nobody else does; of the product it uses the public
API and what a model is asked through.
"""
