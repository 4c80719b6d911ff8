package launch

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
)

// environment is the configured variables and those few that nearly every
// program needs. Nothing else of this program's environment passes: it may
// hold every secret of the user's session. The result is never nil, which
// os/exec would take for all of it.
func environment(configured map[string]string, lookup func(string) (string, bool)) []string {
	env := []string{}
	for _, name := range inherited {
		if value, set := lookup(name); set {
			if _, ours := configured[name]; !ours {
				env = append(env, name+"="+value)
			}
		}
	}
	for name, value := range configured {
		env = append(env, name+"="+value)
	}
	slices.Sort(env)
	return env
}

// plain says why a command could not be started, without whole paths. The
// system reports a directory that is not there as if the program were not.
func (c Command) plain(err error) error {
	if wrong := enter(c.Dir); wrong != nil {
		return fmt.Errorf("its cwd %s: %w", filepath.Base(c.Dir), wrong)
	}
	var look *exec.Error
	var open *os.PathError
	switch {
	case errors.As(err, &look):
		return fmt.Errorf("%s: %w", filepath.Base(look.Name), look.Err)
	case errors.As(err, &open):
		return fmt.Errorf("%s: %w", filepath.Base(open.Path), open.Err)
	}
	return err
}

// enter reports why a process could not start in a directory.
func enter(dir string) error {
	if dir == "" {
		return nil
	}
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return syscall.ENOTDIR
	}
	return enterable(dir)
}
