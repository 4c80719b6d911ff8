package show

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/itchyny/gojq"

	"github.com/onestep-run/onestep/gate/schema"
)

// JQ is the [Form] that a jq expression makes: each result on a line, a string
// as what it says and all else as compact JSON. The expression sees the document
// alone: no variable of the environment, no further input, module or file. It ends
// with its context, and where a further result takes longer than patience.
func JQ(expression string, patience time.Duration) (Form, error) {
	query, err := gojq.Parse(expression)
	if err != nil {
		return nil, err
	}
	code, err := gojq.Compile(query)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, w io.Writer, document jsontext.Value) error {
		v, err := schema.Any(document)
		if err != nil {
			return err
		}
		return results(ctx, w, code, v, patience)
	}, nil
}

// results writes all that the code makes of v. Whoever reads them slowly does
// not use up its time.
func results(ctx context.Context, w io.Writer, code *gojq.Code, v any, patience time.Duration) error {
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	clock := time.AfterFunc(patience, func() { end(fmt.Errorf("no further result within %v", patience)) })
	defer clock.Stop()
	for next := code.RunWithContext(ctx, v); ; clock.Reset(patience) {
		result, more := next.Next()
		clock.Stop()
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if !more {
			return nil
		}
		if err := write(w, result); err != nil {
			return halted(err)
		}
	}
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
