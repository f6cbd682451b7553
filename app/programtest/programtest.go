// Package programtest gives tests the causal program, for those that start it as a user or a server does.
package programtest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// Build returns the path of the program. CAUSAL_TEST_CHILD names one that is already built. Otherwise go builds it, and keeps it in
// the build cache, which all packages and later runs share until the sources change.
func Build(tb testing.TB) string {
	tb.Helper()
	program, err := build()
	if err != nil {
		tb.Fatal(err)
	}
	return program
}

var build = sync.OnceValues(func() (string, error) {
	if program := os.Getenv("CAUSAL_TEST_CHILD"); program != "" {
		return program, nil
	}
	for range 2 { // the run that builds the program names a temporary file, the next one the file in the cache
		cmd := exec.CommandContext(context.Background(), "go", "run", "-exec", "echo", "github.com/causaldocs/causal")
		out, err := cmd.Output()
		if err != nil {
			return "", fmt.Errorf("build the program: %w: %s", err, said(err))
		}
		program := strings.TrimSpace(string(out))
		if _, err := os.Stat(program); err == nil && filepath.IsAbs(program) {
			return program, nil
		}
	}
	return "", errors.New("build the program: the build cache does not keep it")
})

func said(err error) []byte {
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return exit.Stderr
	}
	return nil
}
