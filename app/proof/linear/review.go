package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/source/languages"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/knowledge/survey/surveytest"
	"github.com/causaldocs/causal/review/api"
	"github.com/causaldocs/causal/review/change"
	"github.com/causaldocs/causal/review/finding"
	"github.com/causaldocs/causal/review/life"
	"github.com/causaldocs/causal/review/match"
	"github.com/causaldocs/causal/review/principle"
	"github.com/causaldocs/causal/review/record"
	"github.com/causaldocs/causal/review/sarif"
	"github.com/causaldocs/causal/review/stale"
)

// reviewReaders are the readers of a review, besides the languages.
func reviewReaders() map[string]*reader {
	out := map[string]*reader{
		"log":           {logGrammar, always(func(text string) { _, _ = sarif.Read(strings.NewReader(text), "a.sarif") })},
		"lines":         {lineGrammar, always(readLines)},
		"state":         {stateGrammar(), always(func(text string) { _, _ = life.Decode([]byte(text)) })},
		"record":        {recordGrammar(), always(func(text string) { _, _ = record.Decode(recordKey, []byte(text)) })},
		"principle":     {principleGrammar, always(func(text string) { _, _ = principle.Read(principle.Path("a"), []byte(text)) })},
		"change of doc": {staleGrammar, readChange(staleDocument, "go.mod", "module x\n")},
	}
	for language, file := range map[string]string{"go": "a/b.go", "python": "a/b.py", "typescript": "a/b.ts", "java": "a/B.java"} {
		out["change of "+language] = &reader{commentGrammars[language], readChange(file, file, "")}
	}
	for language, file := range published {
		out["interface of "+language] = &reader{interfaceGrammars[language], readInterface(file)}
	}
	return out
}

// published are files that others import from, by language.
var published = map[string]string{
	"go": "a/b.go", "python": "a/__init__.py", "javascript": "a/index.js", "typescript": "a/index.ts", "java": "a/B.java", "rust": "src/lib.rs", "c": "include/a.h",
	"c++": "include/a.hpp",
}

// readInterface compares the interface of a module with an earlier one: with another text, and without any.
func readInterface(file string) func(string) error {
	with := func(text string) made {
		return made{"go.mod": "module x\n", "Cargo.toml": "[package]\nname = \"a\"\n", file: text}
	}
	compare := func(was, now string) error {
		return looking(with(was), with(now), func(r *changeReader) error {
			_, _, err := api.Breaks(r, path.Dir(file), &api.Parsed{})
			return err
		})
	}
	return func(text string) error { return errors.Join(compare(edited(text), text), compare(text, "")) }
}

// readLines compares a text with an earlier version, and computes fingerprints of lines.
func readLines(text string) {
	now := change.Split([]byte(text))
	change.Compare(change.Split([]byte(edited(text))), now).Edits()
	for _, name := range []string{"a.go", "a.py", "a.ts"} {
		t := match.NewText(name, now, "")
		for i := range few {
			line := 1 + i*len(now)/few
			t.Fill(&finding.Finding{Rule: "a/b", Path: name, Line: line, EndLine: line + 1})
		}
	}
}

// edited returns an earlier version of a text, which differs in about half of the possible places.
func edited(text string) string {
	return strings.NewReplacer("1", "2", "was", "is", "gone", "kept", "Gone", "Kept").Replace(text)
}

// staleDocument is a document that names a removed function.
const staleDocument = "README.md"

// readChange looks for outdated text in a file after another file was edited.
func readChange(file, other, before string) func(string) error {
	return func(text string) error {
		was := made{"go.mod": "module x\n", "a/a.go": "package a\n\nfunc GoneAway() {}\n\nfunc Kept() {}\n", file: text}
		now := made{"go.mod": "module x\n", "a/a.go": "package a\n\nfunc Kept() {}\n", file: text}
		if was[other] = before; other == file {
			was[other] = edited(text)
		}
		return looking(was, now, func(r *changeReader) error {
			if _, _, err := stale.Comments(r, file); err != nil {
				return err
			}
			names, err := stale.Removed(r)
			if err != nil {
				return err
			}
			_, err = stale.References(r, file, names)
			return err
		})
	}
}

