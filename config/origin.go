package config

// Origin says who set a value. Its zero value is the default's.
type Origin struct {
	Kind Kind
	Name string // the file's path, the variable, or the flag without its dashes
}

// Kind is a layer of the configuration.
type Kind int

// The layers, the weakest first.
const (
	FromDefault  Kind = iota
	FromFile          // the system's or the user's
	FromVariable      // of the environment
	FromFlag
	FromArgument // of a command that takes the value itself
)

// Named reports whether whoever runs the command gave the value for it, in a
// flag or a variable.
func (o Origin) Named() bool { return o.Kind == FromFlag || o.Kind == FromVariable }

func (o Origin) String() string {
	switch o.Kind {
	case FromFile:
		return o.Name
	case FromVariable:
		return "variable " + o.Name
	case FromFlag:
		return "flag --" + o.Name
	case FromArgument:
		return "argument"
	}
	return "default"
}

// MarshalText writes the origin as it is shown. Nothing reads it back.
func (o Origin) MarshalText() ([]byte, error) { return []byte(o.String()), nil }
