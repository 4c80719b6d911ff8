package main

import (
	"bufio"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// figures are what benchmarks printed.
type figures struct {
	values  map[[2]string][]float64 // by benchmark, without the number of processors, and unit
	reasons map[string]string       // why a program has no figures, by its name
}

var (
	processors = regexp.MustCompile(`-\d+$`)
	reason     = regexp.MustCompile(`^not run: ([a-z]+): (.*)`)
)

// parseFigures reads the output of `go test -bench`, of any number of packages and counts.
func parseFigures(r io.Reader) (figures, error) {
	f := figures{values: map[[2]string][]float64{}, reasons: map[string]string{}}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if found := reason.FindStringSubmatch(lines.Text()); found != nil {
			f.reasons[found[1]] = found[2]
		}
		fields := strings.Fields(lines.Text())
		if len(fields) < 4 || !strings.HasPrefix(fields[0], "Benchmark") {
			continue
		}
		name := processors.ReplaceAllString(fields[0], "")
		for i := 2; i+1 < len(fields); i += 2 {
			value, err := strconv.ParseFloat(fields[i], 64)
			if err != nil {
				break // it is the log line of a benchmark
			}
			key := [2]string{name, fields[i+1]}
			f.values[key] = append(f.values[key], value)
		}
	}
	return f, lines.Err()
}

// median is the middle of the values, or the mean of the two in the middle, as benchstat has it.
func median(values []float64) float64 {
	s := slices.Sorted(slices.Values(values))
	return (s[(len(s)-1)/2] + s[len(s)/2]) / 2
}

// of is the median of a benchmark's figures, in nanoseconds, bytes or as they are.
func (f figures) of(bench, unit string) (value float64, measured bool) {
	values := f.values[[2]string{bench, unit}]
	if len(values) == 0 {
		return 0, false
	}
	if strings.HasSuffix(unit, "-ms") {
		return median(values) * 1e6, true
	}
	return median(values), true
}

// missing says why a benchmark has no figures of these units.
func (f figures) missing(units ...string) string {
	for _, unit := range units {
		name, _, _ := strings.Cut(unit, "-")
		if why := f.reasons[name]; why != "" {
			return "not run: " + why
		}
	}
	return "not measured in this run"
}
