//go:build !linux

package main

import (
	"errors"
	"os"
)

// dropTyped cannot: what was typed ahead is still there to be read.
func dropTyped(*os.File) error { return errors.ErrUnsupported }
