//go:build !linux

package runs

import (
	"errors"
	"os"
)

// fileID is what tells a file from its copies.
type fileID struct {
	machine       string
	device, inode uint64
	links         uint64
	owner         uint32
}

var errLinuxOnly = errors.New("pending approvals are kept on Linux only: approve at a terminal")

func identify(*os.File) (fileID, error) { return fileID{}, errLinuxOnly }

func openPlain(string) (*os.File, error) { return nil, errLinuxOnly }

func moveOnce(_, _ string) error { return errLinuxOnly }
