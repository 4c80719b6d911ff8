package confine

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Hazard is a sensitive place that a scope reaches. Only a scope that the operator typed
// should reach it: no learned or proposed manifest does.
type Hazard struct {
	Permission Permission
	Scope      string // the path that the scope has
	Place      string // in the scope, above it, or the same
	Why        string
}

// String is a line for the operator who decides on the scope.
func (h Hazard) String() string {
	verb := map[Permission]string{FilesRead: "reading", FilesWrite: "writing in", FilesDelete: "deleting in"}[h.Permission]
	if h.Place == h.Scope {
		return fmt.Sprintf("mind: %s %s: %s", verb, h.Scope, h.Why)
	}
	return fmt.Sprintf("mind: %s %s reaches %s: %s", verb, h.Scope, h.Place, h.Why)
}

const (
	secretPlace = "keys, tokens or passwords are usually kept there" //nolint:gosec // a reason, and no credential
	loginPlace  = "it is executed at login, or by programs that start later"
	laterPlace  = "hooks, settings and scripts there run outside of the sandbox later"
	vastPlace   = "it is too large to look for what runs outside of the sandbox later"
)

// Hazards returns the hazards of all file scopes.
func (s Scopes) Hazards() (all []Hazard) {
	for p, list := range s.Lists() {
		for _, path := range *list {
			if a, is, err := argument(path); is && err == nil {
				path = a.Under
			}
			if h, is := HazardOf(p, path); is {
				all = append(all, h)
			}
		}
	}
	slices.SortFunc(all, func(a, b Hazard) int {
		return strings.Compare(a.Scope+string(a.Permission), b.Scope+string(b.Permission))
	})
	return all
}

// HazardOf returns the hazard of one path with one permission. Only reading, writing and
// deleting have hazards.
func HazardOf(p Permission, path string) (Hazard, bool) {
	if !slices.Contains([]Permission{FilesRead, FilesWrite, FilesDelete}, p) || !filepath.IsAbs(path) {
		return Hazard{}, false
	}
	way := trail(path)
	for _, at := range append(way[len(way)-1:], filepath.Clean(path)) {
		if place, why := hazard(p, at); place != "" {
			return Hazard{p, path, place, why}, true
		}
	}
	return Hazard{}, false
}

func hazard(p Permission, path string) (place, why string) {
	home, config := homes()
	if place := reaches(path, home, config, secretParts, true); place != "" {
		return place, secretPlace
	}
	if place := reaches(path, home, config, loginParts, p != FilesRead); place != "" {
		return place, loginPlace
	}
	if path == "/" || home != "" && beneath(path, home) {
		return cmp.Or(home, path), secretPlace
	}
	if p == FilesRead {
		return "", ""
	}
	for _, dir := range systemDirs {
		if beneath(dir, path) || beneath(path, dir) {
			return dir, loginPlace
		}
	}
	if parts := split(path); slices.Contains(parts, "bin") || slices.Contains(parts, "sbin") {
		return path, loginPlace
	}
	return later(path)
}

// homes returns this user's home and configuration, without links, or "" if unknown.
func homes() (home, config string) {
	home, _ = os.UserHomeDir()
	config, _ = os.UserConfigDir()
	for _, dir := range []*string{&home, &config} {
		if !filepath.IsAbs(*dir) {
			*dir = ""
			continue
		}
		way := trail(*dir)
		*dir = way[len(way)-1]
	}
	return home, config
}

