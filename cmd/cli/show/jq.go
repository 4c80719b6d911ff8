package show

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/itchyny/gojq"

	"github.com/onestep-run/onestep/gate/schema"
)

// maxResults is how many results an expression may have.
const maxResults = 1 << 20

// JQ is the [Form] that a jq expression makes: each result on a line, a string
// as what it says and all else as compact JSON. The expression sees the document
// alone: no variable of the environment, no further input, module or file.
func JQ(expression string, limits Limits) (Form, error) {
	query, err := gojq.Parse(expression)
	if err != nil {
		return nil, err
	}
	code, err := gojq.Compile(query)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, w io.Writer, document jsontext.Value) (string, error) {
		v, err := schema.Any(document)
		if err != nil {
			return "", err
		}
		missing := absent(v, jqPaths(query))
		return missing, limits.run(ctx, w, func(ctx context.Context, w io.Writer) error { return results(ctx, w, code, v) })
	}, nil
}

// results writes all that the code makes of v.
func results(ctx context.Context, w io.Writer, code *gojq.Code, v any) error {
	next := code.RunWithContext(ctx, v)
	for range maxResults {
		result, more := next.Next()
		if !more {
			return nil
		}
		if err := write(w, result); err != nil {
			return halted(err)
		}
	}
	if _, more := next.Next(); more {
		return fmt.Errorf("it has more than %d results", maxResults)
	}
	return nil
}

func write(w io.Writer, result any) error {
	switch result := result.(type) {
	case error:
		return result
	case string:
		_, err := io.WriteString(w, result+"\n")
		return err
	}
	b, err := gojq.Marshal(result)
	if err != nil {
		return err
	}
	_, err = w.Write(append(b, '\n'))
	return err
}

// halted is the error that an expression ended with. jq's halt is none.
func halted(err error) error {
	if halt := new(gojq.HaltError); errors.As(err, &halt) && halt.Value() == nil {
		return nil
	}
	return err
}
