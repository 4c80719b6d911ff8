package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// init puts an npm on the PATH of all scripts: none of them asks a registry.
func init() { programs["npm"] = npm }

// npm plays npm with one package, whose name and version are any: npm is confined,
// and a script would be refused what it starts. The variables npm_config_broken
// and npm_config_dependency are for the scripts.
func npm() {
	if err := npmDoes(strings.Join(os.Args[1:], " ")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func npmDoes(line string) error {
	if os.Getenv("npm_config_broken") != "" {
		return errors.New("the registry is on holiday")
	}
	if line == "config list --json" {
		fmt.Println(`{"registry": "http://127.0.0.1:9/"}`)
		return nil
	}
	if !strings.Contains(line, "--ignore-scripts") {
		return errors.New("scripts would be run")
	}
	log, err := os.OpenFile("npm-was-run", os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(log, line)
	err = errors.Join(err, log.Close())
	if os.Args[1] != "ci" {
		spec := os.Args[len(os.Args)-1]
		home := "node_modules/" + spec[:strings.LastIndex(spec, "@")]
		lock := `{"packages":{"` + home + `":{"version":"1.0.0","integrity":"sha512-a` + os.Getenv("npm_config_dependency") + `"}}}`
		return errors.Join(err, os.MkdirAll(home, 0o700), os.WriteFile("package-lock.json", []byte(lock), 0o600),
			os.WriteFile(filepath.Join(home, "package.json"), []byte(`{"name":"x","bin":"index.js"}`), 0o600),
			os.WriteFile(filepath.Join(home, "index.js"), []byte("#!/usr/bin/env node\n"), 0o600))
	}
	return err
}
