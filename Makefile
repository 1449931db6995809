# `make demo` shows it at work, `make check` is the loop while one works on it, `make test` checks
# everything but what needs a server of others; `make help` lists the rest. All share one environment, which is set up when it is
# missing or pyproject.toml has changed; the demo needs less of it than the others.

VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready
READY_FOR_DEMO := $(VENV)/ready-for-demo
# Marks of tests that `make check` leaves out.
LEFT_OUT := model or kernel or browser or process or slow
# Each takes one half, so that what the tests of a file share is made once, and then from the other.
TWO := -n 2 --dist worksteal
# Many tests wait for a process or a time limit: one more than there are cores keeps these busy.
THREE := -n 3 --dist worksteal
# Each of the three has a third of the cores for its model.
THIRD := LLAMA_THREADS=$(shell echo $$((($$(getconf _NPROCESSORS_ONLN) + 2) / 3)))

# What was compiled to bytecode is kept, also where the environment says not to: the tests start
# hundreds of processes that import the package.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: help demo check lint types quick test whole peers package lowest newest coverage fuzz setup docs notebook recordings fit fit-calls figures bench \
	bench-executor bench-safety bench-shared bench-walk quality clean calibration

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-15s %s\n", $$1, $$2 }' Makefile

demo: $(READY_FOR_DEMO) ## answer six requests about real files, headless
	$(BIN)/python notebooks/run.py

check: $(READY) ## the fast loop: all that is checked without running tests, and the quick tests
	$(MAKE) --no-print-directory -j 3 types quick lint

lint: $(READY) ## style, rules of imports, declared dependencies, tables in the docs
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/deptry --no-ansi okso_jupyter notebooks
	$(BIN)/cog --check -I . docs/*.md

types: $(READY) ## mypy
	$(BIN)/mypy

quick: $(READY) ## tests that start no process and are not slow, three at a time, with few examples
	OKSO_EXAMPLES=few $(BIN)/python -m pytest -q $(THREE) -m "not ($(LEFT_OUT))"

test: $(READY) ## everything but the tests of `make peers`
	$(MAKE) --no-print-directory --keep-going -j 3 types whole lint

whole: $(READY) ## all tests but those of `make peers`
	$(THIRD) $(BIN)/python -m pytest $(THREE) -m "not peer"

# Postgres, Dovecot, Radicale, servers of MCP and programs that read the same files.
peers: $(READY) ## the tests with servers and programs of others
	$(BIN)/python -m pytest -m peer

package: $(READY) ## build sdist and wheel, and run the quickstart from the installed wheel
	.ci/package $(BIN)/python

lowest: $(READY) ## the quick tests with the lowest versions that pyproject.toml names
	OKSO_EXAMPLES=few .ci/lowest $(VENV) -q $(TWO) -m "not ($(LEFT_OUT))"

# The first of these that is here. The dependencies have wheels for all of them.
NEWEST := python3.14 python3.13 python3.12
newest: ## the quick tests on the newest Python here, in an environment of its own
	$(MAKE) --no-print-directory quick VENV=build/newest PYTHON="$(NEWEST)"

coverage: $(READY) ## which lines no test runs; in one process, which takes longest
	$(BIN)/python -m pytest --cov

# Other examples than those of `make test`, at random.
fuzz: $(READY) ## the property tests, with other examples than those of `make test`
	OKSO_EXAMPLES=fuzz $(BIN)/python -m pytest -m hypothesis

setup: $(READY) ## the environment

$(READY): pyproject.toml
	.ci/setup $(VENV) test
	@touch $@ $(READY_FOR_DEMO)

$(READY_FOR_DEMO): pyproject.toml
	.ci/setup $(VENV) demo
	@touch $@

# How sure a reading is said to be, fitted again without the weights; minutes.
calibration: $(READY) ## fit and draw the confidence of table questions again
	$(BIN)/python -m benchmarks.table_questions.calibration \
		--out okso_jupyter/planning/table_questions/weights.json \
		--plot docs/figures/table-questions-reliability.svg

# The tables in the docs, made again from the code, and the site, without the network; a link that
# leads nowhere is a failure.
docs: $(READY) ## write the tables of the docs, and build the site into build/site
	$(BIN)/cog -r -I . docs/*.md
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet

# The quickstart with its outputs, made again.
notebook: $(READY) ## run the quickstart and keep its outputs
	$(BIN)/python notebooks/run.py --write

# The demo notebooks with their recordings, made again; saved is what a replay of them shows.
DEMOS := audit editing mcp_and_policies parallel_and_conditional weekly_review workflow
recordings: $(READY) ## record the demo notebooks again
	$(BIN)/python notebooks/run.py $(DEMOS) --record
	$(BIN)/python notebooks/run.py $(DEMOS) --replay --write

# The weights that rank the readings of table questions; the questions lie beside the checkout.
fit: $(READY) ## go on fitting the weights of table questions
	$(BIN)/python -m benchmarks.table_questions.fit --onward --real 2500 --phrases 6000 --held-out 600 \
		--out okso_jupyter/planning/table_questions/weights.json
	$(MAKE) calibration

# The weights for calls of tools without examples; the cases lie beside the checkout.
fit-calls: $(READY) ## fit the weights for calls of one's own tools again
	$(BIN)/python -m benchmarks.quality.fit --cases $(CASES) \
		--out okso_jupyter/planning/slot_filling/call_weights.json

# The pictures of form, run and tables, light and dark, made again in a browser.
figures: $(READY) ## take the pictures of the README again, in a browser
	OKSO_FIGURES=docs/figures $(BIN)/pytest -q tests/test_browser_quickstart.py \
		tests/test_browser_screens.py --basetemp=/tmp/okso
	mv docs/figures/form-light.png docs/form.png

# The planner's speed against limits and peers, on a machine that does nothing else meanwhile.
bench: $(READY) ## the planner's speed
	$(BIN)/python -m benchmarks.planner_speed --csv build/planner-speed.csv \
		--markdown build/planner-speed.md --plots docs/figures

# How often a plan is right, on the data in $(CASES); hours, and it goes on where it was ended.
CASES := ../shared/bfcl-dev
quality: $(READY) ## how often a plan is right; hours
	$(BIN)/python -m benchmarks.planning_quality --cases $(CASES) --model ideal --samples 1 \
		--no-peers --markdown docs/planning_quality.md
	$(BIN)/python -m benchmarks.planning_quality --cases $(CASES) --versions \
		--csv build/planning-quality.csv --markdown docs/planning_quality.md

# What running a step costs, beside a bare ThreadPoolExecutor, langgraph and prefect.
bench-executor: $(READY) ## what running a step costs
	$(BIN)/python -m benchmarks.executor_overhead --csv build/executor-overhead.csv \
		--markdown build/executor-overhead.md

# Whether plans lose files that a request does not ask to change; hours, and it goes on where it
# was ended.
bench-safety: $(READY) ## whether plans lose files; hours
	$(BIN)/python -m benchmarks.plan_safety --csv build/plan-safety.csv \
		--markdown build/plan-safety.md

# Twenty requests in a real JupyterLab, as a user asks them.
bench-walk: $(READY) ## seconds and clicks from Shift+Enter to the answer
	$(BIN)/python -m benchmarks.notebook_walk --markdown build/notebook-walk.md

# Whether changes of one file by steps, runs and processes at the same time are all kept.
bench-shared: $(READY) ## whether changes of one file at the same time are kept
	$(BIN)/python -m benchmarks.shared_files --markdown build/shared-files.md

clean: ## remove the environment and what was built
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .coverage*
