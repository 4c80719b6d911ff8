package disk

import "os"

// factsOf cannot get the time of the last change of a file's properties, so its text is
// compared.
func factsOf(path string, follow bool) facts {
	stat := os.Lstat
	if follow {
		stat = os.Stat
	}
	is, err := stat(path)
	if err != nil {
		return facts{wrong: err.Error()}
	}
	f := facts{there: true, mode: is.Mode(), unknownWhenChanged: true}
	if f.regular() {
		f.size, f.modified = is.Size(), is.ModTime().UnixNano()
	}
	return f
}
