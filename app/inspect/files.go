package inspect

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/causaldocs/causal/knowledge/condition"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/lexical"
	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/knowledge/survey"
)

// The limits of a call.
const (
	largestFile = 1 << 20  // bytes of a file that is read
	mostScanned = 64 << 20 // bytes that a search or grep reads, in the order of the paths
	longestRead = 400      // lines
	mostShown   = 40 << 10 // bytes of an output
	longestLine = 1000     // bytes of a line as it is shown
	mostMatches = 60       // of a grep
	mostFound   = 8        // files of a search
	linesFound  = 3        // of each
	eventsFound = 4
	mostCommits = 10
)

// Config describes one state of a repository.
type Config struct {
	Tree survey.Tree
	// Entries lists all files of the state.
	Entries func(ctx context.Context) ([]survey.Entry, error)
	// Owned reports which files are causal's own, and Shows which a model may see.
	Owned, Shows func(file string) bool
	// Events are those of the log.
	Events func() ([]ledger.Event, error)
	// History lists the commits that changed a file, the newest first. It may be nil.
	History func(ctx context.Context, file string, most int) ([]string, error)
}

// Files answers calls. It is safe for concurrent use. It caches outputs and serves one run.
type Files struct {
	Config

	mu      sync.Mutex
	read    bool
	entries []survey.Entry
	index   *lexical.Index
	cut     bool // the index does not have all files
	outputs map[Call]*Output
}

// New returns the Files of a state of a repository.
func New(c Config) *Files { return &Files{Config: c, outputs: map[Call]*Output{}} }

// Place is a run of lines that a call showed.
type Place struct {
	File  string
	From  int
	Lines []string
}

// Output is the output of a call.
type Output struct {
	Text   string
	Digest string // empty if there is no such thing
	Places []Place
	Events []*ledger.Event
}

// Run runs a call. An error means that the repository could not be read; a missing file is an output.
func (f *Files) Run(ctx context.Context, c Call) (*Output, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if out := f.outputs[c]; out != nil {
		return out, nil
	}
	if err := f.open(ctx); err != nil {
		return nil, err
	}
	run := map[Tool]func(context.Context, Call) (*Output, error){Read: f.lines, Grep: f.grep, Search: f.search, History: f.history}[c.Tool]
	if run == nil {
		return nil, fmt.Errorf("no tool is called %q", c.Tool)
	}
	out, err := run(ctx, c)
	if err == nil {
		f.outputs[c] = out
	}
	return out, err
}

// open lists the files that calls may show.
func (f *Files) open(ctx context.Context) error {
	if f.read {
		return nil
	}
	list, err := f.Entries(ctx)
	if err != nil {
		return err
	}
	f.entries, f.read = slices.DeleteFunc(slices.Clone(list), func(e survey.Entry) bool { return !f.visible(e) }), true
	return nil
}

// visible reports whether calls may show a file.
func (f *Files) visible(e survey.Entry) bool {
	own := f.Owned(e.Path) && path.Dir(e.Path) != store.Principles
	return e.Mode == survey.Regular && !own && f.Shows(e.Path)
}

// find is the entry of a path as a model writes it.
func (f *Files) find(name string) (survey.Entry, bool) {
	at, ok := slices.BinarySearchFunc(f.entries, strings.TrimPrefix(name, "./"), func(e survey.Entry, name string) int { return strings.Compare(e.Path, name) })
	if !ok {
		return survey.Entry{}, false
	}
	return f.entries[at], true
}

// missing is the output of a call about a file that is not there, or that it may not show: it does not say which.
func missing(name string) *Output {
	return &Output{Text: fmt.Sprintf("no file %q may be read; paths are relative to the root of the repository", name)}
}

// errEnough ends a scan.
var errEnough = errors.New("enough")

