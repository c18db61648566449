# Two commands do everything: `make verify` (the main job) and `make test` (all tests).
# A virtual environment is made on the first call and kept until the lock or the project changes.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

# One thread per process: two test workers share two cores, and results do not depend on the count.
export OMP_NUM_THREADS := 1
export OPENBLAS_NUM_THREADS := 1

# Bytecode is kept: without it every worker compiles all tests and their assertions anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help install verify test fast types lint deep attempts looseness atlas bench mutants mutants-sample certificates docs lock wheel clean

help: ## list the targets
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 24

install: $(READY) ## create .venv and install everything from the lock

$(READY): requirements.lock pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	$(BIN)/python -m compileall -q spec reference checks ptum
	@touch $(READY)

verify: $(READY) ## the main job: run the verification suite in its quick profile
	$(BIN)/ptum verify --profile quick --jobs 2

test: $(READY) lint types ## lint, types, layers and all tests
	$(BIN)/pytest -n 2 --dist worksteal -q

fast: $(READY) lint types ## the inner loop: everything but slow tests
	$(BIN)/pytest -n 2 --dist worksteal -q -m "not slow"

types: $(READY) ## mypy --strict over all packages and tests
	$(BIN)/mypy

lint: $(READY) ## style, format, and the layers spec <- reference <- checks
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

deep: $(READY) ## what is too long for `make test`
	$(BIN)/pytest -q -m deep
	$(BIN)/ptum verify --profile standard --jobs 2
	mkdir -p build
	$(BIN)/ptum verify --profile deep --jobs 2 --keep build/deep.jsonl

attempts: $(READY) ## search deeply at a low price and keep what came closest to breaking a claim
	$(BIN)/python -m ptum.checks.suite.attempts

looseness: $(READY) ## measure all bounds again: docs/looseness.json, .svg and .md, docs/exact_runs.json
	mkdir -p build
	$(BIN)/python -m ptum.checks.claims.section_3_exact.summary
	$(BIN)/ptum verify --profile standard --jobs 2 --json build/report.json
	$(BIN)/python -m ptum.checks.suite.looseness build/report.json

atlas: looseness # the name of older releases

bench: $(READY) ## what the fast code costs: a table, bench.json, bench.svg; BENCH=verify takes ten minutes
	$(BIN)/python -m bench $(BENCH)

mutants: $(READY) ## plant small slips in reference/ and see whether anything notices
	$(BIN)/python -m tests.mutation --jobs 2

mutants-sample: $(READY) ## slips at random sites, which verdicts must notice: SEED=… [SITES=100]
	$(BIN)/python -m tests.mutation.sample --seed $(SEED) --sites $(or $(SITES),100) --jobs 2

certificates: $(READY) ## rebuild checks/kernel/certificates and let the kernel check them
	$(BIN)/ptum certificate --build
	$(PYTHON) checks/kernel checks/kernel/certificates/*.json

docs: $(READY) ## write the generated tables of README and docs
	$(BIN)/python -m ptum.checks.site.docs

lock: $(READY) ## resolve the dependencies again
	$(BIN)/uv pip compile pyproject.toml --extra dev --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --quiet --output-file requirements.lock

wheel: $(READY) ## build dist/: the sdist, and the wheel from it
	rm -rf dist
	$(BIN)/uv build --quiet --no-build-isolation --python $(BIN)/python

clean: ## remove everything that was made
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .grimp_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
