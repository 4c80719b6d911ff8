package artifact

import (
	"context"
	"errors"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/host/disk"
)

const (
	pipReport  = "pip-report.json"
	venvBin    = "venv/bin"
	venvPython = venvBin + "/python"
)

// pipReported is the part of pip's installation report, version 1, that is read.
type pipReported struct {
	Install []struct {
		Direct   bool `json:"is_direct"`
		Metadata struct {
			Name    string `json:"name"`
			Version string `json:"version"`
		} `json:"metadata"`
		Download struct {
			URL     string `json:"url"`
			Archive struct {
				Hashes map[string]string `json:"hashes"`
			} `json:"archive_info"`
		} `json:"download_info"`
	} `json:"install"`
}

// fromPyPI has pip install wheels into an environment of their own.
func fromPyPI(ctx context.Context, p Package, t tree) (manifest, error) {
	if runtime.GOOS == "windows" {
		return manifest{}, floating("packages of PyPI are not fetched on Windows")
	}
	if err := t.run(ctx, "python3", "-m", "venv", "--without-pip", "venv"); err != nil {
		return manifest{}, err
	}
	install := []string{
		"-m", "pip", "--python", venvPython, "install", "--only-binary=:all:", "--ignore-installed", "--no-input", "--quiet",
		"--disable-pip-version-check", "--no-warn-script-location", "--report", pipReport,
	}
	err := t.run(ctx, "python3", slices.Concat(install, t.upTo("--uploaded-prior-to"), []string{"--", p.bare + "==" + p.Version})...)
	if err != nil && !t.before.IsZero() && strings.Contains(err.Error(), "no such option") {
		return manifest{}, errors.New("this pip does not know when a package was uploaded: pip 26.0 or later does (python3 -m pip install --upgrade pip)")
	}
	if err != nil && strings.Contains(err.Error(), "No matching distribution") {
		return manifest{}, floating("pip finds no wheel of this version, or of what it depends on, for this machine")
	}
	if err != nil {
		return manifest{}, err
	}
	report, err := disk.ReadFile(filepath.Join(t.dir, pipReport), listLimits.Bytes)
	if err != nil {
		return manifest{}, err
	}
	integrity, err := pipIntegrity(report)
	if err != nil {
		return manifest{}, err
	}
	m := manifest{Integrity: integrity, Lock: pipReport, Runs: venvBin + "/python", Default: p.Name}
	if m.Programs, err = t.pyPrograms(); err != nil {
		return manifest{}, err
	}
	return t.seal(m)
}

// pipIntegrity is the integrity that a report gives: the digest of every wheel.
func pipIntegrity(b []byte) (string, error) {
	var report pipReported
	if err := schema.DecodeOpen(b, &report, listLimits); err != nil {
		return "", err
	}
	var parts []string
	for _, one := range report.Install {
		name, digest := one.Metadata.Name, one.Download.Archive.Hashes["sha256"]
		if one.Direct || digest == "" || !ofWeb(one.Download.URL) || !strings.HasSuffix(one.Download.URL, ".whl") {
			return "", floating(name + " is not a wheel of an index")
		}
		parts = append(parts, name+" "+one.Metadata.Version+" sha256:"+digest)
	}
	if len(parts) == 0 {
		return "", floating("pip installed nothing")
	}
	return integrityOf(parts), nil
}

// pyPrograms are the scripts that Python runs, of the package or of what it
// depends on.
func (t tree) pyPrograms() (all []program, err error) {
	files, err := os.ReadDir(filepath.Join(t.dir, venvBin))
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		script := path.Join(venvBin, f.Name())
		if f.Type().IsRegular() && pythonScript(filepath.Join(t.dir, script)) {
			all = append(all, program{Name: f.Name(), Script: script})
		}
	}
	if len(all) == 0 {
		return nil, floating("it has no program that Python runs")
	}
	return all, nil
}
