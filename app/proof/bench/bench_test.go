package main

import (
	"strings"
	"testing"
	"time"
)

func start(tb testing.TB, files int) (*bench, string) {
	tb.Helper()
	b, err := newBench(tb.Context(), tb.TempDir(), 1)
	if err != nil {
		tb.Fatal(err)
	}
	dir, err := b.prepare(madeOf(files))
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
	r, err := b.oneFile(madeOf(200), dir, func() (cost, error) { return cost{wall: time.Millisecond}, nil })
	if err != nil {
		t.Fatal(err)
	}
	if want := "source files read: 1"; r.note != want {
		t.Errorf("%s, want %s", r.note, want)
	}
}

// TestAReviewTellsWhatGitSaysWasAdded: of what a linter says, what stands on lines that a diff adds.
func TestAReviewTellsWhatGitSaysWasAdded(t *testing.T) {
	t.Parallel()
	b, err := newBench(t.Context(), t.TempDir(), 1)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := b.reviews(madeOf(600))
	if err != nil {
		t.Fatal(err)
	}
	last := rows[len(rows)-1]
	if want := "results on changed lines: 149"; len(rows) != 3 || !strings.HasSuffix(last.note, want) {
		t.Errorf("%d rows, the last says %q, want %q", len(rows), last.note, want)
	}
	if last.broken && last.took <= reviewLimit {
		t.Error("a review tells of others")
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
			r, err := m.oneFile(madeOf(2000), dir, m.status(dir))
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
		if _, err := m.first(madeOf(2000), dir); err != nil {
			b.Fatal(err)
		}
	}
}
