package launch

import (
	"os"
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
