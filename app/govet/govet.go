// Package govet has the precise passes of go vet, and nilness, look at the Go packages that a change touches. It is for machines on
// which the sources belong to whoever runs it: the go command compiles what the packages import, from the module cache alone.
//
// Nothing of the packages runs: there is no cgo, no generator, no other toolchain and no network. What that leaves unknown, such as a
// dependency that is not in the module cache, is a reason not to look.
package govet

import (
	"cmp"
	"context"
	"fmt"
	"os/exec"
	"slices"
	"time"

	"github.com/causaldocs/causal/review/finding"
	"github.com/causaldocs/causal/review/sarif"
)

// Tool is what the rules of the passes begin with, as those of a linter do with its name.
const Tool = "go-vet"

const (
	// longest is how long it may take: a first look compiles what the packages import, which for programs of a hundred dependencies
	// takes a minute on a small machine.
	longest = 2 * time.Minute
	// mostPackages are looked at of a change: people touch some ten, and more make a minute.
	mostPackages = 200
	// mostLoaded packages are in memory at a time, with their syntax and types.
	mostLoaded = 16
)

// Said is what the passes say of packages.
type Said struct {
	Results []sarif.Result
	// Skipped tells of packages that they could not look at, by a file of the change.
	Skipped []finding.Skipped
	// Absent says why they did not look at anything.
	Absent string
}

// Looked reports whether what they did not report is not there.
func (s *Said) Looked() bool { return s.Absent == "" && len(s.Skipped) == 0 }

// Look has the passes look at the packages of files, which are told relative to the root. What keeps them from it is told and is no
// error: a review without them is one all the same.
func Look(ctx context.Context, root string, getenv func(string) string, files []string) (*Said, error) {
	return within(ctx, longest, root, getenv, files)
}

func within(ctx context.Context, most time.Duration, root string, getenv func(string) string, files []string) (*Said, error) {
	modules, homeless := group(root, files)
	switch {
	case len(modules) == 0 && homeless == "":
		return &Said{}, nil
	case len(modules) == 0:
		return &Said{Absent: "there is no go.mod above " + homeless}, nil
	}
	if _, err := exec.LookPath("go"); err != nil {
		return &Said{Absent: "there is no go command"}, nil
	}
	limited, stop := context.WithTimeoutCause(ctx, most, fmt.Errorf("it took longer than %d s", int(most.Seconds())))
	defer stop()
	done := make(chan *Said, 1)
	go func() { // no pass can be stopped once it runs
		l := &look{ctx: limited, root: root, env: environment(getenv)}
		for _, m := range modules {
			l.module(m)
		}
		if homeless != "" {
			l.skip(homeless, "there is no go.mod above it")
		}
		done <- l.said()
	}()
	select {
	case said := <-done:
		return said, ctx.Err()
	case <-limited.Done():
		return &Said{Absent: context.Cause(limited).Error()}, ctx.Err()
	}
}

// said sorts what was found.
func (l *look) said() *Said {
	slices.SortFunc(l.found, func(a, b sarif.Result) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Rule, b.Rule),
			cmp.Compare(a.Message, b.Message))
	})
	slices.SortFunc(l.skipped, func(a, b finding.Skipped) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Reason, b.Reason))
	})
	return &Said{Results: slices.Compact(l.found), Skipped: slices.Compact(l.skipped)}
}
