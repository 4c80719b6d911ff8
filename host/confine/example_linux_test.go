package confine_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/onestep-run/onestep/host/confine"
)

// A manifest grants nothing by itself, and one with a mistake is an error that
// names the place.
func ExampleParse() {
	manifest, err := confine.Parse([]byte(`{"description": "reads notes", "permissions": ["mcp.ac.filesystem.read"]}`))
	fmt.Println(manifest.Permissions, err)
	_, err = confine.Parse([]byte(`{"description": "reads notes", "permissions": ["mcp.ac.filesystem.raed"]}`))
	fmt.Println(err)
	// Output:
	// [mcp.ac.filesystem.read] <nil>
	// manifest.invalid: /permissions/0 is "mcp.ac.filesystem.raed", which is not a permission; did you mean mcp.ac.filesystem.read?
}

// A scope that the manifest does not ask for is an error.
func ExampleResolve() {
	manifest := confine.Manifest{Description: "reads notes", Permissions: []confine.Permission{confine.FilesRead}}
	_, err := confine.Resolve(manifest, confine.Scopes{WritePaths: confine.Paths{"/tmp"}}, confine.Program{Path: "true"})
	fmt.Println(err)
	// Output:
	// manifest.invalid: the manifest does not ask for mcp.ac.filesystem.write, which /scopes/writePaths grants
}

// A policy answers before anything is started.
func ExamplePolicy_Why() {
	manifest := confine.Manifest{Description: "asks a service", Permissions: []confine.Permission{confine.NetworkClient}}
	policy, err := confine.Resolve(manifest, confine.Scopes{AllowedHosts: []string{"api.example.com:443"}}, confine.Program{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, resource := range []string{"api.example.com:443", "api.example.com:80"} {
		answer := policy.Why(resource)[0]
		fmt.Println(answer.Action, answer.Resource, answer.Allowed)
		for _, change := range answer.Patch {
			fmt.Println(" ", change.Op, change.Path, change.Value)
		}
	}
	// Output:
	// connect api.example.com:443 true
	// connect api.example.com:80 false
	//   add /scopes/allowedHosts/- api.example.com:80
}

// A scope names an argument, and one call grants one file.
func ExamplePolicy_Bind() {
	dir, err := os.MkdirTemp("", "notes")
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err == nil {
		defer os.RemoveAll(dir)
		err = os.WriteFile(filepath.Join(dir, "a.txt"), nil, 0o600)
	}
	manifest := confine.Manifest{Description: "reads notes", Permissions: []confine.Permission{confine.FilesRead}}
	named := confine.Argument{Arg: "/path", Under: dir}
	policy, err2 := confine.Resolve(manifest, confine.Scopes{ReadPaths: confine.Paths{named.Path()}}, confine.Program{})
	if err != nil || err2 != nil {
		fmt.Println(err, err2)
		return
	}
	call, err := policy.Bind([]byte(`{"path": "` + dir + `/a.txt"}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(policy.Why(dir + "/a.txt")[0].Allowed, call.Why(dir + "/a.txt")[0].Allowed, strings.TrimPrefix(call.Bound()[0].Path, dir))
	_, err = policy.Bind([]byte(`{"path": "/etc/passwd"}`))
	fmt.Println(strings.Contains(err.Error(), "is not in"))
	// Output:
	// false true /a.txt
	// true
}

// A server is launched, audited and stopped. Here it is a shell that reads what
// nothing grants.
func ExampleStart() {
	runtime.LockOSThread() // the kernel ends the server with the thread that started it
	defer runtime.UnlockOSThread()
	program := confine.Program{Path: "/bin/sh", Args: []string{"-c", `read line < /etc/passwd; read wait`}}
	policy, err := confine.Resolve(confine.Manifest{Description: "a shell"}, confine.Scopes{}, program)
	if err != nil {
		fmt.Println(err)
		return
	}
	blocked := make(chan confine.Attempt, 10)
	cmd := &exec.Cmd{}
	stdin, err := cmd.StdinPipe() // the server waits for it, until it is stopped
	if err != nil {
		fmt.Println(err)
		return
	}
	defer stdin.Close()
	server, err := confine.Start(cmd, policy, confine.Options{Record: func(a confine.Attempt) { blocked <- a }})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(<-blocked)
	_ = cmd.Process.Kill()
	_ = cmd.Wait() // it was killed
	fmt.Println(server.Close())
	attempts, unlisted := server.Attempts()
	fmt.Println(len(attempts), unlisted, attempts[0].Patch[0].Path)
	// Output:
	// blocked: read /etc/passwd (needs filesystem.read with readPaths)
	// <nil>
	// 1 0 /permissions
}
