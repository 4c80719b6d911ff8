//go:build race && linux

package confine

func init() { racing = true }
