package input

import (
	"cmp"
	"crypto/sha256"
	_ "embed"
	"fmt"
	"sync"

	"github.com/onestep-run/onestep/gate/schema"
)

//go:embed builtin.json
var builtin []byte

// builtInLayer is builtin.json, read when a question first meets it.
var builtInLayer = sync.OnceValue(readBuiltIn)

func readBuiltIn() *layer {
	var f file
	err := schema.Decode(builtin, &f, fileLimits)
	l, wrong := f.layer()
	if err := cmp.Or(err, wrong); err != nil {
		panic("gate/input/builtin.json: " + err.Error()) // TestBuiltInRulesCompile
	}
	return l
}

// BuiltInDigest says which built-in set a trace was recorded under.
func BuiltInDigest() string { return builtInDigest() }

var builtInDigest = sync.OnceValue(func() string { return fmt.Sprintf("sha256:%x", sha256.Sum256(builtin)) })
