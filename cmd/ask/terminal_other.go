//go:build !linux

package main

import (
	"errors"
	"os"
)

// dropTyped cannot: what was typed ahead is still there to be read.
func dropTyped(*os.File) error { return errors.ErrUnsupported }

// hush is for whoever reads: an instant passes between a prompt and that.
func hush(*os.File) error { return nil }
