// Package skills executes skills: it has the capabilities for their steps, and the plugin that updates their pages.
// Capabilities read the repository as facts, so a page is out of date exactly when its text would differ.
package skills

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/keep"
	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/knowledge/prompt"
	"github.com/causaldocs/causal/knowledge/skill"
	"github.com/causaldocs/causal/knowledge/state"
	"github.com/causaldocs/causal/knowledge/store"
)

// Version is part of the pages' generator. Increment it when the same facts give other pages.
const Version = "skills/3"

// Config configures skills.
type Config struct {
	Layout store.Layout
	// FrontMatter is false for pages without front matter.
	FrontMatter bool
	// Read reads the skill files. It is called once.
	Read func() ([]skill.File, error)
	// Taken reports whether something else writes a page.
	Taken func(file string) bool
	// History answers queries of the git history.
	History History
	// Shows reports whether a model may see a file.
	Shows func(file string) bool
	// Model may be nil.
	Model func() prompt.Model
	// Tokens counts the tokens of the run so far. It may be nil.
	Tokens func() (in, out int)
	// Ran receives each run of an update; it may be nil.
	Ran func(unit string, run *skill.Run)
}

func (c *Config) tokens() (in, out int) {
	if c.Tokens == nil {
		return 0, 0
	}
	return c.Tokens()
}

type capability struct {
	skill.Spec
	run func(s *session, in map[string]any) (map[string]any, error)
}

// table has the capabilities. The layout validates page paths.
func table() []capability {
	return slices.Concat(historyCapabilities, codeCapabilities, memoryCapabilities, outputCapabilities, textCapabilities, dataCapabilities)
}

var capabilities = func() map[string]capability {
	out := map[string]capability{}
	for _, c := range table() {
		out[c.ID] = c
	}
	return out
}()

// Specs returns the capabilities for the validation of skills.
var Specs = func() skill.Specs {
	out := skill.Specs{}
	for id, c := range capabilities {
		out[id] = c.Spec
	}
	return out
}()

func req(name string, t skill.Type, about string) skill.Field {
	return skill.Field{Name: name, Type: t, Required: true, About: about}
}

func opt(name string, t skill.Type, about string) skill.Field {
	return skill.Field{Name: name, Type: t, About: about}
}

func rows(name, about string, keys ...string) skill.Field {
	return keyed(name, skill.List, about, keys)
}

func keyed(name string, t skill.Type, about string, keys []string) skill.Field {
	f, told := opt(name, t, ""), make([]string, len(keys))
	for i, key := range keys {
		word, rest, more := strings.Cut(key, " ")
		f.Keys, told[i] = append(f.Keys, word), markdown.Code(word)
		if more {
			told[i] += " " + rest
		}
	}
	f.About = about + ": " + strings.Join(told, ", ") + "."
	return f
}

// over is a field with an expression about the items of the input items; refers lists the paths in an item that it
// uses.
func over(f skill.Field, refers func(v any) []string) skill.Field {
	f.Over, f.Refers = items.Name, refers
	return f
}

func checked(f skill.Field, check func(v any) error) skill.Field {
	f.Check = check
	return f
}

// Page is a page that a skill wrote.
type Page struct {
	Path  string // below the pages' directory
	Title string
	Text  string

	place string // of the step that wrote it
}

// Finding is a finding of a skill.
type Finding struct {
	Skill    string
	Path     string
	Line     int
	EndLine  int
	Severity string
	Message  string
}

// session is the state of one run.
type session struct {
	ctx      context.Context
	config   *Config
	reader   engine.Reader
	files    keep.Files // where pages are written after the run; nil if not by it
	root     string     // the skill that is run
	guarded  bool       // a model may see the data of the run
	model    prompt.Model
	answers  answers
	step     *skill.Step // that calls now
	used     state.Usage
	pages    []Page
	findings []Finding
	unread   []string // why not all that was read is the present source
}

// warn records why an input is not the complete current source; an empty reason is ignored.
func (s *session) warn(why string) {
	if why != "" && !slices.Contains(s.unread, why) {
		s.unread = append(s.unread, why)
	}
}

// Result is the outcome of a run.
type Result struct {
	*skill.Run
	Pages    []Page
	Findings []Finding
	Unread   []string // why not all that the run read is the present source
	answers  answers
}

func (c *Config) run(ctx context.Context, set *skill.Set, id string, inputs map[string]any, s *session, runner skill.Runner) (*Result, error) {
	s.ctx, s.config, s.root, s.guarded, s.answers = ctx, c, id, set.Uses(id, completeID), s.answers.begin()
	if c.Model != nil {
		s.model = c.Model()
	}
	runner.Set = set
	runner.Call = func(_ context.Context, step *skill.Step, input map[string]any) (map[string]any, state.Usage, error) {
		s.used, s.step = state.Usage{ToolCalls: 1}, step
		out, err := capabilities[step.Uses].run(s, input)
		return out, s.used, err
	}
	run, err := runner.Run(ctx, id, inputs)
	if err != nil {
		return nil, err
	}
	slices.Sort(s.unread)
	return &Result{run, s.pages, s.findings, s.unread, s.answers}, nil
}

// Run runs a skill on request.
func (c *Config) Run(ctx context.Context, set *skill.Set, id string, inputs map[string]any, r engine.Reader, files keep.Files) (*Result, error) {
	return c.run(ctx, set, id, inputs, &session{reader: r, files: files}, skill.Runner{})
}

// Write writes the pages of a run on request, and preserves keep blocks. It never overwrites files that causal did not
// write.
func (c *Config) Write(files keep.Files, set *skill.Set, r *Result) (written []string, err error) {
	for _, page := range r.Pages {
		name := c.Layout.Docs + "/" + page.Path
		before, err := writable(files, name, r.Skill)
		if err != nil {
			return written, err
		}
		var previous *engine.Conclusion
		if before != nil {
			previous = &engine.Conclusion{Body: before}
		}
		now := keep.Next(Text(c.FrontMatter, r.Skill, page), previous)
		if before != nil && keep.FileDigest(now.Generated, before.Generated) == keep.Digest(before.Generated) {
			continue
		}
		if err := (keep.Sole{Name: name}).Store(files, now); err != nil {
			return written, err
		}
		written = append(written, name)
	}
	return written, nil
}

// mendUnmarked is the fix for a page without the mark of a skill.
const mendUnmarked = "put that line back at the end of the page, or delete the page"

func unmarked(id string) string {
	return fmt.Sprintf("a page of causal is there without the line `%s`, and is not overwritten", markOf(id))
}

// writable returns the current page at a path, and an error for a file that is no page of a skill.
func writable(files keep.Files, name, id string) (*keep.Page, error) {
	before, blocked, err := keep.Read(files, name)
	switch {
	case err != nil:
		return nil, err
	case blocked != nil:
		return nil, errors.New(blocked[0].Because)
	case before != nil && WriterOf([]byte(before.Generated)) == "":
		return nil, fmt.Errorf("%s; %s", unmarked(id), mendUnmarked)
	}
	return before, nil
}

func text(in map[string]any, name string) string {
	v, _ := in[name].(string)
	return v
}

func number(in map[string]any, name string, otherwise int) int {
	switch v := in[name].(type) {
	case int:
		return v
	case float64:
		return int(v)
	}
	return otherwise
}

// below reports whether a path is a directory or in it. All paths are below "".
func below(path, dir string) bool {
	dir = strings.TrimSuffix(dir, "/")
	return dir == "" || dir == "." || path == dir || strings.HasPrefix(path, dir+"/")
}
