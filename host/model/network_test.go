package model_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/model"
)

func TestAnEndlessReplyIsReadToTheLimitAndNoFurther(t *testing.T) {
	t.Parallel()
	const all = 300 << 20
	for name, declared := range map[string]bool{"declared": true, "chunked": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wrote := make(chan int, 1)
			s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				if declared {
					w.Header().Set("Content-Length", fmt.Sprint(all))
				}
				n, piece := 0, []byte(strings.Repeat(" ", 64<<10))
				for n < all {
					m, err := w.Write(piece)
					n += m
					if err != nil {
						break
					}
				}
				wrote <- n
			})
			_, err := complete(t, s, "openai")
			if verdict.CodeOf(err) != verdict.ModelTooLarge || len(s.seen()) != 1 {
				t.Errorf("%v after %d requests", err, len(s.seen()))
			}
			if n := <-wrote; n >= all/4 {
				t.Errorf("the server could send %d bytes", n)
			}
		})
	}
}

func TestSilenceEndsInATimeout(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]http.HandlerFunc{
		"no headers": hang,
		"half a body": func(w http.ResponseWriter, r *http.Request) {
			io.WriteString(w, `{"choices":[`)
			w.(http.Flusher).Flush()
			hang(w, r)
		},
	} {
		for _, provider := range providers {
			t.Run(name+"/"+provider, func(t *testing.T) {
				t.Parallel()
				s := serve(t, answer)
				_, err := client(t, model.Config{Provider: provider, BaseURL: s.URL, APIKey: key, Timeout: soon}).Complete(t.Context(), request)
				if verdict.CodeOf(err) != verdict.ModelTimeout || !errors.Is(err, context.DeadlineExceeded) || len(s.seen()) != 1 {
					t.Errorf("%v after %d requests", err, len(s.seen()))
				}
			})
		}
	}
}

func TestAnInterruptIsNotTheModelsFault(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	s := serve(t, cancelling(cancel))
	_, err := client(t, model.Config{Provider: "openai", BaseURL: s.URL}).Complete(ctx, request)
	if verdict.CodeOf(err) != verdict.CallInterrupted || !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestBrokenConnectionsAreNotTriedAgain(t *testing.T) {
	t.Parallel()
	hijack := func(write string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			conn, _, err := w.(http.Hijacker).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			io.WriteString(conn, write)
			conn.Close()
		}
	}
	for name, answer := range map[string]http.HandlerFunc{
		"closed without a word": hijack(""),
		"no HTTP":               hijack("220 mail ready\r\n\r\n"),
		"a body cut short":      hijack("HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{\"choices\":[{\"message\":{\"content\":\"x\"}}]}"),
		"chunks cut short":      hijack("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n20\r\n{\"choices\":[{\"messag"),
		"endless headers":       hijack("HTTP/1.1 200 OK\r\nX: " + strings.Repeat("x", 1<<20)),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, answer)
			_, err := complete(t, s, "openai")
			if verdict.CodeOf(err) != verdict.ModelFailed || len(s.seen()) != 1 {
				t.Errorf("%v after %d requests", err, len(s.seen()))
			}
			clean(t, err)
		})
	}
}

func TestNoConnectionIsUnreachable(t *testing.T) {
	t.Parallel()
	s := serve(t, hang)
	gone := serve(t, hang)
	gone.Close()
	for _, base := range []string{gone.URL, strings.Replace(s.URL, "http:", "https:", 1)} {
		_, err := client(t, model.Config{Provider: "openai", BaseURL: base, APIKey: key}).Complete(t.Context(), request)
		if verdict.CodeOf(err) != verdict.ModelUnreachable {
			t.Errorf("%s: %v", base, err)
		}
		clean(t, err)
	}
	if len(s.seen()) != 0 {
		t.Error("a request arrived")
	}
}
