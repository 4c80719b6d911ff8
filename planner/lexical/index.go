package lexical

import (
	"crypto/sha256"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/speech"
)

// index is one catalog, analysed once. It does not change.
type index struct {
	tools    []entry
	postings map[string][]posting
}

// entry is the analysis of one tool.
type entry struct {
	tool       catalog.Tool
	name       []string          // stems of the name's words
	nouns      []string          // the stems among them that are not common verbs
	named      map[string]string // the words of the name by their stems
	words      map[string]field  // all stems of the tool's texts, and their places
	slots      []slot
	deprecated bool // its description calls it deprecated
	alters     bool // its name has a verb of change
	changes    bool // alters, or the operator has not called it reading
}

// field is the place of a stem, one bit for each.
type field uint8

const (
	inName field = 1 << iota
	inTitle
	inDescription
	inParameter
	inHint
	inEnum
)

// posting is one tool that has a stem, and the weight of the stem there.
type posting struct {
	tool   int32
	weight float32
}

// fieldWeights are the weights of the places. A parameter's description is long and says
// little about the tool's purpose.
var fieldWeights = []struct {
	field  field
	weight float64
}{{inName, 3}, {inTitle, 2}, {inDescription, 1.2}, {inParameter, 1}, {inHint, 0.4}, {inEnum, 0.6}}

// BM25's constants, as Robertson and Zaragoza give them (The Probabilistic Relevance
// Framework, 2009). A word counts once per field, however often it occurs: a server gains
// nothing by repeating it.
const (
	bm25K1 = 1.2
	bm25B  = 0.75
)

func (m stemmer) entry(t catalog.Tool) entry {
	f := t.Fields()
	e := entry{tool: t, words: map[string]field{}, named: map[string]string{}, name: m.stems(speech.NameParts(f.Name))}
	for _, w := range speech.NameParts(f.Name) {
		e.named[m.stem(w)] = w
	}
	for _, st := range e.name {
		e.words[st] |= inName
	}
	e.deprecated = strings.Contains(fold(f.Description), "deprecated")
	e.alters = Changes(f.Name)
	e.changes = e.alters || !t.Effect().Reads
	m.add(e.words, f.Title, inTitle, 16)
	m.add(e.words, t.Server(), inTitle, 8)
	m.add(e.words, f.Description, inDescription, maxDesc)
	e.nouns = m.nouns(f.Name)
	e.slots = m.slots(t.Input(), e.nouns)
	for _, s := range e.slots {
		for _, w := range m.stems(speech.NameParts(s.label)) {
			e.words[w] |= inParameter
		}
		for _, w := range slices.Concat(s.cues, s.short) {
			e.words[w] |= inHint
		}
		for _, c := range s.enum {
			for _, w := range c.stems {
				e.words[w] |= inEnum
			}
		}
	}
	return e
}

// Changes reports whether a tool's name means a change. It has a destroying verb anywhere
// in it, or begins or ends with a changing one.
func Changes(name string) bool {
	words := speech.NameParts(name)
	if slices.ContainsFunc(words, func(w string) bool { return destroying()[w] }) {
		return true
	}
	return len(words) > 0 && (changing()[words[0]] || changing()[words[len(words)-1]])
}

// nouns are the stems of a tool's name that are not common verbs.
func (m stemmer) nouns(name string) []string {
	words := slices.DeleteFunc(speech.NameParts(name), func(w string) bool { return changing()[w] || destroying()[w] || glue()[w] })
	return slices.DeleteFunc(m.stems(words), func(st string) bool { return weak()[st] })
}

// add notes the first meaningful words of s.
func (m stemmer) add(words map[string]field, s string, f field, bound int) {
	for _, w := range m.read(s[:min(len(s), 64*bound)]).words {
		for _, st := range append(w.parts, w.stem) {
			if bound == 0 {
				return
			}
			if !glue()[w.low] && st != "" && words[st]&f == 0 {
				words[st] |= f
				bound--
			}
		}
	}
}

