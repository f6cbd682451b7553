SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

GO ?= go
FUZZTIME ?= 10s
CHECKS ?= 1000
REPO ?= .
N ?= 200
# Packages that start goroutines.
CONCURRENT = ./app/bot ./app/cli ./app/github ./app/gitstore ./app/publish ./app/sandbox ./app/server ./app/workspace ./app/worktree ./knowledge/engine ./knowledge/store ./knowledge/survey ./webhooks/...
# Packages with property tests.
PROPERTIES = $$(grep -rl --include='*_test.go' '_ "github.com/causaldocs/causal/knowledge/rapidseed"' . | xargs -n 1 dirname | sort -u)

.PHONY: help
help: ## Show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: build
build: ## Build bin/causal, one static binary
	CGO_ENABLED=0 $(GO) build -trimpath -o bin/causal .

.PHONY: snapshot
snapshot: ## Build the archives of a release from the last commit in dist/, with checksums and lists of contents
	.ci/snapshot dist

.PHONY: image
image: ## Make the image of the server in dist/image.tar without Docker, from packages of Debian
	mkdir -p dist && .ci/image dist/image.tar

.PHONY: test
test: ## Run all tests
	$(GO) test ./... && $(GO) -C app/proof test ./...

.PHONY: race
race: ## Run the tests of packages with goroutines under the race detector
	$(GO) test -race $(CONCURRENT)

.PHONY: lint
lint: ## gofmt, go vet, golangci-lint, deadcode and actionlint, at the versions that .ci/*.mod pin
	@unformatted=$$(gofmt -l $$(git ls-files '*.go')); if [ -n "$$unformatted" ]; then echo "run gofmt -w on:" $$unformatted; exit 1; fi
	$(GO) vet ./... && $(GO) -C app/proof vet ./...
	$(GO) tool -modfile=.ci/lint.mod golangci-lint run
	.ci/dead
	$(GO) tool -modfile=.ci/actions.mod actionlint

.PHONY: properties
properties: ## Run the property tests with CHECKS (1000) examples that no run has drawn before
	$(GO) test $(PROPERTIES) -rapid.seed=0 -rapid.checks=$(CHECKS) -timeout 30m

.PHONY: fuzz
fuzz: ## Run every fuzz target for FUZZTIME (10s)
	@for package in $$($(GO) list ./...); do \
	  for target in $$($(GO) test -list '^Fuzz' "$$package" | grep '^Fuzz' || true); do \
	    echo "$$package $$target"; $(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) "$$package"; \
	  done; \
	done

.PHONY: linear
linear: ## Hold every reader of outside text to time and memory in proportion to the text
	$(GO) -C app/proof run ./linear

.PHONY: bench
bench: ## Measure against git and ctags in one run, and print the table of ratios
	$(GO) -C app/proof run ./bench

.PHONY: micro
micro: ## Run the Go benchmarks that match BENCH (all)
	$(GO) test -run '^$$' -bench '$(BENCH)' -benchmem ./...

.PHONY: replay
replay: ## Walk the last N (200) commits of REPO (this one), and compare with clean runs
	$(GO) -C app/proof run ./replay -n $(N) $(REPO)

.PHONY: precision
precision: ## Review the last N (200) commits of REPO (this one), and tell what people would read
	$(GO) -C app/proof run ./precision -n $(N) $(REPO)

.PHONY: demo
demo: ## Show the GitHub App at work against a simulated GitHub
	$(GO) run . demo

.PHONY: soak
soak: ## Kill the server again and again, and measure it
	$(GO) -C app/proof run ./soak all

.PHONY: hostile
hostile: ## Besiege the server with some hundred hostile pull requests, and check each of them out
	$(GO) -C app/proof run ./soak hostile

.PHONY: matrix
matrix: ## Run the edit matrix: what each edit must and must not redo
	CAUSAL_LONG=1 $(GO) -C app/proof test -count=1 -v ./matrix

.PHONY: docs
docs: ## Bring this repository's own living docs up to date
	$(GO) run . update

.PHONY: check
check: lint test ## Lint, test, and check this repository's own living docs
	$(GO) run . check

.PHONY: ci
ci: ## Everything that has to be green, as it runs on a bare machine
	.ci/run

.PHONY: long
long: ## What takes too long for every change: hours
	.ci/long

.PHONY: lines
lines: ## Count the lines of Go by package
	.ci/lines
