package demo_test

import (
	"os"
	"testing"

	"github.com/causaldocs/causal/app/cli"
	"github.com/causaldocs/causal/app/sandbox"
)

// TestMain makes the test binary do the work of a child when it is started as one, and that of causal when somebody tries
// what the demonstration says.
func TestMain(m *testing.M) {
	if sandbox.IsChild() {
		os.Exit(sandbox.Main())
	}
	if len(os.Args) > 1 && os.Args[1] == "why" {
		os.Exit(cli.Main())
	}
	os.Exit(m.Run())
}
