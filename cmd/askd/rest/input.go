package rest

import (
	"cmp"
	"encoding/base64"
	"errors"
	"io"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

const (
	defaultBody  = 1 << 20
	defaultLimit = 50
	maxLimit     = 100

	headerEvent = "Last-Event-ID"
	headerMatch = "If-Match"
)

// limits bound a body.
func limits(bytes int) schema.Limits {
	return schema.Limits{Bytes: bytes, Depth: 64, Values: 50_000, Exponent: 308, Digits: 64}
}

// request checks a request, and returns the JSON value of the operation's In.
func (h *handler) request(w http.ResponseWriter, r *http.Request, o *row) (*Request, jsontext.Value, error) {
	request := &Request{Request: r, Limit: defaultLimit}
	for _, name := range o.values {
		if !plain(r.PathValue(name)) {
			return nil, nil, NotFound.New("a name in the path has more than %d bytes, or control characters", maxValue)
		}
	}
	if err := o.matches(request); err != nil {
		return nil, nil, err
	}
	query, err := o.query(r.URL.RawQuery)
	if err != nil {
		return nil, nil, err
	}
	if err := fits("the query", query, o.asked.check); err != nil {
		return nil, nil, err
	}
	if query, err = o.paged(request, query); err != nil {
		return nil, nil, err
	}
	body, err := h.body(w, r, o)
	if o.body.check == nil {
		return request, query, err
	}
	return request, body, err
}

// matches reads If-Match. An operation that would ignore it refuses it.
func (o *row) matches(r *Request) error {
	tags := r.Header.Values(headerMatch)
	if tags == nil {
		return nil
	}
	if !o.IfMatch {
		return BadRequest.New("the operation does not check If-Match").WithNext("leave the header out")
	}
	all := strings.Join(tags, ",")
	r.revision = &all
	return nil
}

// query returns the query as a JSON object. Its parameters have the types that their
// schemas name.
func (o *row) query(raw string) (jsontext.Value, error) {
	values, err := url.ParseQuery(raw)
	if err != nil {
		return nil, BadRequest.New("the query is not well formed")
	}
	var members []schema.Member
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if len(values[name]) != 1 {
			return nil, BadRequest.New("the query repeats a parameter")
		}
		value := values[name][0]
		if !utf8.ValidString(name) || !utf8.ValidString(value) {
			return nil, BadRequest.New("the query is not valid UTF-8")
		}
		members = append(members, schema.Member{Name: name, Value: literal(value, o.kinds[name])})
	}
	return schema.Object(members), nil
}

// literals are the types whose values are written without quotes, by their kind in JSON.
var literals = map[jsontext.Kind][]string{'0': {"integer", "number"}, 't': {"boolean"}, 'f': {"boolean"}}

// literal returns the value of a parameter in its type. A value of another type is a
// string, which the schema then refuses.
func literal(value, kind string) jsontext.Value {
	raw := jsontext.Value(value)
	fits := slices.Contains(literals[raw.Kind()], kind) && strings.TrimSpace(value) == value
	if fits && schema.Check(raw, limits(64)) == nil {
		return raw
	}
	return schema.Literal(value)
}

// paged reads the parameters of a list or of a stream, and returns the others.
func (o *row) paged(r *Request, query jsontext.Value) (rest jsontext.Value, err error) {
	if !o.continues() {
		return query, nil
	}
	values := r.URL.Query()
	after := values.Get("after")
	if o.stream != nil && r.Header.Get(headerEvent) != "" {
		after = r.Header.Get(headerEvent) // a client that was cut sends its first query again
	}
	if r.After, err = transparent(after); err != nil {
		return nil, err
	}
	if limit := values.Get("limit"); limit != "" {
		if r.Limit, err = strconv.Atoi(limit); err != nil { // such as 1e1, which is an integer in JSON
			return nil, BadRequest.New("the limit is not written in digits")
		}
	}
	return schema.Without(schema.Without(query, "after"), "limit"), nil
}

// opaque returns a place in a list or a stream as clients see it. They cannot take it for
// a name.
func opaque(place string) string { return base64.RawURLEncoding.EncodeToString([]byte(place)) }

// transparent returns the place that opaque hid.
func transparent(s string) (string, error) {
	place, err := base64.RawURLEncoding.Strict().DecodeString(s)
	if err != nil || !utf8.Valid(place) {
		return "", BadRequest.New("the place to continue at is not from an answer").WithNext("send the next or the id of an answer, unchanged")
	}
	return string(place), nil
}

// body reads the body, if the operation has one. An operation without one refuses it.
func (h *handler) body(w http.ResponseWriter, r *http.Request, o *row) (jsontext.Value, error) {
	if o.body.check == nil {
		if n, _ := io.ReadFull(r.Body, make([]byte, 1)); n > 0 {
			return nil, BadRequest.New("the operation has no body").WithNext("leave the body out")
		}
		return nil, nil
	}
	if err := isJSON(r.Header); err != nil {
		return nil, err
	}
	most := cmp.Or(h.MaxBody, defaultBody)
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, int64(most)))
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		return nil, TooLarge.New("a body has at most %d bytes", most)
	}
	if err != nil {
		return nil, BadRequest.New("the body ended too early")
	}
	if err := schema.Check(body, limits(most)); err != nil {
		return nil, malformed("the body", err)
	}
	return body, fits("the body", body, o.body.check)
}

// isJSON refuses a body of another type. A browser sends some types to any site without
// asking it.
func isJSON(head http.Header) error {
	kind, params, err := mime.ParseMediaType(head.Get("Content-Type"))
	delete(params, "charset")
	switch {
	case err != nil, len(head.Values("Content-Type")) != 1, kind != "application/json", len(params) > 0:
		return MediaType.New("the Content-Type is not application/json")
	case head.Get("Content-Encoding") != "":
		return MediaType.New("the body has a Content-Encoding")
	}
	return nil
}

// fits checks a value against its schema.
func fits(what string, value jsontext.Value, check *schema.Validator) error {
	if check == nil {
		return nil
	}
	if err := check.Check(value); err != nil {
		return BadRequest.New("%s does not fit its schema: %v", what, err)
	}
	return nil
}

// decode reads the checked value of an operation's In.
func decode[In any](input jsontext.Value) (in In, err error) {
	if err := schema.Decode(input, &in, limits(len(input))); err != nil {
		return in, malformed("the request", err)
	}
	return in, nil
}

// malformed is the problem of a value that gate/schema does not read.
func malformed(what string, err error) error {
	return BadRequest.New("%s", schema.Deny(err, what, verdict.UsageArgument, nil).Reason)
}
