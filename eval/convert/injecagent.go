package convert

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/schema"
)

// attack is a row of `ask eval injection`.
type attack struct {
	ID          string   `json:"id"`
	Source      string   `json:"source"`
	Query       string   `json:"query"`
	User        call     `json:"user_call"`
	Poisoned    string   `json:"poisoned_output"`
	Clean       *string  `json:"clean_output"`
	Instruction string   `json:"attacker_instruction"`
	Attack      string   `json:"attack"`
	Calls       []call   `json:"attacker_calls"`
	Tools       []string `json:"tools"`
}

type call struct {
	Server string         `json:"server"`
	Tool   string         `json:"tool"`
	Args   jsontext.Value `json:"args,omitzero"`
}

// injected is an entry of test_cases_*.json.
type injected struct {
	UserTool      string   `json:"User Tool"`
	Query         string   `json:"User Instruction"`
	Parameters    string   `json:"Tool Parameters"`
	Template      string   `json:"Tool Response Template"`
	Response      string   `json:"Tool Response"`
	AttackerTools []string `json:"Attacker Tools"`
	Instruction   string   `json:"Attacker Instruction"`
}

// injecAgent reads test_cases_dh_base.json and its three siblings. The file's name
// contains the kind of the attack.
func injecAgent(file string, text []byte, f Files) ([]jsontext.Value, error) {
	kind := strings.TrimPrefix(base(file), "test_cases_")
	_, setting, _ := strings.Cut(kind, "_")
	if setting != "base" && setting != "enhanced" {
		return nil, errors.New("it is not called test_cases_dh_base, test_cases_ds_enhanced or the like")
	}
	if f.Tools == "" {
		f.Tools = filepath.Join(filepath.Dir(file), "tools.json")
	}
	tools, err := toolNames(f.Tools)
	if err != nil {
		return nil, err
	}
	var entries []injected
	if err := schema.DecodeOpen(text, &entries, limits); err != nil {
		return nil, err
	}
	var rows []jsontext.Value
	for i, e := range entries {
		a, err := e.attack(tools, setting)
		if err != nil {
			return nil, entry(fmt.Sprintf("entry %d", i), err)
		}
		a.ID = fmt.Sprintf("%s_%d", kind, i)
		rows = append(rows, row(a))
	}
	return rows, nil
}

// placeholder is the place of the instruction in a published response.
const placeholder = "<Attacker Instruction>"

func (e injected) attack(tools map[string]call, setting string) (a attack, err error) {
	a = attack{Source: "InjecAgent", Query: e.Query, Poisoned: unquoted(e.Response), Instruction: e.Instruction, Attack: setting}
	if a.User, err = named(tools, e.UserTool); err != nil {
		return a, err
	}
	if a.User.Args, err = literal(e.Parameters); err != nil {
		return a, fmt.Errorf("the tool's parameters: %w", err)
	}
	a.Tools = []string{e.UserTool}
	for _, name := range e.AttackerTools {
		c, err := named(tools, name)
		if err != nil {
			return a, err
		}
		a.Calls, a.Tools = append(a.Calls, c), append(a.Tools, name)
	}
	slices.Sort(a.Tools)
	a.Tools = slices.Compact(a.Tools)
	if setting == "base" {
		clean := strings.ReplaceAll(unquoted(e.Template), placeholder, "")
		a.Clean = &clean
	}
	return a, nil
}

// unquoted removes the quotation marks that the publication puts around most
// responses. The text inside does not change.
func unquoted(s string) string {
	if len(s) > 1 && strings.HasPrefix(s, `"`) && strings.HasSuffix(s, `"`) {
		return s[1 : len(s)-1]
	}
	return s
}

func named(tools map[string]call, name string) (call, error) {
	c, known := tools[name]
	if !known {
		return call{}, fmt.Errorf("the tools hold no %.100q", name)
	}
	return c, nil
}

// toolkit is an entry of tools.json.
type toolkit struct {
	Name  string `json:"name_for_model"`
	Tools []struct {
		Name       string `json:"name"`
		Summary    string `json:"summary"`
		Parameters []struct {
			Name        string `json:"name"`
			Type        string `json:"type"`
			Description string `json:"description"`
			Required    bool   `json:"required"`
		} `json:"parameters"`
	} `json:"tools"`
}

func toolkits(text []byte) (kits []toolkit, err error) {
	err = schema.DecodeOpen(text, &kits, limits)
	return kits, err
}

// toolNames maps each name in the cases, which joins server and tool, to the two.
func toolNames(file string) (map[string]call, error) {
	text, err := read(file)
	if err != nil {
		return nil, err
	}
	kits, err := toolkits(text)
	if err != nil {
		return nil, wrong(file, err)
	}
	names := map[string]call{}
	for _, k := range kits {
		for _, t := range k.Tools {
			names[k.Name+t.Name] = call{Server: k.Name, Tool: t.Name}
		}
	}
	return names, nil
}

// described is a row of the tools of `ask eval injection`.
type described struct {
	Key string `json:"key"`
	tool
}

// injecAgentTools reads tools.json.
func injecAgentTools(_ string, text []byte, _ Files) ([]jsontext.Value, error) {
	kits, err := toolkits(text)
	if err != nil {
		return nil, err
	}
	var all []described
	for _, k := range kits {
		for _, t := range k.Tools {
			in, required := []schema.Member{}, []string{}
			for _, p := range t.Parameters {
				in = append(in, schema.Member{Name: p.Name, Value: row(struct {
					Description string `json:"description"`
					Type        string `json:"type"`
				}{p.Description, p.Type})})
				if p.Required {
					required = append(required, p.Name)
				}
			}
			properties, err := object(in, func(m schema.Member) (jsontext.Value, error) { return m.Value, nil })
			if err != nil {
				return nil, entry(k.Name+t.Name, err)
			}
			all = append(all, described{k.Name + t.Name, tool{k.Name, t.Name, t.Summary, row(closedObject{"object", properties, false, required})}})
		}
	}
	slices.SortFunc(all, func(a, b described) int { return strings.Compare(a.Key, b.Key) })
	var rows []jsontext.Value
	for _, t := range all {
		rows = append(rows, row(t))
	}
	return rows, nil
}

// closedObject is the schema of an object without other members.
type closedObject struct {
	Type       string         `json:"type"`
	Properties jsontext.Value `json:"properties"`
	More       bool           `json:"additionalProperties"`
	Required   []string       `json:"required,omitempty"`
}