// scan passes on the text files that want takes, and reports whether all of them were read.
func (f *Files) scan(ctx context.Context, want func(file string) bool, fn func(file string, text []byte) error) (whole bool, err error) {
	var list []survey.Entry
	for _, e := range f.entries {
		if want(e.Path) {
			list = append(list, e)
		}
	}
	left := mostScanned
	err = f.Tree.Read(ctx, list, largestFile, func(e survey.Entry, content []byte, err error) error {
		if err != nil || isBinary(content) {
			return ctx.Err()
		}
		if left -= len(content); left < 0 {
			return errEnough
		}
		return fn(e.Path, content)
	})
	if errors.Is(err, errEnough) {
		return false, nil
	}
	return err == nil, err
}

func isBinary(content []byte) bool { return bytes.IndexByte(content[:min(len(content), 8000)], 0) >= 0 }

// linesOf are the lines of a text, without the empty one behind the last line break.
func linesOf(content []byte) []string {
	text := strings.ToValidUTF8(strings.ReplaceAll(string(content), "\r\n", "\n"), "\ufffd")
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

// content reads a file; false if it is no text, or too large.
func (f *Files) content(ctx context.Context, e survey.Entry) (lines []string, ok bool, err error) {
	err = f.Tree.Read(ctx, []survey.Entry{e}, largestFile, func(_ survey.Entry, content []byte, failed error) error {
		if ok = failed == nil && !isBinary(content); ok {
			lines = linesOf(content)
		}
		return ctx.Err()
	})
	return lines, ok, err
}

// lines is the tool read.
func (f *Files) lines(ctx context.Context, c Call) (*Output, error) {
	e, ok := f.find(c.About)
	if !ok {
		return missing(c.About), nil
	}
	all, ok, err := f.content(ctx, e)
	if err != nil {
		return nil, err
	}
	if !ok {
		return &Output{Text: fmt.Sprintf("%s is not a text file of less than %d MB", e.Path, largestFile>>20), Digest: fact.Digest("unread")}, nil
	}
	from, to := max(c.From, 1), min(c.To, len(all), max(c.From, 1)+longestRead-1)
	if from > to {
		return &Output{Text: fmt.Sprintf("%s has %d lines", e.Path, len(all)), Digest: fact.Digest("beyond")}, nil
	}
	w := writer{}
	p := Place{File: e.Path, From: from}
	for n := from; n <= to && w.room(); n++ {
		p.Lines = append(p.Lines, all[n-1])
		w.line("%d\t%s", n, cut(all[n-1]))
	}
	if last := from + len(p.Lines) - 1; last < len(all) {
		w.line("(%s has %d lines)", e.Path, len(all))
	}
	return &Output{Text: w.String(), Digest: fact.Digest(p.Lines...), Places: []Place{p}}, nil
}

// history is the tool history. Its digest is that of the file: a rebase renames commits, which must not invalidate an answer.
func (f *Files) history(ctx context.Context, c Call) (*Output, error) {
	e, ok := f.find(c.About)
	if !ok {
		return missing(c.About), nil
	}
	out := &Output{Text: "the history of " + e.Path + " is not available here", Digest: fact.Digest(e.ID)}
	if f.History == nil {
		return out, nil
	}
	commits, err := f.History(ctx, e.Path, mostCommits)
	if err != nil {
		return nil, err
	}
	out.Text = "no commit has " + e.Path
	if len(commits) > 0 {
		out.Text = strings.Join(commits, "\n")
	}
	return out, nil
}

// pathGlob reads a pattern of paths as a model writes it: one without a slash is about names anywhere.
func pathGlob(text string) (condition.Glob, error) {
	text = strings.TrimPrefix(text, "./")
	if text == "" {
		text = "**"
	}
	if !strings.Contains(text, "/") && text != "**" {
		text = "**/" + text
	}
	return condition.ParseGlob(text)
}

// writer writes an output of bounded size.
type writer struct{ strings.Builder }

func (w *writer) room() bool { return w.Len() < mostShown }

func (w *writer) line(format string, args ...any) { fmt.Fprintf(w, format+"\n", args...) }

// cut is a line as it is shown.
func cut(line string) string {
	if len(line) <= longestLine {
		return line
	}
	return strings.ToValidUTF8(line[:longestLine], "") + " …"
}
