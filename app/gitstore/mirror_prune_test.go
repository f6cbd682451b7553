package gitstore_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPrune checks that packs of many fetches are merged, that kept objects are readable, and that others can be fetched again.
func TestPrune(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.project(60)
	dir := filepath.Join(t.TempDir(), "shop")
	m := s.mirror(t, dir)
	m.SetPacks(5)
	m.SetNames(2)
	var commits []string
	for i := range 7 {
		s.write("pkg000/file0000.go", fmt.Sprintf("package pkg000\n\nconst Value0 = %d\n", -i))
		commits = append(commits, s.commit("next"))
		if err := m.Fetch(t.Context(), commits[i]); err != nil {
			t.Fatal(err)
		}
	}
	blob := s.git("rev-parse", "HEAD:pkg000/file0000.go")
	if _, err := m.Repo().ReadBlob(t.Context(), blob, 1<<20); err != nil {
		t.Fatal(err)
	}
	if _, err := m.MergeBase(t.Context(), commits[0], commits[6]); err != nil {
		t.Fatal(err)
	}
	keep := commits[5:]
	if n := s.during(func() { must(t, m.Prune(t.Context(), 1<<30, keep...)) }); n != 0 {
		t.Errorf("pruning took %d requests", n)
	}
	if n := len(packs(t, dir, ".pack")); n != 1 {
		t.Errorf("%d packs are left", n)
	}
	cut, err := os.ReadFile(filepath.Join(dir, "content.git", "shallow"))
	if err != nil || strings.Count(string(cut), "\n") != 2 {
		t.Errorf("every fetch would say that history ends at\n%s%v", cut, err)
	}
	read := func() {
		t.Helper()
		must(t, m.Fetch(t.Context(), keep...))
		if changes, err := m.Repo().DiffTrees(t.Context(), keep[0], keep[1]); err != nil || len(changes) != 1 {
			t.Errorf("DiffTrees = %v, %v", changes, err)
		}
		if content, err := m.Repo().ReadBlob(t.Context(), blob, 1<<20); err != nil || !strings.Contains(string(content), "= -6") {
			t.Errorf("ReadBlob = %q, %v", content, err)
		}
	}
	if n := s.during(read); n != 0 {
		t.Errorf("what was kept took %d requests", n)
	}
	must(t, m.Prune(t.Context(), 1000, keep...))
	if n := s.during(read); n == 0 {
		t.Error("what was larger than the limit is still there")
	}
	must(t, m.Fetch(t.Context(), commits[3]))
	if _, err := m.Repo().Tree(t.Context(), commits[3]); err != nil {
		t.Errorf("what was pruned, fetched again: %v", err)
	}
	if got, err := m.MergeBase(t.Context(), commits[3], commits[6]); err != nil || got != commits[3] {
		t.Errorf("MergeBase = %s, %v", got, err)
	}
	must(t, m.Prune(t.Context(), 1<<30))
	must(t, m.Fetch(t.Context(), keep...))
	read()
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestBytesOfASmallPush: a file of 500 changes. What comes is little, and little more than what git itself fetches into
// a clone that has everything.
func TestBytesOfASmallPush(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.project(500)
	one := s.commit("one")
	m := s.fresh(t)
	clone := &fixture{t: t, dir: filepath.Join(t.TempDir(), "clone")}
	must(t, os.MkdirAll(clone.dir, 0o755))
	header := "http.extraHeader=Authorization: Basic eC1hY2Nlc3MtdG9rZW46Z2hzX3NlY3JldA=="
	measured := func(name string, fn func()) (bytes int64) {
		sent, received, requests := s.sent.Load(), s.received.Load(), s.requests.Load()
		fn()
		bytes = s.sent.Load() - sent
		t.Logf("%-34s %8d bytes down, %6d up, %d requests", name, bytes, s.received.Load()-received, s.requests.Load()-requests)
		return bytes
	}
	measured("first fetch into the mirror", func() { must(t, m.Fetch(t.Context(), one)) })
	measured("clone by git", func() { clone.git("-c", header, "clone", "--quiet", "--bare", s.url, ".") })
	s.write("pkg008/file0420.go", "package pkg008\n\n// Value is another one.\nconst Value0420 = -1\n")
	two := s.commit("two")
	counted := m.BytesFetched()
	ours := measured("push of one file into the mirror", func() {
		must(t, m.Fetch(t.Context(), one, two))
		changes, err := m.Repo().DiffTrees(t.Context(), one, two)
		if err != nil || len(changes) != 1 {
			t.Fatalf("DiffTrees = %v, %v", changes, err)
		}
		if _, err := m.Repo().ReadBlob(t.Context(), changes[0].New, 1<<20); err != nil {
			t.Fatal(err)
		}
	})
	counted = m.BytesFetched() - counted
	git := measured("the same by git fetch", func() { clone.git("-c", header, "fetch", "--quiet", s.url, "main:main") })
	t.Logf("%-34s %8d bytes of packs", "counted by the mirror", counted)
	if ours > git+4096 {
		t.Errorf("%d bytes for the mirror, %d for git", ours, git)
	}
	if counted <= 0 || counted > ours {
		t.Errorf("the mirror counted %d bytes, the server sent %d", counted, ours)
	}
}

// BenchmarkMirrorPush is a push of one file of 5,000 to a warm mirror: fetch, compare, read.
func BenchmarkMirrorPush(b *testing.B) {
	s := serve(b)
	s.project(5000)
	last := s.commit("one")
	m := s.fresh(b)
	if err := m.Fetch(b.Context(), last); err != nil {
		b.Fatal(err)
	}
	before := m.BytesFetched()
	for i := 0; b.Loop(); i++ {
		b.StopTimer()
		s.write("pkg042/file2100.go", fmt.Sprintf("package pkg042\n\nconst Value2100 = %d\n", -i))
		next := s.commit("next")
		b.StartTimer()
		if err := m.Fetch(b.Context(), last, next); err != nil {
			b.Fatal(err)
		}
		changes, err := m.Repo().DiffTrees(b.Context(), last, next)
		if err != nil || len(changes) != 1 {
			b.Fatal(changes, err)
		}
		if _, err := m.Repo().ReadBlob(b.Context(), changes[0].New, 1<<20); err != nil {
			b.Fatal(err)
		}
		last = next
	}
	b.ReportMetric(float64(m.BytesFetched()-before)/float64(b.N), "bytes/push")
}

// TestEager: a commit on top of one that is here brings the small files that differ and no others, also one whose earlier content was
// never fetched.
func TestEager(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.project(60)
	long := strings.Repeat("a line of a file that is long enough to be sent as a difference\n", 200)
	s.write("notes.txt", long)
	s.write("large.bin", strings.Repeat("x", 1000))
	first := s.commit("first")
	m := s.mirror(t, filepath.Join(t.TempDir(), "shop"))
	m.Eager()
	must(t, m.Fetch(t.Context(), first))
	if before := m.BytesFetched(); before > 20<<10 {
		t.Errorf("%d bytes came with the first commit, whose files nobody has read", before)
	}
	s.write("notes.txt", long+"one more\n")
	s.write("large.bin", strings.Repeat(fmt.Sprintf("%x", os.Getpid()), 100<<10))
	second := s.commit("second")
	before := m.BytesFetched()
	must(t, m.Fetch(t.Context(), second))
	if n := m.BytesFetched() - before; n > 20<<10 {
		t.Errorf("%d bytes came for a small change", n)
	}
	blob := s.git("rev-parse", "HEAD:notes.txt")
	n := s.during(func() {
		if content, err := m.Repo().ReadBlob(t.Context(), blob, 1<<20); err != nil || string(content) != long+"one more\n" {
			t.Errorf("ReadBlob = %d bytes, %v", len(content), err)
		}
	})
	if n != 0 {
		t.Errorf("reading what changed took %d requests", n)
	}
}
