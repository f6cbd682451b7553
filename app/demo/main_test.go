package demo_test

import (
	"os"
	"testing"

	"github.com/causaldocs/causal/app/sandbox"
)

// TestMain makes the test binary do the work of a child when it is started as one.
func TestMain(m *testing.M) {
	if sandbox.IsChild() {
		os.Exit(sandbox.Main())
	}
	os.Exit(m.Run())
}
