package config

import (
	"path/filepath"

	"github.com/onestep-run/onestep/gate/verdict"
)

// Environ is the environment that a process was given: os.LookupEnv, or a
// test's map.
type Environ func(name string) (string, bool)

func (e Environ) get(name string) string {
	v, _ := e(name)
	return v
}

// Paths are the places that onestep reads and writes, following the XDG Base
// Directory Specification 0.8.
type Paths struct {
	Config string // directory of config.toml, mcp.json and allowlist.json
	System string // the system's config.toml
	State  string // directory of what this machine keeps: traces, the key of identities
	Cache  string // directory of what can be fetched again: servers' packages
}

// app is the name of onestep's directories.
const app = "onestep"

// FindPaths reads the environment. ASK_HOME moves the user's files; the
// system's is where XDG_CONFIG_DIRS says. A relative XDG directory is ignored,
// as the specification asks, and a home that is missing or relative is an
// error: else the working directory, which may be a stranger's checkout, would
// be the configuration.
func FindPaths(env Environ) (Paths, error) {
	p := Paths{System: "/etc/xdg/" + app + "/config.toml"}
	if dirs := filepath.SplitList(env.get("XDG_CONFIG_DIRS")); len(dirs) > 0 && filepath.IsAbs(dirs[0]) {
		p.System = filepath.Join(dirs[0], app, "config.toml")
	}
	if !filepath.IsAbs(p.System) {
		p.System = "" // on Windows, where anybody may make such a folder
	}
	if home := env.get("ASK_HOME"); filepath.IsAbs(home) {
		p.Config, p.State, p.Cache = home, home, filepath.Join(home, "cache")
		return p, nil
	} else if home != "" {
		return Paths{}, verdict.Fail(verdict.ConfigInvalid, nil, "ASK_HOME is not an absolute path")
	}
	var err error
	if p.Config, err = xdg(env, "XDG_CONFIG_HOME", ".config"); err != nil {
		return Paths{}, err
	}
	if p.State, err = xdg(env, "XDG_STATE_HOME", ".local/state"); err != nil {
		return Paths{}, err
	}
	if p.Cache, err = xdg(env, "XDG_CACHE_HOME", ".cache"); err != nil { // without a home
		p.Cache = filepath.Join(p.State, "cache")
	}
	return p, nil
}

func xdg(env Environ, name, fallback string) (string, error) {
	if dir := env.get(name); filepath.IsAbs(dir) {
		return filepath.Join(dir, app), nil
	}
	if home := env.get("HOME"); filepath.IsAbs(home) {
		return filepath.Join(home, fallback, app), nil
	}
	return "", verdict.Fail(verdict.ConfigMissing, nil, "HOME is not set to an absolute path, and neither ASK_HOME nor %s is", name)
}
