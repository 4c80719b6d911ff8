package config

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/onestep-run/onestep/host/confine"
)

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
