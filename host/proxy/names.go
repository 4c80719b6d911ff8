package proxy

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

// Tool is a tool of one of the servers behind an address.
type Tool struct{ Server, Name string }

// maxPublic bounds a public name, in characters: some clients accept no longer one.
const maxPublic = 64

// PublicName is the name of a tool for a client that reaches several servers, such as
// mcp_aws_s3_list_buckets for list_buckets of aws-s3. It has only A-Z a-z 0-9 and _. A longer
// name than clients accept ends with a part of the tool's SHA-256. No one reads a name
// back: two tools may have the same one.
func PublicName(t Tool) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"
	name := strings.Map(func(r rune) rune {
		if strings.ContainsRune(plain, r) {
			return r
		}
		return '_'
	}, "mcp_"+t.Server+"_"+t.Name)
	if len(name) <= maxPublic {
		return name
	}
	sum := sha256.Sum256([]byte(t.Server + "\x00" + t.Name))
	end := "_" + hex.EncodeToString(sum[:5])
	return name[:maxPublic-len(end)] + end
}

// PublicNames finds the tool of each public name. It fails if two tools have the same one.
func PublicNames(tools []Tool) (map[string]Tool, error) {
	all := map[string]Tool{}
	for _, t := range tools {
		name := PublicName(t)
		if other, twice := all[name]; twice && other != t {
			return nil, verdict.Fail(verdict.ConfigInvalid, nil, "%s of %s and %s of %s would both be called %s: leave one of them out", other.Name, other.Server, t.Name, t.Server, name)
		}
		all[name] = t
	}
	return all, nil
}

// public gives the tools that are shown, and those that are hidden, their public names. Of
// several tools with one name none is shown.
func (s *shown) public() {
	tools, names := s.tools, slices.Clone(s.names)
	s.to, s.tools, s.names = map[string]Tool{}, nil, nil
	of := func(i int) string { return PublicName(Tool{s.servers[i], names[i]}) }
	count := map[string]int{}
	for i := range names {
		count[of(i)]++
	}
	for i, raw := range tools {
		name := of(i)
		if count[name] > 1 {
			s.hidden = append(s.hidden, hidden{s.servers[i], names[i], verdict.Deny(verdict.CatalogName, "%d tools have the name %s", count[name], name)})
			continue
		}
		s.to[name] = Tool{s.servers[i], names[i]}
		s.names, s.tools = append(s.names, name), append(s.tools, renamed(raw, name))
	}
}

// renamed is a descriptor under another name.
func renamed(descriptor []byte, name string) []byte {
	members, err := schema.Envelope(descriptor, lineLimits)
	if err != nil {
		return fmt.Appendf(nil, `{"name":%s,"inputSchema":{"type":"object"}}`, quoted(name))
	}
	for i, m := range members {
		if m.Name == "name" {
			members[i].Value = quoted(name)
		}
	}
	return schema.Object(members)
}
