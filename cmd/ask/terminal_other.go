//go:build !linux

package main

import "os"

// dropTyped does nothing here: what was typed ahead is taken for the answer.
func dropTyped(*os.File) {}
