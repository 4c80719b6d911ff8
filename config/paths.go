package config

import "path/filepath"

// Environ is the environment that a process was given: os.LookupEnv, or a
// test's map.
type Environ func(name string) (string, bool)

func (e Environ) get(name string) string {
	v, _ := e(name)
	return v
}

// Paths are the places that onestep reads and writes, following the XDG Base
// Directory Specification 0.8. ASK_HOME moves them all.
type Paths struct {
	Config string // directory of config.toml, mcp.json and allowlist.json
	System string // the system's config.toml
	Traces string // directory of traces
}

// app is the name of onestep's directories.
const app = "onestep"

// FindPaths reads the environment. A relative XDG directory is ignored, as
// the specification asks.
func FindPaths(env Environ) Paths {
	p := Paths{System: "/etc/xdg/" + app + "/config.toml"}
	if home := env.get("ASK_HOME"); home != "" {
		p.Config, p.Traces = home, filepath.Join(home, "traces")
		return p
	}
	if dir := env.get("XDG_CONFIG_DIRS"); filepath.IsAbs(first(dir)) {
		p.System = filepath.Join(first(dir), app, "config.toml")
	}
	p.Config = filepath.Join(xdg(env, "XDG_CONFIG_HOME", ".config"), app)
	p.Traces = filepath.Join(xdg(env, "XDG_STATE_HOME", ".local/state"), app, "traces")
	return p
}

func xdg(env Environ, name, fallback string) string {
	if dir := env.get(name); filepath.IsAbs(dir) {
		return dir
	}
	return filepath.Join(env.get("HOME"), fallback)
}

func first(list string) string {
	if dirs := filepath.SplitList(list); len(dirs) > 0 {
		return dirs[0]
	}
	return ""
}
