# Two commands: `make demo` shows it at work, `make test` checks everything.
# Both share one environment, which is set up when it is missing or pyproject.toml has changed.

VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready

.PHONY: demo test fuzz setup docs notebook recordings figures bench bench-executor bench-safety bench-shared \
	quality clean

demo: $(READY)
	$(BIN)/python notebooks/run.py

test: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/cog --check -I . README.md docs/journal.md
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

# Other examples than those of `make test`, at random.
fuzz: $(READY)
	OKSO_FUZZ=1 $(BIN)/python -m pytest -m hypothesis

setup: $(READY)

$(READY): pyproject.toml
	.ci/setup $(VENV)
	@touch $@

# The tables in the README, made again from the code.
docs: $(READY)
	$(BIN)/cog -r -I . README.md docs/journal.md

# The quickstart with its outputs, made again.
notebook: $(READY)
	$(BIN)/python notebooks/run.py --write

# The demo notebooks with their recordings, made again; saved is what a replay of them shows.
DEMOS := audit editing parallel_and_conditional workflow
recordings: $(READY)
	$(BIN)/python notebooks/run.py $(DEMOS) --record
	$(BIN)/python notebooks/run.py $(DEMOS) --replay --write

# The pictures of form, run and tables, light and dark, made again in a browser.
figures: $(READY)
	OKSO_FIGURES=docs/figures $(BIN)/pytest -q tests/test_browser_quickstart.py \
		--basetemp=/tmp/okso
	mv docs/figures/form-light.png docs/form.png

# The planner's speed against limits and peers, on a machine that does nothing else meanwhile.
bench: $(READY)
	$(BIN)/python -m benchmarks.planner_speed --csv build/planner-speed.csv \
		--markdown build/planner-speed.md --plots docs/figures

# How often a plan is right, on the data in $(CASES); hours, and it goes on where it was ended.
CASES := ../shared/bfcl-dev
quality: $(READY)
	$(BIN)/python -m benchmarks.planning_quality --cases $(CASES) --model ideal --samples 1 \
		--no-peers --markdown docs/planning_quality.md
	$(BIN)/python -m benchmarks.planning_quality --cases $(CASES) --versions \
		--csv build/planning-quality.csv --markdown docs/planning_quality.md

# What running a step costs, beside a bare ThreadPoolExecutor, langgraph and prefect.
bench-executor: $(READY)
	$(BIN)/python -m benchmarks.executor_overhead --csv build/executor-overhead.csv \
		--markdown build/executor-overhead.md

# Whether plans lose files that a request does not ask to change; hours, and it goes on where it
# was ended.
bench-safety: $(READY)
	$(BIN)/python -m benchmarks.plan_safety --csv build/plan-safety.csv \
		--markdown build/plan-safety.md

# Whether changes of one file by steps, runs and processes at the same time are all kept.
bench-shared: $(READY)
	$(BIN)/python -m benchmarks.shared_files --markdown build/shared-files.md

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .coverage*
