package answer

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/lexical"
	"github.com/causaldocs/causal/knowledge/reasoning"
	"github.com/causaldocs/causal/render"
	"github.com/causaldocs/causal/render/answers"
	"github.com/causaldocs/causal/render/decisions"
	"github.com/causaldocs/causal/render/node"
	"github.com/causaldocs/causal/review/principle"
	"github.com/causaldocs/causal/review/rules"
)

// Hit is a search result.
type Hit struct {
	Kind   string  `json:"kind"`   // module, symbol, page, principle or event
	Target string  `json:"target"` // argument for `causal why`
	Text   string  `json:"text"`   // purpose, signature or text
	At     string  `json:"at,omitempty"`
	Score  float64 `json:"score"`

	module, symbol, says, doc string // of a symbol; says is its documentation or signature
	section                   string // of a document
	titled                    bool   // a page by its title, which answers no question
}

// Found holds search results, the best first.
type Found struct {
	Query string `json:"query"`
	Hits  []Hit  `json:"hits"`
	More  int    `json:"more"` // results that are not listed
}

// findable is the search index with its results.
type findable struct {
	words, lines *lexical.Index // lines of pages apart: their words do not change how rare a word is in the code
	texts, heads *lexical.Index // paragraphs of documents, and the headings above them
	headed       map[string]int // terms of such a heading
	hits         map[string]Hit
}

func (f *findable) add(h Hit, more ...string) {
	key := h.Kind + " " + h.Target
	if _, twice := f.hits[key]; twice {
		return
	}
	f.hits[key] = h
	f.words.Add(key, strings.Join(append([]string{h.Target, lexical.SplitNames(h.Target), h.Text}, more...), " "))
}

// Search finds modules, symbols, pages, principles and events by the words of a question. The engine must have run.
func Search(ctx context.Context, w *workspace.Workspace, e *workspace.Knowledge, log *workspace.Ledger, question string, most int) (*Found, error) {
	f, err := collect(ctx, w, e, log, question, false)
	if err != nil {
		return nil, err
	}
	matches := f.words.Search(question, len(f.hits))
	found := &Found{Query: question, Hits: []Hit{}, More: max(0, len(matches)-most)}
	for _, m := range matches[:min(len(matches), most)] {
		h := f.hits[m.Key]
		h.Text, h.Score = Line(h.Text), thousandths(m.Score)
		found.Hits = append(found.Hits, h)
	}
	return found, nil
}

// Thresholds of Quote: the share of the words of the question, weighted by rarity, and the share of the best score.
const (
	leastCovered = 0.6
	nearBest     = 0.75
	preferred    = 0.2 // for texts of the kind that a question is about
)

// Wanted says what a quoted text must have.
type Wanted struct {
	Words string   // of the question; if one of them occurs nowhere, there is no hit
	Named []string // terms that each quoted text has
	Doing bool     // the question is about use: pages and documents come before code
}

// Quote returns the best hits that have enough words of a question, with their whole texts. The engine must have run.
func Quote(ctx context.Context, w *workspace.Workspace, e *workspace.Knowledge, log *workspace.Ledger, wanted Wanted, most int) ([]Hit, error) {
	f, err := collect(ctx, w, e, log, wanted.Words, true)
	if err != nil || !f.knows(lexical.Terms(wanted.Words)) {
		return nil, err
	}
	all := func(string) bool { return true }
	written := append(f.lines.Cover(wanted.Words, all), f.inDocuments(wanted.Words)...)
	code := f.words.Cover(wanted.Words, all)
	written = slices.DeleteFunc(written, func(m lexical.Match) bool { return m.Score < leastCovered })
	code = slices.DeleteFunc(code, func(m lexical.Match) bool { return m.Score < leastCovered })
	better := code
	if wanted.Doing {
		better = written
	}
	for i := range better {
		better[i].Score += preferred
	}
	matches := slices.Concat(code, written)
	slices.SortStableFunc(matches, func(a, b lexical.Match) int { return cmp.Compare(b.Score, a.Score) })
	var out []Hit
	for _, m := range matches {
		h := f.hits[m.Key]
		if h.symbol != "" {
			h.Text = h.doc
		}
		if h.Text == "" || h.titled || !h.names(wanted.Named) {
			continue
		}
		if len(out) == most || len(out) > 0 && m.Score < nearBest*out[0].Score {
			break
		}
		if h.Score = m.Score; h.symbol != "" {
			if file, lines, ok := e.Declared(ctx, h.module, h.symbol); ok {
				h.At = file + ":" + lines
			}
		}
		if !slices.ContainsFunc(out, func(o Hit) bool { return strings.Contains(o.Text, h.Text) || h.section != "" && o.section == h.section }) {
			out = append(out, h)
		}
	}
	return out, nil
}

// knows reports whether each term occurs in some text.
func (f *findable) knows(terms []string) bool {
	return !slices.ContainsFunc(terms, func(t string) bool {
		return !slices.ContainsFunc([]*lexical.Index{f.words, f.lines, f.texts, f.heads}, func(x *lexical.Index) bool { return x.Has(t) })
	})
}

// names reports whether the shown text has all terms.
func (h Hit) names(terms []string) bool {
	if len(terms) == 0 {
		return true
	}
	shown := lexical.Terms(h.Text + " " + h.Target + " " + lexical.SplitNames(h.Target))
	return !slices.ContainsFunc(terms, func(t string) bool { return !slices.Contains(shown, t) })
}

