package config

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"

	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/onestep-run/onestep/gate/verdict"
)

// SetModel writes the setting "model" into a config.toml and leaves every
// other byte as it is. The file is replaced whole or not at all; one that is
// not there is made, for its user alone; one that [Load] would refuse is left.
// It reports whether anything had to be written.
func SetModel(path, name string) (changed bool, err error) {
	if !plainName(name) {
		return false, verdict.Fail(verdict.UsageArgument, nil, "%.128q is no model's name: it takes 1 to 256 letters, digits and marks, without quotes and spaces", name)
	}
	path, before, err := toReplace(path)
	if err != nil {
		return false, err
	}
	after, err := editModel(path, before, name)
	if err != nil || bytes.Equal(before, after) {
		return false, err
	}
	if err := replace(path, after); err != nil {
		return false, verdict.Fail(verdict.ConfigUnreadable, err, "%s cannot be written: %v", path, err)
	}
	return true, nil
}

// toReplace reads the file that will be replaced, and gives its own path: a
// link into a user's dotfiles stays one. What is no file is not one to put a
// file in the place of: --config /dev/null, by root, least of all.
func toReplace(path string) (target string, text []byte, err error) {
	target, err = filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Lstat(path); err == nil {
			return "", nil, verdict.Fail(verdict.ConfigUnreadable, nil, "%s is a link to a file that is not there", path)
		}
		return path, nil, nil
	}
	if err != nil {
		return "", nil, unreadable(path, err)
	}
	if info, err := os.Stat(target); err == nil && !info.Mode().IsRegular() {
		return "", nil, verdict.Fail(verdict.ConfigUnreadable, nil, "%s is not a regular file", path)
	}
	text, err = readBounded(target)
	if err != nil {
		return "", nil, unreadable(path, err)
	}
	return target, text, nil
}

// plainName holds a name to what a TOML string shows as it is.
func plainName(name string) bool {
	for _, c := range []byte(name) {
		if c <= ' ' || c > '~' || c == '"' || c == '\\' || c == '\'' {
			return false
		}
	}
	return name != "" && len(name) <= 256
}

// editModel is the text with its model changed. What comes out is read again:
// nothing but the model may differ, whatever the file looks like.
func editModel(path string, text []byte, name string) ([]byte, error) {
	var was, is Settings
	if err := was.read(path, text); err != nil {
		return nil, err
	}
	model := Value[string]{name, Origin{FromFile, path}}
	if was.Model == model {
		return text, nil
	}
	was.Model = model
	edited := withModel(text, name)
	if err := is.read(path, edited); err != nil || !reflect.DeepEqual(was, is) {
		return nil, verdict.Fail(verdict.ConfigInvalid, err, "%s: the model cannot be changed without changing more; set it by hand", path)
	}
	return edited, nil
}

// withModel puts the name in the place of the value, or a line after the last
// that is in no table.
func withModel(text []byte, name string) []byte {
	quoted := `"` + name + `"`
	var p unstable.Parser
	p.Reset(text)
	end := len(text) // of the settings that are in no table
	for p.NextExpression() {
		e := p.Expression()
		if e.Kind == unstable.Table {
			first := e.Key()
			first.Next()
			end = 1 + bytes.LastIndexByte(text[:first.Node().Raw.Offset], '\n')
			break
		}
		if e.Kind != unstable.KeyValue || !isModel(e) {
			continue
		}
		raw := e.Value().Raw
		return append(append(append([]byte{}, text[:raw.Offset]...), quoted...), text[raw.Offset+raw.Length:]...)
	}
	line := "\n"
	if bytes.Contains(text, []byte("\r\n")) {
		line = "\r\n"
	}
	out := append([]byte{}, text[:end]...)
	if len(out) > 0 && out[len(out)-1] != '\n' {
		out = append(out, line...)
	}
	return append(append(out, "model = "+quoted+line...), text[end:]...)
}

func isModel(e *unstable.Node) bool {
	key := e.Key()
	return key.Next() && string(key.Node().Data) == "model" && !key.Next()
}

// replace writes a file beside the old one and puts it in its place.
func replace(path string, text []byte) (err error) {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, ".config-*.toml") // mode 0600
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, f.Close(), os.Remove(f.Name()))
		}
	}()
	if info, err := os.Stat(path); err == nil {
		if err := f.Chmod(info.Mode().Perm()); err != nil {
			return err
		}
	}
	if _, err := f.Write(text); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return err
	}
	return f.Close()
}
