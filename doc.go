// Package onestep is a single-step safe agent runtime: one question in, at most
// one gated tool call over the Model Context Protocol, one answer out, and a
// trace from which anyone can check how it came about.
//
// This package holds no code, only the tests that guard the rooms. A program
// that wants to ask imports host. The way down, each room importing only rooms
// below it:
//
//	cmd/ask      the command: wire, run, exit
//	eval         suites and reports, and the baseline without gates
//	host         Ask, the one place where the sequence is written
//	  session, launch, model, demo    the edges: servers, processes, models
//	config       files and environment become checked values; config/setup, a ready host
//	summarize    claims locked to evidence
//	planner      untrusted bytes become a plan; the embedded planner
//	gate         approve at most one call, accept its result; the small gates below it
//	trace        the hash-chained record of a run, and its replay
//
// It vouches for nothing itself: floors_test.go fails on an import that does
// not point down and on a name used outside the room it belongs to.
package onestep
