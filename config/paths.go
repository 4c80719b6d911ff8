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

// Client is an MCP client, and the files in which it keeps the servers of its
// user. Those of a project are a stranger's text, and are not among them.
type Client struct {
	Name  string
	Files []string // in which it may keep them; none has to be there
}

// Clients are the clients whose files are read, in their default places on an
// operating system, as GOOS names it. Where the home is not known there are none.
func Clients(env Environ, goos string) []Client {
	home := env.get("HOME")
	if goos == "windows" {
		home = env.get("USERPROFILE")
	}
	if !filepath.IsAbs(home) {
		return nil
	}
	in := func(parts ...string) []string { return []string{filepath.Join(parts...)} }
	apps, goose, zed := appFolders(env, goos, home)
	code := filepath.Join(apps, "Code", "User")
	return []Client{
		{"amazon-q", in(home, ".aws", "amazonq", "mcp.json")},
		{"claude-code", in(home, ".claude.json")},
		{"claude-desktop", in(apps, "Claude", "claude_desktop_config.json")},
		{"codex", in(home, ".codex", "config.toml")},
		{"continue", in(home, ".continue", "config.yaml")},
		{"cursor", in(home, ".cursor", "mcp.json")},
		{"gemini", in(home, ".gemini", "settings.json")},
		{"goose", in(goose, "config.yaml")},
		{"vscode", []string{filepath.Join(code, "mcp.json"), filepath.Join(code, "settings.json")}},
		{"windsurf", in(home, ".codeium", "windsurf", "mcp_config.json")},
		{"zed", in(zed, "settings.json")},
	}
}

// appFolders are where most programs keep their settings, and where Goose and
// Zed do.
func appFolders(env Environ, goos, home string) (apps, goose, zed string) {
	dot := filepath.Join(home, ".config")
	switch goos {
	case "windows":
		apps = env.get("APPDATA")
		if !filepath.IsAbs(apps) {
			apps = filepath.Join(home, "AppData", "Roaming")
		}
		return apps, filepath.Join(apps, "Block", "goose", "config"), filepath.Join(apps, "Zed")
	case "darwin":
		return filepath.Join(home, "Library", "Application Support"), filepath.Join(dot, "goose"), filepath.Join(dot, "zed")
	}
	if dir := env.get("XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
		dot = dir
	}
	return dot, filepath.Join(dot, "goose"), filepath.Join(dot, "zed")
}
