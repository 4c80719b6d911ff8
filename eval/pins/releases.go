package pins

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

// Step is the change from one release of a server to the next.
type Step struct {
	ID       string // server, and both versions
	Server   string
	Was, Now pin.Snapshot
}

// The rows of a step: one for the step, and one for each changed tool.
const (
	ofStep = "step"
	ofTool = "tool"
)

// The facts of a step are counts; the facts of a tool are 0 or 1.
const (
	edits     = "edits"               // differences of all tools
	decisions = "decisions"           // differences with a meaning, equal ones counted once
	left      = "decisions_accepting" // decisions that no setting can make ahead of time
	witnessed = "witnessed"           // of enforceable tools with other accepted arguments: a value shows it
)

var releaseMeasures = []eval.Measure{
	{Name: edits, Title: "edits", Better: eval.Neither},
	{Name: decisions, Title: "decisions", Better: eval.Lower},
	{Name: left, Title: "decisions left", Better: eval.Lower},
	{Name: witnessed, Title: "witness found", Better: eval.Higher},
}

// classFact returns the name of the fact that counts a class among a step's decisions.
func classFact(c pin.Class) string { return strings.ReplaceAll(c.String(), "-", "_") }

// Releases compares each release with the one before it. The tools of that one count
// as approved; all earlier releases are history.
func Releases(steps []Step) eval.Suite {
	s := eval.Suite{Name: "pins_releases", Subject: "releases of real servers", Digest: eval.Digest(steps), Measures: slices.Clone(releaseMeasures)}
	for c := pin.Finding; c <= pin.Informational; c++ {
		s.Measures = append(s.Measures, eval.Measure{Name: classFact(c), Title: c.String(), Better: eval.Neither})
	}
	for _, step := range steps {
		s.IDs = append(s.IDs, step.ID)
	}
	s.Observe = func(_ context.Context, i int) ([]eval.Row, error) { return steps[i].rows() }
	return s
}

func (s Step) rows() ([]eval.Row, error) {
	accept, err := pin.ParseAccept([]string{pin.Safer.String(), pin.Cosmetic.String()})
	if err != nil {
		return nil, err
	}
	all := pin.Changes(s.Was.Tools, nil, s.Now, nil)
	list := distinct(all)
	step := eval.Row{ID: s.ID, Agent: ofStep, Group: s.Server, Passed: true, Facts: classFacts()}
	for _, d := range list {
		step.Facts[classFact(d.Class)]++
	}
	step.Facts[decisions] = len(list)
	step.Facts[left] = len(slices.DeleteFunc(list, func(d pin.Difference) bool { return accept.Takes([]pin.Difference{d}) }))
	step.Facts[edits] = 0
	rows := []eval.Row{}
	for _, c := range all {
		step.Facts[edits] += len(c.Differences)
		rows = append(rows, s.row(c))
	}
	step.Observed = fmt.Sprintf("%d changes, %d edits, %d decisions", len(all), step.Facts[edits], step.Facts[decisions])
	return append([]eval.Row{step}, rows...), nil
}

// distinct returns the edits that a person decides on. Each counts once, however many
// tools have it. An edit that does not change the meaning is not a decision.
func distinct(all []pin.Change) []pin.Difference {
	type edit struct {
		class          pin.Class
		path, was, now string
	}
	var list []pin.Difference
	known := map[edit]bool{}
	for _, c := range all {
		for _, d := range c.Differences {
			key := edit{d.Class, d.Path, string(d.Was), string(d.Now)}
			if d.Class != pin.Informational && !known[key] {
				known[key] = true
				list = append(list, d)
			}
		}
	}
	return list
}

// classFacts returns the counts of all classes, at zero.
func classFacts() map[string]int {
	facts := map[string]int{}
	for c := pin.Finding; c <= pin.Informational; c++ {
		facts[classFact(c)] = 0
	}
	return facts
}

