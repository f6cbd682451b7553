package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/app/cause"
	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/store"
)

// measured is what a log takes.
type measured struct {
	told                      int   // events
	events, directories, pack int64 // bytes: of the events, of the directories that they are in, and of all with the commits
}

// log is what the log takes: commits are there without it, too.
func (m measured) log() int64 { return m.events + m.directories }

// measure commits pushes to a repository, and packs it.
func measure(ctx context.Context, pushes int) (m measured, err error) {
	dir, err := os.MkdirTemp("", "causal-ledgersize-")
	if err != nil {
		return m, fmt.Errorf("make a repository: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if _, err := git(ctx, dir, nil, "init", "-q", "--bare", "."); err != nil {
		return m, err
	}
	var stream bytes.Buffer
	m.told, err = write(&stream, newProject(), pushes)
	if err != nil {
		return m, err
	}
	for _, step := range [][]string{{"fast-import", "--quiet"}, {"gc", "-q", "--prune=now"}} {
		if _, err := git(ctx, dir, &stream, step...); err != nil {
			return m, err
		}
	}
	return m, m.weigh(ctx, dir)
}

// indexed is how many bytes git's indexes of a pack have for each object.
const indexed = 32

// weigh adds up what lies in the pack: all of it, and what is below the directory of the log.
func (m *measured) weigh(ctx context.Context, dir string) error {
	names, err := git(ctx, dir, nil, "rev-list", "--all", "--objects")
	if err != nil {
		return err
	}
	sizes, err := git(ctx, dir, bytes.NewBufferString(names), "cat-file", "--batch-check=%(objectsize:disk) %(rest)")
	if err != nil {
		return err
	}
	for line := range strings.Lines(sizes) {
		size, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		n, err := strconv.ParseInt(size, 10, 64)
		if err != nil {
			return fmt.Errorf("read %q: %w", line, err)
		}
		m.pack += n + indexed
		switch {
		case ledger.IsBatch(name):
			m.events += n + indexed
		case strings.HasPrefix(name, store.Log):
			m.directories += n + indexed
		}
	}
	return nil
}

// write writes pushes as git's fast-import takes them. An event names those that it saw by their ids: of the log that there is, the last file is
// enough to go on.
func write(to *bytes.Buffer, p *project, pushes int) (events int, err error) {
	w := bufio.NewWriter(to)
	var last []ledger.Batch
	for i := range pushes {
		log, _ := ledger.New(last)
		push, consequences := p.push()
		if _, err := cause.Record(log, push, consequences); err != nil {
			return 0, err
		}
		if last = log.Added(); len(last) != 1 {
			return 0, fmt.Errorf("push %d takes %d files", i, len(last))
		}
		events += len(last[0].Events)
		message := "Update docs\n"
		fmt.Fprintf(w, "commit refs/heads/main\ncommitter causal <causal@example.com> %d +0000\ndata %d\n%s\n", p.clock, len(message), message)
		fmt.Fprintf(w, "M 100644 inline %s\ndata %d\n%s\n", last[0].Path, len(last[0].Data), last[0].Data)
	}
	return events, w.Flush()
}

func git(ctx context.Context, dir string, in *bytes.Buffer, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = dir
	if in != nil {
		cmd.Stdin = in
	}
	var failed strings.Builder
	cmd.Stderr = &failed
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w: %s", args[0], err, strings.TrimSpace(failed.String()))
	}
	return string(out), nil
}
