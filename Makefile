# Every target installs what it needs. This requires Python 3.11 or later, make, and access to a package index.
# PYTHON=/path/to/python chooses the Python that creates .venv.

BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
CORES := $(if $(FAILED),--last-failed -n 0,-n auto --dist worksteal)
INSTALL := $(PIP) install --constraint constraints.txt

# The tests start hundreds of processes. If Python may not write compiled files, each process compiles every module again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help serve quick test slow browser screenshots coverage hostile clients lint nightly subjects mutants hooks constraints documents openapi types bench soak flood clean

help: ## List the targets.
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1|\2/p' Makefile | awk -F'|' '{ printf "%-18s %s\n", $$1, $$2 }'

serve: .venv/installed ## Run the whole service; PORT is the port (8000), and CONDOTTIERE_DATA is the data folder (./data).
	@exec env CONDOTTIERE_DATA="$${CONDOTTIERE_DATA:-data}" $(BIN)/python -m service serve

quick: .venv/installed-test .venv/installed-lint ## Check your change in about a minute; SINCE is the revision to compare with (main).
	@$(BIN)/python .ci/quick.py $(SINCE)

test: .venv/installed-test ## Run all tests except the slow ones, on all cores. FAILED=1 reruns only the failed tests, on one core.
	$(BIN)/python -m pytest $(CORES) -m 'not slow and not browser$(if $(COVERED), and not directed)'

slow: .venv/installed-test ## Run the slow tests: the whole service, killed processes, lost servers. FAILED=1 works as for test.
	$(BIN)/python -m pytest tests $(CORES) -m slow

browser: .venv/installed-test ## Run all tests of the board, in CONDOTTIERE_BROWSER or an installed browser. FAILED=1 works as for test.
	$(BIN)/python -m pytest tests/board $(CORES)

screenshots: .venv/installed-test ## Take the pictures in docs/board, which show the board on a phone and on a desktop.
	@$(BIN)/python -m tests.board.screenshots

coverage: .venv/installed-test ## Check that the engine's directed tests cover every line and branch of the engine.
	$(BIN)/python -m pytest tests/engine engine -n auto --dist worksteal -m directed --cov

hostile: .venv/installed-test .venv/installed-hostile ## Send generated requests to the API, with all schemathesis checks; CASES is the number of requests (50000).
	$(BIN)/python -m tests.hostile --cases $(or $(CASES),50000)

clients: .venv/installed ## Generate clients from the API description, and play a game with each; ALL=1 runs all generators and two linters.
	@$(BIN)/python .ci/clients.py $(if $(ALL),--all)

lint: .venv/installed-lint ## Check style, types, imports and spelling.
	$(BIN)/python -m ruff check
	$(BIN)/python -m ruff format --check
	$(BIN)/python -m mypy
	$(BIN)/lint-imports
	$(BIN)/python .ci/spelling.py
	@$(BIN)/python .ci/board.py

nightly: .venv/installed-test ## Run the long tests, including all tests on every installed Python; ARGS=--help lists the options.
	@$(BIN)/python .ci/nightly.py $(ARGS)

mutants: .venv/installed-test ## Change the rules in 2,000 ways, and check that a test fails each time; MUTANTS='engine.rules.strength*' limits the changes.
	$(PIP) install 'mutmut>=3.8,<4'
	$(BIN)/mutmut run $(MUTANTS)
	$(BIN)/mutmut results

subjects: .venv/made ## Check the subject lines of new commits.
	@$(BIN)/python .ci/subjects.py

hooks: .venv/installed-lint .venv/installed-hooks ## Make git check style, types, spelling and the subject line on each commit.
	$(BIN)/pre-commit install

constraints: .venv/made ## Update constraints.txt to the newest versions that pyproject.toml allows.
	$(PIP) install --upgrade uv
	$(BIN)/uv pip compile pyproject.toml --all-extras --universal --python-version 3.11 --fork-strategy fewest \
	  --upgrade --annotation-style line --custom-compile-command 'make constraints' --output-file constraints.txt --quiet

documents: .venv/installed .venv/installed-lint ## Generate docs/editions.md, service/editions/rules.json and docs/pictures.
	$(BIN)/python -m service documents
	$(BIN)/python .ci/imports.py

openapi: .venv/installed ## Generate openapi/openapi.json and its examples.
	$(BIN)/python -m service openapi

types: .venv/made ## Generate the parts of clients/python that are not handwritten.
	$(PIP) install datamodel-code-generator==0.89.0
	$(BIN)/python clients/python/generate.py

bench: .venv/installed-bench ## Run the benchmarks and print ratios.
	$(BIN)/python -m benchmarks

soak: .venv/installed-bench ## Run the service under a mixed load, and measure memory growth and speed; MINUTES is the duration (20).
	$(BIN)/python -m benchmarks.soak --minutes $(or $(MINUTES),20)

flood: .venv/installed-bench ## Let 40 hostile clients flood a service, and measure how much they slow down honest players; MINUTES is the duration (5).
	$(BIN)/python -m benchmarks.flood --minutes $(or $(MINUTES),5)

clean: ## Remove all generated files except the data.
	rm -rf .venv .venv-* build dist mutants *.egg-info .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis .schemathesis .coverage
	rm -rf $(addprefix clients/,typescript/node_modules typescript/build typescript/dist python/dist)
	cd clients/generated && rm -rf */node_modules */.venv */condottiere_api */generated */.openapi-generator
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Each stamp file records the time of an installation. If a prerequisite is newer, make installs again.
.venv/installed: pyproject.toml constraints.txt | .venv/made
	$(INSTALL) --editable .
	@touch $@

.venv/installed-%: pyproject.toml constraints.txt | .venv/made
	$(INSTALL) --editable '.[$*]'
	@touch $@ .venv/installed

# If an earlier attempt to create .venv was interrupted, start again.
.venv/made:
	@if .venv/bin/python -m pip --version >/dev/null 2>&1; then touch $@; exit; fi; rm -rf .venv; \
	for python in $(PYTHON) python3 python3.14 python3.13 python3.12 python3.11; do \
	  if "$$python" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
	    echo "Creating .venv with $$("$$python" --version) ($$python)"; \
	    "$$python" -m venv .venv && touch $@; exit; \
	  fi; \
	done; \
	echo 'No Python 3.11 or later with venv was found. Install one (on Debian or Ubuntu: python3 and python3-venv),' >&2; \
	echo 'or name its path: make PYTHON=/path/to/python' >&2; exit 1
