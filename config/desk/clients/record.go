package clients

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/edit"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/disk"
)

// wrapRecord is the original form of a client's entry that was wrapped. It may contain
// secrets, and is stored in the state directory for its user alone.
type wrapRecord struct {
	SchemaVersion int    `json:"schema_version"`
	Client        string `json:"client"`
	File          string `json:"file"`
	Environment   string `json:"environment"`
	Name          string `json:"name"`
	Shared        bool   `json:"shared"`
	Original      string `json:"original"`
	Wrapped       string `json:"wrapped"`
	As            string `json:"as,omitempty"` // in the servers file, if the name differs
}

// recordLimits bound one record: its entry is part of a file of 4 MiB at most.
var recordLimits = schema.Limits{Bytes: 16 << 20, Depth: 4, Values: 100, Exponent: 9, Digits: 20}

// dir is the directory of the records and the backups.
func (d Desk) dir() (string, error) {
	paths, err := config.FindPaths(d.With.Env)
	return filepath.Join(paths.State, "clients"), err
}

// nameOf is the digest of texts as a file name.
func nameOf(texts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(texts, "\x00")))
	return hex.EncodeToString(sum[:12])
}

// recordFile is the path of a record.
func (d Desk) recordFile(r wrapRecord) string {
	dir, err := d.dir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, nameOf(r.File, r.Environment, r.Name)+".json")
}

// keep writes a record.
func (d Desk) keep(r wrapRecord) error {
	b, err := json.Marshal(r, jsontext.Multiline(true))
	if err == nil {
		err = edit.KeepPrivate(d.recordFile(r), b)
	}
	return err
}

// record is the record of an entry. Without a readable record, another installation has
// wrapped the entry.
func (d Desk) record(file, environment, name string) (wrapRecord, bool) {
	want := wrapRecord{File: file, Environment: environment, Name: name}
	r, err := readRecord(d.recordFile(want))
	isOf := r.File == file && r.Environment == environment && r.Name == name
	return r, err == nil && isOf
}

// named reports whether a person's name selects the record's entry.
func (r wrapRecord) named(said string) bool {
	return said == r.Name || said == r.as() || said == r.Name+"="+r.as()
}

func readRecord(path string) (r wrapRecord, err error) {
	b, err := disk.ReadFile(path, recordLimits.Bytes)
	if err == nil {
		err = schema.Decode(b, &r, recordLimits)
	}
	return r, err
}

// forgetRecords removes the records of restored entries.
func (d Desk) forgetRecords(records []wrapRecord) error {
	var all []error
	for _, r := range records {
		all = append(all, os.Remove(d.recordFile(r)))
	}
	return errors.Join(all...)
}

// backUp copies the text of a file, and returns the copy's path. Equal texts share one copy.
func (d Desk) backUp(path string, text []byte) (string, error) {
	dir, err := d.dir()
	if err != nil {
		return "", err
	}
	to := filepath.Join(dir, "backups", nameOf(path, string(text))+"-"+filepath.Base(path))
	return to, edit.KeepPrivate(to, text)
}

// meant reports whether a person selected the record; from is the file that they named.
func (r wrapRecord) meant(p Placed, from string) bool {
	ofClient := r.Client == p.From && !r.Shared
	switch {
	case !p.All && r.File != from && !ofClient:
		return false
	case p.Environment != "" && r.Environment != p.Environment:
		return false
	}
	return len(p.Servers) == 0 || slices.ContainsFunc(p.Servers, r.named)
}