// collect indexes the texts that an update would write, so that no stale one is shown. If lines is set, it also indexes the
// lines of pages.
func collect(ctx context.Context, w *workspace.Workspace, e *workspace.Knowledge, log *workspace.Ledger, question string, lines bool) (*findable, error) {
	f := &findable{lexical.New(), lexical.New(), lexical.New(), lexical.New(), map[string]int{}, map[string]Hit{}}
	terms := slices.Concat(lexical.Terms(question), strings.Fields(strings.ToLower(question)))
	for _, m := range e.Modules() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		f.add(Hit{Kind: "module", Target: m.Path, Text: m.Purpose}, m.Title)
		f.symbols(w, e, m, terms)
	}
	if err := f.pages(w, e, lines); err != nil {
		return nil, err
	}
	if lines {
		if err := f.documents(ctx, w, e); err != nil {
			return nil, err
		}
	}
	for _, slug := range e.Principles() {
		p, err := e.Principle(ctx, slug)
		if err != nil {
			return nil, err
		}
		if p != nil {
			f.add(Hit{Kind: "principle", Target: "principle/" + slug, Text: p.Rule, At: principle.Path(slug)}, p.Why)
		}
	}
	f.events(log)
	return f, nil
}

// events adds those of the log, positions that are no longer in force last and marked.
func (f *findable) events(log *workspace.Ledger) {
	graph, events := reasoning.New(log.Log), log.Events()
	var past []Hit
	for i := range events {
		x := &events[i]
		h := Hit{Kind: "event", Target: x.ID.Short(), Text: x.Text, At: x.Source}
		switch s := graph.Status(x.ID); {
		case !x.Type.Tells():
		case s == reasoning.Superseded, s == reasoning.Parked:
			h.Text += " (" + string(s) + ")"
			past = append(past, h)
		default:
			f.add(h, string(x.Type))
		}
	}
	for _, h := range past {
		f.add(h)
	}
}

// symbols adds the symbols of a module. Nodes without any word of the question are not decoded, because there may be
// thousands. `causal check` reports unreadable nodes.
func (f *findable) symbols(w *workspace.Workspace, e *workspace.Knowledge, m workspace.Summary, terms []string) {
	data, _, err := e.Current(w.Layout.Node(m.Path))
	lower := bytes.ToLower(data)
	if err != nil || !slices.ContainsFunc(terms, func(t string) bool { return bytes.Contains(lower, []byte(stem(t))) }) {
		return
	}
	n, err := node.Decode(data)
	if err != nil {
		return
	}
	for i := range n.PublicAPI {
		d := declared(n, &n.PublicAPI[i])
		if m.Unread != "" {
			d.Doc += " (before its file became unreadable)"
		}
		name := strings.TrimPrefix(n.Path+"."+d.Name, "./.")
		if n.Path == "." {
			name = d.Name
		}
		f.add(Hit{
			Kind: "symbol", Target: name, Text: strings.TrimSpace(d.Signature + "  " + d.Doc), At: d.At, module: n.Path, symbol: d.Name, says: cmp.Or(d.Doc, d.Signature), doc: d.Doc,
		}, lexical.SplitNames(d.Name))
	}
}

// stem drops the last letter of a long term, which an inflection may replace.
func stem(term string) string {
	if len(term) > 4 {
		return term[:len(term)-1]
	}
	return term
}

// pages adds the pages that are not about one module, by title and headings, and by lines. Lines about modules, events,
// principles and kept answers are left out, because these are added themselves.
func (f *findable) pages(w *workspace.Workspace, e *workspace.Knowledge, lines bool) error {
	names, err := w.Files.List(w.Layout.Docs)
	if err != nil {
		return err
	}
	others := slices.AppendSeq([]string{w.Layout.Index(), w.Layout.Overview(render.DocumentPage), rules.Page(w.Layout), answers.Page(w.Layout)}, maps.Values(decisions.Pages(w.Layout)))
	for _, name := range names {
		if !w.Layout.Owns(name) || !strings.HasSuffix(name, ".md") {
			continue
		}
		data, differs, err := e.Current(name)
		if err != nil {
			continue // reported by `causal check`
		}
		text := string(data)
		f.add(Hit{Kind: "page", Target: name, Text: title(text), At: name, titled: true}, headings(text))
		if lines && !slices.Contains(others, name) {
			f.page(name, text, differs, name == w.Layout.Overview(render.CommandPage))
		}
	}
	return nil
}

// Title returns the title of the project.
func Title(w *workspace.Workspace, e *workspace.Knowledge) string {
	text, _, _ := e.Current(w.Layout.Index())
	return title(string(text))
}

func title(page string) string {
	_, rest, _ := strings.Cut(page, "\n# ")
	text, _, _ := strings.Cut(rest, "\n")
	return strings.TrimSpace(text)
}

func headings(page string) string {
	var out []string
	for line := range strings.Lines(page) {
		if strings.HasPrefix(line, "#") {
			out = append(out, strings.TrimSpace(line))
		}
	}
	return strings.Join(out, " ")
}

func (f *Found) Text() string {
	var b strings.Builder
	if len(f.Hits) == 0 {
		plain.Add(&b, "no match for %q\n", f.Query)
	}
	for _, h := range f.Hits {
		plain.Add(&b, "%-9s  %s  %s", h.Kind, h.Target, h.Text)
		if h.At != "" && h.At != h.Target {
			plain.Add(&b, "  (%s)", h.At)
		}
		b.WriteByte('\n')
	}
	if f.More > 0 {
		plain.Add(&b, "and %d more with fewer matching words\n", f.More)
	}
	return b.String()
}
