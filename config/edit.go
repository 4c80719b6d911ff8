package config

import (
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/onestep-run/onestep/config/edit"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/verdict"
)

// SetModel writes the setting "model" as [Set] does.
func SetModel(path, name string) (changed bool, err error) {
	if !plainName(name) {
		return false, verdict.Fail(verdict.UsageArgument, nil, "%.128q is not the name of a model: it takes 1 to 256 letters, digits and marks, without quotes and spaces", name)
	}
	return Set(path, "model", name)
}

// plainName reports whether a TOML string shows a name unchanged.
func plainName(name string) bool {
	for _, c := range []byte(name) {
		switch {
		case c <= ' ', c > '~':
			return false
		case c == '"', c == '\\', c == '\'':
			return false
		}
	}
	return name != "" && len(name) <= 256
}

// Set writes a setting into a config.toml and keeps every other byte. [Load] must accept the
// value; a path is relative to the working directory, and is written as an absolute path. The
// file is replaced whole or not at all. A missing file is made, for its user alone; a file
// that [Load] would refuse is left. Set reports whether it wrote anything.
func Set(path, key, value string) (changed bool, err error) {
	r, err := Find(key)
	if err != nil {
		return false, err
	}
	if r.in != nil && value != "" && !slices.Contains(r.words, value) {
		if value, err = filepath.Abs(value); err != nil {
			return false, verdict.Fail(verdict.UsageArgument, err, "%s: the working directory is not known: %v", key, err)
		}
	}
	written, ok := r.literal(value)
	var read map[string]any
	if ok {
		read, err = decodeTOML([]byte(key + " = " + written))
	}
	if !ok || err != nil || new(Settings).assign(key, read[key], Origin{FromFile, path}) != "" {
		return false, verdict.Fail(verdict.UsageArgument, nil, "%s takes %s, not %s", key, r.Takes(), strconv.Quote(escape.Line(value, 64)))
	}
	return edit.Rewrite(path, false, func(path string, text []byte) ([]byte, error) {
		return editSetting(path, text, key, written, read[key])
	})
}

// Find returns the setting of a key.
func Find(key string) (Setting, error) {
	i := slices.IndexFunc(table, func(r Setting) bool { return r.Key == key })
	if i >= 0 {
		return table[i], nil
	}
	var keys []string
	for _, r := range table {
		keys = append(keys, r.Key)
	}
	what, _, isIn := strings.Cut(key, ".")
	f := verdict.Fail(verdict.UsageArgument, nil, "no such setting: %s%s", escape.Line(key, 128), verdict.Near(key, keys))
	f.Hint = "`ask config show` lists the settings"
	if isIn && (what == serverTable || what == scannerTable) {
		f.Reason = escape.Line(key, 128) + " is not set, and is one of a table that no command writes"
		f.Hint = "write it under [" + what + ".NAME] in config.toml"
	}
	return Setting{}, f
}

// literal is a value as TOML writes it; ok is false if the value has no such form.
func (r Setting) literal(value string) (string, bool) {
	switch r.at(new(Settings)).toml {
	case aTruth:
		return value, value == "true" || value == "false"
	case aNumber:
		n, err := strconv.Atoi(value)
		return strconv.Itoa(n), err == nil
	case aList:
		var all []string
		for _, name := range namesOf(value) {
			all = append(all, quoted(name))
		}
		return "[" + strings.Join(all, ", ") + "]", plain(value)
	}
	return quoted(value), plain(value)
}

// plain reports whether a text is valid UTF-8 without control characters.
func plain(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, unicode.IsControl)
}

func quoted(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}

// editSetting is the text with one setting changed. The result is parsed again: only the
// setting may differ, whatever the layout of the file.
func editSetting(path string, text []byte, key, written string, value any) ([]byte, error) {
	if err := new(Settings).read(path, text); err != nil {
		return nil, err
	}
	want, err := decodeTOML(text)
	if err != nil || reflect.DeepEqual(want[key], value) {
		return text, err
	}
	if want == nil {
		want = map[string]any{}
	}
	want[key] = value
	edited := edit.SetTOML(text, key, written)
	got, err := decodeTOML(edited)
	if err == nil {
		err = new(Settings).read(path, edited)
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		return nil, verdict.Fail(verdict.ConfigInvalid, err, "%s: %s cannot be changed without changing more; set it by hand", path, key)
	}
	return edited, nil
}
