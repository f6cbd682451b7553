package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// child is a child process that runs trials in sequence. If a trial breaks it, the next trial starts a new one.
type child struct {
	program string
	cmd     *exec.Cmd // nil when none runs
	in      io.WriteCloser
	out     *bufio.Reader
	errors  *strings.Builder
}

func (c *child) begin(ctx context.Context) error {
	c.cmd, c.errors = exec.CommandContext(ctx, c.program, "-measure"), &strings.Builder{}
	c.cmd.Env = append(os.Environ(), "GOMAXPROCS=2", "GOCOVERDIR="+filepath.Dir(c.program))
	c.cmd.Stderr = c.errors
	in, err := c.cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	c.in, c.out = in, bufio.NewReader(out)
	return c.cmd.Start()
}

// try makes a trial.
func (c *child) try(ctx context.Context, t trial) (outcome, error) {
	if c.cmd == nil {
		if err := c.begin(ctx); err != nil {
			return outcome{}, fmt.Errorf("begin a trial: %w", err)
		}
	}
	line, err := json.Marshal(t)
	if err != nil {
		return outcome{}, fmt.Errorf("begin a trial: %w", err)
	}
	_, _ = c.in.Write(append(line, '\n')) // one that has ended does not answer either
	answer, err := c.out.ReadBytes('\n')
	if err != nil {
		c.end()
		return outcome{Number: t.Number, Failed: "it exited: " + cmp.Or(firstLine(c.errors.String()), "no output")}, ctx.Err()
	}
	var o outcome
	if err := json.Unmarshal(answer, &o); err != nil {
		return o, fmt.Errorf("read an outcome: %w", err)
	}
	if o.Slow {
		c.end()
	}
	return o, nil
}

func (c *child) end() {
	if c.cmd == nil {
		return
	}
	_ = c.in.Close()
	_ = c.cmd.Wait()
	c.cmd = nil
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	return s
}
