package confine

import (
	"os"
	"testing"
)

// required skips a test where this machine lacks something, unless
// ASK_REQUIRE_SANDBOX is 1: a probe that was skipped has proved nothing.
func required(tb testing.TB, what string) {
	tb.Helper()
	if os.Getenv("ASK_REQUIRE_SANDBOX") == "1" {
		tb.Fatalf("required and not here: %s", what)
	}
	tb.Skipf("not here: %s", what)
}
