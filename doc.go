// Package onestep is a single-step safe agent runtime: one question in, at most
// one gated tool call over the Model Context Protocol, one answer out, and a
// trace from which anyone can check how it came about.
//
// This package holds no code, only the tests that guard the rooms. A program
// that wants to ask imports config/setup, or host for parts of its own. The
// rooms by floor; each imports only what is on a lower one:
//
//	11  cmd/ask  cmd/ask-eval  cmd/conformance-client  cmd/corpora  cmd/mutate
//	11  docs/recipes/bot  docs/recipes/service
//	10  cmd/cli  eval/e2e  eval/injection  eval/offline  eval/requests  eval/grounding  eval/planning  eval/pins  eval/scan  eval/report  eval/convert  eval/mutate
//	 9  cmd/cli/show  config/setup  host/account  eval/agents
//	 8  host/replay  host/demo  host/scan  eval  eval/naive
//	 7  host  host/trust  config  host/keys
//	 6  host/session  host/model  host/artifact  host/store  summarize
//	 5  gate  planner/lexical
//	 4  planner
//	 3  gate/catalog  gate/intent  host/launch  host/disk
//	 2  gate/input  gate/plan  gate/pin  trace
//	 1  gate/schema  gate/guard
//	 0  gate/verdict
//
// It vouches for nothing itself: floors_test.go fails on an import that does
// not point down and on a name used outside the room it belongs to.
package onestep
