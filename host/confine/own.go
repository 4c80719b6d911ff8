package confine

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// Own names the files of the program that starts servers. These files decide which calls
// are made, and record the calls. No scope may reach one of them. A path counts even if
// it does not exist yet. The zero Own describes a program without files.
type Own struct {
	Dirs  []string // absolute; links directly in them are followed
	Files []string // files, and directories of any size, absolute
	Fixed []string // may be read but not written: the running program
}

// Forbids returns an error if scopes reach one of the files. A scope reaches the files
// themselves, what is in them, and the directories that contain them.
func (o Own) Forbids(s Scopes) error { return o.find().forbids(s) }

func (o owned) forbids(s Scopes) error {
	for _, l := range []struct {
		member string
		paths  []string
		access access
	}{{"readPaths", s.ReadPaths, read}, {"writePaths", s.WritePaths, write}, {"deletePaths", s.DeletePaths, remove}, {"allowedCommands", s.AllowedCommands, execute}} {
		for i, path := range l.paths {
			at := fmt.Sprintf("/scopes/%s/%d", l.member, i)
			if a, is, err := argument(path); is && err == nil {
				path, at = a.Under, at+"/under"
			}
			if l.access == execute {
				path, _ = exec.LookPath(path) // a missing program is not one of our files
			}
			if !filepath.IsAbs(path) {
				continue // another check refuses it
			}
			if err := o.forbid(at, path, l.access); err != nil {
				return err
			}
		}
	}
	return nil
}

// owned are the places of the files at one moment.
type owned struct {
	places []ownPlace
	linked []fs.FileInfo // our files that have another name
}

// ownPlace is one file or directory, or a link on the way to it. A server that may
// replace the link chooses its target.
type ownPlace struct {
	path     string
	infos    []fs.FileInfo // of the place and of the directories above it, if they exist
	here     fs.FileInfo   // nil if the file does not exist
	readable bool          // only writing and deleting are forbidden
	entry    bool          // it is an entry of one of Dirs: a program may be there
}

// find locates the files. A link in one of Dirs counts, and so does its target.
func (o Own) find() (found owned) {
	for _, dir := range o.Dirs {
		found.add(ownPlace{path: dir})
		entries, _ := os.ReadDir(dir) // a missing directory has no entries
		for _, e := range entries {
			found.add(ownPlace{path: filepath.Join(dir, e.Name()), entry: true})
		}
	}
	for _, path := range o.Files {
		found.add(ownPlace{path: path})
	}
	for _, path := range o.Fixed {
		found.add(ownPlace{path: path, readable: true})
	}
	return found
}

func (o *owned) add(p ownPlace) {
	if !filepath.IsAbs(p.path) {
		return
	}
	for _, name := range trail(p.path) {
		p.path, p.infos = name, above(name)
		p.here, _ = os.Lstat(name)
		o.places = append(o.places, p)
		if p.here != nil && p.here.Mode().IsRegular() && nameCount(p.here) > 1 {
			o.linked = append(o.linked, p.here)
		}
	}
}

// trail returns each link on the way to a path, and the end of the way, without links.
// The end need not exist.
func trail(path string) (names []string) {
	const most = 40 // as the kernel
	at, rest := "/", split(path)
	for links := 0; len(rest) > 0; {
		next := filepath.Join(at, rest[0])
		rest = rest[1:]
		target, err := os.Readlink(next)
		if err != nil || links == most {
			at = next
			continue
		}
		links, names = links+1, append(names, next)
		if filepath.IsAbs(target) {
			at = "/"
		}
		rest = append(split(target), rest...)
	}
	return append(names, at)
}

func split(path string) []string {
	return slices.DeleteFunc(strings.Split(path, "/"), func(part string) bool { return part == "" || part == "." })
}

// above returns a path and the directories above it, if they exist.
func above(path string) (infos []fs.FileInfo) {
	for {
		if info, err := os.Stat(path); err == nil {
			infos = append(infos, info)
		}
		if path == "/" || path == "." {
			return infos
		}
		path = filepath.Dir(path)
	}
}

