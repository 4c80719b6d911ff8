package config

import (
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/onestep-run/onestep/gate/verdict"
)

// reference is ${NAME} or ${NAME:-default}; ${env:NAME}, ${input:ID} and the
// fixed names of editors. A bare $NAME is text.
var reference = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\$\{(?:(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(:-([^}]*))?|input:([A-Za-z0-9_.-]+)|(/))\}`)
})

// bare is what a shell would expand, and no client does.
var bare = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:^|[^$\\])\$([A-Z_][A-Z0-9_]*)`)
})

// Input is a value that a servers file has its reader asked for, as VS Code's do.
type Input struct {
	ID          string   `json:"id"`
	Type        string   `json:"type"` // promptString or pickString
	Description string   `json:"description"`
	Default     string   `json:"default"` // of a person who is asked and says nothing
	Password    bool     `json:"password"`
	Options     []string `json:"options"` // of pickString
}

// variable is what the input is called in the environment.
func (i Input) variable() string {
	return "ASK_INPUT_" + regexp.MustCompile(`[^A-Za-z0-9_]`).ReplaceAllString(i.ID, "_")
}

// world is what references stand for, whatever the server.
type world struct {
	env    Environ
	fixed  map[string]string // names that editors define
	inputs map[string]Input
	ask    func(Input) (string, error) // nil where nobody can be asked
	said   map[string]string           // what was answered
}

// expander replaces references in one server's fields. It keeps the first
// mistake, by the field that has it, and every text that a variable or an input
// stood for.
type expander struct {
	*world
	values map[string]string
	err    error
}

func (x *expander) expand(field, text string) string {
	if wrong := x.misread(text); wrong != "" {
		x.fail(verdict.ConfigInvalid, field+wrong)
		return ""
	}
	return reference().ReplaceAllStringFunc(text, func(ref string) string {
		m := reference().FindStringSubmatch(ref)
		switch name, fallback := m[1], m[2]; {
		case m[5] != "":
			return string(filepath.Separator)
		case m[4] != "":
			return x.input(field, x.inputs[m[4]])
		case x.fixed[name] != "":
			return x.fixed[name]
		default:
			return x.variable(field, name, fallback != "", m[3])
		}
	})
}

// misreads says what is wrong with the references of an entry.
func (w *world) misreads(e *entry) string {
	for field, text := range e.texts() {
		if wrong := w.misread(text); wrong != "" {
			return field + wrong
		}
	}
	return ""
}

// misread says what is wrong with the references of a text, "" where nothing is.
func (w *world) misread(text string) string {
	found := reference().FindAllStringSubmatch(text, -1)
	if strings.Count(text, "${") != len(found) {
		return " has a ${ that is neither ${NAME} nor ${NAME:-default}"
	}
	for _, m := range found {
		if _, known := w.inputs[m[4]]; m[4] != "" && !known {
			return " names the input " + m[4] + ", which the file does not describe as a promptString or a pickString"
		}
		if v, editors := w.fixed[m[1]]; editors && v == "" {
			return " names ${" + m[1] + "}, for which there is no value: this file is in no workspace, or HOME is not set"
		}
	}
	return ""
}

func (x *expander) variable(field, name string, otherwise bool, fallback string) string {
	v, set := x.env(name)
	if otherwise && v == "" { // as a shell reads :-
		return fallback
	}
	if !set {
		x.fail(verdict.ConfigVariable, fmt.Sprintf("%s names the variable %s, which is not set", field, name))
	}
	x.values[name] = v
	return v
}

// input is a value that the environment holds, or that a person gives.
func (x *expander) input(field string, i Input) string {
	v, set := x.env("ASK_INPUT_" + i.ID)
	if !set {
		v, set = x.env(i.variable())
	}
	if !set {
		v, set = x.said[i.ID]
	}
	if !set && x.ask != nil {
		answer, err := x.ask(i)
		if err != nil {
			x.fail(verdict.ConfigVariable, fmt.Sprintf("%s names the input %s: %v", field, i.ID, err))
			return ""
		}
		v, set = answer, true
		x.said[i.ID] = v
	}
	if !set {
		x.fail(verdict.ConfigVariable, fmt.Sprintf("%s names the input %s: nobody can be asked, and the variable %s is not set", field, i.ID, i.variable()))
	}
	if len(i.Options) > 0 && !slices.Contains(i.Options, v) {
		x.fail(verdict.ConfigInvalid, fmt.Sprintf("%s names the input %s, which is none of its options", field, i.ID))
	}
	x.values[i.ID] = v
	return v
}

func (x *expander) fail(code verdict.Code, reason string) {
	if x.err == nil {
		x.err = verdict.Fail(code, nil, "%s", reason)
	}
}

func (x *expander) list(field string, texts []string) []string {
	out := make([]string, len(texts))
	for i, t := range texts {
		out[i] = x.expand(fmt.Sprintf("%s[%d]", field, i), t)
	}
	return out
}

func (x *expander) table(field string, texts map[string]plainText) map[string]string {
	out := make(map[string]string, len(texts))
	for _, k := range slices.Sorted(maps.Keys(texts)) {
		out[k] = x.expand(field+"."+k, string(texts[k]))
	}
	return out
}

// editors are the names that editors define. Which folder is the workspace
// shows where the file is in a project's folder for one editor, as in
// .vscode/mcp.json, or is a project's own .mcp.json; else there is none.
func editors(path string, env Environ) map[string]string {
	home := env.get("HOME")
	fixed := map[string]string{"userHome": home, "pathSeparator": string(filepath.Separator), "workspaceFolder": "", "workspaceFolderBasename": ""}
	dir := filepath.Dir(path)
	workspace := ""
	switch parent := filepath.Dir(dir); {
	case filepath.Base(path) == ".mcp.json":
		workspace = dir
	case strings.HasPrefix(filepath.Base(dir), "."):
		workspace = parent
	case filepath.Base(parent) == ".continue": // .continue/mcpServers/a.yaml
		workspace = filepath.Dir(parent)
	}
	if filepath.IsAbs(workspace) && workspace != home {
		fixed["workspaceFolder"], fixed["workspaceFolderBasename"] = workspace, filepath.Base(workspace)
	}
	return fixed
}

// ofWorkspace reports whether a name stands for where its file is.
func ofWorkspace(name string) bool { return strings.HasPrefix(name, "workspace") }