// row is the row of one changed tool.
func (s Step) row(c pin.Change) eval.Row {
	row := eval.Row{
		ID: s.ID + "/" + c.Tool, Agent: ofTool, Group: s.Server, Observed: c.Kind + " " + c.Class().String(), Passed: true, Facts: classFacts(),
	}
	row.Facts[classFact(c.Class())] = 1
	var list []string
	structural, found := false, false
	for _, d := range c.Differences {
		list = append(list, fmt.Sprintf("%s %s: %s", d.Class, d.Path, d.Why))
		found = found || d.Wider != nil || d.Narrower != nil
		structural = structural || shapes(d)
	}
	row.Detail = strings.Join(list, "; ")
	if c.Kind != pin.Changed || !structural {
		return row
	}
	if enforced(c.Was) && enforced(c.Now) {
		row.Facts[witnessed] = eval.Fact(found)
	}
	return row
}

func enforced(d pin.Descriptor) bool {
	f, err := d.Fields()
	if err != nil {
		return false
	}
	_, err = schema.Admit(f.InputSchema, schema.Options{Role: schema.Input})
	return err == nil
}

// shapes reports whether a difference affects which arguments are accepted.
func shapes(d pin.Difference) bool {
	if !strings.HasPrefix(d.Path, "/inputSchema/") {
		return false
	}
	last := d.Path[strings.LastIndex(d.Path, "/")+1:]
	return last != "$schema" && !schema.Annotates(last)
}

// ReadReleases reads a folder of files SERVER@VERSION.json, each the answers of that
// version: {"initialize":{…},"tools":[…]}.
func ReadReleases(dir string) ([]Step, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*@*.json"))
	if err != nil || len(files) < 2 {
		return nil, verdict.Fail(verdict.EvalCases, err, "the folder %s holds no files SERVER@VERSION.json of two releases", dir)
	}
	slices.SortFunc(files, byRelease)
	var steps []Step
	var last pin.Snapshot
	server := ""
	for _, file := range files {
		name, version := release(file)
		now, err := readSnapshot(file, name)
		if err != nil {
			return nil, verdict.Fail(verdict.EvalCases, err, "%s: %v", file, err)
		}
		if name == server {
			steps[len(steps)-1].Now = now
			steps[len(steps)-1].ID += " to " + version
		}
		server, last = name, now
		steps = append(steps, Step{ID: name + " " + version, Server: name, Was: last})
	}
	return slices.DeleteFunc(steps, func(s Step) bool { return s.Now.Tools == nil }), nil
}

// release returns the parts of a file's name.
func release(file string) (server, version string) {
	name := strings.TrimSuffix(filepath.Base(file), ".json")
	i := strings.LastIndex(name, "@")
	return name[:i], name[i+1:]
}

func byRelease(a, b string) int {
	server, version := release(a)
	other, later := release(b)
	return cmp.Or(strings.Compare(server, other), slices.Compare(numbers(version), numbers(later)))
}

func numbers(version string) []int {
	var all []int
	for part := range strings.SplitSeq(version, ".") {
		n, _ := strconv.Atoi(part) // anything but a number comes first
		all = append(all, n)
	}
	return all
}

// fileLimits bound one listing.
var fileLimits = schema.Limits{Bytes: 8 << 20, Depth: 64, Values: 500_000, Exponent: 308, Digits: 64}

func readSnapshot(file, server string) (pin.Snapshot, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return pin.Snapshot{}, err
	}
	var f struct {
		Initialize struct {
			Protocol     string         `json:"protocolVersion"`
			Info         jsontext.Value `json:"serverInfo"`
			Instructions string         `json:"instructions"`
		} `json:"initialize"`
		Tools []jsontext.Value `json:"tools"`
	}
	if err := schema.DecodeOpen(text, &f, fileLimits); err != nil {
		return pin.Snapshot{}, err
	}
	s := pin.Snapshot{Protocol: f.Initialize.Protocol, Info: f.Initialize.Info, Instructions: f.Initialize.Instructions}
	for _, raw := range f.Tools {
		s.Tools = append(s.Tools, pin.Descriptor{Server: server, Raw: raw, Instructions: s.Instructions})
	}
	return s, nil
}
