# `make demo` and `make test` need Go alone. `make test RACE=1` needs a C compiler,
# `make interop` npm, `make model` and `make agentdojo` Python, `make findings` both;
# `make lint` and `make bench` build their tools, whose versions tools/go.mod pins.

GO      ?= go
BIN     ?= $(CURDIR)/bin
FUZZTIME ?= 10s
COUNT   ?= 6
tool     = $(GO) tool -modfile=tools/go.mod
# Whether git may describe the checkout: not one of another user, nor a copy.
vcs      = $(shell git log -1 --format= >/dev/null 2>&1 && git status --porcelain >/dev/null 2>&1 && echo true || echo false)

.DEFAULT_GOAL := help
.PHONY: help demo build install tmp test lint fuzz mutate ablation interop model agentdojo release reproduce kernels eval bench policies corpora findings size

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: build ## build both and put a question to the servers inside it, offline
	"$(BIN)/ask" --demo "Summarize policy-002"

# Without HTTP/2: no client of ask's may speak it, for it repeats requests.
build: ## build bin/ask and the bin/ask-eval that belongs to it
	@mkdir -p "$(BIN)"
	stamp=$$(GO="$(GO)" tools/stamp.sh) && \
	CGO_ENABLED=0 $(GO) build -trimpath -buildvcs=$(vcs) -tags "$$stamp,nethttpomithttp2" -ldflags '-s -w' -o "$(BIN)/" ./cmd/ask ./cmd/ask-eval ./cmd/askd

PREFIX ?= /usr/local

install: build tmp ## put both programs and the manual pages below PREFIX, /usr/local
	@rm -rf "$(BIN)/man" && mkdir -p "$(BIN)/man"
	@CGO_ENABLED=0 $(GO) test -count=1 ./cmd/ask -run '^TestManualPages$$' -man "$(BIN)/man" >"$(BIN)/man.log" || { cat "$(BIN)/man.log"; exit 1; }
	install -d "$(DESTDIR)$(PREFIX)/bin" "$(DESTDIR)$(PREFIX)/share/man/man1"
	install "$(BIN)/ask" "$(BIN)/ask-eval" "$(DESTDIR)$(PREFIX)/bin/"
	install -m 644 "$(BIN)"/man/*.1 "$(DESTDIR)$(PREFIX)/share/man/man1/"

# Tests are started from the temporary folder.
test fuzz mutate ablation interop bench: tmp
tmp:
	@tools/tmp.sh

test: ## run every test: no network, no node, no key; RACE=1: under the race detector
	GO=$(GO) RACE=$(RACE) tools/test.sh

lint: ## golangci-lint with vet, also for macOS, formatting, unreached code, tidy modules, one spelling
	$(tool) golangci-lint run ./...
	GOOS=darwin $(GO) vet ./...
	@out=$$($(tool) gofumpt -d .) && test -z "$$out" || { echo "$$out"; echo 'gofumpt would change these' >&2; exit 1; }
	@out=$$($(tool) deadcode -test ./...) && test -z "$$out" || { echo "$$out"; exit 1; }
	$(GO) mod tidy -diff
	cd tools && $(GO) mod tidy -diff
	@# The validator is xeipuuv's. The misspelt module is anybody's to register.
	@! grep -rnI --exclude-dir=.git --exclude-dir=node_modules 'xeipuui[d]' . || { echo 'the module is xeipuuv/gojsonschema' >&2; exit 1; }

fuzz: ## run every fuzz target for FUZZTIME
	GO=$(GO) FUZZTIME=$(FUZZTIME) ROOMS='$(ROOMS)' tools/fuzz.sh

corpora: ## get the public corpora that a registry has, for the tests that take them (needs npm)
	$(GO) run ./cmd/corpora $(CORPORA)

mutate: ## open each gate in turn and see which test and which evaluation notices
	$(GO) run ./cmd/mutate $(MUTATE)

ablation: ## open one gate as a whole after another, and put the harm into docs/internals/evaluation.md (minutes); RULES=planner/lexical: switch off each of its functions, into docs/internals/mutation.md
	$(GO) run ./cmd/mutate $(if $(RULES),-rules $(RULES) -page docs/internals/mutation.md,-ablate docs/internals/evaluation.md)

interop: build ## drive public MCP servers and the conformance suite (needs npm, Python, cargo, a JDK and Maven)
	interop/run.sh

model: ## put a small real model in the planner's place (needs Python and a package index; hours)
	interop/model/run.sh

agentdojo: ## put AgentDojo's tasks and injections through the gates (needs Python and a package index; minutes)
	interop/agentdojo/run.sh

release: ## make the archives of VERSION in dist/, with manual pages, completions, checksums and what they are built from
	GO=$(GO) tools/release.sh

reproduce: ## make a release of this platform twice, in two folders, and compare the bytes
	GO=$(GO) tools/reproduce.sh

kernels: ## run the tests of host/confine under other kernels, and on arm64 (needs Debian's packages and QEMU; hours)
	GO=$(GO) tools/kernels.sh

eval: build ## run every suite of ask eval, and compare with eval/baseline
	tools/eval.sh

size: ## print the lines of each package of ask, its exported names, and what the binary is made of
	$(GO) run ./internal/size

bench: build ## measure the aims next to peers and to an earlier commit, and keep the figures in docs/internals/benchmarks.md; QUICK=1: only print the aims, in minutes
	GO=$(GO) COUNT=$(COUNT) QUICK=$(QUICK) tools/bench.sh

findings: ## run the surprises about real packages in findings/ and print which have changed (needs npm, Python and their registries; minutes)
	tools/findings.sh $(FINDINGS)

policies: ## compare the rules of calls with Cedar and CEL: what each makes of arguments, and what a decision costs
	cd eval/policies && $(GO) test -bench . .
