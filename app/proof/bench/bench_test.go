package main

import (
	"testing"
	"time"
)

// made is a tree small enough to measure on everywhere.
func made(files int) corpus {
	return corpus{
		name: "made", edited: "p0000/f0.go", declaration: "\nfunc benched%d() {}\n",
		make: func(dir string) error { return synthetic(dir, files) },
	}
}

func start(tb testing.TB, files int) (*bench, string) {
	tb.Helper()
	b, err := newBench(tb.Context(), tb.TempDir(), 1)
	if err != nil {
		tb.Fatal(err)
	}
	dir, err := b.prepare(made(files))
	if err != nil {
		tb.Fatal(err)
	}
	if _, _, err := b.command(dir, b.causal, "update"); err != nil {
		tb.Fatal(err)
	}
	if err := b.commit(dir); err != nil {
		tb.Fatal(err)
	}
	return b, dir
}

// TestOneEditReadsOneFile: the work after an edit grows with the edit, not with the repository.
func TestOneEditReadsOneFile(t *testing.T) {
	t.Parallel()
	b, dir := start(t, 200)
	r, err := b.oneFile(made(200), dir, func() (cost, error) { return cost{wall: time.Millisecond}, nil })
	if err != nil {
		t.Fatal(err)
	}
	if want := "source files read: 1"; r.note != want {
		t.Errorf("%s, want %s", r.note, want)
	}
}

// BenchmarkAgainstGitStatus reports, beside its own time, how many times that of git status a run takes.
func BenchmarkAgainstGitStatus(b *testing.B) {
	for _, what := range []string{"update", "check"} {
		b.Run(what, func(b *testing.B) {
			m, dir := start(b, 2000)
			var own, git time.Duration
			for b.Loop() {
				x, _, err := m.command(dir, m.causal, what)
				if err != nil {
					b.Fatal(err)
				}
				y, _, err := m.command(dir, "git", "status", "--porcelain")
				if err != nil {
					b.Fatal(err)
				}
				own, git = own+x.wall, git+y.wall
			}
			b.ReportMetric(float64(own)/float64(git), "x-git-status")
		})
	}
	b.Run("one edit", func(b *testing.B) {
		m, dir := start(b, 2000)
		m.rounds = 1
		var own, git float64
		for b.Loop() {
			r, err := m.oneFile(made(2000), dir, m.status(dir))
			if err != nil {
				b.Fatal(err)
			}
			own, git = own+r.took, git+r.limit
		}
		b.ReportMetric(own/git, "x-git-status")
	})
}

// BenchmarkFirstUpdate reports the time of a first update of 2,000 files.
func BenchmarkFirstUpdate(b *testing.B) {
	m, dir := start(b, 2000)
	for b.Loop() {
		if _, err := m.first(made(2000), dir); err != nil {
			b.Fatal(err)
		}
	}
}
