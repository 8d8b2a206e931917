# Needs only Python 3.11 or newer and a network: everything else comes into .venv.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
UV     := $(BIN)/uv
PORT   ?= 8000
SIZE   ?= full
READY  := $(VENV)/.ready
LOCKED := requirements/uv.txt requirements/dev.txt

.PHONY: setup serve test test-browser test-cluster test-agents transcript control-plane test-pythons lint lock docs readme example eval bench fuzz library schema clean

setup: $(READY) library schema

$(UV): requirements/uv.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "kubegap needs Python 3.11 or newer; set PYTHON=python3.x")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/uv.txt
	@touch $@

$(READY): $(UV) $(LOCKED) pyproject.toml hatch_build.py
	$(UV) pip install --quiet --compile-bytecode --python $(BIN)/python --require-hashes -r requirements/dev.txt
	KUBEGAP_SKIP_LIBRARY=1 $(UV) pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation --editable .
	@touch $@

# The library, compiled to where the installed package finds it.
library: $(READY)
	@$(BIN)/kubegap library build --quiet

# The schema that editors check records with.
schema: $(READY)
	@$(BIN)/kubegap library schema > /dev/null

serve: setup
	$(BIN)/kubegap serve --port $(PORT)

# The README's test command.
test: setup
	$(BIN)/python -m pytest -n auto --dist worksteal

# The pages in Debian's Chromium; what the machine lacks is installed first.
test-browser: setup
	@test -x /usr/bin/chromium && command -v npm > /dev/null && fc-list | grep --quiet "Noto Sans CJK" || { \
	  sudo=$$(test "$$(id -u)" = 0 || echo sudo); \
	  $$sudo apt-get update --quiet && $$sudo apt-get install --quiet --yes --no-install-recommends chromium fontconfig fonts-noto-cjk npm; }
	$(UV) pip install --quiet --python $(BIN)/python --require-hashes -r requirements/browser.txt
	$(BIN)/python -m pytest --override-ini addopts="--strict-markers --strict-config -ra" tests/browser

# The checker against a real control plane, built once into a cache outside the tree (seven minutes on two cores).
test-cluster: setup control-plane
	$(BIN)/python -m pytest --override-ini addopts="--strict-markers --strict-config -ra" tests/control_plane

control-plane: $(READY)
	@$(UV) pip install --quiet --python $(BIN)/python --require-hashes -r requirements/cluster.txt
	@$(BIN)/python -m tests.control_plane.build

# The plugin in the real Claude Code and Codex, pinned, without login or model; they go into a cache outside the tree (a gigabyte).
test-agents: setup control-plane npm
	$(BIN)/python -m pytest --override-ini addopts="--strict-markers --strict-config -ra" tests/agents

# What the real Codex asks of the plugin and is answered, tool by tool, against a control plane with planted gaps.
transcript: setup control-plane npm
	@$(BIN)/python -m scripts.transcript

.PHONY: npm
npm:
	@command -v npm > /dev/null || { \
	  sudo=$$(test "$$(id -u)" = 0 || echo sudo); \
	  $$sudo apt-get update --quiet && $$sudo apt-get install --quiet --yes --no-install-recommends npm; }

# The same suite on every Python that kubegap supports.
test-pythons: $(UV)
	UV=$(UV) ./scripts/test-pythons 3.11 3.12 3.13

lint: setup
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/kubegap library lint

# The page of every check into docs/checks/, the questions that pairs can ask, and the role that deploy/ grants.
docs: setup
	$(BIN)/python -m scripts.pairs
	$(BIN)/python -m scripts.questions

# Run the examples of the READMEs again and write what they print.
readme: setup
	$(BIN)/python -m scripts.readme

# The cluster of examples/, put up on the real control plane and saved again; 22 minutes, nearly all of it waiting.
example: setup control-plane
	$(BIN)/python -m scripts.training_cluster

# The quality of search on the judged queries; fails when a held-out target is missed.
eval: setup
	$(BIN)/python -m eval

# Everything that reads strangers' bytes, for ten minutes; what was found stays in the folder.
CORPUS ?= /tmp/kubegap-fuzz
fuzz: setup
	$(UV) pip install --quiet --python $(BIN)/python --require-hashes -r requirements/fuzz.txt
	$(BIN)/python -m tests.fuzz $(CORPUS) 600

bench: setup control-plane
	$(BIN)/python -m bench $(SIZE)

# Hashes for every platform, and no download address.
LOCK := $(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-emit-index-url
lock: $(UV)
	$(LOCK) pyproject.toml -o requirements/base.txt
	$(LOCK) pyproject.toml --extra web -o requirements/web.txt -c requirements/base.txt
	$(LOCK) pyproject.toml --extra web --extra mcp --group dev -o requirements/dev.txt -c requirements/web.txt
	$(LOCK) --group cluster -o requirements/cluster.txt
	$(LOCK) --group fuzz -o requirements/fuzz.txt
	$(LOCK) --group peers -o requirements/peers.txt
	$(LOCK) --group browser -o requirements/browser.txt -c requirements/dev.txt
	echo uv | $(LOCK) - -o requirements/uv.txt

clean:
	rm -rf $(VENV) build dist src/kubegap/_library library/schema
