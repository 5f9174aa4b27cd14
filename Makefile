# The whole of anyone's habits. `make demo` or `make test` on a fresh machine sets up by itself.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready

.PHONY: install check test test-fast bench demo differential fuzz bounds-check oldest pythons clients \
        kept-clients pretrained ladder docs hops format clean

install: $(READY)  ## set up .venv with everything that developing needs

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[dev]'
	touch $(READY)

check: $(READY)  ## lint, format and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

test: $(READY)  ## all tests
	$(BIN)/python -m pytest -n 2 --dist worksteal -q

test-fast: $(READY)  ## all but the slow ones, under two minutes on two cores
	$(BIN)/python -m pytest -n 2 --dist worksteal -q -m "not slow"

bench: $(READY)  ## speed, beside OpenSpiel, as a table and JSON
	$(BIN)/domino bench --json bench.json

demo: $(READY)  ## trains for a minute, then lets everybody play everybody
	$(BIN)/domino demo

differential: $(READY)  ## a million decisions of each variant beside the reference games
	$(BIN)/python -m tests.differential --decisions 1000000 --jobs 2

fuzz: $(READY)  ## 200,000 bad calls over every public function, and writes into every array
	$(BIN)/python -m tests.fuzz --calls 200000 --jobs 2

bounds-check: $(READY)  ## every game with every index of every kernel checked, some minutes
	$(BIN)/python -m tests.boundscheck

LIBRARY = agents aec batch belief golden observations perft ppo rules same_game search seated settings \
         single tournament

oldest:  ## the library's own tests, with the oldest versions that it supports
	$(PYTHON) -m venv .oldest
	.oldest/bin/python -m pip install --quiet --constraint constraints-oldest.txt --editable '.[cli]' \
		pytest pytest-xdist hypothesis
	.oldest/bin/python -m pytest -n 2 --dist worksteal -q $(LIBRARY:%=tests/test_%.py)

PYTHONS = 3.11 3.12 3.13

pythons:  ## the library's own tests, with every Python that it is tested for, if it is on this machine
	for version in $(PYTHONS); do \
		command -v python$$version >/dev/null || { echo "python$$version is not here"; continue; }; \
		python$$version -m venv .pythons/$$version && \
		.pythons/$$version/bin/python -m pip install --quiet --constraint constraints.txt \
			--editable '.[data,draw,play]' pytest pytest-xdist hypothesis && \
		.pythons/$$version/bin/python -m pytest -n 2 --dist worksteal -q $(LIBRARY:%=tests/test_%.py) \
			|| exit 1; \
	done

clients:  ## train with every client, each in an environment of its own; what was found is in .clients
	$(PYTHON) -m tests.clients

kept-clients: $(READY)  ## the same, for the table in the README
	$(PYTHON) -m tests.clients --keep; found=$$?; $(BIN)/python -m tools.docs && exit $$found

pretrained: $(READY)  ## trains the policies that come with the package, some two hours
	$(BIN)/python -m tools.pretrained

ladder: $(READY)  ## every agent against every other in every game, for docs/ladder.md
	$(BIN)/python -m tools.ladder
	$(BIN)/python -m tools.docs

docs: $(READY)  ## rewrite the tables, pictures and type stubs that are made from the code
	$(BIN)/python -m tools.docs
	$(BIN)/python -m tools.pictures
	$(BIN)/python -m tools.stubs

hops: $(READY)  ## count the functions that a step, an iteration and a tournament pass through
	$(BIN)/python -m tools.hops
	$(BIN)/python -m tools.docs

format: $(READY)  ## rewrite files in the project's format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:  ## remove what the other targets made
	rm -rf $(VENV) .clients .oldest .pythons .mypy_cache .pytest_cache .ruff_cache .hypothesis dist bench.json
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
