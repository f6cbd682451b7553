package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/causaldocs/causal/app/model"
	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/summary"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/memory"
	"github.com/causaldocs/causal/knowledge/prompt"
)

func newMemoryExport(world IO) *cobra.Command {
	var jsonl, duckdb string
	c := &cobra.Command{
		Use:   "export --jsonl FILE | --duckdb FILE",
		Short: "Export events and causes as a table",
		Long: `Write the events with a text as a table with the columns event_id, timestamp, effect_text, embedding, cause_id and
relationship_text. Rows are in the order of the log, each cause before its effects. The same log always gives the same
export. A file that is not an export is never overwritten.

causal computes the vectors from the words (hash-v1), or asks the model in CAUSAL_EMBEDDINGS and CAUSAL_EMBEDDINGS_URL.

--jsonl writes one JSON object a line, with the event's id as an additional key; "-" is standard output. --duckdb writes a
DuckDB file with the program ` + duckdbProgram + `, which must be in PATH or in the directory of causal. It is a
separate program because it needs a C library. Build it in a clone of this project with
` + "`" + duckdbBuild + "`.",
		Example: `  causal memory export --jsonl events.jsonl
  causal memory export --duckdb events.duckdb`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if (jsonl == "") == (duckdb == "") {
				return usage(errors.New("memory export: give --jsonl FILE or --duckdb FILE"))
			}
			return inPlace(cmd.Context(), world, ".", func(p *place) error {
				log, err := p.Ledger(cmd.Context(), false)
				if err != nil {
					return err
				}
				e, err := p.embedder()
				if err != nil {
					return err
				}
				embedder := p.ExportEmbedder(e)
				if duckdb != "" {
					whole, err := filepath.Abs(world.path(duckdb)) // an absolute path is never taken for a flag
					if err != nil {
						return fmt.Errorf("memory export: %w", err)
					}
					return p.exportDuckDB(cmd.Context(), log, embedder, whole)
				}
				return p.exportJSONL(cmd.Context(), log, embedder, jsonl)
			})
		},
	}
	world.offlineFlag(c)
	c.Flags().StringVar(&jsonl, "jsonl", "", "write one JSON object a line to this file; - is standard output")
	c.Flags().StringVar(&duckdb, "duckdb", "", "write a file for DuckDB")
	return c
}

// The separate program that writes DuckDB files, and the command that builds it in a clone.
const (
	duckdbProgram = "causal-duckdb"
	duckdbBuild   = "cd app/duckdb && go build -o causal-duckdb ."
)

// embedder returns nil if no embedding model is set.
func (w IO) embedder() (workspace.Embedder, error) {
	e, err := model.EmbeddingsFrom(w.Getenv)
	if err != nil {
		return nil, usage(err)
	}
	if e == nil {
		return nil, nil // an untyped nil, not a nil pointer in an interface
	}
	return e, nil
}

// embedder applies the configuration, which may allow no model for memory.
func (p *place) embedder() (workspace.Embedder, error) {
	if !p.Config.Model.Allows(prompt.Memory) {
		return nil, nil
	}
	return p.world.embedder()
}

func (p *place) exportJSONL(ctx context.Context, log *workspace.Ledger, embedder memory.Embedder, name string) error {
	if name == "-" {
		_, err := p.export(ctx, log, p.world.Out, embedder)
		return err
	}
	name = p.world.path(name)
	if err := replaceable(name); err != nil {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(name), ".causal-export-")
	if err != nil {
		return fmt.Errorf("memory export: %w", err)
	}
	defer func() { _ = os.Remove(temp.Name()) }() // fails after the rename
	n, err := p.export(ctx, log, temp, embedder)
	if err = errors.Join(err, temp.Chmod(0o644), temp.Close()); err != nil {
		return fmt.Errorf("memory export: %w", err)
	}
	if err := os.Rename(temp.Name(), name); err != nil {
		return fmt.Errorf("memory export: %w", err)
	}
	p.exported(n, name)
	return nil
}

