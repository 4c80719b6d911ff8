package input

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"sync"

	"github.com/onestep-run/onestep/gate/schema"
)

//go:embed builtin.json
var builtin []byte

// builtInLayer is builtin.json, read when a question first meets it.
var builtInLayer = sync.OnceValue(func() *layer {
	var f file
	err := schema.Decode(builtin, &f, fileLimits)
	if err == nil {
		var l *layer
		if l, err = f.layer(); err == nil {
			return l
		}
	}
	panic("gate/input/builtin.json: " + err.Error()) // TestBuiltInRulesCompile
})

// BuiltInDigest says which built-in set a trace was recorded under.
func BuiltInDigest() string { return builtInDigest() }

var builtInDigest = sync.OnceValue(func() string {
	sum := sha256.Sum256(builtin)
	return "sha256:" + hex.EncodeToString(sum[:])
})
