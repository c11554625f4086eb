# Two commands do everything: `make site` and `make test`. `make check` is the quick loop.
PYTHON ?= python3
BIN := .venv/bin
JOBS ?= 2

.PHONY: site serve test check browser lock bench-anchors bench-loops clean

site: .venv/site.stamp
	$(BIN)/researchpack build --strict

serve: .venv/site.stamp
	$(BIN)/researchpack serve

test: .venv/test.stamp browser
	$(BIN)/ruff check src tests
	$(BIN)/mypy
	$(BIN)/pytest -n $(JOBS) --dist loadfile

check: .venv/test.stamp
	$(BIN)/ruff check src tests
	$(BIN)/mypy
	$(BIN)/pytest -q -n $(JOBS) --dist loadfile -m "not browser and not site and not slow"

browser: .venv/test.stamp
	$(BIN)/python tests/chromium.py

# The lock files hold pins and hashes and nothing else.
lock:
	uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
	  --no-emit-index-url --no-emit-find-links --extra build pyproject.toml -o requirements.txt
	uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
	  --no-emit-index-url --no-emit-find-links --extra build --extra dev -c requirements.txt pyproject.toml \
	  -o requirements-dev.txt

.venv/bin/python:
	$(PYTHON) -m venv .venv

.venv/site.stamp: requirements.txt pyproject.toml src/invariant_breakpoints/pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements.txt
	$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e .
	$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation \
	  -e src/invariant_breakpoints
	touch $@

.venv/test.stamp: requirements-dev.txt .venv/site.stamp
	$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements-dev.txt
	touch $@

bench-anchors: .venv/site.stamp
	$(BIN)/python benchmarks/anchoring.py

# LOOP_TRACES names a folder of traces that is no part of the project; without it only costs are told.
bench-loops: .venv/site.stamp
	$(BIN)/python benchmarks/loops.py
	$(BIN)/python benchmarks/loops_thresholds.py
	$(BIN)/python benchmarks/loops_cost.py --million

clean:
	rm -rf .venv site .cache
