//go:build !linux

package main

import (
	"errors"
	"os"
)

// dropTyped cannot: what was typed ahead is still there to be read.
func dropTyped(*os.File) error { return errors.ErrUnsupported }

// hush does nothing here: an instant passes between a prompt and the reading of its answer.
func hush(*os.File) error { return nil }
