package atomic_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

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

func TestLimit(t *testing.T) {
	dir := t.TempDir()
	at := time.Unix(1_700_000_000, 0)
	for i, name := range []string{"oldest", "deep/old", "new"} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		when := at.Add(time.Duration(i) * time.Hour)
		if err := errors.Join(atomic.Write(file, []byte("12345"), 0o600), os.Chtimes(file, when, when)); err != nil {
			t.Fatal(err)
		}
	}
	if total := atomic.Limit(dir, 15, 5, fs.FileInfo.Size); total != 15 {
		t.Errorf("%d bytes are left, and 15 are allowed", total)
	}
	if total := atomic.Limit(dir, 14, 10, fs.FileInfo.Size); total != 10 {
		t.Errorf("%d bytes are left, want 10", total)
	}
	if _, err := os.Stat(filepath.Join(dir, "oldest")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the oldest file is there (%v)", err)
	}
}
