package index_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/causaldocs/causal/knowledge/index"
)

func open(t *testing.T, dir, key string) *index.Index {
	t.Helper()
	x, err := index.Open(dir, key)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func fill(t *testing.T, x *index.Index) {
	t.Helper()
	b := x.NewBatch()
	data, err := index.Encode("file")
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(b.PutBlob("k", data), b.PutModule("m", 7), b.PutMeta("state", true), b.Commit()); err != nil {
		t.Fatal(err)
	}
}

func TestAnotherKeyDropsThePlanAndKeepsTheFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	x := open(t, dir, "one")
	if !x.Fresh() {
		t.Error("a new index is not fresh")
	}
	fill(t, x)
	_ = x.Close()
	x = open(t, dir, "one")
	if x.Fresh() {
		t.Error("an index is fresh again")
	}
	var kept int
	if !x.Module("m", &kept) || kept != 7 {
		t.Errorf("the same key: module %d", kept)
	}
	_ = x.Close()
	x = open(t, dir, "two")
	defer func() { _ = x.Close() }()
	var n int
	var s string
	if x.Module("m", &n) || !x.Blob("k", &s) || s != "file" || x.Fresh() {
		t.Errorf("module %d, blob %q after a change of key", n, s)
	}
}

func TestKeepBlobs(t *testing.T) {
	t.Parallel()
	x := open(t, t.TempDir(), "k")
	defer func() { _ = x.Close() }()
	fill(t, x)
	b := x.NewBatch()
	data, err := index.Encode("another")
	if err != nil {
		t.Fatal(err)
	}
	b.KeepBlobs(map[string]bool{"new": true, "gone before": true})
	if err := errors.Join(b.PutBlob("new", data), b.Commit()); err != nil {
		t.Fatal(err)
	}
	var s string
	var n int
	if x.Blob("k", &s) || !x.Blob("new", &s) || s != "another" || !x.Module("m", &n) {
		t.Errorf("blob %q, module %d", s, n)
	}
	if err := errors.Join(b.PutMeta("state", false), b.Commit()); err != nil || !x.Blob("new", &s) {
		t.Errorf("the next commit forgets as well: %v", err)
	}
}

func TestDamageIsMended(t *testing.T) {
	t.Parallel()
	for name, data := range map[string][]byte{"garbage": []byte("not a database"), "zeroes": make([]byte, 64<<10), "empty": nil} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "index.db"), data, 0o644); err != nil {
			t.Fatal(err)
		}
		x := open(t, dir, "k")
		fill(t, x)
		_ = x.Close()
		t.Log(name)
	}
	for _, size := range []int64{0, 1, 4096, 5000, 8192, 12288, 16384} {
		dir := t.TempDir()
		x := open(t, dir, "k")
		fill(t, x)
		if err := x.Close(); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(filepath.Join(dir, "index.db"), size); err != nil {
			t.Fatal(err)
		}
		x = open(t, dir, "k")
		fill(t, x)
		_ = x.Close()
	}
}
