package lexical

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/onestep-run/onestep/gate/lex"
	"github.com/onestep-run/onestep/gate/speech"
)

//go:embed lexicon.txt
var lexiconText string

// lexicon is the words of lexicon.txt, by the name of their list.
var lexicon = sync.OnceValue(func() map[string]string { return lex.Table(lexiconText) })

// wordSet is a list of words, made into a set at its first use. All tables and patterns of
// this package are: a run that plans nothing pays for no table.
type wordSet func() map[string]bool

var set = lex.Words

// listed is a list of the lexicon.
//
//go:noinline
func listed(name string) wordSet {
	return sync.OnceValue(func() map[string]bool { return set(lexicon()[name])() })
}

//go:noinline
func stems(list string) wordSet {
	return sync.OnceValue(func() map[string]bool {
		m := map[string]bool{}
		for w := range strings.FieldsSeq(list) {
			m[stemmer(nil).stem(w)] = true
		}
		return m
	})
}

//go:noinline
func stemsOf(name string) wordSet {
	return sync.OnceValue(func() map[string]bool { return stems(lexicon()[name])() })
}

var pattern = lex.Pattern

// The lists of the lexicon, which explains each.
var (
	glue             = listed("glue")
	plainGlue        = listed("plain glue")
	strictObjections = listed("strict objection")
	changing         = listed("changing")
	destroying       = listed("destroying")
	orders           = listed("order")
	asking           = listed("asking")
	counted          = listed("counted")
	weak             = stemsOf("weak")
	generic          = stemsOf("generic")
	freeText         = stemsOf("free text")
)

// objections are the kinds of objections, by the words that make them.
var objections = sync.OnceValue(func() map[string]string {
	m := map[string]string{}
	for name, list := range lexicon() {
		if kind, is := strings.CutPrefix(name, "objection "); is {
			for w := range strings.FieldsSeq(list) {
				m[w] = kind
			}
		}
	}
	return m
})

// making are verbs that make something new of "a" thing: open a ticket, and not open the
// ticket.
var making = set(`open make start file raise log draft`)

// groups maps the stems of synonyms to one of them.
var groups = sync.OnceValue(func() map[string]string {
	m := map[string]string{}
	for line := range strings.SplitSeq(lexicon()["synonyms"], "|") {
		words := strings.Fields(line)
		for _, w := range words {
			m[speech.Stem(w)] = speech.Stem(words[0])
		}
	}
	return m
})

// about are words that precede the topic of a question.
var about = set(`about for on regarding concerning mentioning mention mentions containing contain contains matching cover covers covering discuss discusses`)

// roles maps a preposition to the stems of parameters that take the value after it.
var roles = sync.OnceValue(func() map[string]map[string]bool {
	m := map[string]map[string]bool{}
	for name, list := range lexicon() {
		if words, is := strings.CutPrefix(name, "role "); is {
			taken := stems(list)()
			for w := range strings.FieldsSeq(words) {
				m[w] = taken
			}
		}
	}
	return m
})
