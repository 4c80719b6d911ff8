package config

import (
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"

	"github.com/onestep-run/onestep/config/edit"
	"github.com/onestep-run/onestep/host/confine"
	"github.com/onestep-run/onestep/host/disk"
)

// origins are the sources of settings, so that they can be read again.
type origins struct {
	paths  Paths
	env    Environ
	flags  Flags
	files  []*disk.Stamp
	loaded Settings
	own    map[string]bool // fields that the program itself has set
}

// Again reads the files of the settings again, with the flags and the environment of the
// start. It keeps a setting that the program itself has changed since. It returns settings
// that [Load] did not make unchanged.
func (s Settings) Again() (Settings, error) {
	if s.from == nil {
		return s, nil
	}
	from := *s.from
	from.files = Stamps(from.paths.System, UserFile(from.paths, from.flags))
	now, err := settings(from.paths, from.env, from.flags)
	if err != nil {
		return Settings{}, err
	}
	from.own = s.changed()
	from.loaded = now
	set, is := reflect.ValueOf(&now).Elem(), reflect.ValueOf(s)
	for name := range from.own {
		set.FieldByName(name).Set(is.FieldByName(name))
	}
	now.from = &from
	return now, nil
}

// changed are the fields that the program has changed since [Load]. A value that the program
// has set stays, even if a file has the same value for a while.
func (s Settings) changed() map[string]bool {
	own := map[string]bool{}
	maps.Copy(own, s.from.own)
	loaded, is := reflect.ValueOf(s.from.loaded), reflect.ValueOf(s)
	for i, f := range reflect.VisibleFields(is.Type()) {
		if f.IsExported() && !reflect.DeepEqual(loaded.Field(i).Interface(), is.Field(i).Interface()) {
			own[f.Name] = true
		}
	}
	return own
}

// Equal reports whether two settings have the same values, whatever files they are from.
func (s Settings) Equal(other Settings) bool {
	s.from, other.from = nil, nil
	return reflect.DeepEqual(s, other)
}

// Files are the configuration files of the settings, as they were before they were read.
// Settings that [Load] did not make have no files.
func (s Settings) Files() []*disk.Stamp {
	if s.from == nil {
		return nil
	}
	return s.from.files
}

// Stamps are the stamps of files. Each file is read within the bound of every configuration
// file. An empty path is skipped.
func Stamps(paths ...string) (all []*disk.Stamp) {
	for _, path := range paths {
		if abs, err := filepath.Abs(path); err == nil && path != "" {
			all = append(all, disk.NewStamp(abs, edit.MaxFile))
		}
	}
	return all
}

// Unchanged reports whether a file is the same as when it was stamped.
func Unchanged(file *disk.Stamp) bool { return file.Same(edit.MaxFile) }

// Manifests are the files from which the named servers' manifests are read. Variables
// and inputs of their paths are expanded as [Servers.Resolve] does; a path that cannot
// be expanded is left out, because its server cannot be used.
func (s Servers) Manifests(env Environ, ask Asker, names []string) (paths []string) {
	w := &world{env: env, fixed: editors(s.path, env), inputs: s.inputs, ask: ask, said: map[string]string{}}
	for _, name := range names {
		e := s.entries[name]
		if e == nil || e.wrong != "" || e.Manifest.Kind() != '"' {
			continue
		}
		x := &expander{world: w, values: map[string]string{}}
		if path, err := manifestPath(e.Manifest, s.field+"."+name+".manifest", filepath.Dir(s.path), x); err == nil {
			paths = append(paths, path)
		}
	}
	return paths
}

// Fixed is an environment that reads each variable once, at its first use.
func (e Environ) Fixed() Environ {
	type value struct {
		text  string
		there bool
	}
	var mu sync.Mutex
	seen := map[string]value{}
	return func(name string) (string, bool) {
		mu.Lock()
		defer mu.Unlock()
		v, looked := seen[name]
		if !looked && e != nil {
			v.text, v.there = e(name)
			seen[name] = v
		}
		return v.text, v.there
	}
}

// Own names the files of this installation, which no confined server may reach. They are the
// directories of the configuration, the state and the cache, and the files that the settings
// name elsewhere. The running program, and the path of a missing system configuration, may be
// read and not written.
func (s Settings) Own(env Environ) (o confine.Own) {
	if p, err := FindPaths(env); err == nil { // without a home there are no directories
		o.Dirs = []string{p.Config, p.State}
		o.Files = []string{p.Cache}
		if system := filepath.Dir(p.System); p.System != "" {
			if _, err := os.Stat(system); err == nil {
				o.Dirs = append(o.Dirs, system)
			} else {
				o.Fixed = append(o.Fixed, system)
			}
		}
	}
	o.Files = append(o.Files, s.userFile, s.Servers.V, s.Allowlist.V, s.TraceDir.V, s.StateFile.V, s.Audit.V)
	for _, file := range append(append([]Value[string]{}, s.Rules...), s.Policy...) {
		o.Files = append(o.Files, file.V)
	}
	for _, scanner := range s.Scanners {
		o.Fixed = append(o.Fixed, strings.Fields(scanner.Command.V)...) // only absolute paths count
	}
	for _, d := range s.Decisions {
		o.Fixed = append(o.Fixed, strings.Fields(d.Command.V)...)
	}
	for i, path := range o.Files {
		o.Files[i] = onDisk(path)
	}
	if program, err := os.Executable(); err == nil {
		o.Fixed = append(o.Fixed, program)
	}
	return o
}

// onDisk is an absolute path for a path of the settings, "" for any other value.
func onDisk(path string) string {
	if path == "" || path == AuditOff || path == AuditStderr {
		return ""
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return ""
	}
	return path
}
