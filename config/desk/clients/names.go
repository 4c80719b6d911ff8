package clients

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/verdict"
)

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
