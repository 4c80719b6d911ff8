package artifact

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"os"
	"path"
	"path/filepath"
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

// pipReported is the part that is read of pip's installation report, version 1.
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

// fromPyPI makes pip install wheels into a new virtual environment.
func fromPyPI(ctx context.Context, p Package, t tree) (manifest, error) {
	pip, err := t.pip(ctx)
	if err != nil {
		return manifest{}, err
	}
	defer t.how.begin(p, pip.from)()
	if err := t.run(ctx, pip, "-m", "venv", "--without-pip", "venv"); err != nil {
		return manifest{}, err
	}
	pip.starts = []string{filepath.Join(t.dir, venvPython)} // pip starts itself again with it
	install := []string{
		"-m", "pip", "--python", venvPython, "install", "--only-binary=:all:", "--ignore-installed", "--no-input", "--quiet",
		"--disable-pip-version-check", "--no-warn-script-location", "--report", pipReport, "--cache-dir", t.scratch,
	}
	err = t.run(ctx, pip, slices.Concat(install, t.upTo("--uploaded-prior-to"), []string{"--", p.bare + "==" + p.Version})...)
	if err != nil && !t.how.Before.IsZero() && strings.Contains(err.Error(), "no such option") {
		return manifest{}, errors.New("this pip does not know when a package was uploaded: pip 26.0 or later does (python3 -m pip install --upgrade pip)")
	}
	if err != nil && strings.Contains(err.Error(), "No matching distribution") {
		return manifest{}, floating("pip finds no wheel of this version, or of a dependency, for this machine")
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

// aboutPython makes Python print the paths of itself, its installation, its libraries and
// pip, one a line. Then it prints pip's default index, with the host of its files.
const aboutPython = `import os, sys, sysconfig, pip
print(sys.executable, sys.prefix, sysconfig.get_path('stdlib'), sysconfig.get_path('platstdlib'), os.path.dirname(os.path.dirname(pip.__file__)), sep='\n')
try:
    from pip._internal.models.index import PyPI
    print('index', PyPI.simple_url, PyPI.file_storage_domain)
except (ImportError, AttributeError):
    pass
`

type pipIndex struct{ url, files string }

func (t tree) pip(ctx context.Context) (tool, error) {
	pip, err := toolOf("python3")
	if err != nil {
		return pip, err
	}
	said, err := t.about(ctx, pip, "-c", aboutPython)
	if err != nil {
		return pip, err
	}
	said, own := ownIndex(said)
	at := strings.Split(strings.TrimSpace(string(said)), "\n")
	if len(at) < 3 || !filepath.IsAbs(at[0]) {
		return pip, errors.New("python3 does not say where it is")
	}
	pip.command = at[:1]
	pip.letRead(at[2:]...)
	for _, pattern := range []string{"/usr/share/python-wheels", "/etc/*-release", "/etc/*_release", "/etc/*_version"} {
		found, _ := filepath.Glob(pattern) // the patterns are well formed
		pip.letRead(found...)              // Debian's parts of pip, and the system's name, which pip sends to the index
	}
	pip.sees(t.environ, "pip_")
	listed, err := t.about(ctx, pip, "-m", "pip", "config", "list")
	if err != nil {
		return pip, err
	}
	pip.letRead(pipFiles(pip.env, at[1])...)
	pip.configured(string(listed), own)
	pip.internal(ctx)
	return pip, nil
}

// ownIndex removes pip's default index from Python's output, and returns it.
func ownIndex(said []byte) (rest []byte, own pipIndex) {
	rest, line, _ := bytes.Cut(said, []byte("\nindex "))
	if fields := strings.Fields(string(line)); len(fields) == 2 {
		own = pipIndex{fields[0], fields[1]}
	}
	return rest, own
}

// pipFiles are the files that pip reads if they exist.
func pipFiles(env map[string]string, prefix string) []string {
	home, _ := os.UserHomeDir() // without a home no file exists
	user := cmp.Or(env["XDG_CONFIG_HOME"], filepath.Join(home, ".config"))
	files := []string{env["PIP_CONFIG_FILE"], "/etc/pip.conf", filepath.Join(prefix, "pip.conf"), filepath.Join(home, ".pip", "pip.conf"), filepath.Join(user, "pip", "pip.conf")}
	for _, dir := range filepath.SplitList(cmp.Or(env["XDG_CONFIG_DIRS"], "/etc/xdg")) {
		files = append(files, filepath.Join(dir, "pip", "pip.conf"))
	}
	return files
}

// configured reads the output of `pip config list`, one value a line in Python's
// notation. If it names no index, pip asks its default index.
func (t *tool) configured(listed string, own pipIndex) {
	values := map[string][]string{}
	for line := range strings.Lines(listed) {
		key, value, _ := strings.Cut(line, "=")
		key = key[strings.LastIndexByte(key, '.')+1:]
		value = strings.ReplaceAll(strings.Trim(strings.TrimSpace(value), `"'`), `\n`, " ")
		values[key] = append(values[key], strings.Fields(value)...)
	}
	index := append(values["index-url"], own.url)[0]
	for _, text := range values["proxy"] {
		t.proxied(text)
	}
	for _, text := range slices.Concat(values["extra-index-url"], values["find-links"], []string{index}) {
		t.reaches(text)
	}
	for _, text := range slices.Concat(values["cert"], values["client-cert"], values["find-links"], values["constraint"], values["build-constraint"]) {
		t.letRead(strings.TrimPrefix(text, "file://"))
	}
	if len(t.hosts) > 0 {
		t.from = t.hosts[len(t.hosts)-1]
	}
	at, isOwn := hostOf(own.url)
	if isOwn && slices.Contains(t.hosts, at) {
		t.reaches("https://" + own.files)
	}
	if !isOwn || t.from != at { // it may need a password, which pip looks for here
		home, _ := os.UserHomeDir() // without a home the file does not exist
		t.letRead(cmp.Or(t.env["NETRC"], filepath.Join(home, ".netrc")))
	}
}

// pipIntegrity is the integrity in a report: the digests of all wheels.
func pipIntegrity(b []byte) (string, error) {
	var report pipReported
	if err := schema.DecodeOpen(b, &report, listLimits); err != nil {
		return "", err
	}
	var parts []string
	for _, one := range report.Install {
		name, digest := one.Metadata.Name, one.Download.Archive.Hashes["sha256"]
		wheel := ofWeb(one.Download.URL) && strings.HasSuffix(one.Download.URL, ".whl")
		if one.Direct || digest == "" || !wheel {
			return "", floating(name + " is not a wheel of an index")
		}
		parts = append(parts, name+" "+one.Metadata.Version+" sha256:"+digest)
	}
	if len(parts) == 0 {
		return "", floating("pip installed nothing")
	}
	return integrityOf(parts), nil
}

// pyPrograms returns the scripts that Python runs, of the package or of its dependencies.
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
