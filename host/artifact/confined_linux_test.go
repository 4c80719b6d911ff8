package artifact_test

import (
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/artifact"
)

// listener counts the connections that reach an address of this machine.
func listener(t *testing.T) (addr string, reached *atomic.Int32) {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	reached = new(atomic.Int32)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			reached.Add(1)
			_ = c.Close()
		}
	}()
	return l.Addr().String(), reached
}

// hint is what an error says is to be done.
func hint(err error) string {
	f := (*verdict.Fault)(nil)
	if !errors.As(err, &f) {
		return ""
	}
	return f.Hint
}

// A registry can redirect, and a list can name an archive anywhere. A fetch goes to
// the hosts of the user's configuration, and to those that the user names.
func TestAFetchReachesTheHostsOfTheConfigurationOnly(t *testing.T) {
	t.Parallel()
	other, reached := listener(t)
	for _, addr := range []string{other, "169.254.169.254:80", "10.1.2.3:443", "[2001:db8::1]:443"} {
		_, err := artifact.Cache(t.TempDir()).Fetch(t.Context(), line("npx straying@1.0.0"), []string{"npm_config_test_stray=" + addr}, artifact.How{})
		if verdict.CodeOf(err) != verdict.ServerFetch || !strings.Contains(err.Error(), "npm was sent to "+addr+", which its configuration does not name") {
			t.Errorf("%s: %v", addr, err)
		}
		if !strings.Contains(hint(err), "`ask servers fetch SERVER --host "+addr+"`") {
			t.Errorf("%s: %s", addr, hint(err))
		}
	}
	if n := reached.Load(); n != 0 {
		t.Errorf("%d connections arrived", n)
	}
}

func TestAHostThatTheUserNamesIsReached(t *testing.T) {
	t.Parallel()
	for name, reaches := range map[string]bool{
		"--host": true, "npm_config_registry": true, "npm_config_@corp:registry": true, "npm_config_proxy": true, "npm_config_https-proxy": true, "HTTPS_PROXY": true, "http_proxy": true,
		"npm_config_init-author-url": false, "no_proxy": false, "PIP_INDEX_URL": false, "HOMEPAGE": false,
	} {
		addr, reached := listener(t)
		how := artifact.How{}
		if name == "--host" {
			how.Hosts = []string{addr}
		}
		_, err := artifact.Cache(t.TempDir()).Fetch(t.Context(), line("npx straying@1.0.0"), []string{"npm_config_test_stray=" + addr, name + "=http://" + addr}, how)
		if n := reached.Load(); (n == 1) != reaches {
			t.Errorf("%s: %d connections arrived, %v", name, n, err)
		}
	}
}

// A file that no configuration names is not read, nothing is written outside of the
// cache, and npm starts nothing.
func TestAFetchHasNoOtherRights(t *testing.T) {
	t.Parallel()
	key := filepath.Join(t.TempDir(), "id_rsa")
	if err := os.WriteFile(key, []byte("hunter2"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := artifact.Cache(t.TempDir()).Fetch(t.Context(), line("npx prying@1.0.0"), []string{"npm_config_test_pry=" + key}, artifact.How{})
	if err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("it was read: %v", err)
	}
	for _, refused := range []string{"(it was refused to ", "to read " + key, "to start a process"} {
		if !strings.Contains(err.Error(), refused) {
			t.Errorf("%q is not named: %v", refused, err)
		}
	}
	if _, err := os.Stat(key + ".new"); err == nil {
		t.Error("a file was written")
	}
}

func TestACredentialOfTheConfigurationIsInNoMessage(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"token":    "//127.0.0.1:9/:_authToken=hunter2-token\n",
		"quoted":   "//127.0.0.1:9/:_authToken = \"hunter2-token\"\n",
		"password": "//127.0.0.1:9/:_password=hunter2-token\n",
		"variable": "//127.0.0.1:9/:_authToken=${CORP_PAT}\n#hunter2-token",
	} {
		rc := filepath.Join(t.TempDir(), "npmrc")
		if err := os.WriteFile(rc, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := artifact.Cache(t.TempDir()).Fetch(t.Context(), line("npx telling@1.0.0"), []string{"npm_config_userconfig=" + rc, "CORP_PAT=hunter2-token"}, artifact.How{})
		if err == nil || !strings.Contains(err.Error(), "its npmrc has //127.0.0.1:9/") {
			t.Errorf("%s: the file was not read: %v", name, err)
		}
		if strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Without Landlock npm cannot be confined. It then has the user's rights, which is
// said; where everything has to be confined it does not run.
func TestWhereNPMCannotBeConfinedThatIsSaidOrNothingIsFetched(t *testing.T) {
	t.Parallel()
	for _, how := range []string{"refuse", "say"} {
		dir := t.TempDir()
		cmd := exec.CommandContext(t.Context(), "fetcher", dir, "good@1.0.0", how)
		cmd.Env = append(os.Environ(), "ROLE_WITHOUT_LANDLOCK=1")
		said, err := cmd.CombinedOutput()
		_, missing := os.Stat(filepath.Join(dir, "npm/good@1.0.0/manifest.json"))
		if fetched := err == nil && missing == nil; fetched != (how == "say") {
			t.Errorf("%s: %v, %s", how, err, said)
		}
		if want := map[string]string{"refuse": "this machine cannot confine npm: this kernel ", "say": "unconfined npm: this kernel "}[how]; strings.Count(string(said), want) == 0 {
			t.Errorf("%s: %s", how, said)
		}
	}
}

// Where the fetcher is to find no Landlock the kernel refuses it to all that it starts.
func init() {
	if os.Getenv("ROLE_WITHOUT_LANDLOCK") == "" {
		return
	}
	filter := []unix.SockFilter{
		{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS},
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jf: 1, K: unix.SYS_LANDLOCK_CREATE_RULESET},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS)},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW},
	}
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		panic(err)
	}
	if _, _, e := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&program))); e != 0 {
		panic(e)
	}
}
