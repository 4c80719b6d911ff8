package schema

// Forms returns what the first validator compiles of an admitted schema: the document,
// and for an input its closed form too.
func (s Schema) Forms() []any {
	if s.s.role == Input {
		return []any{s.s.doc, closed(s.s.root, s.s.defs)}
	}
	return []any{s.s.doc}
}

// FirstAccepts compiles doc with the first validator, and checks values with it.
func FirstAccepts(doc any) (func(value any) bool, error) {
	first, err := compileFirst(doc)
	if err != nil {
		return nil, err
	}
	return first.accepts, nil
}

var (
	FormatNames = formatNames
	FitsFormat  = fitsFormat
)
