package confine

import (
	"cmp"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// numbered reads the rows of a file that name system calls and their numbers.
func numbered(t *testing.T, path, row string) map[string]int {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("the numbers of system calls are needed (package linux-libc-dev has the headers): %v", err)
	}
	found := map[string]int{}
	for _, m := range regexp.MustCompile(row).FindAllStringSubmatch(string(b), -1) {
		n, err := strconv.Atoi(m[2])
		if err != nil {
			t.Fatal(err)
		}
		found[strings.ToLower(m[1])] = n
	}
	return found
}

// The system calls of the filter have the numbers of the kernel's headers, on both
// architectures. A wrong one would refuse another call, and allow this one.
func TestTheTableIsThatOfTheHeaders(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("filter_linux.go"); err != nil {
		return // the second run, as another user, is elsewhere, and this does not depend on the user
	}
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "golang.org/x/sys").Output()
	if err != nil {
		t.Fatal(err)
	}
	const define = `(?m)^#define __NR(?:3264)?_([a-z0-9_]+)\s+(\d+)$`
	everywhere := map[string]int{} // system calls that are newer than the headers have one number on all architectures
	for arch, c := range map[string]struct {
		header string
		tables []string
		least  int
	}{
		"amd64": {"/usr/include/x86_64-linux-gnu/asm/unistd_64.h", []string{"filter_linux.go", "table_linux_amd64.go"}, 140},
		"arm64": {"/usr/include/asm-generic/unistd.h", []string{"filter_linux.go", "table_linux_arm64.go"}, 110},
	} {
		here := numbered(t, filepath.Join(strings.TrimSpace(string(out)), "unix", "zsysnum_linux_"+arch+".go"), `(?m)^\s*SYS_([A-Z0-9_]+)\s+= (\d+)$`)
		kernel := numbered(t, c.header, define)
		newest := slices.Max(slices.Collect(maps.Values(kernel)))
		checked := map[string]bool{}
		for _, table := range c.tables {
			b, err := os.ReadFile(table)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range regexp.MustCompile(`unix\.SYS_([A-Z0-9_]+)`).FindAllStringSubmatch(string(b), -1) {
				name := strings.ToLower(m[1])
				number, known := kernel[name]
				if !known && here[name] > newest {
					number = cmp.Or(everywhere[name], here[name])
					everywhere[name] = number
				}
				if here[name] == 0 || here[name] != number {
					t.Errorf("%s: %s is %d here, and %d in the header (%v)", arch, name, here[name], number, known)
				}
				checked[name] = true
			}
		}
		if len(checked) < c.least {
			t.Errorf("%s: only %d system calls were compared", arch, len(checked))
		}
	}
}
