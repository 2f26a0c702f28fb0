# `make` alone shows what there is.

GO ?= go
FUZZTIME ?= 30s
SOAKTIME ?= 10m
SOAKCHECKS ?= 15000
# A test that fails is run once more by itself. One that passes then is named in the output as
# flaky, to be mended; one that fails again, or more than a dozen, fail the run.
TEST = GO=$(GO) .ci/test

.DEFAULT_GOAL := help
.PHONY: help setup build extension gen typecheck lint unit browser test e2e bench fuzz soak release sbom vuln licenses demo install clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z0-9]+:.*## / { printf "  %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## Find or install Chromium, install the npm packages
	@$(GO) run ./scripts/setup

build: ## Build bin/dbridge and its quick client bin/dbr (Go alone is enough)
	CGO_ENABLED=0 $(GO) build -trimpath -o bin/ ./host/cmd/dbridge ./host/cmd/dbr

extension: ## Bundle the extension into extension/dist
	@$(GO) run ./scripts/build

gen: ## Write what is derived from the Go types: generated.ts, commands.ts, docs/{protocol,errors,commands}.md, client/*.gen.go
	@$(GO) run ./host/internal/docgen/gen

typecheck: ## Check the extension's types with tsc
	@if [ -x extension/node_modules/.bin/tsc ]; then cd extension && node_modules/.bin/tsc --noEmit -p .; \
	elif [ -n "$$CI" ]; then echo "typecheck: the npm packages are not installed" >&2; exit 1; \
	else echo "typecheck: skipped, the npm packages are not installed"; fi

lint: ## gofmt, go vet and staticcheck
	@files=$$(git ls-files -co --exclude-standard '*.go' | xargs gofmt -l); if [ -n "$$files" ]; then echo "not gofmt-ed:"; echo "$$files"; exit 1; fi
	$(GO) vet ./...
	@$(GO) build -modfile=.ci/tools.mod -o .build/staticcheck honnef.co/go/tools/cmd/staticcheck
	.build/staticcheck ./...

unit: ## Tests that need no browser
	@$(TEST) './host/... ./scripts/... ./manifests/... ./extension/...' -timeout 10m

browser: ## Tests in a real Chromium, and the rules of the repository
	@$(TEST) ./test/... -timeout 20m -p 2

test: setup typecheck ## Everything that must pass: types, vet, gofmt, unit and browser tests
	@files=$$(git ls-files -co --exclude-standard '*.go' | xargs gofmt -l); if [ -n "$$files" ]; then echo "not gofmt-ed:"; echo "$$files"; exit 1; fi
	$(GO) vet ./...
	@$(MAKE) --no-print-directory unit browser

e2e: ## The whole chain only: popup, extension, host, daemon, agents
	$(GO) test -timeout 15m -count=1 ./test/e2e/...

bench: ## Measure, as ratios to raw CDP of the same run
	$(GO) test -timeout 30m -count=1 -run '^$$' -bench . -benchtime 1x ./test/bench/... ./test/page/tree/... ./test/cdp/clients

fuzz: ## Every fuzz target for FUZZTIME (30s)
	@for dir in $$(grep -rl --include='*_test.go' '^func Fuzz' host scripts test | xargs -n1 dirname | sort -u); do \
	  for target in $$($(GO) test -list '^Fuzz' ./$$dir | grep '^Fuzz'); do \
	    echo "== $$dir $$target"; \
	    $(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) ./$$dir || exit 1; \
	  done; \
	done

release: ## All platforms, the extension, SBOM and SHA256SUMS into .build/release, built twice and compared
	@$(GO) run ./scripts/release

sbom: ## What is in the program and the extension, as SPDX 2.3, to stdout
	@$(GO) run ./scripts/release -sbom

vuln: ## Known vulnerabilities of what is used (needs the network: vuln.go.dev and the npm registry)
	$(GO) run golang.org/x/vuln/cmd/govulncheck@v1.9.0 ./...
	cd extension && npm audit

licenses: ## Licences of all that is depended on, against the table of those allowed
	$(GO) test -count=1 -run 'Licence|Lock' ./test/repo ./scripts/licenses

soak: ## The chain under load and faults for SOAKTIME (10m), its models SOAKCHECKS times (15000)
	$(GO) test -timeout 0 -count=1 -run 'A01|A22|A23|INV' ./host/internal/session ./host/internal/hostlink -rapid.checks=$(SOAKCHECKS)
	DBRIDGE_SOAK=$(SOAKTIME) $(GO) test -timeout 0 -p 1 -count=1 -v -run 'Soak|A08|A10|A12|A21|H22|FaultAtEveryCall' ./test/...

demo: ## The main job in a headless Chromium; HEADED=1 shows it in a window
	@HEADED=$(HEADED) $(GO) run ./scripts/demo

install: build ## Build and register dbridge with the browsers of this user
	bin/dbridge install

clean: ## Remove what was built, and the demo's output
	rm -rf bin .build demo-out
