package session

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// Each report gives a call its whole limit again, until the limit of such calls.
func TestReportsExtendACallUpToItsLimit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := &conn{limits: Limits{CallTimeout: time.Minute, CallLimit: 10 * time.Minute}.withDefaults()}
		reports := 0
		ctx, w, done := c.watching(WithProgress(t.Context(), func(Progress) { reports++ }))
		defer done()
		began := time.Now()
		for range 12 {
			select {
			case <-ctx.Done():
			case <-time.After(59 * time.Second):
				w.report(Progress{})
			}
		}
		if took := time.Since(began); took != 10*time.Minute {
			t.Errorf("it ends after %v", took)
		}
		if reports != 10 {
			t.Errorf("%d reports are passed on", reports)
		}
		var late overtime
		if !errors.As(context.Cause(ctx), &late) {
			t.Errorf("it ends with %v", context.Cause(ctx))
		}
	})
}

// Without a report a call ends after the limit of any.
func TestACallWithoutAReportEndsByItself(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := &conn{limits: Limits{CallTimeout: time.Minute, CallLimit: 10 * time.Minute}.withDefaults()}
		ctx, w, done := c.watching(WithProgress(t.Context(), func(Progress) {}))
		defer done()
		began := time.Now()
		<-ctx.Done()
		w.report(Progress{}) // which comes too late
		if took := time.Since(began); took != time.Minute || ctx.Err() == nil {
			t.Errorf("it ends after %v", took)
		}
	})
}
