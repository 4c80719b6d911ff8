package config

import "path/filepath"

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
