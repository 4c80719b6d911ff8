package schema

import (
	"strings"
	"testing"
)

// round returns a chain of nodes, each under a keyword of the one before it. The last
// refers to the first. No validator gets it: on an endless cycle, one validator does
// not end either.
func round(held ...string) *Node {
	first := &Node{}
	last := first
	for _, keyword := range held {
		next := &Node{draft: draft{above: last, keyword: keyword}}
		last.order = append(last.order, next)
		last = next
	}
	last.to = first
	return first
}

func TestACycleEndsWithTheValueOrIsRefused(t *testing.T) {
	t.Parallel()
	for held, ends := range map[string]bool{
		"": false, "allOf": false, "anyOf": false, "oneOf": false, "not": false, "if": false, "then": false, "else": false,
		"allOf anyOf not": false, "if then": false,
		"patternProperties": false, "contains": false, "propertyNames": false, "not contains": false,
		"properties": true, "items": true, "prefixItems": true, "additionalProperties": true,
		"anyOf items": true, "properties allOf": true, "not properties": true, "contains items": true, "patternProperties properties": true,
		"$defs": true, "definitions": true, // no value meets one by that
	} {
		for _, finite := range []bool{false, true} {
			a := &admission{opt: Options{Finite: finite}}
			want := ends && !finite || strings.HasSuffix(held, "efs") || held == "definitions"
			if err := a.endless(round(strings.Fields(held)...)); (err == nil) != want {
				t.Errorf("%q, finite %v: %v", held, finite, err)
			}
		}
	}
}

// A node that refers back from a second way is found, whichever is searched first.
func TestEveryWayRoundIsSearched(t *testing.T) {
	t.Parallel()
	for _, order := range [][2]string{{"items", "allOf"}, {"allOf", "items"}} {
		root, def := &Node{}, &Node{}
		for _, keyword := range order {
			sub := &Node{draft: draft{above: def, keyword: keyword}, to: def}
			def.order = append(def.order, sub)
		}
		def.draft = draft{above: root, keyword: "$defs"}
		use := &Node{draft: draft{above: root, keyword: "properties"}, to: def}
		root.order = []*Node{def, use}
		if (&admission{}).endless(root) == nil {
			t.Errorf("%v: admitted", order)
		}
	}
}
