package confine

import (
	"slices"
	"strings"
	"testing"
)

// A server that is watched reaches nothing more, and what it attempts has its
// port and its path.
func TestLearningNamesWhatIsAttemptedAndGrantsNothing(t *testing.T) {
	t.Parallel()
	address, connections := counted(t)
	p := port(t, address)
	s := server{
		program: interpreter(t, "/usr/bin/python3"), lookup: resolver(map[string]string{"api.test": "127.0.0.1"}),
		args: []string{"-c", `import subprocess, sys, urllib.request
for url in sys.argv[1:]:
    try: print("reached", urllib.request.urlopen(url, timeout=20).read())
    except OSError as e: print("refused")
try: print("started", subprocess.run(["/usr/bin/env"]).returncode)
except OSError as e: print("refused")
try: print("read", open("/etc/passwd").read())
except OSError as e: print("refused")
`, "http://api.test:" + p, "http://" + address},
	}
	for _, watched := range []struct {
		policy *Policy
		want   []string
	}{
		{s.policy(t), []string{"blocked: resolve api.test", "blocked: start a program, which `ask manifest learn` names (needs"}},
		{s.policy(t).Learning(), []string{"blocked: connect api.test:" + p, "blocked: start /usr/bin/env (needs"}},
	} {
		r := runPolicy(t, watched.policy, s)
		if r.out != strings.Repeat("refused\n", 4) || connections.Load() != 0 {
			t.Errorf("the server says %s%s, and made %d connections", r.out, r.err, connections.Load())
		}
		want := append(watched.want, "blocked: connect "+address+" (needs", "blocked: read /etc/passwd (needs")
		for _, line := range want {
			if !slices.ContainsFunc(r.attempts, func(a string) bool { return strings.HasPrefix(a, line) }) {
				t.Errorf("the attempts are %q, without %q", r.attempts, line)
			}
		}
	}
}
