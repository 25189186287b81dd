# Vantage: search by point of view, in the browser.

GO       ?= go
LISTEN   ?= 127.0.0.1:8080
# The longest packages start first; the others run beside them.
PACKAGES ?= ./tests/browser ./tests/command ./tests/extension ./...
# RUN, a variable of the environment, is a pattern of the tests to run.
# Where `make sides` writes.
SIDES    ?= sides/pack

# GOTESTSUM runs go test, and lists at the end the failed and the skipped tests, with reasons.
GOTESTSUM = $(GO) run gotest.tools/gotestsum@v1.13.0 --format pkgname --format-hide-empty-pkg
# Without debug information, linking takes a third less time. Tests of pages wait about half of
# their time, so more of them run at once. go vet is a part of lint and of CI.
TESTFLAGS = -timeout 30m -vet=off -ldflags '-s -w' -parallel 4 -p 3

.DEFAULT_GOAL := help
.PHONY: help demo test test-full bench bench-encode bench-tokens bench-gpu bench-extension bench-site load image build generate core scripts extension kernel sides reader size lint lint-js clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: build ## build, index the two bundled corpora, serve the pages that search them
	mkdir -p build
	$(call also,benefits/,Benefits office) >build/debates.html
	$(call also,../,Debates) >build/benefits.html
	bin/vantage index examples/debates/corpus.jsonl -o build/demo --site --name "Debates" --examples examples/debates/examples.txt \
		--queries examples/debates/queries.jsonl --qrels examples/debates/qrels/test.tsv --template build/debates.html
	bin/vantage index examples/benefits/corpus.jsonl -o build/demo/benefits --site --name "Benefits office" --examples examples/benefits/examples.txt \
		--template build/benefits.html
	bin/vantage serve build/demo --listen $(LISTEN)

# The search page with a link to another site's.
also = sed 's|<footer>|&<p>Also: <a href="$(1)">$(2)</a></p>|' static/search/index.html

build: ## the command, into bin/
	$(GO) build -o bin/ ./cmd/vantage

test: ## all tests, headless wasm and real browser included
	@scripts/node.sh >/dev/null
	@# The compiler and the tests may collect garbage less often than a user's programs. What tests of memory measure does not.
	@GOGC=800 $(GO) list -test -export $(filter-out -%,$(PACKAGES)) >/dev/null || true
	@scripts/cuda.sh & cuda=$$!; \
		full=$$(scripts/chromium.sh full || true) && export VANTAGE_CHROMIUM_FULL="$$full" && \
		tmp=$$(scripts/memory.sh) && \
		browser=$$(scripts/chromium.sh) && VANTAGE_ROOT_FILES="$$(ls *.go go.mod go.sum | grep -v _test.go | xargs)" TMPDIR="$$tmp" GOGC=400 VANTAGE_CHROMIUM="$$browser" $(GOTESTSUM) $(GOTESTSUM_FLAGS) -- $(TESTFLAGS) $${RUN:+-run "$$RUN"} $(PACKAGES); \
		status=$$?; wait $$cuda && exit $$status

test-full: test ## all tests and the long ones: Firefox (the extension in it too) and WebKit, sites built by Hugo, Jekyll, MkDocs, Docusaurus and Astro, a tiny chat model on llama.cpp (built from source, which takes minutes), every fuzzer for 30 seconds, the bundled pack made again, the syntax of the recipes, the race detector
	@firefox=$$(scripts/browser.sh firefox) && webkit=$$(scripts/browser.sh webkit) && browser=$$(scripts/chromium.sh) && \
		VANTAGE_FIREFOX="$$firefox" VANTAGE_WEBKIT="$$webkit" VANTAGE_CHROMIUM="$$browser" \
		$(GO) test -tags otherbrowsers -count=1 -v -run '^Test(Firefox|FirefoxUnloads|FirefoxLint|WebKit)$$' ./tests/browser ./tests/extension
	@hugo=$$(scripts/generator.sh hugo) && jekyll=$$(scripts/generator.sh jekyll) && mkdocs=$$(scripts/generator.sh mkdocs) && \
		docusaurus=$$(scripts/npm.sh docusaurus)/node_modules/.bin/docusaurus && astro=$$(scripts/npm.sh astro)/node_modules/.bin/astro && \
		VANTAGE_GENERATOR_HUGO="$$hugo" VANTAGE_GENERATOR_JEKYLL="$$jekyll" VANTAGE_GENERATOR_MKDOCS="$$mkdocs" VANTAGE_GENERATOR_DOCUSAURUS="$$docusaurus" VANTAGE_GENERATOR_ASTRO="$$astro" \
		$(GO) test -tags generators -count=1 -v -timeout 30m -run '^TestGenerators$$' ./internal/collection/corpus
	@python=$$(scripts/python.sh llama) && VANTAGE_CHAT_PYTHON="$$python" $(GO) test -tags chatmodel -count=1 -v -run '^TestLlama$$' ./internal/chat
	scripts/fuzz.sh 30s
	@test ! -d ../shared/model/sides || { dir=$$(mktemp -d) && make sides SIDES=$$dir/pack && diff -r $$dir/pack sides/pack && rm -r $$dir; }
	@! command -v python3 >/dev/null || python3 -c 'import ast, glob; [ast.parse(open(f).read(), f) for f in glob.glob("internal/recipes/*/*.py")]'
	$(GO) test -race -timeout 30m ./internal/... . ./perspective ./metrics ./trec ./client ./corpus ./english ./sides ./headless