// holds returns our file that a path is, or contains; "" if it contains none. It compares
// names without regard to case, and files by their identity: another mount or another
// spelling leads to the same file. A program may be a file in our directories.
func (o owned) holds(path string, a access, program bool) string {
	here, _ := os.Stat(path)
	for _, p := range o.places {
		if !p.counts(a) || p.entry && program {
			continue
		}
		if foldedBeneath(path, p.path) || sameAs(here, p.infos) {
			return p.path
		}
	}
	return ""
}

func (o owned) within(path string, a access) string {
	infos := above(path)
	for _, p := range o.places {
		if p.counts(a) && (foldedBeneath(p.path, path) || sameAs(p.here, infos)) {
			return p.path
		}
	}
	return ""
}

func (p ownPlace) counts(a access) bool { return !p.readable || a&(write|remove) != 0 }

func sameAs(one fs.FileInfo, all []fs.FileInfo) bool {
	return one != nil && slices.ContainsFunc(all, func(other fs.FileInfo) bool { return os.SameFile(one, other) })
}

func foldedBeneath(root, path string) bool {
	return beneath(strings.ToLower(root), strings.ToLower(path))
}

// forbid returns an error if a scope reaches one of our files.
func (o owned) forbid(at, path string, a access) error {
	way := trail(path)
	actual := way[len(way)-1]
	if ours := o.holds(actual, a, false); ours != "" {
		return invalid(fmt.Sprintf("%s is %.200q, which reaches ask's own files (%.200q)", at, path, ours),
			"grant a narrower directory: no server may reach the files that decide about it")
	}
	if ours := o.within(actual, a); ours != "" {
		return invalid(fmt.Sprintf("%s is %.200q, which is one of ask's own files (%.200q)", at, path, ours),
			"keep the server's files elsewhere: no server may reach the files that decide about it")
	}
	if named, whole := o.named(actual); named != "" || !whole {
		why := fmt.Sprintf("%s is %.200q, where %.200q is another name of one of ask's own files", at, path, named)
		if named == "" {
			why = fmt.Sprintf("%s is %.200q, which is too large to look for another name of a file of ask that has two", at, path)
		}
		return invalid(why, "remove the other name (a hard link), or copy the file")
	}
	return nil
}

// maxSearched bounds the search for a hard link.
const maxSearched = 100_000

// named searches below a path for another name of one of our files. It reports whether
// the search was complete.
func (o owned) named(path string) (found string, whole bool) {
	if len(o.linked) == 0 {
		return "", true
	}
	seen := 0
	err := filepath.WalkDir(path, func(at string, d fs.DirEntry, err error) error {
		if seen++; seen > maxSearched {
			return fs.ErrInvalid
		}
		if err != nil || !d.Type().IsRegular() {
			return nil //nolint:nilerr // a directory that this user may not list cannot be reached either
		}
		if info, err := d.Info(); err == nil && sameAs(info, o.linked) {
			found = at
			return fs.SkipAll
		}
		return nil
	})
	return found, err == nil
}

// forbidGrant returns an error if a grant reaches one of our files when it is opened. A
// directory may have been moved or replaced since the policy was made. A file that a
// program needs to run may be in one of our directories, as a package is in the cache.
func (o owned) forbidGrant(g grant) error {
	if g.why != ofProgram && g.why != ofRuntime {
		return o.forbid(g.why, g.path, g.access)
	}
	if ours := o.holds(g.path, g.access, true); ours != "" {
		return invalid(fmt.Sprintf("%.200q (%s) reaches ask's own files (%.200q)", g.path, g.why, ours),
			"keep the program and ask's files in directories of their own")
	}
	return nil
}

func nameCount(info fs.FileInfo) uint64 {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 1
	}
	return uint64(st.Nlink) //nolint:unconvert // it is smaller on other systems
}
