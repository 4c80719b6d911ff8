package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/onestep-run/onestep/gate/verdict"
)

// maxFile is the longest file that is read, in bytes: a flag may name a device,
// which does not end. The longest allowlist and rules are as long.
const maxFile = 4 << 20

func readBounded(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if len(b) > maxFile {
		return nil, fmt.Errorf("it is over %d bytes", maxFile)
	}
	return b, err
}

// unreadable names the path once: errors of package os name it too.
func unreadable(path string, err error) error {
	err = cause(err)
	return verdict.Fail(verdict.ConfigUnreadable, err, "%s: %v", path, err)
}

// cause is an error of package os without the path.
func cause(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

// ReadFile reads a file that the operator names, within the bound of every such
// file.
func ReadFile(path string) ([]byte, error) {
	b, err := readBounded(path)
	if err != nil {
		return nil, unreadable(path, err)
	}
	return b, nil
}