// reaches returns the sensitive place that a path is, is in, or contains; "" without one.
// A place that does not exist yet counts in the user's own directories. Other places that
// the path contains count with among.
func reaches(path, home, config string, parts []string, among bool) string {
	at := "/" + strings.ToLower(strings.Join(split(path), "/")) + "/"
	for _, part := range parts {
		if strings.Contains(at, "/"+strings.ToLower(part)+"/") {
			return path
		}
		if inside := filepath.Join(path, part); among && exists(inside) {
			return inside
		}
		var places []string
		if home != "" {
			places = append(places, filepath.Join(home, part))
		}
		if rest, is := strings.CutPrefix(part, ".config/"); is && config != "" {
			places = append(places, filepath.Join(config, rest))
		}
		for _, place := range places {
			if beneath(place, path) || beneath(path, place) {
				return place
			}
		}
	}
	return ""
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// secretParts are names of files and directories with keys, tokens and a browser's data.
// An attempt to read one does not show that a server needs it.
var secretParts = []string{
	".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker", ".netrc", ".pgpass", ".my.cnf", ".git-credentials", ".npmrc", ".pypirc",
	".vault-token", ".s3cfg", ".boto", ".terraform.d", ".env", ".envrc", "gcloud", "keyrings", ".password-store", ".mozilla", "google-chrome", "chromium",
	"shadow", "gshadow", "sudoers", "sudoers.d", ".bash_history", ".zsh_history", ".python_history", ".node_repl_history", "environ",
	".config/gh", ".config/op", ".config/rclone", ".config/sops", ".cargo/credentials.toml", ".m2/settings.xml", ".gem/credentials",
}

// loginParts are files that shells, desktops, timers and other programs of the user
// execute by themselves. They are start-up files, and clients that start servers.
var loginParts = []string{
	".profile", ".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".inputrc", ".zshrc", ".zshenv", ".zprofile", ".zlogin",
	".zlogout", ".oh-my-zsh", ".kshrc", ".mkshrc", ".cshrc", ".tcshrc", ".login", ".logout", ".xonshrc", ".xprofile", ".xinitrc", ".xsession",
	".xsessionrc", ".xserverrc", ".pam_environment", ".forward", ".procmailrc", ".vimrc", ".vim", ".emacs", ".emacs.d", ".tmux.conf", ".screenrc",
	".gdbinit", ".lldbinit", ".pdbrc", ".irbrc", ".rprofile", ".gitconfig", ".ipython", ".jupyter", ".claude", ".claude.json", ".codex", ".cursor",
	".gemini", ".continue", ".codeium", ".amazonq", ".config/autostart", "autostart", ".config/systemd", "systemd/user", "environment.d",
	".config/fish", ".config/nushell", ".config/xonsh", ".config/git", ".config/nvim", ".config/tmux", ".config/plasma-workspace", ".config/upstart",
	".config/i3", ".config/sway", ".config/hypr", ".config/openbox", ".config/Code", ".config/Claude", ".config/goose", ".config/zed", ".config/opencode",
	".local/share/systemd", ".local/share/applications", ".local/share/dbus-1", ".local/bin", ".local/lib",
	"cron", "crontabs", "cron.d", "cron.daily", "cron.hourly", "profile.d", "bash.bashrc", "init.d", "rc.local", "pam.d", "LaunchAgents", "LaunchDaemons",
}

// systemDirs contain the files that every program of the machine runs from.
var systemDirs = []string{"/bin", "/sbin", "/usr", "/lib", "/lib32", "/lib64", "/etc", "/boot", "/var/spool/cron", "/opt"}

// laterNames are files that developers' tools execute in the directory where they find
// them. They are the hooks and settings of a repository, and the scripts of packages.
var laterNames = []string{
	".git", ".hg", ".jj", ".svn", ".bzr", ".gitmodules", ".envrc", ".direnv", ".husky", ".lefthook.yml", "lefthook.yml", ".pre-commit-config.yaml",
	".github", ".gitlab-ci.yml", "jenkinsfile", ".vscode", ".idea", ".devcontainer", ".mcp.json", ".tool-versions", ".mise.toml", "mise.toml",
	"node_modules", "package.json", ".yarnrc", ".yarnrc.yml", ".pnp.cjs", "bunfig.toml", "deno.json", "gruntfile.js", "gulpfile.js", "makefile",
	"gnumakefile", "justfile", ".justfile", "taskfile.yml", "taskfile.yaml", "rakefile", "gemfile", "setup.py", "setup.cfg", "pyproject.toml", "tox.ini",
	"noxfile.py", "conftest.py", ".venv", "venv", "pyvenv.cfg", "cargo.toml", "build.rs", ".cargo", "build.gradle", "build.gradle.kts", "gradlew",
	"pom.xml", "mvnw", "composer.json", "cmakelists.txt", "meson.build", "configure", "dockerfile", "docker-compose.yml", "compose.yaml", "vagrantfile",
	"flake.nix", "shell.nix", "default.nix", ".bazelrc",
}

const (
	laterDepth   = 4      // below the directory of a scope
	laterEntries = 20_000 // that are read
)

var errVast = errors.New("too many files")

// later finds a file below a path that runs later, outside of the sandbox.
func later(path string) (place, why string) {
	for _, part := range split(path) {
		if slices.Contains(laterNames, strings.ToLower(part)) {
			return path, laterPlace
		}
	}
	if bareRepository(path) {
		return path, laterPlace
	}
	seen := 0
	err := filepath.WalkDir(path, func(at string, d fs.DirEntry, err error) error {
		if seen++; seen > laterEntries {
			return errVast
		}
		switch {
		case err != nil:
			return nil //nolint:nilerr // it cannot be listed, or is gone
		case slices.Contains(laterNames, strings.ToLower(d.Name())) && at != path, d.IsDir() && bareRepository(at):
			place = at
			return fs.SkipAll
		case d.IsDir() && len(split(at))-len(split(path)) >= laterDepth:
			return fs.SkipDir
		}
		return nil
	})
	if errors.Is(err, errVast) {
		return path, vastPlace
	}
	if place == "" {
		return "", ""
	}
	return place, laterPlace
}

// bareRepository reports whether a directory is a git repository: one without a checkout,
// or one with another name than .git.
func bareRepository(dir string) bool {
	return exists(filepath.Join(dir, "HEAD")) && exists(filepath.Join(dir, "objects")) && exists(filepath.Join(dir, "refs"))
}
