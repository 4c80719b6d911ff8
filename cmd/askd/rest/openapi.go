package rest

import (
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/schema"
)

// object is a part of the document.
type object = map[string]any

const bearerScheme = "bearer"

// reference returns a reference to a component.
func reference(kind, name string) jsontext.Value {
	return schema.Object([]schema.Member{{Name: "$ref", Value: schema.Literal("#/components/" + kind + "/" + name)}})
}

// OpenAPI returns the OpenAPI 3.1 document of the operations. It fails as [Service.Handler]
// does.
func (s Service) OpenAPI() ([]byte, error) {
	rows, t, err := s.rows()
	if err != nil {
		return nil, err
	}
	if _, err := t.shape(reflect.TypeFor[Problem]()); err != nil {
		return nil, err
	}
	paths := map[string]object{}
	for _, o := range rows {
		if paths[o.Path] == nil {
			paths[o.Path] = object{}
		}
		paths[o.Path][strings.ToLower(o.Method)] = s.operation(o)
	}
	schemas := object{}
	for name, of := range t.named {
		schemas[name] = of.text
	}
	return json.Marshal(object{
		"openapi": "3.1.0",
		"info":    object{"title": s.Title, "version": s.Version},
		"paths":   paths,
		"components": object{
			"schemas":         schemas,
			"securitySchemes": object{bearerScheme: object{"type": "http", "scheme": "bearer"}},
			"responses": object{"Problem": object{
				"description": "a problem document (RFC 9457)",
				"content":     object{"application/problem+json": object{"schema": reference("schemas", "Problem")}},
			}},
		},
	}, json.Deterministic(true))
}

// operation returns the document of one operation.
func (s Service) operation(o *row) object {
	out := object{
		"operationId": o.ID,
		"summary":     o.Summary,
		"security":    []object{{bearerScheme: []string{o.Scope}}},
		"responses":   o.responses(),
	}
	if all := s.parameters(o); len(all) > 0 {
		out["parameters"] = all
	}
	if o.body.check != nil {
		out["requestBody"] = object{"required": true, "content": contentOf("application/json", o.body.text)}
	}
	return out
}

func contentOf(kind string, of any) object { return object{kind: object{"schema": of}} }

// parameters returns the document of an operation's path, query and headers.
func (s Service) parameters(o *row) (all []object) {
	add := func(in, name, about string, required bool, of any) {
		p := object{"name": name, "in": in, "required": required, "schema": of}
		if about != "" {
			p["description"] = about
		}
		all = append(all, p)
	}
	for _, name := range o.values {
		add("path", name, s.Paths[name], true, object{"type": "string", "minLength": 1, "maxLength": maxValue})
	}
	query := o.asked.schema
	for _, name := range query.PropertyOrder {
		of := *query.Properties[name]
		about := of.Description
		of.Description = "" // the parameter has it
		add("query", name, about, slices.Contains(query.Required, name), &of)
	}
	if o.IfMatch {
		add("header", headerMatch, "the ETag of the revision that the request is for", false, object{"type": "string"})
	}
	if o.stream != nil {
		add("header", headerEvent, "the id of the last event that was received", false, object{"type": "string"})
	}
	return all
}

// responses returns the document of an operation's answers.
func (o *row) responses() object {
	out := object{"default": reference("responses", "Problem")}
	for _, status := range append([]int{o.Status}, o.Also...) {
		answer := object{"description": strings.ToLower(http.StatusText(status))}
		switch {
		case o.stream != nil:
			// OpenAPI 3.1 has no schema for one event of a stream.
			answer["content"] = object{"text/event-stream": object{"schema": object{"type": "string"}, "x-event": o.answer.text}}
		case o.list:
			answer["content"] = contentOf("application/json", o.page())
		case status != http.StatusNoContent:
			answer["content"] = contentOf("application/json", o.answer.text)
		}
		if o.out.Implements(reflect.TypeFor[interface{ Revision() string }]()) && !o.continues() {
			answer["headers"] = object{"ETag": object{"required": true, "schema": object{"type": "string"}}}
		}
		out[strconv.Itoa(status)] = answer
	}
	return out
}

// page returns the schema of a list's answer.
func (o *row) page() object {
	return object{
		"type": "object", "required": []string{o.plural}, "additionalProperties": false,
		"properties": object{
			o.plural: object{"type": "array", "items": o.answer.text},
			"next":   object{"type": "string", "description": "continues the list as the query's after; absent at its end"},
		},
	}
}
