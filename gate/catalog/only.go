package catalog

import "slices"

// Only is the catalog with one of its tools alone, or with none where that is
// not among them. It takes away and never adds.
func (c Catalog) Only(server, name string) Catalog {
	c.tools = slices.DeleteFunc(c.Tools(), func(t Tool) bool { return t.Server() != server || t.Name() != name })
	c.excluded = slices.DeleteFunc(c.Excluded(), func(e Exclusion) bool { return e.Server != server || e.Name != name })
	return c
}
