package index_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
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
	if err := errors.Join(b.PutBlob("k", data), b.Put("modules", "m", 7), b.Put("meta", "state", true), b.Commit()); err != nil {
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
	if !x.Get("modules", "m", &kept) || kept != 7 {
		t.Errorf("the same key: module %d", kept)
	}
	_ = x.Close()
	x = open(t, dir, "two")
	defer func() { _ = x.Close() }()
	var n int
	var s string
	if x.Get("modules", "m", &n) || !x.Blob("k", &s) || s != "file" || x.Fresh() {
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
	if x.Blob("k", &s) || !x.Blob("new", &s) || s != "another" || !x.Get("modules", "m", &n) {
		t.Errorf("blob %q, module %d", s, n)
	}
	if err := errors.Join(b.Put("meta", "state", false), b.Commit()); err != nil || !x.Blob("new", &s) {
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

func TestKeysAreFoundByWhatTheyBeginWith(t *testing.T) {
	t.Parallel()
	x := open(t, t.TempDir(), "k")
	defer func() { _ = x.Close() }()
	commit := func(put func(b *index.Batch)) {
		b := x.NewBatch()
		put(b)
		if err := b.Commit(); err != nil {
			t.Fatal(err)
		}
	}
	keys := func(prefix string, want ...string) {
		t.Helper()
		if got := x.Keys("held", prefix); !slices.Equal(got, want) {
			t.Errorf("%q begins %q, want %q", prefix, got, want)
		}
	}
	keys("")
	commit(func(b *index.Batch) {
		for _, k := range []string{"b\x00y", "a\x00x", "ab\x00x", "a\x00b"} {
			b.Mark("held", k, true)
		}
	})
	keys("", "a\x00b", "a\x00x", "ab\x00x", "b\x00y")
	keys("a\x00", "a\x00b", "a\x00x")
	keys("c")
	commit(func(b *index.Batch) {
		b.Mark("held", "a\x00b", false)
		b.Mark("held", "never there", false)
	})
	keys("a\x00", "a\x00x")
}

// TestTheLastPutCounts: what is put and forgotten in one batch is as after two.
func TestTheLastPutCounts(t *testing.T) {
	t.Parallel()
	x := open(t, t.TempDir(), "k")
	defer func() { _ = x.Close() }()
	b := x.NewBatch()
	if err := errors.Join(b.Put("m", "a", 1), b.Put("m", "b", 1), b.Put("m", "a", 2), b.Put("m", "b", nil), b.Commit()); err != nil {
		t.Fatal(err)
	}
	var a, none int
	if !x.Get("m", "a", &a) || a != 2 || x.Get("m", "b", &none) {
		t.Errorf("a is %d, b %d", a, none)
	}
}
