package main

import (
	"context"
	"debug/buildinfo"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/gate/verdict"
)

// evaluator is the program that `ask eval` becomes.
const evaluator = "ask-eval"

// evaluate passes every argument to a separate program, including the global flags before
// and after "eval". The code for measurements is not linked into `ask`.
func (a *app) evaluate(cmd *cobra.Command) action {
	cmd.DisableFlagParsing, cmd.ValidArgsFunction = true, completeEvaluator
	return func(_ context.Context, args []string) error { return becomeEvaluator(args) }
}

// becomeEvaluator replaces this process with the evaluator, so that the streams, the signals
// and the exit code are the evaluator's. It returns only with an error.
func becomeEvaluator(args []string) error {
	path, err := findEvaluator()
	if err != nil {
		return err
	}
	err = syscall.Exec(path, append([]string{evaluator}, args...), os.Environ())
	return verdict.Fail(verdict.EvalProgram, err, "%s cannot be started: %v", path, err)
}

// completeEvaluator asks the evaluator, which knows its suites and their flags.
func completeEvaluator(cmd *cobra.Command, args []string, last string) ([]cobra.Completion, cobra.ShellCompDirective) {
	path, err := findEvaluator()
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	args = slices.Concat([]string{cobra.ShellCompRequestCmd}, args, []string{last})
	out, err := exec.CommandContext(cmd.Context(), path, args...).Output()
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	directive, wrong := strconv.Atoi(strings.TrimPrefix(lines[len(lines)-1], ":"))
	if err != nil || wrong != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	return lines[:len(lines)-1], cobra.ShellCompDirective(directive)
}

// findEvaluator returns the path of the evaluator that was built with this program. It must
// be in the same folder, after links. An evaluator from PATH would receive the environment,
// with a model's key in it.
//
// The stamp distinguishes versions and proves no more: a program that can write to the folder
// can put another program there, with any stamp, as it could replace `ask` itself. The owner
// of the folder is not checked.
func findEvaluator() (string, error) {
	self, err := os.Executable()
	if err == nil {
		self, err = filepath.EvalSymlinks(self)
	}
	if err != nil {
		return "", verdict.Fail(verdict.EvalProgram, err, "the path of this program is not known: %v", err)
	}
	own, _ := debug.ReadBuildInfo()
	path := filepath.Join(filepath.Dir(self), evaluator)
	return path, matches(path, stamp(own))
}

// matches reads the file, and runs nothing.
func matches(path, want string) error {
	switch info, err := os.Lstat(path); {
	case want == "": // a program without a stamp belongs to no build
		return verdict.Fail(verdict.EvalProgram, nil, "this program was built without a stamp, so it cannot identify the %s that belongs to it", evaluator)
	case err != nil:
		return verdict.Fail(verdict.EvalProgram, err, "there is no %s next to this program: %v", evaluator, err)
	case !info.Mode().IsRegular():
		return verdict.Fail(verdict.EvalProgram, nil, "%s is not a regular file", path)
	case info.Mode().Perm()&fs.FileMode(0o002) != 0:
		return verdict.Fail(verdict.EvalProgram, nil, "other users can write to %s", path)
	}
	info, err := buildinfo.ReadFile(path)
	switch {
	case err != nil:
		return verdict.Fail(verdict.EvalProgram, err, "%s has no valid stamp: %v", path, err)
	case stamp(info) != want:
		return verdict.Fail(verdict.EvalProgram, nil, "%s was built from another source tree than this program", path)
	}
	return nil
}

// stamp is the build tag that tools/stamp.sh made, "" without one. It is a tag because with
// -trimpath the go command records neither -ldflags nor the values that they set.
func stamp(info *debug.BuildInfo) string {
	if info == nil {
		return ""
	}
	for _, s := range info.Settings {
		if s.Key != "-tags" {
			continue
		}
		for tag := range strings.SplitSeq(s.Value, ",") {
			if strings.HasPrefix(tag, "stamp_") {
				return tag
			}
		}
	}
	return ""
}
