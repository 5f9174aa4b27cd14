# The whole of anyone's habits. `make demo` or `make test` on a fresh machine sets up by itself.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready

.PHONY: install object-code check test test-fast bench kept-bench demo differential fuzz bounds-check \
        oldest aivat pythons clients kept-clients pretrained ladder policy-seeds positions move-scores \
        holdings belief-networks belief-scores canonical docs hops format clean

install: $(READY)  ## set up .venv with everything that developing needs

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[dev]'
	$(BIN)/python -m tools.object_code
	touch $(READY)

object-code: $(READY)  ## build the kernels as object code, if they have changed since
	@$(BIN)/python -m tools.object_code

check: $(READY)  ## lint, format and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

test: object-code  ## all tests
	$(BIN)/python -m pytest -n 2 --dist worksteal -q

test-fast: object-code  ## all but the slow ones, under two minutes on two cores
	$(BIN)/python -m pytest -n 2 --dist worksteal -q -m "not slow"

bench: object-code  ## speed, beside peers in environments of their own, as tables and JSON
	$(BIN)/domino bench --get-peers --json bench.json

kept-bench: object-code  ## the same, for the tables in the README and the docs
	$(BIN)/domino bench --get-peers --json docs/bench.json; found=$$?; \
		$(BIN)/python -m tools.docs && exit $$found

demo: object-code  ## trains for a minute, then lets everybody play everybody
	$(BIN)/domino demo

differential: object-code  ## a million decisions of each variant beside the reference games
	$(BIN)/python -m tests.differential --decisions 1000000 --jobs 2

fuzz: $(READY)  ## 200,000 bad calls over every public function, and writes into every array
	$(BIN)/python -m tests.fuzz --calls 200000 --jobs 2

bounds-check: $(READY)  ## every game with every index of every kernel checked, some minutes
	$(BIN)/python -m tests.boundscheck

LIBRARY = agents aec batch batch_deals belief golden observations perft ppo rounds_and_matches rules \
         rules_refused rules_without_end same_game search seated settings single single_vector \
         symbols_and_teams tournament

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

ladder: $(READY)  ## agents against one another in every game, what is missing or stale, for docs/ladder.md
	$(BIN)/python -m tools.ladder
	$(BIN)/python -m tools.docs

policy-seeds: $(READY)  ## three seeds of each policy that is missing one, for docs/training.md; hours
	$(BIN)/python -m tools.policy_seeds
	$(BIN)/python -m tools.docs

positions: $(READY)  ## positions with the values of their moves, a minute of each game more, for docs/text.md
	$(BIN)/python -m tools.positions
	$(MAKE) move-scores

aivat: $(READY)  ## 100,000 deals: is aivat unbiased, and what is it worth; for docs/tournaments.md
	$(BIN)/python -m tools.aivat_check --deals 100000 --keep
	$(BIN)/python -m tools.docs

move-scores: $(READY)  ## what our agents give away in them
	$(BIN)/python -m tools.move_scores
	$(BIN)/python -m tools.docs

holdings: $(READY)  ## positions with who holds what, for docs/who-holds-what.md
	$(BIN)/python -m tools.holdings
	$(MAKE) belief-scores

belief-networks: $(READY)  ## the networks that guess it, a minute or two each
	$(BIN)/python -m tools.belief_networks
	$(MAKE) belief-scores

belief-scores: $(READY)  ## how well they and counting do
	$(BIN)/python -m tools.belief_scores
	$(BIN)/python -m tools.docs

canonical: $(READY)  ## the small form of the canonical data set, its hashes, and baselines
	$(BIN)/python -m tools.canonical --baselines
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
	rm -rf $(VENV) .clients .oldest .peers .pythons .mypy_cache .pytest_cache .ruff_cache .hypothesis dist bench.json
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