func (p *place) exported(events int, name string) {
	_, _ = plain.Fprintf(p.world.Err, "exported %s to %s\n", summary.Count(events, "event"), name)
}

// replaceable returns an error if the file exists and is not an export.
func replaceable(name string) error {
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("memory export: %w", err)
	}
	defer func() { _ = f.Close() }()
	other := usage(fmt.Errorf("memory export: %s exists and is not an export; give another name, or remove the file", name))
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return other
	}
	line, err := bufio.NewReader(io.LimitReader(f, memory.MostRow)).ReadBytes('\n')
	if errors.Is(err, io.EOF) && len(line) == 0 {
		return nil // export of an empty log
	}
	if _, err := memory.ParseRow(line); err != nil {
		return other
	}
	return nil
}

// written is the write buffer size in bytes.
const written = 1 << 18

// export writes the log's rows as lines of JSON and returns their number.
func (p *place) export(ctx context.Context, log *workspace.Ledger, w io.Writer, embedder memory.Embedder) (rows int, err error) {
	p.doubt(log)
	var lines []byte
	flush := func() error { // only whole lines, for readers of characters
		_, err := w.Write(lines)
		lines = lines[:0]
		return err
	}
	apart, err := memory.Export(ctx, log.Log, embedder, func(r memory.Row) error {
		rows++
		line, err := json.Marshal(r)
		if err != nil {
			return err
		}
		if lines = append(append(lines, plain.JSON(line)...), '\n'); len(lines) > written {
			return flush()
		}
		return nil
	})
	if err == nil {
		err = flush()
	}
	if err != nil {
		return rows, err
	}
	if apart > 0 {
		_, _ = plain.Fprintf(p.world.Err, "warning: the cause of %s is missing from the log or has no text: exported without a cause\n", summary.Count(apart, "event"))
	}
	return rows, nil
}

// exportDuckDB passes the number of events to the DuckDB program, which discards an incomplete export.
func (p *place) exportDuckDB(ctx context.Context, log *workspace.Ledger, embedder memory.Embedder, name string) error {
	program, err := findDuckDB()
	if err != nil {
		return err
	}
	wanted := 0
	for i := range log.Events() {
		if log.Events()[i].Type.Tells() {
			wanted++
		}
	}
	run := exec.CommandContext(ctx, program, "write", "--embeddings", embedder.Name(), "--rows", strconv.Itoa(wanted), name)
	run.Stdout, run.Stderr = p.world.Err, p.world.Err
	in, err := run.StdinPipe()
	if err == nil {
		err = run.Start()
	}
	if err != nil {
		return fmt.Errorf("memory export: run %s: %w", program, err)
	}
	_, err = p.export(ctx, log, in, embedder)
	_ = in.Close()
	ended := run.Wait()
	var failed *exec.ExitError
	switch {
	case errors.As(ended, &failed) && failed.ExitCode() == ExitUsage:
		return exit{code: ExitUsage} // it reported the reason
	case ended != nil && (err == nil || errors.Is(err, syscall.EPIPE)):
		return fmt.Errorf("memory export: %s: %w", duckdbProgram, ended)
	case err != nil:
		return fmt.Errorf("memory export: %w", err)
	}
	p.exported(wanted, name)
	return nil
}

// findDuckDB looks next to this executable, then in PATH.
func findDuckDB() (string, error) {
	name := duckdbProgram
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	if self, err := os.Executable(); err == nil {
		beside := filepath.Join(filepath.Dir(self), name)
		if info, err := os.Stat(beside); err == nil && info.Mode().IsRegular() {
			return beside, nil
		}
	}
	found, err := exec.LookPath(name)
	if err != nil {
		return "", usage(fmt.Errorf("memory export: --duckdb needs the program %s in PATH or in the directory of causal: "+
			"`%s` in a clone of causal builds it with a C compiler; --jsonl needs nothing, and DuckDB reads that with read_json", duckdbProgram, duckdbBuild))
	}
	return found, nil
}