// recorded are the selected records, sorted by their files.
func (d Desk) recorded(p Placed) (all []wrapRecord, err error) {
	dir, err := d.dir()
	if err != nil {
		return nil, err
	}
	found, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, verdict.Fail(verdict.ConfigUnreadable, err, "%s: %v", dir, err)
	}
	from := p.From
	if path, err := filepath.Abs(from); err == nil {
		if path, err = filepath.EvalSymlinks(path); err == nil {
			from = path
		}
	}
	for _, f := range found {
		if filepath.Ext(f.Name()) != ".json" {
			continue
		}
		r, err := readRecord(filepath.Join(dir, f.Name()))
		if err != nil {
			d.Report("%s is left out: %v", filepath.Join(dir, f.Name()), err)
			continue
		}
		if r.meant(p, from) {
			all = append(all, r)
		}
	}
	for _, name := range p.Servers {
		if !slices.ContainsFunc(all, func(r wrapRecord) bool { return r.named(name) }) {
			return nil, verdict.Fail(verdict.UsageArgument, nil, "%s has no server %s that was wrapped here", escape.Line(p.From, 128), escape.Line(name, 64))
		}
	}
	slices.SortFunc(all, func(a, b wrapRecord) int {
		return cmp.Or(strings.Compare(a.File, b.File), strings.Compare(a.Environment, b.Environment), strings.Compare(a.Name, b.Name))
	})
	return all, nil
}

// pick finds the servers of a client's file that a person named, and the name of each in the
// servers file. Without names it finds all. A person uses the client's name of a server or
// the name here, and NAME=OTHER chooses another name. found records the names that matched.
func pick(said, keys []string, found map[string]bool) (map[string]string, error) {
	names := map[string]string{}
	for _, key := range keys {
		if len(said) == 0 {
			names[key] = config.ServerName(key)
		}
	}
	for _, one := range said {
		key, is := keyOf(one, keys)
		as := config.ServerName(key)
		if at := strings.LastIndexByte(one, '='); !is && at > 0 {
			key, is = keyOf(one[:at], keys)
			as = one[at+1:]
		}
		if is && (!escape.Name(as) || config.ServerName(as) != as) {
			return nil, verdict.Fail(verdict.UsageArgument, nil, "%s: a server's name has A-Z a-z 0-9 _ . - and does not begin with -", escape.Line(one, 200))
		}
		if is {
			names[key], found[one] = as, true
		}
	}
	return names, nil
}

// keyOf is the name of a server in a client's file. For Continue's list the keys are names
// that were made from its own.
func keyOf(said string, keys []string) (key string, is bool) {
	if slices.Contains(keys, said) {
		return said, true
	}
	made := ""
	if said != "" && !strings.Contains(said, "=") {
		made = config.ServerName(said)
	}
	i := slices.IndexFunc(keys, func(k string) bool { return config.ServerName(k) == said || k == made })
	if i < 0 {
		return "", false
	}
	return keys[i], true
}

// Renamed reports the name of a server here, and how to choose another name if it was not
// chosen.
func Renamed(name, as string) string {
	said := "server " + escape.Line(name, 64) + " is called " + as + " here"
	if as == config.ServerName(name) {
		said += "; to choose another name: " + config.ShellWord(escape.Line(name, 64)+"=OTHER")
	}
	return said
}

// clashes is another server that would get the same name, or "".
func clashes(names map[string]string, key string) string {
	for _, other := range slices.Sorted(maps.Keys(names)) {
		if other != key && names[other] == names[key] {
			return other
		}
	}
	return ""
}

// twoOf reports that two servers would get one name.
func twoOf(key, other, as string) string {
	return "it and " + escape.Line(other, 64) + " would both be " + as + " here: choose a name with NAME=OTHER, such as " + config.ShellWord(escape.Line(key, 64)+"="+as+"-2")
}

// names are the selected servers of a client's file, and their names in the servers file. A
// wrapped server keeps its name.
func (d Desk) names(c config.ClientFile, said []string, found map[string]bool) (map[string]string, error) {
	names, err := pick(said, c.Servers.Names(), found)
	for key := range names {
		if record, kept := d.record(c.Path, c.Project, key); kept && names[key] == config.ServerName(key) {
			names[key] = record.as()
		}
	}
	return names, err
}

// as is the server's name in the servers file.
func (r wrapRecord) as() string { return cmp.Or(r.As, r.Name) }

// called is the name of a client's server here, "" if it is the client's.
func called(key, as string) string {
	if key == as {
		return ""
	}
	return as
}
