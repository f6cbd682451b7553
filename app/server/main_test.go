package server

import (
	"os"
	"runtime/debug"
	"testing"
)

// TestMain keeps the user's git configuration out of the tests, and collects garbage as seldom as a child does.
func TestMain(m *testing.M) {
	for name, value := range map[string]string{"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.DevNull} {
		if err := os.Setenv(name, value); err != nil {
			panic(err)
		}
	}
	debug.SetGCPercent(800)
	debug.SetMemoryLimit(1 << 30)
	os.Exit(m.Run())
}
