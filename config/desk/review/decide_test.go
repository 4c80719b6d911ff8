package review_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/desk"
	"github.com/onestep-run/onestep/config/desk/review"
	"github.com/onestep-run/onestep/config/desk/servers"
	"github.com/onestep-run/onestep/config/desk/tools"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/store"
	"github.com/onestep-run/onestep/host/trust"
)

// TestMain is, in a process that a test starts, the decision that is cut short.
func TestMain(m *testing.M) {
	if home := os.Getenv("DESK_DECIDES_IN"); home != "" {
		_, err := decide(context.Background(), home, os.Getenv("DESK_CUT"))
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
	os.Exit(m.Run())
}

// lists is the allowlist before a decision: get reads, put writes, and add is
// not in it.
const lists = `{"kb":{"read":["get"],"write":["put"]}}`

// home is an installation with one server, which is never started.
func home(t *testing.T, allowlist string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"mcp.json": `{"mcpServers":{"kb":{"command":"/nonexistent/kb"}}}`, "allowlist.json": allowlist} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func at(home string) (desk.Desk, error) {
	env := func(name string) (string, bool) {
		if name == "ASK_HOME" {
			return home, true
		}
		return "", false
	}
	paths, err := config.FindPaths(env)
	if err != nil {
		return desk.Desk{}, err
	}
	s, err := config.Load(paths, env, config.Flags{})
	return desk.Desk{Settings: s, With: setup.Options{Env: env}, By: "ada"}, err
}

// cutStore is a state that something happens to where a decision is written.
type cutStore struct {
	*store.Store
	cut, allowlist string
}

var errFull = errors.New("the disk is full")

func (c cutStore) Decide(ctx context.Context, after int64, all []store.Decision) error {
	switch c.cut {
	case "killed before the store is written":
		kill()
	case "the store cannot be written":
		return errFull
	}
	err := c.Store.Decide(ctx, after, all)
	switch c.cut {
	case "killed before the allowlist gains":
		kill()
	case "the allowlist becomes a plain list meanwhile":
		err = errors.Join(err, os.WriteFile(c.allowlist, []byte(`{"kb":["get"]}`), 0o600))
	}
	return err
}

// kill ends this process as SIGKILL does.
func kill() {
	if p, err := os.FindProcess(os.Getpid()); err == nil {
		_ = p.Kill()
	}
	select {}
}

// decide approves all three tools: get as writing, which the allowlist calls
// reading, add as reading, and put as it is.
func decide(ctx context.Context, home, cut string) (review.Decided, error) {
	d, err := at(home)
	if err != nil {
		return review.Decided{}, err
	}
	s, err := servers.At(d).Open()
	if err != nil {
		return review.Decided{}, err
	}
	defer s.State.Close()
	s.Keeper = trust.NewKeeper(cutStore{s.State, cut, s.AllowlistFile}, time.Now)
	subject := s.Target("kb", true)
	subject.List = func(context.Context, string) catalog.Listing {
		l := catalog.Listing{Server: "kb"}
		for _, name := range []string{"get", "put", "add"} {
			l.Tools = append(l.Tools, pin.Descriptor{Server: "kb", Raw: jsontext.Value(`{"name":"` + name + `","inputSchema":{"type":"object"}}`)})
		}
		return l
	}
	r, err := s.Keeper.Look(ctx, subject)
	if err != nil {
		return review.Decided{}, err
	}
	v := trust.Choice{How: "digest", Digests: []string{r.Digest}, Effects: map[string]string{"get": tools.Writes, "add": tools.Reads}}
	return review.Decide(ctx, s, review.Review{Review: r}, v)
}

// kept is what a decision left on disk.
type kept struct {
	Approved []string
	Effects  map[string]string // by tool, as the allowlist has them
}

func left(t *testing.T, home string) kept {
	t.Helper()
	d, err := at(home)
	if err != nil {
		t.Fatal(err)
	}
	s, err := servers.At(d).Open()
	if err != nil {
		t.Fatal(err)
	}
	defer s.State.Close()
	place, _ := s.Place("kb")
	pins, err := s.Keeper.Pins(t.Context(), place)
	if err != nil {
		t.Fatal(err)
	}
	k := kept{slices.Sorted(maps.Keys(pins.Tools)), map[string]string{}}
	for _, tool := range s.Allowlist.Tools("kb") {
		k.Effects[tool] = s.Allowlist.Effect("kb", tool).String()
	}
	return k
}

var (
	all      = []string{"add", "get", "put"}
	before   = map[string]string{"get": "read", "put": "write"}
	narrower = map[string]string{"get": "write", "put": "write"}
	after    = map[string]string{"get": "write", "put": "write", "add": "read"}
)

// TestAKillLeavesAtMostAnApprovedToolThatNothingAllows, at each step between the
// two files. No moment allows a call without consent that the person called a
// writing one.
func TestAKillLeavesAtMostAnApprovedToolThatNothingAllows(t *testing.T) {
	t.Parallel()
	for cut, want := range map[string]kept{
		"killed before the store is written": {nil, narrower},
		"killed before the allowlist gains":  {all, narrower},
	} {
		dir := home(t, lists)
		cmd := exec.CommandContext(t.Context(), os.Args[0])
		cmd.Env = append(os.Environ(), "DESK_DECIDES_IN="+dir, "DESK_CUT="+cut)
		if out, err := cmd.CombinedOutput(); err == nil || cmd.ProcessState.Exited() {
			t.Fatalf("%s: it was not killed: %v: %s", cut, err, out)
		}
		if diff := cmp.Diff(want, left(t, dir)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", cut, diff)
		}
	}
}

// A decision that fails at a step reports what was kept of it.
func TestADecisionThatFailsSaysWhatItKept(t *testing.T) {
	t.Parallel()
	for cut, want := range map[string]struct {
		lists string
		review.Decided
		Left kept
		Err  verdict.Code
	}{
		"nothing happens": {
			lists, review.Decided{Decided: trust.Decided{Approved: all}, Kept: true, Lists: map[string]string{"get": tools.Writes, "add": tools.Reads}}, kept{all, after}, "",
		},
		"the allowlist is a plain list": {
			`{"kb":["get","put"]}`, review.Decided{Lists: map[string]string{}}, kept{nil, map[string]string{"get": "write", "put": "write"}}, verdict.UsageArgument,
		},
		"the store cannot be written": {
			lists, review.Decided{Lists: map[string]string{"get": tools.Writes}}, kept{nil, narrower}, verdict.Internal,
		},
		"the allowlist becomes a plain list meanwhile": {
			lists, review.Decided{Decided: trust.Decided{Approved: all}, Kept: true, Lists: map[string]string{"get": tools.Writes}}, kept{all, map[string]string{"get": "write"}}, verdict.UsageArgument,
		},
	} {
		dir := home(t, want.lists)
		of, err := decide(t.Context(), dir, cut)
		slices.Sort(of.Approved)
		code := verdict.Code("")
		if err != nil {
			code = verdict.CodeOf(err)
		}
		if diff := cmp.Diff(want.Err, code); diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", cut, err, diff)
		}
		if diff := cmp.Diff(want.Decided, of); diff != "" {
			t.Errorf("%s reports (-want +got):\n%s", cut, diff)
		}
		if diff := cmp.Diff(want.Left, left(t, dir)); diff != "" {
			t.Errorf("%s leaves (-want +got):\n%s", cut, diff)
		}
	}
	if diff := cmp.Diff(before, left(t, home(t, lists)).Effects); diff != "" {
		t.Errorf("before any decision (-want +got):\n%s", diff)
	}
}