bench: ## scans, searches and boot in Go and in Chromium, against a plain memory read
	$(GO) test -run '^$$' -bench . -benchtime 5x ./internal/wasm/kernel ./internal/wasm/index ./internal/wasm/encode ./internal/wasm/lexical ./trec
	@browser=$$(scripts/chromium.sh) && VANTAGE_CHROMIUM="$$browser" $(GO) run ./tests/bench

bench-encode: ## the encoders' forward pass against ONNX Runtime, in turns within one run
	@dir=$$(scripts/npm.sh onnxruntime) && $(GO) run ./tests/encodebench "$$dir"

bench-tokens: ## vectors of tokens at 8, 4 and 2 bits beside fast-plaid's and exact MaxSim in NumPy, one thread; installs 3 GB
	@python=$$(scripts/python.sh plaid) && $(GO) run ./tests/tokenbench $(FLAGS) "$$python"

bench-gpu: ## the encoders on a GPU, against PyTorch in turns if Python has it, and their tests there
	$(GO) build -tags cuda -o build/gpu/vantage ./cmd/vantage
	$(GO) run ./tests/gpubench build/gpu/vantage
	$(GO) test -count=1 -tags cuda -v ./internal/model/xla

bench-extension: ## the browser extension in Chromium: from a question to the order by each encoder
	$(GO) run ./tests/benchextension $(FLAGS)

bench-site: ## the published site beside Pagefind's, on the same pages over a slow line; JSON with FLAGS=--json
	@pages=$$(scripts/manuals.sh) && packages=$$(scripts/npm.sh pagefind) && browser=$$(scripts/chromium.sh) && \
		VANTAGE_CHROMIUM="$$browser" $(GO) run ./tests/benchsite $(FLAGS) "$$pages" "$$packages"

load: ## the encode server under 5,000 idle and 500 active sockets, against the bare encoder
	$(GO) run ./tests/load

image: ## the container image of the encode server, built and tried once
	scripts/image.sh

generate: ## what is generated from Go: constants for scripts, Unicode tables
	$(GO) generate ./internal/wasm/abi ./internal/javascript ./internal/wasm/encode

core: generate ## the WebAssembly modules in static/lib, and the scripts
	scripts/zopfli.sh
	$(GO) run ./internal/wasm/core/pack static
	$(MAKE) scripts

scripts: ## what browsers load, into static/lib and static/site, from the sources beside them
	$(GO) run ./static/internal/bundle/write static

extension: scripts ## the browser extension for Chrome and Firefox, into build/extension
	$(GO) run ./static/extension/write build/extension

kernel: ## the kernel's modules, from C; installs clang if it is missing
	scripts/clang.sh
	$(GO) generate ./internal/wasm/kernel

sides: ## the bundled pack in sides/pack, from the trunk in ../shared and the branch in internal/recipes/sides, in a minute
	$(GO) run ./cmd/vantage model pack ../shared/model/sides/topic --output $(SIDES) \
		--branch internal/recipes/sides/branch.safetensors --branch-from 2 --branch-rounded \
		--id vantage-sides --license Apache-2.0 --language en --tables sides/tables.json

reader: ## the reader of queries in internal/reader/pack, from internal/recipes/reader/model, in seconds
	$(GO) run ./cmd/vantage model pack internal/recipes/reader/model --output internal/reader/pack \
		--reader internal/recipes/reader/model/reader.safetensors --id vantage-reader-en --license Apache-2.0 --language en

size: ## how much each package adds to the browser module
	$(GO) run ./internal/wasm/core/ledger

lint: lint-js ## formatting, vet for every platform, staticcheck
	scripts/lint.sh

lint-js: ## formatting and rules of the scripts
	scripts/lint-js.sh

clean: ## remove what make made
	rm -rf bin build
