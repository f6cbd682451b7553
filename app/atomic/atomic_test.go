package atomic_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/causaldocs/causal/app/atomic"
)

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "deep", "file")
	for _, text := range []string{"first", "second"} {
		if err := atomic.Write(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(name)
		if info, _ := os.Stat(name); err != nil || string(got) != text || info.Mode().Perm() != 0o600 {
			t.Errorf("%q, %v, %v; want %q that its owner alone reads", got, info.Mode(), err, text)
		}
	}
	taken := filepath.Join(dir, "taken")
	if err := os.MkdirAll(filepath.Join(taken, "full"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := atomic.Write(taken, nil, 0o600); err == nil {
		t.Error("wrote over a directory")
	}
	if left, err := filepath.Glob(filepath.Join(dir, atomic.Leftover)); err != nil || len(left) > 0 {
		t.Errorf("%v, %v are left", left, err)
	}
	if err := atomic.Write(filepath.Join(name, "under"), nil, 0o600); err == nil {
		t.Error("wrote below a file")
	}
}