// looking runs a function on a generated change.
func looking(was, now made, look func(*changeReader) error) error {
	dir, err := os.MkdirTemp("", "linear-review-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	r, done, err := between(dir, was, now)
	if err != nil {
		return fmt.Errorf("look at a made-up change: %w", err)
	}
	return errors.Join(look(r), done())
}

// made are the files of a repository.
type made map[string]string

// All implements surveytest.Files.
func (m made) All() map[string]string { return m }

// changeReader reads the facts of a change.
type changeReader struct {
	head *survey.Survey
	room *change.Room
	own  map[fact.Family]bool
}

// Read implements survey.Reader.
func (r *changeReader) Read(f fact.Fact) (any, error) {
	if r.own[f.Family] {
		return r.room.Value(context.Background(), f)
	}
	return r.head.Value(context.Background(), f)
}

func between(dir string, was, now made) (r *changeReader, done func() error, err error) {
	ctx := context.Background()
	base, left, err := surveytest.Look(ctx, filepath.Join(dir, "was"), was, languages.All())
	if err != nil {
		return r, nil, err
	}
	head, right, err := surveytest.Look(ctx, filepath.Join(dir, "now"), now, languages.All())
	if err != nil {
		return r, nil, errors.Join(err, left())
	}
	done = func() error { return errors.Join(left(), right()) }
	from, to := surveytest.Tree{Files: was}, surveytest.Tree{Files: now}
	before, err := from.State(ctx, nil)
	after, err2 := to.State(ctx, nil)
	changes, _, err3 := to.Changes(ctx, before, after)
	if err := errors.Join(err, err2, err3); err != nil {
		return r, nil, errors.Join(err, done())
	}
	room, err := change.NewRoom(ctx, change.Config{
		Base: base, Now: head, BaseTree: from, Head: to, Changes: changes, MaxBytes: 16 << 20, Ignored: func(string) bool { return false },
	})
	if err != nil {
		return r, nil, errors.Join(err, done())
	}
	r = &changeReader{head: head, room: room, own: map[fact.Family]bool{}}
	for _, f := range room.Families() {
		r.own[f] = true
	}
	return r, done, nil
}

// encoded is a state with one finding. A # becomes a number.
func encoded() *life.State {
	return &life.State{Findings: []*life.Entry{{
		Finding: finding.Finding{
			ID: "f-#", Rule: "a/b", Severity: finding.Warning, Path: "a#.go", Line: 1, EndLine: 1, Side: finding.Right, Message: "a", Pattern: "p-#",
		},
		Status: life.Fixed, FirstSeen: "c", History: []life.Event{{Event: life.New, Commit: "c"}, {Event: string(life.Fixed), Commit: "d"}},
	}}}
}

// stateGrammar generates review states with one finding per line.
func stateGrammar() grammar {
	data, _ := encoded().Encode()
	head, rest, _ := strings.Cut(string(data), "[\n")
	line, foot, _ := strings.Cut(rest, "\n]")
	g := listOf(line + ",\n")
	g.wraps = []string{head + "[\n\x00" + strings.ReplaceAll(line, "#", "0") + "\n]" + foot, ""}
	return g
}

const recordKey = "pr-1"

// recordGrammar generates review records: a line for the change, and one per finding.
func recordGrammar() grammar {
	data, _ := record.New(record.Change{Key: recordKey, Base: "b", Head: "h", Outcome: record.Merged, At: time.Unix(0, 0).UTC(), Author: "a"}, encoded()).Encode()
	head, line, _ := strings.Cut(string(data), "\n")
	g := listOf(line)
	g.wraps = []string{head + "\n", ""}
	return g
}

// listOf is the grammar of a list of objects in JSON.
func listOf(object string) grammar {
	return grammar{
		tokens: joined(jsonGrammar.tokens, []string{object}),
		known:  []string{object, "\n", " ", `{"id":"f-#"},`, `"rule":"a",`, "[[", `{"a":`, `"a",`, `\u0041`, `"a\"`},
	}
}
