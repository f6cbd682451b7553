// Command askcost measures how much of a large repository `causal ask` reads. It assembles one from clones, plants a fact in it, and asks
// about the fact: with a scripted model that searches, reads the hit and answers, and without a model.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/causaldocs/causal/app/proof/trial"
)

const usage = `usage: askcost [-tokens 2000000] [-most 2] CLONE...

Assembles a repository of the given size from the text files of CLONEs, which may be bare, and plants a fact in it. The exit code is 1 if
a model that searches first reads more than -most percent of the repository, or if an answer is wrong.

`

var proof = trial.Program{Name: "askcost", Usage: usage, Define: define}

func main() { proof.Main() }

func define(flags *flag.FlagSet) trial.Run {
	tokens := flags.Int("tokens", 2_000_000, "size of the repository in tokens")
	most := flags.Float64("most", 2, "greatest share that may be read, in percent")
	return func(ctx context.Context, args []string, out, talk io.Writer) (holds bool, err error) {
		if len(args) == 0 || *tokens < 1 {
			return false, trial.ErrArguments
		}
		scratch, err := os.MkdirTemp("", "askcost-")
		if err != nil {
			return false, err
		}
		defer func() { _ = os.RemoveAll(scratch) }()
		p := &place{dir: filepath.Join(scratch, "repository"), causal: filepath.Join(scratch, "causal")}
		if err := p.assemble(ctx, args, *tokens*perToken); err != nil {
			return false, err
		}
		if err := trial.Build(ctx, p.causal); err != nil {
			return false, err
		}
		_, _ = fmt.Fprintf(out, "repository: %d files, %d tokens\n", p.files, p.bytes/perToken)
		return p.measure(ctx, out, *most)
	}
}

// perToken is how many bytes count as one token.
const perToken = 4

// The planted fact, and the question about it.
const (
	plantedIn = "dispatch/frozen.go"
	planted   = "// Package dispatch plans the vans of the courier.\npackage dispatch\n\nimport \"time\"\n\n" +
		"// frozenWait is how long a courier waits for frozen groceries: the boxes stay cold for an hour.\nconst frozenWait = 47 * time.Minute\n\n" +
		"// Late reports whether frozen groceries missed their van.\nfunc Late(waited time.Duration) bool { return waited > frozenWait }\n"
	question = "How long does a courier wait for frozen groceries?"
	known    = "47"
)

// place is an assembled repository.
type place struct {
	dir, causal  string
	files, bytes int
}

// assemble copies text files of the clones until it has enough bytes. Each clone gets a separate directory.
func (p *place) assemble(ctx context.Context, clones []string, enough int) error {
	if err := p.add(plantedIn, planted); err != nil {
		return err
	}
	for _, clone := range clones {
		at, err := filepath.Abs(clone)
		if err != nil {
			return err
		}
		if err := p.addAll(ctx, at, enough); err != nil {
			return fmt.Errorf("%w: %w", trial.ErrUnfit, err)
		}
	}
	if p.bytes < enough {
		return fmt.Errorf("%w: the clones have %d of %d tokens", trial.ErrUnfit, p.bytes/perToken, enough/perToken)
	}
	for _, args := range [][]string{{"init", "--quiet"}, {"add", "--all", "--force"}, {"commit", "--quiet", "--message=Begin"}} {
		if _, err := trial.Git(ctx, p.dir, nil, args...); err != nil {
			return err
		}
	}
	return nil
}

// addAll copies the text files of a clone. A partial clone may lack some.
func (p *place) addAll(ctx context.Context, clone string, enough int) error {
	list, err := trial.Git(ctx, clone, nil, "ls-tree", "-r", "-z", "--format=%(objectname) %(path)", "HEAD")
	if err != nil {
		return err
	}
	var ids strings.Builder
	var names []string
	for line := range strings.SplitSeq(strings.TrimRight(list, "\x00"), "\x00") {
		id, name, _ := strings.Cut(line, " ")
		ids.WriteString(id + "\n")
		names = append(names, name)
	}
	blobs, err := trial.Git(ctx, clone, strings.NewReader(ids.String()), "cat-file", "--batch=%(objectsize)", "--buffer")
	if err != nil {
		return err
	}
	for _, name := range names {
		if p.bytes >= enough {
			return nil
		}
		var head string
		head, blobs, _ = strings.Cut(blobs, "\n")
		size, err := strconv.Atoi(head)
		if err != nil { // missing
			continue
		}
		text := blobs[:size]
		blobs = blobs[size+1:]
		if size > largest || strings.IndexByte(text, 0) >= 0 || name[0] == '"' || !filepath.IsLocal(name) { // a quoted name is unusual
			continue
		}
		if err := p.add(filepath.Base(filepath.Dir(clone))+"/"+name, text); err != nil {
			return err
		}
	}
	return nil
}

// largest is the size limit of copied files, in bytes. Larger files are rarely written by hand.
const largest = 256 << 10

func (p *place) add(name, text string) error {
	p.files, p.bytes = p.files+1, p.bytes+len(text)
	at := filepath.Join(p.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		return err
	}
	return os.WriteFile(at, []byte(text), 0o600)
}

// measure asks with a model, again, and without one.
func (p *place) measure(ctx context.Context, out io.Writer, most float64) (holds bool, err error) {
	m := newNavigator()
	defer m.Close()
	holds = true
	for _, run := range []struct {
		name  string
		env   []string
		wants string
		args  []string
	}{
		{"with a model", m.env(), known, []string{"ask", "--json", question}},
		{"the stored answer", m.env(), known, []string{"ask", "--json", question}},
		{"update", nil, "", []string{"update", "--json"}},
		{"without a model, from the index", nil, filepath.Dir(plantedIn), []string{"ask", "--json", "When are frozen groceries late?"}},
	} {
		said, took, peak, err := p.run(ctx, run.env, run.args...)
		if err != nil {
			return false, err
		}
		_, _ = fmt.Fprintf(out, "%s: %v, %d MB %s\n", run.name, took.Round(10*time.Millisecond), peak>>20, said)
		holds = holds && strings.Contains(said, run.wants)
	}
	share := 100 * float64(m.tokens) / float64(p.bytes/perToken)
	_, err = fmt.Fprintf(out, "the model read %d tokens in %d requests: %.2f %% of the repository (at most %g %%); the longest request had %d\n", m.tokens, m.requests, share, most, m.longest)
	return holds && m.requests > 0 && share <= most, err
}

// run runs causal as a process, and returns the text of the answer, the time, and the peak memory in bytes.
func (p *place) run(ctx context.Context, env []string, args ...string) (said string, took time.Duration, peak int64, err error) {
	c := exec.CommandContext(ctx, p.causal, args...)
	c.Dir, c.Env = p.dir, append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Dir(p.dir)}, env...)
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	start := time.Now()
	err = c.Run()
	took = time.Since(start)
	if failed := new(exec.ExitError); errors.As(err, &failed) && failed.ExitCode() == trial.ExitDiffers {
		err = nil
	}
	if err != nil {
		return "", 0, 0, fmt.Errorf("causal %s: %w: %s", args[0], err, bytes.TrimSpace(errs.Bytes()))
	}
	var answer struct {
		Answer []struct{ Text string }
	}
	if err := json.Unmarshal(out.Bytes(), &answer); err != nil {
		return "", 0, 0, err
	}
	for _, s := range answer.Answer {
		said += s.Text + " "
	}
	return strings.TrimSpace(said), took, c.ProcessState.SysUsage().(*syscall.Rusage).Maxrss << 10, nil // in kilobytes on Linux
}
