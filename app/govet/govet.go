// Package govet runs the precise passes of go vet, and nilness, on the Go packages of a change. Use it only where the
// user owns the sources: the go command compiles dependencies, from the module cache alone.
//
// No code of the packages runs: no cgo, no generators, no other toolchain, no network. A package with unknown parts,
// such as a dependency outside the module cache, is skipped.
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

// Tool is the prefix of the passes' rules.
const Tool = "go-vet"

const (
	// longest is the time limit: the first run compiles dependencies, a minute for a hundred of them on a small
	// machine.
	longest = 2 * time.Minute
	// mostPackages bounds the analysed packages: typical changes touch ten, and more than this take minutes.
	mostPackages = 200
	// mostLoaded bounds the packages in memory with syntax and types.
	mostLoaded = 16
)

// Said is the result of the passes.
type Said struct {
	Results []sarif.Result
	// Skipped lists packages that could not be analysed, by a file of the change.
	Skipped []finding.Skipped
	// Absent is the reason why no package was analysed.
	Absent string
}

// Looked reports whether the result is complete.
func (s *Said) Looked() bool { return s.Absent == "" && len(s.Skipped) == 0 }

// Look analyses the packages of files, whose names are relative to the root. Obstacles are part of the result, not
// errors: a review works without it.
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
	go func() { // a pass cannot be interrupted
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
