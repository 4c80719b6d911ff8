package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/internal/testing/clitest"
)

const recipes = "../../docs/recipes.md"

// recipePrograms are the recipes, and the program that each quotes.
var recipePrograms = map[string]string{
	"A CI job that fails on a refusal": "",
	"A chat bot that shows approvals":  "bot",
	"An auditor and a changed policy":  "",
	"A service of your own":            "service",
}

// The recipes work as they are printed. The first needs a public server: make
// interop has it.
func TestRecipes(t *testing.T) {
	t.Parallel()
	for _, program := range []string{"bash", "curl", "openssl"} {
		if _, err := exec.LookPath(program); err != nil && os.Getenv("ASK_RECIPES_REQUIRED") == "" {
			t.Skipf("the recipes use %s, which is not installed", program)
		}
	}
	bin := released(t)
	for title, program := range recipePrograms {
		t.Run(title, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			env := []string{"PATH=" + bin + ":" + os.Getenv("PATH"), "HOME=" + dir, "ASK_HOME=" + dir, "LANG=C.UTF-8"}
			quoted := clitest.Recipe(t, recipes, title, dir, env)["go"]
			if program == "" {
				return
			}
			source := ""
			files, err := filepath.Glob("../../docs/recipes/" + program + "/*.go")
			for _, file := range files {
				b, bad := os.ReadFile(file)
				source, err = source+string(b), errors.Join(err, bad)
			}
			if err != nil || len(quoted) == 0 {
				t.Fatalf("nothing is quoted, %v", err)
			}
			for _, part := range quoted {
				if !strings.Contains(source, part) {
					t.Errorf("the program has no\n%s", part)
				}
			}
		})
	}
}
