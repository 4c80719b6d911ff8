package desk

import (
	"slices"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/host"
)

// Set is the result of writing a setting.
type Set struct {
	SchemaVersion int    `json:"schema_version"`
	Key           string `json:"key"`
	File          string `json:"file"`
	Changed       bool   `json:"changed"`
	OutrankedBy   string `json:"outranked_by,omitempty"` // the variable or flag that decides instead
}

// SetSetting writes a setting into the user's configuration. It does not need readable
// settings.
func SetSetting(key, value string, flags config.Flags, o setup.Options) (set Set, err error) {
	if key == "model" {
		if _, err := providerOf(value, o); err != nil {
			return set, err
		}
	}
	paths, err := config.FindPaths(o.Env)
	if err != nil {
		return set, err
	}
	set = Set{SchemaVersion: host.SchemaVersion, Key: key, File: config.UserFile(paths, flags)}
	if set.Changed, err = config.Set(set.File, key, value); err != nil {
		return set, err
	}
	s, err := config.Load(paths, o.Env, flags)
	if err != nil {
		return set, nil //nolint:nilerr // written; what else is wrong is reported when it is used
	}
	shown := s.Lookup(key)
	named := slices.IndexFunc(shown, func(one config.Shown) bool { return one.Origin.Named() })
	if named >= 0 && len(shown) == 1 { // several values are added up
		set.OutrankedBy = shown[named].Origin.String()
	}
	return set, nil
}
