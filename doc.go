// Package onestep is a single-step safe agent runtime. A question makes at most one
// gated tool call over the Model Context Protocol, and gets one answer. A trace shows
// how the answer came about.
//
// This package holds no code, only the tests that guard the rooms. A program
// that wants to ask imports config/setup, or host for parts of its own. The
// rooms by floor; each imports only what is on a lower one:
//
//	14  cmd/ask  cmd/askd  cmd/ask-eval  cmd/conformance-client  cmd/corpora  cmd/mutate
//	14  docs/recipes/bot  docs/recipes/service
//	13  config/desk/clients  config/desk/policy  config/desk/review  config/org
//	12  config/desk/runs  config/desk/servers
//	11  config/desk  cmd/cli  eval/e2e  eval/injection  eval/offline  eval/requests  eval/grounding  eval/planning  eval/pins  eval/scan  eval/lock  eval/origins  eval/manifest  eval/report  eval/convert  eval/mutate
//	10  config/desk/tools  eval/permissions  cmd/askd/rest  cmd/cli/show  config/setup  host/account  eval/agents
//	 9  config/template  host/org  host/trust  host/audit  host/learn  host/login  host/proxy  host/runs  host/replay  host/scan  eval  eval/naive  eval/watched
//	 8  host  config  host/keys  host/demo
//	 7  config/edit  host/decision  host/talk  host/session  host/model  host/artifact  host/store  host/internal/recorded  host/inbox  summarize
//	 6  gate  planner/lexical
//	 5  planner  gate/rule  gate/origin  host/exchange
//	 4  gate/catalog  gate/intent  host/launch  host/disk  host/valid
//	 3  gate/input  gate/plan  gate/pin  trace  host/confine
//	 2  gate/scan  gate/grant  host/seal
//	 1  gate/schema  gate/secret  gate/escape  gate/approval  gate/speech
//	 0  gate/verdict  gate/lex  host/confine/shim  host/heap  host/reach
//
// It vouches for nothing itself: floors_test.go fails on an import that does
// not point down and on a name used outside the room it belongs to.
package onestep
