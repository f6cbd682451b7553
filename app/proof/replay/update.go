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

// update runs `causal update --json` in this process and tells how long it took.
func update(ctx context.Context, dir string) (*report.Update, time.Duration, error) {
	var out, errs bytes.Buffer
	world := cli.IO{Out: &out, Err: &errs, Getenv: func(string) string { return "" }, Now: time.Now, Dir: dir}
	start := time.Now()
	code := cli.Run(ctx, []string{"update", "--json"}, world)
	took := time.Since(start)
	if code != cli.ExitClean && code != cli.ExitFindings {
		return nil, 0, fmt.Errorf("update: exit code %d: %s", code, strings.TrimSpace(errs.String()))
	}
	var r report.Update
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		return nil, 0, fmt.Errorf("update: read the report: %w", err)
	}
	return &r, took, nil
}
