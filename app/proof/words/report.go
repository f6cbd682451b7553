package main

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/languages"
)

// finding is a text that was not rendered correctly.
type finding struct {
	where, doc, page string
	lost, leaks      []string
	open             bool
}

// tally counts the texts of one language.
type tally struct {
	docs, losing, leaking, open, words, lost int
	found                                    []finding
}

// report has a tally for each language.
type report map[string]*tally

// walk reads every source file below a directory.
func (r report) walk(ctx context.Context, dir string) error {
	known := source.NewClassifier(languages.All())
	return filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && name != dir && strings.HasPrefix(d.Name(), ".") {
			return fs.SkipDir
		}
		path, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		path = filepath.ToSlash(path)
		if !d.Type().IsRegular() || !known.Classify(path).Readable {
			return nil
		}
		return r.file(ctx, known.Language(path), filepath.Base(dir)+"/"+path, name)
	})
}

func (r report) file(ctx context.Context, l source.Language, path, name string) error {
	src, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	f, err := source.Extract(ctx, l, path, []byte(strings.ReplaceAll(string(src), "\r\n", "\n")))
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return nil // causal has no page for a file that it cannot read
	}
	r.add(path, f.Doc, l.Name())
	for _, s := range f.Symbols {
		r.add(fmt.Sprintf("%s:%d %s", path, s.Line, s.Name), s.Doc, l.Name())
	}
	return nil
}

func (r report) add(where, doc, language string) {
	if doc == "" {
		return
	}
	t := r[language]
	if t == nil {
		t = &tally{}
		r[language] = t
	}
	page := markdown.Text(doc, language)
	read := readPage(page)
	f := finding{where: where, doc: doc, page: page, leaks: read.leaks(doc, language), open: read.open}
	said := wordsOf(written(doc, language))
	f.lost = missing(said, wordsOf(read.text))
	t.docs++
	t.words += len(said)
	t.lost += len(f.lost)
	for _, c := range []struct {
		counter *int
		counts  bool
	}{{&t.losing, len(f.lost) > 0}, {&t.leaking, len(f.leaks) > 0}, {&t.open, f.open}} {
		if c.counts {
			*c.counter++
		}
	}
	if len(f.lost) > 0 || len(f.leaks) > 0 || f.open {
		t.found = append(t.found, f)
	}
}

// holds reports whether the texts came out as they should.
func (r report) holds() bool {
	docs, losing := 0, 0
	for _, t := range r {
		if t.leaking > 0 || t.open > 0 {
			return false
		}
		docs += t.docs
		losing += t.losing
	}
	return float64(losing) <= mostLosing*float64(docs)
}

func (r report) text(worst int, show bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-12s %8s %9s %8s %8s %8s %8s\n", "language", "texts", "words", "lost", "losing", "leaking", "open")
	names := slices.Sorted(maps.Keys(r))
	for _, name := range names {
		t := r[name]
		fmt.Fprintf(&b, "%-12s %8d %9d %8d %8d %8d %8d\n", name, t.docs, t.words, t.lost, t.losing, t.leaking, t.open)
	}
	for _, name := range names {
		found := r[name].found
		slices.SortStableFunc(found, func(a, b finding) int {
			return cmp.Or(cmp.Compare(b.weight(), a.weight()), cmp.Compare(a.where, b.where))
		})
		for _, f := range found[:min(worst, len(found))] {
			b.WriteString("\n" + f.text(show))
		}
	}
	return b.String()
}

func (f finding) weight() int {
	const markup = 3 // visible markup is worse than a lost word
	n := len(f.lost) + markup*len(f.leaks)
	if f.open {
		n += markup
	}
	return n
}

func (f finding) text(show bool) string {
	s := f.where + "\n"
	if len(f.lost) > 0 {
		s += "  lost: " + strings.Join(f.lost, " ") + "\n"
	}
	if len(f.leaks) > 0 {
		s += "  shows: " + strings.Join(f.leaks, "  ") + "\n"
	}
	if f.open {
		s += "  leaves a code block open\n"
	}
	if show {
		s += "--- written\n" + f.doc + "\n--- shown\n" + f.page + "\n---\n"
	}
	return s
}
