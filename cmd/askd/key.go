package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/onestep-run/onestep/host/disk"
	"github.com/onestep-run/onestep/host/seal"
)

const maxKey = 4 << 10

// keysOf are the keys of the secrets: of ASKD_KEY, or of a file that only its owner can read. A
// missing file is made.
func keysOf(o options, home, given string) (keys seal.Keys, text string, err error) {
	if text = given; text == "" {
		path := o.keyFile
		if path == "" {
			path = filepath.Join(home, "key")
		}
		if text, err = keyFile(path); err != nil {
			return keys, "", err
		}
	}
	if keys, err = seal.Read(text); err != nil {
		return keys, "", err
	}
	newest := strings.Fields(text)[0]
	return keys, newest, nil
}

func keyFile(path string) (string, error) {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return newKey(path)
	case err != nil:
		return "", err
	case !info.Mode().IsRegular() || info.Mode().Perm()&0o077 != 0:
		return "", fmt.Errorf("%s: the key of the secrets is in a plain file that only its owner can read (chmod 600)", path)
	}
	b, err := disk.ReadFile(path, maxKey)
	return string(b), err
}

func newKey(path string) (string, error) {
	if err := disk.MakeDir(filepath.Dir(path), disk.SyncDir); err != nil {
		return "", err
	}
	text := seal.NewKey()
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", err
	}
	_, err = f.WriteString(text + "\n")
	err = errors.Join(err, f.Sync(), f.Close(), disk.SyncDir(filepath.Dir(path)))
	return text, err
}
