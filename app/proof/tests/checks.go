package main

import (
	"bytes"
	"context"
	"go/format"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// checked is the result of a maintainer's usual checks on generated files.
type checked struct {
	files       int
	unbuilt     []string // with the errors of the compiler or go vet
	unformatted []string
	flaky       []string // the package and the run
	repeated    int
}

func (c *checked) holds() bool { return len(c.unbuilt)+len(c.unformatted)+len(c.flaky) == 0 }

// complaint is a line in which the go command finds fault with a generated file.
var complaint = regexp.MustCompile(`(?m)^(?:vet: )?\S*zz_causal_\w+_test\.go:\d+.*$`)

// check builds the generated tests with the race detector and runs them repeatedly, one package at a time.
func (s *subject) check(ctx context.Context, files map[string][]byte, repeat int) (c checked, err error) {
	c.files, c.repeated = len(files), repeat
	over, err := s.lay(files)
	if err != nil {
		return c, err
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if text, err := format.Source(files[name]); err != nil || !bytes.Equal(text, files[name]) {
			c.unformatted = append(c.unformatted, name)
		}
	}
	for _, u := range s.units {
		mine := s.of(u, over)
		if len(mine) == 0 {
			continue
		}
		binary := filepath.Join(s.dir, "race.test")
		said, ok, err := s.build(ctx, u, mine, binary, "-race")
		if err != nil {
			return c, err
		}
		if !ok {
			c.unbuilt = append(c.unbuilt, u.path+": "+strings.Join(complaint.FindAllString(said, -1), "; "))
			continue
		}
		if err := s.repeat(ctx, u, binary, &c); err != nil {
			return c, err
		}
	}
	return c, nil
}

// repeat runs tests again and again, each time in another order.
func (s *subject) repeat(ctx context.Context, u *unit, binary string, c *checked) error {
	for run := range c.repeated {
		said, ok, err := s.test(ctx, u, free, binary, time.Minute, "-test.run=_causal$", "-test.shuffle="+strconv.Itoa(run+1))
		if err != nil {
			return err
		}
		if !ok {
			c.flaky = append(c.flaky, path.Base(u.path)+" in run "+strconv.Itoa(run+1)+": "+failing(said))
		}
	}
	return nil
}

// vetted lists the complaints of go vet about generated files in the tree.
func (s *subject) vetted(ctx context.Context) ([]string, error) {
	said, _, err := s.goCommand(ctx, ".", "vet", "./...")
	return complaint.FindAllString(said, -1), err
}

var failLine = regexp.MustCompile(`(?m)^--- FAIL: (\S+)`)

// failed lists the tests that failed, without those within them.
func failed(said string) (out []string) {
	for _, m := range failLine.FindAllStringSubmatch(said, -1) {
		out = append(out, m[1])
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// failing lists the failed tests, or returns the end of the output if it names none.
func failing(said string) string {
	if names := failed(said); len(names) > 0 {
		return strings.Join(names, ", ")
	}
	return said[max(0, len(said)-200):]
}
