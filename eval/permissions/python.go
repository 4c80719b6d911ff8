package permissions

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/onestep-run/onestep/gate/schema"
)

// reader is a program that uses only the standard library. It parses its stdin, and
// runs none of it.
//
//go:embed reader.py
var reader string

// pythonTime bounds one file.
const pythonTime = 30 * time.Second

var usesLimits = schema.Limits{Bytes: 8 << 20, Depth: 4, Values: 400_000, Exponent: 9, Digits: 20}

// pythonUses asks an installed Python, isolated from the user's variables and
// directory.
func pythonUses(ctx context.Context, _ string, source []byte) ([]named, error) {
	path := "/usr/bin/python3"
	if _, err := os.Stat(path); err != nil {
		if path, err = exec.LookPath("python3"); err != nil {
			return nil, errors.New("python3, which parses Python, is not installed")
		}
	}
	ctx, cancel := context.WithTimeout(ctx, pythonTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, "-I", "-c", reader)
	cmd.Env, cmd.Dir = []string{}, "/"
	var out, failed bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(source), &out, &failed
	if err := cmd.Run(); err != nil {
		lines := strings.Split(strings.TrimSpace(failed.String()), "\n")
		return nil, errors.New(lines[len(lines)-1])
	}
	var found struct {
		Uses []named `json:"uses"`
	}
	err := schema.Decode(out.Bytes(), &found, usesLimits)
	return found.Uses, err
}
