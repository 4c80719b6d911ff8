package launch

import (
	"bufio"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestAProgramsNameCannotForgeItsParents(t *testing.T) {
	t.Parallel()
	rest := strings.Repeat(" 0", 16)
	for _, c := range []struct {
		stat string
		want process
		ok   bool
	}{
		{"7 (sh) S 6 5 4 0 -1" + rest[:2*13] + " 99 0", process{7, 6, 5, 4, 99, false}, true},
		{"7 (a) R 1 1 1) Z 6 5 4 0 -1" + rest[:2*13] + " 99 0", process{7, 6, 5, 4, 99, true}, true},
		{"7 (x y) ( S 6 5 4 0 -1" + rest[:2*13] + " 99 0", process{}, false},
		{"7 (sh) S 6 5 4", process{}, false},
		{"7 (sh) S six 5 4 0 -1" + rest[:2*13] + " 99 0", process{}, false},
		{"7", process{}, false},
		{"", process{}, false},
	} {
		got, ok := parseStat([]byte(c.stat))
		if ok != c.ok || ok && got != c.want {
			t.Errorf("%q is read as %+v, %v", c.stat, got, ok)
		}
	}
}

func TestThisProcessIsFoundAmongAll(t *testing.T) {
	t.Parallel()
	for _, p := range processes() {
		if p.pid == os.Getpid() {
			if p.parent != os.Getppid() || p.started == 0 || p.zombie {
				t.Errorf("this process is read as %+v", p)
			}
			return
		}
	}
	t.Error("this process is not among all")
}

func FuzzParseStat(f *testing.F) {
	f.Add([]byte("7 (sh) S 6 5 4 0 -1 0 0 0 0 0 0 0 0 0 0 0 0 0 99 0"))
	f.Add([]byte("7 (a) b) S"))
	f.Fuzz(func(t *testing.T, stat []byte) {
		if p, ok := parseStat(stat); ok && p.pid == 0 && stat[0] != '0' && stat[0] != '-' && stat[0] != '+' {
			t.Errorf("%q is read as %+v", stat, p)
		}
	})
}

// A server's processes are found among the descendants alone, also those that lost
// their parents or left its session.
func TestDescendantsAreFoundWithoutReadingEveryProcess(t *testing.T) {
	if _, ok := children(os.Getpid()); !ok {
		t.Skip("this kernel does not list the children of a process")
	}
	cmd := exec.Command("/bin/sh", "-c", `exec 3<&0; cat <&3 & echo $!; (cat <&3 & echo $!; wait) & setsid sh -c 'echo $$; exec cat' <&3 & wait`)
	end, keep, err := os.Pipe() // what cat reads, until the test ends
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdin, cmd.SysProcAttr = end, attributes()
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = keep.Close()
		_ = (&kin{}).kill(cmd.Process.Pid)
		_ = cmd.Wait()
	}()
	want := []int{cmd.Process.Pid}
	for lines := bufio.NewScanner(out); len(want) < 4 && lines.Scan(); {
		pid, err := strconv.Atoi(lines.Text())
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, pid)
	}
	found, ok := descendants(os.Getpid())
	if !ok {
		t.Fatal("the children are not listed any more")
	}
	for _, pid := range want {
		if !slices.ContainsFunc(found, func(p process) bool { return p.pid == pid }) {
			t.Errorf("process %d is not found among %v", pid, found)
		}
	}
	if slices.ContainsFunc(found, func(p process) bool { return p.pid == os.Getppid() }) {
		t.Errorf("a process that is not below this one is found: %v", found)
	}
}
