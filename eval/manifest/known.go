// Package manifest measures how well manifests are made: how many of a server's
// necessary permissions are found. The ways are reading its source, running it
// confined, and searching its source with regular expressions.
//
// It vouches that each known server's permissions were written down before the code
// that finds them: testdata/known.sha256 freezes both. It does not vouch for the
// permissions of servers from registries, which no author wrote down: those are
// reported and not judged.
//
// `ask eval manifest` calls it.
package manifest

import (
	"embed"
	"io/fs"
	"path"

	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/host/confine"
)

//go:embed testdata
var embedded embed.FS

// Known is a server with known permissions. In its texts {data} is the directory of
// Files, {web} the URL of an HTTP server, and {port} a free port.
type Known struct {
	Name        string               `json:"-"`
	Main        string               `json:"main"`
	Note        string               `json:"note"` // what makes it hard
	Args        []string             `json:"args"`
	Env         map[string]string    `json:"env"`
	Files       map[string]string    `json:"files"` // by their path below {data}
	Calls       []Call               `json:"calls"`
	Permissions []confine.Permission `json:"permissions"`
}

// Call is one call that uses a permission of a server.
type Call struct {
	Tool      string         `json:"tool"`
	Arguments map[string]any `json:"arguments"`
	Reading   bool           `json:"reading,omitempty"` // it can be repeated
}

// known is the folder of the servers.
const known = "testdata/known"

var caseLimits = schema.Limits{Bytes: 64 << 10, Depth: 8, Values: 1_000, Exponent: 9, Digits: 20}

// Servers returns the servers with known permissions.
func Servers() ([]Known, error) {
	dirs, err := embedded.ReadDir(known)
	if err != nil {
		return nil, err
	}
	var all []Known
	for _, d := range dirs {
		b, err := embedded.ReadFile(path.Join(known, d.Name(), "case.json"))
		if err != nil {
			return nil, err
		}
		k := Known{Name: d.Name()}
		if err := schema.Decode(b, &k, caseLimits); err != nil {
			return nil, err
		}
		all = append(all, k)
	}
	return all, nil
}

// Source returns the program of a known server.
func (k Known) Source() ([]byte, error) {
	return fs.ReadFile(embedded, path.Join(known, k.Name, k.Main))
}

// tree returns the directory of a known server.
func (k Known) tree() (fs.FS, error) { return fs.Sub(embedded, path.Join(known, k.Name)) }
