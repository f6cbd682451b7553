package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/memory"
	"github.com/causaldocs/causal/knowledge/reasoning"
)

// What is measured.
const (
	causal = "causal"
	sqlite = "SQLite FTS5"
	duck   = "DuckDB cosine"
)

// The steps of causal from its files to the first question.
const (
	readStep  = "read and check the log"
	graphStep = "derive the graph"
	indexStep = "make the index"
)

const bestOf = 10

// inChild measures in a process of its own.
func inChild(ctx context.Context, name, dir string) (f figures, err error) {
	self, err := os.Executable()
	if err != nil {
		return f, err
	}
	var out, talk bytes.Buffer
	c := exec.CommandContext(ctx, self, "-measure", name, dir)
	c.Stdout, c.Stderr = &out, &talk
	if err := c.Run(); err != nil {
		return f, fmt.Errorf("%w: %s", err, &talk)
	}
	if err := json.Unmarshal(out.Bytes(), &f); err != nil {
		return f, err
	}
	f.peak, f.diskUsed = peak(c.ProcessState), size(filepath.Join(dir, map[string]string{causal: batchesDir, sqlite: sqliteDir}[name]))
	return f, nil
}

func measure(ctx context.Context, name, dir string, out io.Writer) error {
	f, err := map[string]func(context.Context, string) (figures, error){causal: measureCausal, sqlite: measureSQLite}[name](ctx, dir)
	if err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(f)
}

// readLog reads the files of a log as a command does.
func readLog(dir string) (*ledger.Log, error) {
	var batches []ledger.Batch
	root := os.DirFS(filepath.Join(dir, batchesDir))
	err := fs.WalkDir(root, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := fs.ReadFile(root, name)
		batches = append(batches, ledger.Batch{Path: name, Data: data})
		return err
	})
	if err != nil {
		return nil, err
	}
	log, problems := ledger.New(batches)
	if len(problems) > 0 {
		return nil, fmt.Errorf("the log has %d problems, the first is %+v", len(problems), problems[0])
	}
	return log, nil
}

func measureCausal(ctx context.Context, dir string) (f figures, err error) {
	start := cpu()
	log, err := readLog(dir)
	if err != nil {
		return f, err
	}
	read := cpu()
	graph := reasoning.New(log)
	derived := cpu()
	m, err := memory.New(ctx, log, memory.NewWords())
	if err != nil {
		return f, err
	}
	indexed := cpu()
	f.Steps = map[string]time.Duration{readStep: read - start, graphStep: derived - read, indexStep: indexed - derived - (derived - read)}
	f.Build = indexed - start - (derived - read) // the memory derives a graph of its own
	err = f.ask(dir, cpu, func(words []string) (int, error) {
		c, err := m.Recall(ctx, strings.Join(words, " "), bestOf)
		return len(c.Matches), err
	})
	if err != nil {
		return f, err
	}
	fresh, err := made[[]string](dir, freshFile)
	if err != nil {
		return f, err
	}
	words := memory.NewWords()
	start = cpu()
	for _, text := range fresh {
		e, err := log.Add(ledger.Event{Type: ledger.Happening, Text: text})
		if err != nil {
			return f, err
		}
		graph.Add(e)
		if err := words.Add(ctx, memory.Text{Key: string(e.ID), Text: e.Text}); err != nil {
			return f, err
		}
	}
	f.Append = (cpu() - start) / time.Duration(len(fresh))
	return f, nil
}

// ask takes the time of each question, by some clock.
func (f *figures) ask(dir string, now func() time.Duration, answer func(words []string) (found int, err error)) error {
	questions, err := made[[][]string](dir, questionsFile)
	if err != nil {
		return err
	}
	took := make([]time.Duration, len(questions))
	for i, words := range questions {
		start := now()
		n, err := answer(words)
		if err != nil {
			return err
		}
		took[i] = now() - start
		f.Found += n
	}
	slices.Sort(took)
	f.Middle, f.Slow = took[len(took)/2], took[len(took)*99/100]
	return nil
}
