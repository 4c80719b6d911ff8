// Command size prints the lines of each package that cmd/ask links, without generated
// files, and their exported names. It lists the names that no other package of the module uses, and the largest
// packages of the binary.
//
// It runs in the module's root: `make size`.
package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
)

func main() {
	if err := run(context.Background(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "size:", err)
		os.Exit(1)
	}
}

// program is the command whose packages count as the product.
const program = "./cmd/ask"

func run(ctx context.Context, stdout io.Writer) error {
	product, err := list(ctx, "-deps", program)
	if err != nil {
		return err
	}
	all, err := list(ctx, "./...")
	if err != nil {
		return err
	}
	module, err := goTool(ctx, "list", "-m")
	if err != nil {
		return err
	}
	n, err := countNames(strings.TrimSpace(string(module)), product, all)
	if err != nil {
		return err
	}
	bytes, largest, err := binary(ctx)
	if err != nil {
		return err
	}
	return report(stdout, product, n, bytes, largest)
}

func report(stdout io.Writer, product []pkg, n names, size int64, largest []part) error {
	w := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "lines\texported\tpackage of ask")
	total, generated, exported := 0, 0, 0
	for _, p := range product {
		lines, made, err := p.lines()
		if err != nil {
			return err
		}
		total, generated = total+lines, generated+made
		exported += len(n.exported[p.path])
		fmt.Fprintf(w, "%d\t%d\t%s\n", lines, len(n.exported[p.path]), p.path)
	}
	fmt.Fprintf(w, "%d\t%d\tin all, without %d generated lines\n\n", total, exported, generated)
	fmt.Fprintln(w, "bytes\tlargest packages of the binary")
	for _, p := range largest[:min(10, len(largest))] {
		fmt.Fprintf(w, "%d\t%s\n", p.bytes, p.path)
	}
	fmt.Fprintf(w, "%d\tthe binary, as `make build` makes it\n", size)
	if err := w.Flush(); err != nil {
		return err
	}
	alone := n.alone()
	_, err := fmt.Fprintf(stdout, "\n%d exported names that no other package uses, tests aside:\n  %s\n", len(alone), strings.Join(alone, "\n  "))
	return err
}

// pkg is one package of this module, without its tests.
type pkg struct {
	path  string
	files []string
}

// list asks the go command for packages of this module.
func list(ctx context.Context, args ...string) ([]pkg, error) {
	const format = `{{if .Module}}{{if .Module.Main}}{{.ImportPath}}{{$d := .Dir}}{{range .GoFiles}}` + "\t" + `{{$d}}/{{.}}{{end}}{{end}}{{end}}`
	out, err := goTool(ctx, append([]string{"list", "-f", format}, args...)...)
	if err != nil {
		return nil, err
	}
	var all []pkg
	for line := range strings.Lines(string(out)) {
		if fields := strings.Split(strings.TrimSpace(line), "\t"); fields[0] != "" {
			all = append(all, pkg{fields[0], fields[1:]})
		}
	}
	slices.SortFunc(all, func(a, b pkg) int { return strings.Compare(a.path, b.path) })
	return all, nil
}

// lines counts the lines that people wrote, and those that a program generated.
func (p pkg) lines() (written, generated int, err error) {
	for _, file := range p.files {
		b, err := os.ReadFile(file)
		if err != nil {
			return 0, 0, err
		}
		n := bytes.Count(b, []byte("\n"))
		if bytes.HasPrefix(b, []byte("// Code generated ")) {
			generated += n
		} else {
			written += n
		}
	}
	return written, generated, nil
}

// part is what one package takes of the binary: code and data with a name.
type part struct {
	path  string
	bytes int64
}

// binary builds the program twice: stripped for its size, whole for its parts.
func binary(ctx context.Context) (size int64, largest []part, err error) {
	dir, err := os.MkdirTemp("", "size-*")
	if err != nil {
		return 0, nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	stripped, whole := filepath.Join(dir, "stripped"), filepath.Join(dir, "whole")
	for to, flags := range map[string]string{stripped: "-s -w", whole: ""} {
		if _, err := goTool(ctx, "build", "-trimpath", "-buildvcs=false", "-tags", "nethttpomithttp2", "-ldflags", flags, "-o", to, program); err != nil {
			return 0, nil, err
		}
	}
	info, err := os.Stat(stripped)
	if err != nil {
		return 0, nil, err
	}
	symbols, err := goTool(ctx, "tool", "nm", "-size", whole)
	if err != nil {
		return 0, nil, err
	}
	return info.Size(), parts(bytes.NewReader(symbols), info.Size()), nil
}

// parts adds up the sizes that `go tool nm -size` prints, largest package first.
// It leaves out what takes no room in a file of that size: variables that start
// as zero, some of which nm calls data and gives more bytes than the file has.
func parts(symbols io.Reader, file int64) []part {
	sizes := map[string]int64{}
	for lines := bufio.NewScanner(symbols); lines.Scan(); {
		fields := strings.Fields(lines.Text()) // address, size, type, name
		if len(fields) < 4 || strings.ContainsAny(fields[2], "bBU") {
			continue
		}
		if size, err := strconv.ParseInt(fields[1], 10, 64); err == nil && size < file {
			sizes[owner(fields[3])] += size
		}
	}
	var all []part
	for path, size := range sizes {
		all = append(all, part{path, size})
	}
	slices.SortFunc(all, func(a, b part) int {
		if a.bytes != b.bytes {
			return int(b.bytes - a.bytes)
		}
		return strings.Compare(a.path, b.path)
	})
	return all
}

// owner is the package of a symbol, such as net/http of net/http.(*Client).Do.
func owner(symbol string) string {
	if strings.HasPrefix(symbol, "type:") || strings.HasPrefix(symbol, "go:") {
		return "(types and the linker's own)"
	}
	slash := strings.LastIndex(strings.SplitN(symbol, "[", 2)[0], "/") + 1
	name, _, _ := strings.Cut(symbol[slash:], ".")
	return symbol[:slash] + name
}

func goTool(ctx context.Context, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go %s: %w", strings.Join(args, " "), err)
	}
	return out, nil
}
