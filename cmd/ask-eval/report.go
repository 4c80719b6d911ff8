package main

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/eval/report"
	"github.com/onestep-run/onestep/gate/verdict"
)

// reportFile is a report for --report.
type reportFile struct {
	dir, name string
	render    func(r eval.Report, end error) ([]byte, error)
}

// reportFiles reads --report KIND=FILE and makes the folders. It runs before the
// measurement, like [eval.MakeDir].
func reportFiles(specs []string) ([]reportFile, error) {
	var files []reportFile
	taken := map[string]bool{}
	for _, spec := range specs {
		file, err := parseReport(spec)
		if err != nil {
			return nil, err
		}
		path := filepath.Join(file.dir, file.name)
		if taken[path] {
			return nil, cli.Usage(verdict.UsageArgument, "--report names %.200q twice", path)
		}
		taken[path] = true
		if err := eval.MakeDir(file.dir); err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	return files, nil
}

func parseReport(spec string) (reportFile, error) {
	kind, path, found := strings.Cut(spec, "=")
	file := reportFile{dir: filepath.Dir(path), name: filepath.Base(path)}
	switch kind {
	case "junit":
		file.render = report.JUnit
	case "html":
		file.render = report.HTML
	default:
		return file, cli.Usage(verdict.UsageArgument, "--report %.60q is of no known kind: junit=FILE or html=FILE", spec)
	}
	if !found || path == "" {
		return file, cli.Usage(verdict.UsageArgument, "--report %s=FILE names no file", kind)
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return file, cli.Usage(verdict.UsageArgument, "--report %.200q is not a regular file", path)
	}
	return file, nil
}

// writeReports writes the reports even if nothing was measured, because a build server
// would take yesterday's report for today's.
func writeReports(files []reportFile, r eval.Report, end error) (paths []string, err error) {
	for _, file := range files {
		b, err := file.render(r, end)
		if err != nil {
			return paths, verdict.Fail(verdict.Internal, err, "the report %s cannot be made: %v", file.name, err)
		}
		path, err := eval.SaveText(file.dir, file.name, b)
		if err != nil {
			return paths, err
		}
		paths = append(paths, path)
	}
	return paths, nil
}
