// Package rest serves a table of typed operations over HTTP with JSON.
//
// An [Operation] has a method, a path, a scope, and the Go types of its request and its
// answer. The types give the JSON Schemas, and the schemas are both the check of every
// request and the OpenAPI document, so that the two cannot differ.
//
// It vouches for these:
//   - An operation runs only for a caller whose token has the operation's scope, and for an
//     agent's token only if the operation admits agents.
//   - Its input is one JSON value by the strictest reading, and fits its schema by both
//     validators of gate/schema.
//   - A page of another site reaches no operation, under its own name or another's.
//   - Every error is a problem document with a code (RFC 9457). An unexpected error or a
//     panic shows nothing of its text.
//
// It does not decide who a caller is ([Service.Authorize]), limit rates, or set the time
// limits of reading a request, which belong to the [http.Server]. It has no operation
// itself. Only cmd/askd calls it.
package rest

import (
	"context"
	"iter"
	"net/http"
	"reflect"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/jsonschema-go/jsonschema"
)

// Caller is the bearer of a token.
type Caller struct {
	Name   string // an agent or a member
	Agent  bool   // an agent reaches only operations with Agents
	Token  string // the id of the token, never the token itself
	Scopes []string
}

// Request is a request that was authorized and checked. Its Authorization header and its
// body are gone.
type Request struct {
	*http.Request

	Caller Caller
	After  string // of a list or of events: the place to continue at, "" for the beginning
	Limit  int    // of a list: at most so many rows

	revision *string // the If-Match header, if it was sent
	matched  bool
}

// Match refuses the request if it was sent for another revision. A request without
// If-Match is for every revision.
func (r *Request) Match(revision string) error {
	r.matched = true
	if r.revision == nil {
		return nil
	}
	for tag := range strings.SplitSeq(*r.revision, ",") {
		if tag = strings.TrimSpace(tag); tag == "*" || tag == etag(revision) {
			return nil
		}
	}
	return PreconditionFailed.New("it was changed since it was read: its revision is %s", revision)
}

// Operation is one row of the table. [Do], [List] and [Events] complete it.
//
// The type In of an operation is a struct. With POST, PUT and PATCH it is the body, else
// the query. A struct without fields admits neither.
type Operation struct {
	Method  string
	Path    string // as [http.ServeMux] reads it, such as /api/agents/{a}
	ID      string // unique, such as listAgents
	Summary string // one line
	Scope   string // required of the token
	Status  int    // of a success; 0 is 200, or 204 if Out has no fields
	Also    []int  // further statuses of a success, which Out chooses with HTTPStatus() int
	Agents  bool   // agents may call it
	IfMatch bool   // it checks If-Match with [Request.Match]; others refuse the header

	in, out reflect.Type
	list    bool
	plural  string                                                                                // of a list: the member with the rows
	run     func(context.Context, *Request, jsontext.Value) (any, error)                          // of Do and List
	stream  func(context.Context, *Request, jsontext.Value) (iter.Seq2[Event[any], error], error) // of Events
}

// Do completes an operation that answers once. If Out has the method Revision() string,
// the answer has it as its ETag.
func Do[In, Out any](o Operation, do func(context.Context, *Request, In) (Out, error)) Operation {
	o.in, o.out = reflect.TypeFor[In](), reflect.TypeFor[Out]()
	o.run = func(ctx context.Context, r *Request, input jsontext.Value) (any, error) {
		in, err := decode[In](input)
		if err != nil {
			return nil, err
		}
		return do(ctx, r, in)
	}
	return o
}

// Page is a part of a list.
type Page[T any] struct {
	Rows []T
	Next string // the place to continue at, for [Request.After]; "" at the end
}

// Cut returns the first limit rows as a page. place is where a list continues after a
// row. With one row more than the limit, the page says that there are more.
func Cut[T any](rows []T, limit int, place func(T) string) Page[T] {
	if len(rows) <= limit {
		return Page[T]{Rows: rows}
	}
	return Page[T]{rows[:limit], place(rows[limit-1])}
}

// List completes an operation that answers with a page. The rows are in the member
// plural of the answer, and its member next continues the list as the query's after.
func List[In, T any](o Operation, plural string, list func(context.Context, *Request, In) (Page[T], error)) Operation {
	o.in, o.out, o.list = reflect.TypeFor[In](), reflect.TypeFor[T](), true
	o.plural = plural
	o.run = func(ctx context.Context, r *Request, input jsontext.Value) (any, error) {
		in, err := decode[In](input)
		if err != nil {
			return nil, err
		}
		page, err := list(ctx, r, in)
		if err != nil {
			return nil, err
		}
		return rows(plural, page)
	}
	return o
}

// Event is one of the server-sent events of a stream. A client that was cut continues
// after the ID.
type Event[T any] struct {
	ID   string
	Data T
}

// Events completes an operation that sends events. [Request.After] is the id of the
// client's last event, from Last-Event-ID or from the query. open reports errors that the
// client gets as a problem; the events come from the returned sequence, which ends when
// its context does. An error in the sequence is sent as an event named problem, and so is
// the end of the caller's permission, which is checked again while the stream goes on.
func Events[In, T any](o Operation, open func(context.Context, *Request, In) (iter.Seq2[Event[T], error], error)) Operation {
	o.in, o.out = reflect.TypeFor[In](), reflect.TypeFor[T]()
	o.stream = func(ctx context.Context, r *Request, input jsontext.Value) (iter.Seq2[Event[any], error], error) {
		in, err := decode[In](input)
		if err != nil {
			return nil, err
		}
		events, err := open(ctx, r, in)
		if err != nil {
			return nil, err
		}
		return func(yield func(Event[any], error) bool) {
			for e, err := range events {
				if !yield(Event[any]{e.ID, e.Data}, err) {
					return
				}
			}
		}, nil
	}
	return o
}

// Service is a table of operations, with all that serving it needs.
type Service struct {
	Title, Version string
	Operations     []Operation

	// Authorize returns the bearer of a token. Its error for a token that is not valid is
	// a [Problem] of [Unauthorized].
	Authorize func(ctx context.Context, token string) (Caller, error)
	// Errors receives every error whose text no caller may read, for the service's log.
	Errors func(error)

	// Paths describes the values in the operations' paths by name. Each is described, and
	// each is in a path.
	Paths map[string]string
	// Types are the schemas of Go types with a JSON form that differs from their fields.
	Types map[reflect.Type]*jsonschema.Schema
	// Hosts are those that a request may name, without a port; nil allows loopback only.
	// So no page reaches the service under another name (DNS rebinding).
	Hosts []string
	// Docs is the address of the page with the codes. A problem's type is the address and
	// the code as its fragment; without an address it is about:blank.
	Docs string

	MaxBody   int           // bytes of a body; 0 is 1 MiB
	KeepAlive time.Duration // between two signs of life in a stream of events; 0 is 15 s
}