func build(tools []catalog.Tool) *index {
	x := &index{tools: entries(tools), postings: map[string][]posting{}}
	words := 0
	for i := range x.tools {
		words += len(x.tools[i].words)
	}
	x.common()
	mean := math.Max(1, float64(words)/math.Max(1, float64(len(tools))))
	for i, e := range x.tools {
		norm := 1 - bm25B + bm25B*float64(len(e.words))/mean
		for st, f := range e.words {
			tf := 0.0
			for _, w := range fieldWeights {
				if f&w.field != 0 {
					tf += w.weight
				}
			}
			tf /= norm
			x.postings[st] = append(x.postings[st], posting{int32(i), float32(tf * (bm25K1 + 1) / (tf + bm25K1))})
		}
	}
	return x
}

// few is a number of tools that one processor analyses sooner than several.
const few = 16

// entries are the analyses of tools, made on all processors.
func entries(tools []catalog.Tool) []entry {
	all := make([]entry, len(tools))
	var next atomic.Int64
	read := func() {
		m := stemmer{}
		for i := next.Add(1) - 1; i < int64(len(tools)); i = next.Add(1) - 1 {
			all[i] = m.entry(tools[i])
		}
	}
	var others sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(tools)/few) - 1 {
		others.Go(read)
	}
	read()
	others.Wait()
	return all
}

// common removes the common first word from the names of a server's tools. In firecrawl_map
// and firecrawl_search it means nothing for either.
func (x *index) common() {
	tools, having := map[string]int{}, map[[2]string]int{}
	first := func(e *entry) [2]string { return [2]string{e.tool.Server(), e.name[0]} }
	for i := range x.tools {
		e := &x.tools[i]
		tools[e.tool.Server()]++
		having[first(e)]++
	}
	for i := range x.tools {
		if e := &x.tools[i]; len(e.name) > 1 && tools[e.tool.Server()] > 2 && having[first(e)] == tools[e.tool.Server()] {
			e.name = e.name[1:]
		}
	}
}

// idf is how much a stem distinguishes tools. Eight imagined tools have no such words, so
// that a catalog of one tool has weights too.
func (x *index) idf(st string) float64 {
	n, df := float64(len(x.tools)+8), float64(len(x.postings[st]))
	return math.Log(1 + (n-df+0.5)/(df+0.5))
}

// scores is the BM25 score of every tool for some stems.
func (x *index) scores(stems []string) []float64 {
	scores := make([]float64, len(x.tools))
	for _, st := range stems {
		idf := x.idf(st)
		for _, p := range x.postings[st] {
			scores[p.tool] += idf * float64(p.weight)
		}
	}
	return scores
}

// topics are the different stems of a text's meaningful words.
func (t text) topics() []string {
	var list []string
	seen := map[string]bool{}
	for i := range t.words {
		w := &t.words[i]
		for _, st := range append(w.parts, w.stem) {
			if !seen[st] && (!glue()[w.low] || requestVerbs()[w.low]) {
				seen[st] = true
				list = append(list, st)
			}
		}
	}
	return list
}

// requestVerbs are grammar, but they also choose between tools.
var requestVerbs = set("get show find list fetch read look describe search count open view")

// indexes keeps the analysis of the last catalogs.
type indexes struct {
	mu   sync.Mutex
	kept map[[sha256.Size]byte]*index
}

// keepIndexes bounds memory: a process serves one catalog, or a few in turn.
const keepIndexes = 4

// of is the index of the tools, by their digests and effects. A descriptor that changed by
// one byte is analysed again.
func (k *indexes) of(tools []catalog.Tool) *index {
	h := sha256.New()
	for _, t := range tools {
		d := t.Digest()
		h.Write(d[:])
		h.Write([]byte(t.Server() + "\x00" + t.Effect().String() + "\x00"))
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
