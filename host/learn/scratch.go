package learn

import (
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/host/confine"
)

// The limits of a tree to copy.
const (
	maxCopied = 64 << 20 // bytes
	maxFiles  = 20_000
)

var errLarge = errors.New("it is too large to be copied")

// scratch makes the server work on copies of the files that its scopes let it write. The
// server gets their paths in place of the real ones. Later calls read the written data,
// and everything is removed at the end.
type scratch struct {
	dir    string
	copies map[string]string // by real path, without links
	failed map[string]error  // paths that could not be copied
	told   map[string]string // the place in a copy, by the path as given to the server
}

func newScratch() (*scratch, error) {
	dir, err := os.MkdirTemp("", "onestep-learn-")
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	return &scratch{dir: dir, copies: map[string]string{}, failed: map[string]error{}, told: map[string]string{}}, err
}

// cover makes a copy that contains a path. A directory that was named to the server is
// copied whole if possible: the server derives the paths of its files from it.
func (s *scratch) cover(path string, named []string, own confine.Own) bool {
	actual, err := filepath.EvalSymlinks(path)
	if err != nil {
		return false
	}
	if _, in := s.copyOf(actual); in {
		return true
	}
	var roots []string
	for _, name := range named {
		if whole, err := filepath.EvalSymlinks(name); err == nil && inside(whole, actual) && whole != "/" {
			roots = append(roots, whole)
		}
	}
	slices.SortFunc(roots, func(a, b string) int { return len(a) - len(b) })
	for _, root := range append(roots, actual) {
		if own.Forbids(confine.Scopes{ReadPaths: confine.Paths{root}}) != nil || s.failed[root] != nil {
			continue
		}
		to := filepath.Join(s.dir, strconv.Itoa(len(s.copies)), filepath.Base(root))
		if s.failed[root] = copyTree(root, to); s.failed[root] == nil {
			s.copies[root] = to
			return true
		}
		_ = os.RemoveAll(filepath.Dir(to))
	}
	return false
}

func inside(root, path string) bool { return path == root || strings.HasPrefix(path, root+"/") }

// copyOf returns a path's place in a copy.
func (s *scratch) copyOf(path string) (string, bool) {
	for _, root := range longestFirst(s.copies) {
		if inside(root, path) {
			return s.copies[root] + strings.TrimPrefix(path, root), true
		}
	}
	return path, false
}

func longestFirst(of map[string]string) []string {
	return slices.SortedFunc(maps.Keys(of), func(a, b string) int { return len(b) - len(a) })
}

// real returns the real path for a path in a copy.
func (s *scratch) real(path string) string {
	for root, to := range s.copies {
		if inside(to, path) {
			return root + strings.TrimPrefix(path, to)
		}
	}
	return path
}

// scopes returns the scopes with copies in place of the copied paths. It leaves out a
// path that may be written and has no copy.
func (s *scratch) scopes(of confine.Scopes, named []string, own confine.Own) confine.Scopes {
	for _, list := range []*confine.Paths{&of.WritePaths, &of.DeletePaths} {
		kept := confine.Paths{}
		for _, path := range *list {
			if s.cover(path, named, own) {
				kept = append(kept, path)
			}
		}
		*list = kept
	}
	for _, name := range named {
		// the end need not exist, and the path may have links
		for name = filepath.Clean(name); name != "/"; name = filepath.Dir(name) {
			actual, err := filepath.EvalSymlinks(name)
			if at, copied := s.copyOf(actual); copied && err == nil {
				s.told[name] = at
			}
		}
	}
	for _, list := range []*confine.Paths{&of.ReadPaths, &of.WritePaths, &of.DeletePaths} {
		moved := confine.Paths{}
		for _, path := range *list {
			actual, err := filepath.EvalSymlinks(path)
			if err != nil {
				actual = path
			}
			at, copied := s.copyOf(actual)
			if _, err := os.Lstat(at); copied && err != nil {
				continue // a call removed it
			}
			moved = append(moved, at)
		}
		*list = moved
	}
	return of
}

// text returns a text with the paths of the copies.
func (s *scratch) text(text string) string {
	all := maps.Clone(s.copies)
	maps.Copy(all, s.told)
	return swap(text, all)
}

// swap replaces paths. Each may be a whole path or the beginning of a longer one.
func swap(text string, paths map[string]string) string {
	var b strings.Builder
	names := longestFirst(paths)
	for i := 0; i < len(text); {
		n := slices.IndexFunc(names, func(name string) bool {
			end := i + len(name)
			return strings.HasPrefix(text[i:], name) && (end == len(text) || !ofName(text[end]))
		})
		if n < 0 || i > 0 && ofName(text[i-1]) {
			b.WriteByte(text[i])
			i++
			continue
		}
		b.WriteString(paths[names[n]])
		i += len(names[n])
	}
	return b.String()
}

// ofName reports whether a byte may be part of a file's name.
func ofName(c byte) bool {
	switch {
	case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z':
		return true
	case '0' <= c && c <= '9', c >= 0x80:
		return true
	}
	return strings.IndexByte("._-+~@", c) >= 0
}

// named returns the paths that a server is given in its arguments, its variables, and the
// calls.
func named(program confine.Program, env map[string]string, calls []Call) (paths []string) {
	texts := slices.Concat(program.Args, slices.Collect(maps.Values(env)))
	for _, c := range calls {
		for leaf := range schema.Leaves(c.Arguments) {
			if !leaf.Name && leaf.Kind == '"' {
				texts = append(texts, leaf.Text)
			}
		}
	}
	for _, text := range texts {
		for part := range strings.SplitSeq(text, "=") { // --directory=/srv
			if filepath.IsAbs(part) {
				paths = append(paths, part)
			}
		}
	}
	return paths
}

// copyTree copies files, directories and links. A link into the tree leads into the copy.
// It leaves out other kinds of file.
func copyTree(from, to string) error {
	var size, files int64
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if files, size = files+1, size+info.Size(); files > maxFiles || size > maxCopied {
			return errLarge
		}
		at := to + strings.TrimPrefix(path, from)
		switch info.Mode().Type() {
		case fs.ModeDir:
			return os.MkdirAll(at, info.Mode().Perm()|0o700) //nolint:gosec // what the copy holds is used by a confined server alone
		case fs.ModeSymlink:
			target, err := os.Readlink(path)
			if err == nil && inside(from, target) {
				target = to + strings.TrimPrefix(target, from)
			}
			return errors.Join(err, os.Symlink(target, at)) //nolint:gosec // the same
		case 0:
			return copyFile(path, at, info)
		}
		return nil
	})
}

func copyFile(from, to string, info fs.FileInfo) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return err
	}
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, info.Mode().Perm())
	if err != nil {
		return err
	}
	_, err = io.Copy(out, io.LimitReader(in, maxCopied))
	return errors.Join(err, out.Close(), os.Chtimes(to, info.ModTime(), info.ModTime()))
}

// attempt returns an attempt with the real paths.
func (s *scratch) attempt(a confine.Attempt) confine.Attempt {
	was := a.Resource
	if a.Resource = s.real(was); a.Resource == was {
		return a
	}
	a.Patch = slices.Clone(a.Patch)
	for i := range a.Patch {
		switch v := a.Patch[i].Value.(type) {
		case string:
			a.Patch[i].Value = s.real(v)
		case []any:
			a.Patch[i].Value = []any{a.Resource}
		case map[string]any:
			a.Patch[i].Value = map[string]any{a.Scope: []any{a.Resource}}
		}
	}
	return a
}
