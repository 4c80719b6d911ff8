package config

import (
	"maps"
	"path/filepath"
	"slices"

	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/onestep-run/onestep/gate/guard"
)

// row is a setting of one server or of one scanner, in a table of its name.
type row[T any] struct {
	key     string
	at      func(*T) field
	besides bool // a path, which is relative to the file
}

// assignIn gives a key of a name's table its value, or says what is wrong.
func assignIn[T any](all *map[string]T, rows []row[T], what, name, key string, given unstable.Node, from Origin) (wrong string) {
	i := slices.IndexFunc(rows, func(r row[T]) bool { return r.key == key })
	if i < 0 {
		return "no such setting of a " + what + ": " + guard.Line(key, 64)
	}
	of := (*all)[name]
	f, text := rows[i].at(&of), string(given.Data)
	if rows[i].besides {
		text = resolve(filepath.Dir(from.Name), text)
	}
	if given.Kind != f.toml || len(given.Data) == 0 || !f.set(text, from) {
		return key + " takes " + f.takes
	}
	if *all == nil {
		*all = map[string]T{}
	}
	(*all)[name] = of
	return ""
}

// showIn lists what was set under each name.
func showIn[T any](of map[string]T, rows []row[T], what string) (all []Shown) {
	for _, name := range slices.Sorted(maps.Keys(of)) {
		one := of[name]
		for _, r := range rows {
			for _, v := range r.at(&one).show() {
				if v.Origin != (Origin{}) {
					all = append(all, Shown{what + "." + name + "." + r.key, v.V, v.Origin})
				}
			}
		}
	}
	return all
}

// assignTo gives a key of a server's or a scanner's table its value.
func (s *Settings) assignTo(what, name, key string, given unstable.Node, from Origin) (wrong string) {
	if what == scannerTable {
		return assignIn(&s.Scanners, scannerRows, what, name, key, given, from)
	}
	return assignIn(&s.Of, serverRows, what, name, key, given, from)
}
