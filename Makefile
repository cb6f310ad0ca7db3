# The usual errands. Each installs what is missing (tools/bootstrap), builds and runs.
PREFIX ?= /usr/local
DESTDIR ?=
JOBS ?= $(shell nproc)

.DEFAULT_GOAL := help
.PHONY: help demo test bench validation docs install format clean setup setup-with-tests setup-with-docs

help: ## this list
	@echo 'make TARGET:'
	@sed -n 's/^\([a-z]*\):[^#]*## \(.*\)/  \1\t\2/p' $(firstword $(MAKEFILE_LIST)) | expand -t 14

demo: setup ## build, and run the MC-DLA study: our results against a paper's claims
	cmake --preset release
	cmake --build --preset release --parallel $(JOBS) --target cairn_cli
	build/release/bin/cairn study mc-dla --plot build/mc-dla --report build/mc-dla.html
	@echo 'Figures and numbers: build/mc-dla'
	@echo 'The same as a page for your browser: build/mc-dla.html'

test: setup-with-tests ## build with warnings as errors, and run all tests
	cmake --preset dev
	cmake --build --preset dev --parallel $(JOBS)
	ctest --test-dir build/dev --output-on-failure --no-tests=error --timeout 600 --parallel $(JOBS)

bench: setup-with-tests ## build optimized, and print the benchmark table
	cmake --preset release -DCAIRN_BENCHMARKS=ON
	cmake --build --preset release --parallel $(JOBS) --target benchmarks cairn_cli
	cmake --build --preset release --target bench
	tools/bench_commands --cairn build/release/bin/cairn

validation: setup ## predict all that was measured, and write docs/validation.md
	cmake --preset release
	cmake --build --preset release --parallel $(JOBS) --target cairn_cli
	tools/make_validation --cairn build/release/bin/cairn

docs: setup-with-docs ## pictures that README and docs show, and docs/gallery.md
	cmake --preset release
	cmake --build --preset release --parallel $(JOBS) --target cairn_cli
	tools/make_docs --cairn build/release/bin/cairn

install: setup ## library, headers, program and data into PREFIX (/usr/local), under DESTDIR
	cmake --preset release -DCMAKE_INSTALL_PREFIX=$(abspath $(PREFIX))
	cmake --build --preset release --parallel $(JOBS) --target installables
	DESTDIR="$(DESTDIR)" cmake --install build/release

format: setup-with-tests ## write all C++ files the way clang-format wants them
	tools/check_format --fix

clean: ## remove everything that was built
	rm -rf build

setup:
	@tools/bootstrap

setup-with-tests:
	@tools/bootstrap --with-tests

setup-with-docs:
	@tools/bootstrap --with-docs
