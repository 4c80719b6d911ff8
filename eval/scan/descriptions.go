package scan

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/scan"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

// ReadDescriptions reads the listings of real servers: a folder of files
// {"initialize":{…},"tools":[…]}. Each tool is a case with every text that a review
// scans, and so are the instructions of a server.
func ReadDescriptions(dir string) ([]Case, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err == nil && len(files) == 0 {
		err = os.ErrNotExist
	}
	var all []Case
	for _, file := range files {
		more, bad := described(file)
		if bad != nil {
			err = bad
		}
		all = append(all, more...)
	}
	if err != nil {
		return nil, verdict.Fail(verdict.EvalCases, err, "the listings of %s cannot be read: %v", dir, err)
	}
	return all, nil
}

func described(file string) ([]Case, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var listing struct {
		Initialize struct {
			Instructions string `json:"instructions"`
		} `json:"initialize"`
		Tools []jsontext.Value `json:"tools"`
	}
	if err := schema.DecodeOpen(text, &listing, schema.ResultLimits); err != nil {
		return nil, err
	}
	if len(listing.Tools) == 0 {
		return nil, errors.New(filepath.Base(file) + " lists no tools")
	}
	server := strings.TrimSuffix(filepath.Base(file), ".json")
	var all []Case
	if said := listing.Initialize.Instructions; said != "" {
		all = append(all, Case{ID: server, Group: "instructions", Parts: []scan.Part{{Where: "/instructions", Kind: "instructions", Text: said}}})
	}
	for _, raw := range listing.Tools {
		var tool struct {
			Name string `json:"name"`
		}
		if err := schema.DecodeOpen(raw, &tool, eval.RowLimits()); err != nil {
			return nil, err
		}
		all = append(all, Case{ID: server + "/" + tool.Name, Group: "description", Parts: pin.Descriptor{Raw: raw}.Parts()})
	}
	return all, nil
}
