# Macau Floor. `make` says what there is.
#
#   make run      opens the floor at http://localhost:8000 (PORT=… for another), installing what it needs first
#   make test     runs the tests, installing what they need first (a Chromium and fonts included)
#   make test-all the same with every combination of games, sizes and languages, and the longest tests
#   make check    format, lint, types, boundaries, templates, translations, deployment, migrations
#   make fix      formats everything, and mends what a linter can mend
#   make coverage runs the tests without the browser, and prints which lines and branches they leave out
#   make mutants  changes rules, rounds and ledger in small ways, and prints the changes that no test notices (hours)
#   make bench    the figures of docs/performance.md
#   make torture  kills, delays and doubles what it can, and prints what the house survived (docs/torture.md)
#   make messages brings the catalogues in locale/ up to date with the code
#   make lock     locks requirements*.in again
#   make clean    removes what these have made, but not the players' money in var/

# The first Python that is new enough.
PYTHON ?= $(shell for each in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	$$each -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$each && break; done)
VENV := .venv/bin
DENO := DENO_DIR=$(CURDIR)/.deno_cache DENO_NO_UPDATE_CHECK=1 $(VENV)/deno
PORT ?= 8000
export PORT

.DEFAULT_GOAL := help
.PHONY: help run test test-all check check-types check-rest fix coverage mutants bench torture messages lock clean python installed installed-dev

help:
	@sed -n 's/^#   //p' Makefile

python:
	@$(or $(PYTHON),false) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { echo "Macau Floor \
	needs Python 3.11 or newer, and $(or $(PYTHON),none was found)$(if $(PYTHON), is none). Install one, or name it: \
	make run PYTHON=/path/to/python3" >&2; exit 1; }

installed: python
	@$(PYTHON) casino/bootstrap.py requirements.txt

installed-dev: python
	@$(PYTHON) casino/bootstrap.py requirements-dev.txt

run: python
	@$(PYTHON) casino/bootstrap.py requirements.txt --floor
	@exec $(VENV)/python manage.py floor

# With DATABASE_URL and REDIS_URL in the environment, the same tests run on those.
test: python
	@$(PYTHON) casino/bootstrap.py requirements-dev.txt --browser
	@$(VENV)/python -m pytest -n 3 --dist worksteal $(ARGS)

test-all: export ALL := 1
test-all: test

# What is checked is the code, whatever this shell is connected to.
check messages: export DATABASE_URL :=
check messages: export REDIS_URL :=
check: installed-dev
	@$(MAKE) --no-print-directory --jobs=2 check-types check-rest

check-types:
	$(VENV)/mypy
	$(DENO) check --quiet static/js

check-rest:
	$(VENV)/ruff format --check .
	$(VENV)/ruff check .
	$(VENV)/djhtml --tabwidth 2 --check templates
	$(DENO) fmt --check
	$(DENO) lint
	$(VENV)/lint-imports
	$(VENV)/python -m casino.checks

fix: installed-dev
	$(VENV)/ruff check --fix .
	$(VENV)/ruff format .
	$(VENV)/djhtml --tabwidth 2 templates
	$(DENO) lint --fix
	$(DENO) fmt

coverage: installed-dev
	@folder=$$(mktemp -d) && trap 'rm -rf "$$folder"' EXIT && export COVERAGE_FILE="$$folder/data" && status=0 && \
	{ $(VENV)/coverage run -m pytest -n 3 --dist worksteal --ignore tests/browser $(ARGS) || status=$$?; } && \
	$(VENV)/coverage combine --quiet && $(VENV)/coverage report && exit $$status

mutants: installed-dev
	@$(VENV)/python -m tests.mutants $(ARGS)

bench: installed-dev
	@DJANGO_SETTINGS_MODULE=tests.settings $(VENV)/python manage.py compilemessages
	@$(VENV)/python -m tests.bench $(ARGS)

torture: installed-dev
	@$(VENV)/python -m tests.torture $(ARGS)

messages: installed
	@$(VENV)/python manage.py makemessages

# No host is written into the locks, whichever index is used here.
LOCK := $(VENV)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-emit-find-links
lock: installed-dev
	$(LOCK) $(ARGS) requirements.in -o requirements.txt
	$(LOCK) $(ARGS) requirements-dev.in -o requirements-dev.txt

clean:
	rm -rf .venv staticfiles .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .deno_cache .hypothesis
	find casino tables tests locale -name __pycache__ -prune -exec rm -rf {} + -o -name '*.mo' -exec rm -f {} +
