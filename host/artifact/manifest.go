package artifact

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/host/disk"
)

const manifestFile = "manifest.json"

// manifest describes a tree. It is written when the tree is complete.
type manifest struct {
	Name     string `json:"name"`
	Version  string `json:"version"`
	Floating string `json:"floating,omitempty"` // why no tree was made

	Integrity  string    `json:"integrity,omitempty"` // of the package and its dependencies
	Lock       string    `json:"lock,omitempty"`      // the file that states the integrity
	LockDigest string    `json:"lock_digest,omitempty"`
	Tree       string    `json:"tree,omitempty"` // digest of every file
	Runs       string    `json:"runs,omitempty"` // the interpreter: a name in PATH, or a path in the tree
	Programs   []program `json:"programs,omitempty"`
	Default    string    `json:"default,omitempty"` // the program to run if none is named
}

// program is a script of the package that a launcher can run.
type program struct {
	Name    string   `json:"name"`
	Script  string   `json:"script"` // its path in the tree
	Options []string `json:"options,omitempty"`
	Digest  string   `json:"digest"`
}

var manifestLimits = schema.Limits{Bytes: 1 << 20, Depth: 8, Values: 20_000, Exponent: 9, Digits: 20}

// readManifest reads the manifest of a tree. An absent tree is fs.ErrNotExist.
func readManifest(dir string, p Package) (manifest, error) {
	if _, err := os.Lstat(dir); err != nil {
		return manifest{}, err
	}
	var m manifest
	b, err := disk.ReadFile(filepath.Join(dir, manifestFile), manifestLimits.Bytes)
	if err == nil {
		err = schema.Decode(b, &m, manifestLimits)
	}
	if err != nil {
		// never fs.ErrNotExist: the tree exists
		return manifest{}, fmt.Errorf("its manifest cannot be read: %s", strings.ReplaceAll(err.Error(), dir, ""))
	}
	if m.Name != p.bare || m.Version != p.Version {
		return manifest{}, errors.New("its manifest belongs to another package")
	}
	return m, nil
}

func (m manifest) write(dir string) error {
	b, err := json.Marshal(m, jsontext.Multiline(true))
	if err != nil {
		return err
	}
	f, err := os.OpenFile(filepath.Join(dir, manifestFile), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(append(b, '\n'))
	return errors.Join(err, f.Sync(), f.Close())
}

// start returns the command for one of the programs. It first checks what is cheap to
// check: the list of parts, and the program itself.
func (m manifest) start(dir, bin string) (path string, args []string, err error) {
	p := m.program(bin)
	switch {
	case p.Name == "":
		return "", nil, fmt.Errorf("it has no program %q that %s can run", bin, filepath.Base(m.Runs))
	case !filepath.IsLocal(m.Lock), !filepath.IsLocal(p.Script), !filepath.IsLocal(m.Runs):
		return "", nil, errors.New("its manifest names files outside of it")
	}
	for file, want := range map[string]string{m.Lock: m.LockDigest, p.Script: p.Digest} {
		if got, err := digestFile(filepath.Join(dir, file)); err != nil || got != want {
			return "", nil, fmt.Errorf("%s changed after it was fetched", filepath.Base(file))
		}
	}
	path, err = m.runner(dir)
	args = append(slices.Clone(p.Options), filepath.Join(dir, p.Script))
	if m.Runs == venvPython {
		args = slices.Insert(args, 0, "-B") // compiled code would be new files in the tree
	}
	return path, args, err
}

func (m manifest) program(bin string) program {
	i := slices.IndexFunc(m.Programs, func(p program) bool { return p.Name == cmp.Or(bin, m.Default) })
	if i < 0 {
		return program{}
	}
	return m.Programs[i]
}

func (m manifest) runner(dir string) (string, error) {
	if filepath.Base(m.Runs) != m.Runs {
		path := filepath.Join(dir, m.Runs)
		_, err := os.Stat(path) // the target of the link may be gone
		return path, err
	}
	path, err := exec.LookPath(m.Runs)
	if err == nil && !filepath.IsAbs(path) {
		err = exec.ErrDot
	}
	return path, err
}

func (m manifest) whole(dir string) error {
	if m.Floating != "" {
		return errors.New("it is not here")
	}
	got, err := digestTree(dir)
	if err == nil && got != m.Tree {
		err = errors.New("a file of it changed after it was fetched")
	}
	return err
}

// digestTree is the SHA-256 of all names, files and links of a tree, except the manifest.
// It includes files that pip compiled, because Python runs these in place of their
// sources.
func digestTree(dir string) (string, error) {
	sum := sha256.New()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil || name == manifestFile || d.IsDir() {
			return err
		}
		var what string
		if d.Type()&fs.ModeSymlink != 0 {
			what, err = digestLink(dir, name)
		} else {
			what, err = digestFile(path)
		}
		fmt.Fprintf(sum, "%d:%s%d:%s", len(name), name, len(what), what)
		return err
	})
	return "sha256:" + hex.EncodeToString(sum.Sum(nil)), err
}

// digestLink returns the target of a link in a tree. The target must be a file of the
// tree, or, in a tree for Python, the interpreter: no digest covers other files.
func digestLink(dir, name string) (string, error) {
	target, err := os.Readlink(filepath.Join(dir, name))
	if err != nil {
		return "", err
	}
	file, _ := filepath.EvalSymlinks(filepath.Join(dir, name)) // "" if it leads nowhere
	root, _ := filepath.EvalSymlinks(dir)
	inside, err := filepath.Rel(root, file)
	within := err == nil && file != "" && filepath.IsLocal(inside)
	if within && !filepath.IsAbs(target) {
		return target, nil
	}
	python, _ := filepath.EvalSymlinks(filepath.Join(dir, venvPython))
	if file != "" && file == python && filepath.ToSlash(filepath.Dir(name)) == venvBin {
		return target, nil
	}
	return "", floating("its link " + filepath.Base(name) + " leads elsewhere")
}

// digestFile is the SHA-256 of a file, or "" with an error.
func digestFile(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return "", errors.Join(err, errors.New("it is not a file"))
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", err
	}
	return "sha256:" + hex.EncodeToString(sum.Sum(nil)), nil
}
