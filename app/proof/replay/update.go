package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/causaldocs/causal/app/cli"
	"github.com/causaldocs/causal/app/report"
)

// update runs `causal update --json` in this process, and returns the time that it took.
func update(ctx context.Context, dir string, getenv func(string) string) (*report.Update, time.Duration, error) {
	var r report.Update
	start := time.Now()
	err := run(ctx, dir, "update", getenv, &r)
	return &r, time.Since(start), err
}

// check runs `causal check --json` and returns how much it found.
func check(ctx context.Context, dir string) (stale int, err error) {
	var r report.Check
	err = run(ctx, dir, "check", noEnv, &r)
	return len(r.Stale), err
}

// noEnv is an environment without settings.
func noEnv(string) string { return "" }

func run(ctx context.Context, dir, command string, getenv func(string) string, into any) error {
	var out, errs bytes.Buffer
	world := cli.IO{Out: &out, Err: &errs, Getenv: getenv, Now: time.Now, Dir: dir}
	code := cli.Run(ctx, []string{command, "--json"}, world)
	if code != cli.ExitClean && code != cli.ExitFindings {
		return fmt.Errorf("%s: exit code %d: %s", command, code, strings.TrimSpace(errs.String()))
	}
	if err := json.Unmarshal(out.Bytes(), into); err != nil {
		return fmt.Errorf("%s: read the report: %w", command, err)
	}
	return nil
}
