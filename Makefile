# Thin: the work is in scripts/ and CMake.
.PHONY: build demo test bench check docs package sanitize

build:
	scripts/build

demo:
	scripts/demo

test:
	scripts/test

bench:
	scripts/bench

check:
	scripts/install-deps --checks
	scripts/check_layers
	scripts/check_format
	scripts/check_prose
	scripts/check_lint

docs:
	scripts/docs

package:
	scripts/package

sanitize:
	scripts/sanitize address
	scripts/sanitize thread
