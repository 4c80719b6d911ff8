//go:build !linux

package main

import (
	"errors"
	"os"
)

// dropTyped is not supported: input typed ahead can still be read.
func dropTyped(*os.File) error { return errors.ErrUnsupported }

// hush does nothing here: a short time passes between a prompt and the reading of its answer.
func hush(*os.File) error { return nil }

// startOf is when a process started; it is not known here.
func startOf(int) string { return "" }
