# Every target sets up what it needs first; `make` alone explains.
SHELL := /bin/bash
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup lock deps programs test test-all report notebooks docs readme figures prove bench mutants lint format clean named

# One more than a small machine has cores: some tests wait for others' tools.
JOBS ?= 3
# A worker that a signal ends would leave its share of the tests waiting for ever: the run ends.
PYTEST := python -m pytest -n $(JOBS) --dist loadgroup --max-worker-restart 0
ARGS ?=

# The flow's own makefiles call mflowgen-python and rsaxcel by name.
export PATH := $(CURDIR)/.venv/bin:$(PATH)
# Somebody else's packages must not shadow the pinned ones.
unexport PYTHONPATH PYTHONHOME
# Keeps the options of this make from the makes that a flow starts.
RUN := env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL

help: ## This text
	@echo 'rsaxcel: RSA accelerators in PyMTL3, from a golden model to area, clock and energy'
	@echo
	@echo 'Start with `make report`; it sets everything up, measures the standard designs'
	@echo 'and writes build/report/index.html. Then `.venv/bin/rsaxcel --help` has the single steps.'
	@echo
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' \
	  $(firstword $(MAKEFILE_LIST))
	@echo
	@echo 'ARGS is passed on, JOBS is the number of test processes, PYTHON makes the .venv:'
	@echo '  make test JOBS=8 ARGS="-k divider"      make report ARGS=--all'
	@echo '                                          make report ARGS="--design ssmm_r2l"'
	@echo '                       make figures ARGS="--stage synthesized --max-bits 64"'
	@echo '  make mutants ARGS="--count 60 --seed 7 --only rtl/axi"'
	@echo '  make setup YES=1   asks nothing, and tries again what could not be installed'

setup: ## Debian packages, .venv and pinned Python packages (does nothing when all is there)
	@$(RUN) PYTHON='$(PYTHON)' bash tools/setup.sh $(if $(YES),--yes)

# One version for every Python and machine; what requirements.txt has already stays, so that
# ARGS=--upgrade or ARGS='--upgrade-package NAME' renews. No build isolation: a build that fetches
# its own tools would be a way around the hashes.
lock: setup ## Write requirements.txt, with all hashes, from the pins of setup.py
	@uv pip compile --quiet --universal --python-version 3.11 --fork-strategy fewest \
	  --extra test --extra docs --extra lint --generate-hashes --no-annotate --no-build-isolation \
	  --custom-compile-command 'make lock' --output-file requirements.txt setup.py $(ARGS) >/dev/null
	@grep -o 'ziglang==[^"]*' setup.py | uv pip compile --quiet --universal --python-version 3.11 \
	  --generate-hashes --no-annotate --custom-compile-command 'make lock' \
	  --output-file requirements-compiler.txt - >/dev/null
	@grep -o 'jupyterlab==[^"]*' setup.py | uv pip compile --quiet --universal \
	  --python-version 3.11 --fork-strategy fewest --constraint requirements.txt \
	  --generate-hashes --no-annotate --no-build-isolation --custom-compile-command 'make lock' \
	  --output-file requirements-notebooks.txt - >/dev/null
	@$(RUN) PYTHON='$(PYTHON)' bash tools/setup.sh $(if $(YES),--yes)

deps: setup ## Write docs/reference/dependencies.md, with the dates of PyPI
	@$(RUN) python -m tools.dependencies

programs: setup ## Write the assembly of the processor's programs, by the compiler that made it
	@$(RUN) python -m tools.programs $(ARGS)

test: setup ## Tests, without the slow ones
	@$(RUN) $(PYTEST) -m 'not slow' $(ARGS)

test-all: setup ## All tests
	@$(RUN) $(PYTEST) $(ARGS)

report: setup ## Measure the standard designs and write build/report/index.html
	@$(RUN) rsaxcel report $(ARGS)

# Nothing else needs JupyterLab: a lock file of its own keeps it out of the set-up.
notebooks: setup ## Open the notebooks in JupyterLab, which is installed first
	@python -m jupyterlab --version >/dev/null 2>&1 || { echo 'notebooks: installing JupyterLab'; \
	  python -m pip --disable-pip-version-check --no-input install --quiet --require-hashes \
	  --only-binary :all: -r requirements-notebooks.txt; }
	@$(RUN) python -m jupyterlab --notebook-dir notebooks $(ARGS)

docs: setup named ## Build the documentation into build/docs
	@$(RUN) NO_MKDOCS_2_WARNING=1 python -m mkdocs build --strict --quiet
	@echo 'docs: build/docs/index.html'

readme: setup ## Write README.md and pages of docs/ from their templates and docs/facts.csv
	@$(RUN) python -m tools.readme $(ARGS)

figures: setup ## Measure the figures of README.md and docs/ that are older than their circuits
	@$(RUN) python -m tools.figures $(ARGS)

prove: setup ## Prove the standard claims about all designs: `rsaxcel prove`
	@$(RUN) rsaxcel prove $(ARGS)

bench: setup ## Speed of commands and simulation engines
	@$(RUN) python -m tools.bench $(ARGS)

mutants: setup ## Plant faults in circuits and models, report what the tests do not find
	@$(RUN) python -m tools.mutants $(ARGS)

lint: setup named ## Check format, rules and types
	@ruff format --check .
	@ruff check .
	@cd build/named && mypy --config-file ../../pyproject.toml

# The root under the name of its package, for tools that name modules after folders.
named:
	@rm -rf build/named && mkdir -p build/named/rsaxcel && ln -s ../../tools build/named/tools
	@for part in *.py */__init__.py; do \
	  ln -s "../../../$${part%/__init__.py}" build/named/rsaxcel/; done

format: setup ## Format the sources, mend what ruff can mend
	@ruff format .
	@ruff check --fix .

clean: ## Remove build/ (measured results too) and caches; keeps .venv
	@# Folders with paths that the flow's tools take, where the one of this folder is not.
	for link in build/flow/work build/fpga/work; do \
	  folder=$$(readlink -f $$link); \
	  if [[ $$folder =~ /rsaxcel(-[0-9]+)?/runs-[0-9a-f]{20}$$ ]]; then rm -rf "$$folder"; fi; done
	rm -rf build notebooks/build .hypothesis .mflowgen* abc.history
	find . -path ./.venv -prune -o -name __pycache__ -type d -prune -exec rm -rf {} +
