package lexical

import (
	"crypto/sha256"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/onestep-run/onestep/gate/catalog"
)

// index is one catalog, analysed once. It does not change.
type index struct {
	tools    []entry
	postings map[string][]posting
	forms    []form
	stem     stemmer // read only
}

// form is a pattern that identifiers of a tool have: policy-[0-9]{3}.
type form struct {
	pattern *regexp.Regexp
	tools   []int32
}

// maxForms bounds how many different patterns a question is held against.
const maxForms = 256

// addForms notes the patterns of tool i's required slots that tell an
// identifier from a word. A pattern that everything fits tells nothing.
func (x *index) addForms(i int32, slots []slot, at map[string]int) {
	for _, s := range slots {
		if !s.required || s.pattern == nil || !telling(s.pattern) {
			continue
		}
		k, ok := at[s.pattern.String()]
		if !ok {
			if k = len(x.forms); k == maxForms {
				continue
			}
			at[s.pattern.String()] = k
			x.forms = append(x.forms, form{pattern: s.pattern})
		}
		if ts := x.forms[k].tools; len(ts) == 0 || ts[len(ts)-1] != i {
			x.forms[k].tools = append(ts, i)
		}
	}
}

// telling reports whether words and plain numbers do not fit the pattern.
func telling(p *regexp.Regexp) bool {
	return !slices.ContainsFunc([]string{"a", "word", "Word", "two words", "7", "2026", "a-b", "word1"}, p.MatchString)
}

// entry is what is kept of one tool.
type entry struct {
	tool  catalog.Tool
	name  []string // stems of the name's words
	verbs []string // those of them that change the world
	words map[string]field
	slots []slot
}

// field says where a stem occurs, a bit each.
type field uint8

const (
	inName field = 1 << iota
	inTitle
	inDescription
	inParameter
	inHint
	inEnum
)

// posting is one tool that a stem occurs in, and how much it weighs there: in
// the name, which the operator has read in the allowlist, and in all the rest.
type posting struct {
	tool       int32
	name, rest float32
}

// The weights of the fields other than the name. A parameter's description is
// long and says little of what the tool is for.
var fieldWeights = []struct {
	field  field
	weight float64
}{{inTitle, 2}, {inDescription, 1.2}, {inParameter, 1}, {inHint, 0.4}, {inEnum, 0.6}}

// nameWeight is that of the name.
const nameWeight = 3

// BM25's constants, as Robertson and Zaragoza give them (The Probabilistic
// Relevance Framework, 2009). A word counts once per field, however often it
// stands there: repeating it gains a server nothing.
const (
	bm25K1 = 1.2
	bm25B  = 0.75
)

func (m stemmer) entry(t catalog.Tool) entry {
	f := t.Fields()
	e := entry{tool: t, words: map[string]field{}, slots: m.slots(t.Input().Raw())}
	for _, w := range splitName(f.Name) {
		st := m.stem(w)
		e.name = append(e.name, st)
		e.words[st] |= inName
	}
	e.verbs = m.verbs(f.Name)
	m.add(e.words, f.Title, inTitle, 16)
	m.add(e.words, f.Description, inDescription, maxDesc)
	for _, s := range e.slots {
		for _, w := range s.name {
			e.words[w] |= inParameter
		}
		for _, w := range s.cues {
			e.words[w] |= inHint
		}
		for _, c := range slices.Concat(s.enum, s.examples[:s.told]) {
			for _, w := range c.stems {
				e.words[w] |= inEnum
			}
		}
	}
	return e
}

// verbs are the stems of the verbs in a tool's name that change the world: a
// destructive one anywhere, another where the name or a dotted part begins.
func (m stemmer) verbs(name string) []string {
	var list []string
	for _, part := range strings.Split(name, ".") {
		for i, w := range splitName(part) {
			if destroyingWords()[w] || i == 0 && changingWords()[w] {
				list = append(list, m.stem(w))
			}
		}
	}
	return list
}

// add notes the first words of s that mean something.
func (m stemmer) add(words map[string]field, s string, f field, bound int) {
	seen := 0
	for _, tok := range m.read(s[:min(len(s), 64*bound)]).toks {
		for _, st := range tok.stems {
			if tok.stop || words[st]&f != 0 {
				continue
			}
			if seen++; seen > bound {
				return
			}
			words[st] |= f
		}
	}
}

func build(tools []catalog.Tool) *index {
	x := &index{postings: map[string][]posting{}, stem: stemmer{}}
	names, words := 0, 0
	for _, t := range tools {
		e := x.stem.entry(t)
		names += len(e.name)
		words += len(e.words)
		x.tools = append(x.tools, e)
	}
	at := map[string]int{}
	n := float64(max(1, len(x.tools)))
	for i, e := range x.tools {
		x.addForms(int32(i), e.slots, at)
		nameNorm, norm := lengthNorm(len(e.name), float64(names)/n), lengthNorm(len(e.words), float64(words)/n)
		for st, f := range e.words {
			name, rest := 0.0, 0.0
			if f&inName != 0 {
				name = nameWeight
			}
			for _, w := range fieldWeights {
				if f&w.field != 0 {
					rest += w.weight
				}
			}
			x.postings[st] = append(x.postings[st], posting{int32(i), saturate(name / nameNorm), saturate(rest / norm)})
		}
	}
	return x
}

func lengthNorm(length int, mean float64) float64 {
	return 1 - bm25B + bm25B*float64(length)/math.Max(mean, 1)
}

func saturate(tf float64) float32 { return float32(tf * (bm25K1 + 1) / (tf + bm25K1)) }

// idf is how much it says that a tool holds a stem. Eight imagined tools
// stand beside the real ones and hold the weak words only, so that a catalog
// of one tool knows "get" from "glacier" too.
func (x *index) idf(st string) float64 {
	const imagined, holding = 8, 7
	n, df := float64(len(x.tools)+imagined), float64(len(x.postings[st]))
	if weakStems()[st] {
		df += holding
	}
	return math.Log(1 + (n-df+0.5)/(df+0.5))
}

// indexes keeps the analysis of the catalogs seen last.
type indexes struct {
	mu   sync.Mutex
	kept map[[sha256.Size]byte]*index
}

// keepIndexes bounds memory: a process serves one catalog, or a few in turn.
const keepIndexes = 4

// of is the index of the tools, keyed by the digests of its tools: a descriptor that
// changed by one byte is analysed anew.
func (k *indexes) of(tools []catalog.Tool) *index {
	h := sha256.New()
	for _, t := range tools {
		d := t.Digest()
		h.Write(d[:])
	}
	key := [sha256.Size]byte(h.Sum(nil))
	k.mu.Lock()
	defer k.mu.Unlock()
	if x, ok := k.kept[key]; ok {
		return x
	}
	x := build(tools)
	if k.kept == nil || len(k.kept) >= keepIndexes {
		k.kept = map[[sha256.Size]byte]*index{}
	}
	k.kept[key] = x
	return x
}
