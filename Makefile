# Two commands matter: `make demo` shows the main job, `make test` passes the
# tests. Both fetch what is missing.

GO_FLAGS ?=
BIN := bin/tabrelay
export CGO_ENABLED ?= 0

.PHONY: build demo test check attack fuzz bench soak world chromium node_modules clean

# The version is that of the commit, so that what is built later replaces the daemon
# of what was built before; without the repository, the time of the file decides.
VCS := $(shell git status >/dev/null 2>&1 && echo true || echo false)

build:
	go build $(GO_FLAGS) -trimpath -buildvcs=$(VCS) -o $(BIN) ./cmd/tabrelay

# What is published of the commit that is checked out, in dist. RELEASE_URL is where
# the archives will be found. release-twice builds it again with nothing compiled
# before, and compares; image needs Docker, chroot needs root.
.PHONY: release release-twice image chroot
RELEASE ?=
release:
	go run ./packaging -out dist $(RELEASE)

release-twice:
	go run ./packaging -out dist -twice $(RELEASE)

image: release
	docker build -t tabrelay -f packaging/Dockerfile dist

chroot: release
	.ci/chroot dist/tabrelay_*_$$(dpkg --print-architecture).deb

# A browser that root starts has no sandbox; the demo only visits its own pages.
demo: chromium build
	TABRELAY_NO_SANDBOX=$$( [ "$$(id -u)" = 0 ] && echo true || echo false ) $(BIN) demo

test: chromium screen cc check clients libraries
	@[ -n "$$TABRELAY_CASES" ] || echo "TABRELAY_CASES is not set: TestToonCases and TestOracleCases are skipped"
	CGO_ENABLED=1 go test -race -vet=off -timeout 45m ./e2e ./... # e2e first: it takes longest; check has vetted

check: node_modules
	@unformatted=$$(gofmt -l $$(git ls-files '*.go')); [ -z "$$unformatted" ] || { echo "gofmt -w $$unformatted"; exit 1; }
	go vet ./...
	GOOS=windows go vet ./...
	go tool staticcheck ./...
	go tool unparam ./...
	@dead=$$(go tool deadcode ./...) || exit 1; dead=$$(echo "$$dead" | grep -Ev '^(adapter/lines|e2e/fuzz|e2e/freeport)/'); [ -z "$$dead" ] || { echo "$$dead"; exit 1; }
	npx --no-install tsc -p .
	go test ./extension/bundle

# Tries every attack; make test leaves out most of the slow ones.
attack: chromium
	go test -run '^TestAttack$$' -v -count 1 -timeout 30m ./e2e -attack
	go test -run '^TestAttackSites$$' -v -count 1 ./extension -attack

# Fuzzes each parser of what comes from outside; about an hour in all.
FUZZ ?= 3m
fuzz: chromium
	.ci/fuzz $(FUZZ)

bench: chromium build
	go test -run '^$$' -bench Table -benchtime 1x -timeout 30m ./e2e
	go test -run '^$$' -bench 'Clients|Proof|Policy' ./relay
	go test -run '^$$' -bench Gate -benchtime 3x ./extension

# The same work by others; writes docs/benchmarks.md and charts beside it.
.PHONY: bench-peers
bench-peers: chromium build
	go run ./e2e/peers -tabrelay $(BIN) -document docs/benchmarks.md

# The demo as the README shows it: docs/demo.cast and docs/demo.svg.
.PHONY: recording
recording: chromium build
	go run ./e2e/recording -tabrelay $(BIN) -out docs/demo

# Kills whatever may die while agents work. SEED repeats a run that printed it.
SOAK ?= 30m
SEED ?= 0
soak: chromium
	go test -run '^TestSoak$$' -v -count 1 -timeout 0 ./e2e -soak $(SOAK) -seed $(SEED)

# Does at random what a person, agents and pages may do. SEED=0 is something new.
.PHONY: walks
WALKS ?= 200
walks: chromium
	go test -run '^TestB92Walks' -v -count 1 -timeout 60m ./extension -walks $(WALKS) -seed $(SEED)

# Does tasks in programs made of many libraries, and prints how each went.
TASKS ?=
world: chromium libraries
	go test -run '^TestWorld$$' -v -count 1 -timeout 30m ./e2e -world -tasks '$(TASKS)' | grep -v '^    world_worker_test'

# Judges what the tools of pages of many makes are called; PAGES picks some of them.
.PHONY: judge
PAGES ?= all
judge: chromium e2e/judge/node_modules/.package-lock.json
	go test -run '^TestJudge$$' -v -count 1 -timeout 10m ./e2e -judge '$(PAGES)'
e2e/judge/node_modules/.package-lock.json: e2e/judge/package-lock.json
	npm ci --prefix e2e/judge --ignore-scripts --no-fund --no-audit

# Measures what 20 held tabs cost in which nobody works.
.PHONY: idle
idle: chromium
	go test -run '^TestIdleTabs$$' -v -count 1 ./e2e -idle

# Kills nodes of NATS, links and hosts while agents work in each other's browsers.
.PHONY: fleet-soak fleet-bench
KILLS ?= 300
fleet-soak:
	go test -run '^TestB101NothingIsLost' -v -count 1 -timeout 0 ./cmd/internal/fleet -kills $(KILLS)

fleet-bench: chromium
	go test -run '^$$' -bench . ./cmd/internal/fleet
	go test -run '^$$' -bench Fleet -benchtime 1x ./e2e

node_modules: node_modules/.package-lock.json
node_modules/.package-lock.json: package-lock.json
	npm ci --no-fund --no-audit

# CDP clients as their registries have them, which the tests try unchanged.
.PHONY: clients
clients: e2e/clients/node_modules/.package-lock.json
e2e/clients/node_modules/.package-lock.json: e2e/clients/package-lock.json
	PUPPETEER_SKIP_DOWNLOAD=1 PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 npm ci --prefix e2e/clients --no-fund --no-audit

# Kills CDP clients while others work in the same browser.
.PHONY: clients-soak
clients-soak: chromium clients
	go test -run '^TestClientsSoak$$' -v -count 1 -timeout 0 ./e2e -clients-soak 5m -seed $(SEED)

# chromedp's own tests against an address of tabrelay cdp.
.PHONY: chromedp
chromedp: chromium build
	.ci/chromedp $(CURDIR)/$(BIN)

chromium:
	@.ci/need chromium chromium google-chrome-stable google-chrome chrome

# A display that nobody looks at, and keys and a mouse for it.
.PHONY: screen
screen:
	@.ci/need xvfb Xvfb
	@.ci/need xdotool xdotool

# Libraries from the registry, of which the programs of e2e/world are made.
.PHONY: libraries
libraries: e2e/world/node_modules/.package-lock.json
e2e/world/node_modules/.package-lock.json: e2e/world/package-lock.json
	npm ci --prefix e2e/world --ignore-scripts --no-fund --no-audit

.PHONY: cc
cc:
	@.ci/need gcc cc gcc clang

clean:
	rm -rf bin dist node_modules e2e/clients/node_modules e2e/world/node_modules
