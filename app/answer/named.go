package answer

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/lexical"
	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/knowledge/source"
)

// partsOf returns the words of a name, without endings. Stop words count, since "Where" may be a class.
func partsOf(name string) (out []string) {
	for _, word := range strings.FieldsFunc(strings.ToLower(lexical.SplitNames(name)), func(r rune) bool { return strings.ContainsRune(" ._-/:#`\"'", r) }) {
		if t := lexical.Terms(word); len(t) == 1 {
			word = t[0]
		}
		out = append(out, word)
	}
	return out
}

// named returns the modules and symbols with a name, modules first. Symbols of tests and examples are left out.
func (f *findable) named(name string) (out []Hit) {
	want := partsOf(name)
	for _, h := range f.hits {
		last := h.Target[strings.LastIndexAny(h.Target, "./")+1:]
		if (h.Kind == "module" || h.symbol != "") && !source.IsExampleDir(path.Dir(h.module+"/x")) && slices.Equal(partsOf(last), want) {
			out = append(out, h)
		}
	}
	slices.SortFunc(out, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(len(a.symbol), len(b.symbol)), cmp.Compare(strings.Count(a.Target, "/"), strings.Count(b.Target, "/")),
			cmp.Compare(len(a.Target), len(b.Target)), cmp.Compare(a.Target, b.Target))
	})
	return out
}

// Named returns the modules and symbols that have a name; its last word is enough for a module. The engine must have run.
func Named(ctx context.Context, w *workspace.Workspace, e *workspace.Knowledge, log *workspace.Ledger, name string, most int) ([]Hit, error) {
	f, err := collect(ctx, w, e, log, name, false)
	if err != nil {
		return nil, err
	}
	hits := f.named(name)
	if words := strings.Fields(name); len(hits) == 0 && len(words) > 1 && f.knows(lexical.Terms(name)) {
		hits = slices.DeleteFunc(f.named(words[len(words)-1]), func(h Hit) bool { return h.Kind != "module" })
	}
	for i := range hits {
		h := &hits[i]
		if h.symbol != "" {
			h.Text = h.says
			if file, lines, ok := e.Declared(ctx, h.module, h.symbol); ok {
				h.At = file + ":" + lines
			}
		} else if h.Text == "" {
			h.Text = "the module in " + cmp.Or(h.module, h.Target)
		}
	}
	return hits[:min(len(hits), most)], nil
}

var listedAs = lazyregexp.New(`(?i)\b(?:command[- ]line )?(?:options?|switche?s?|flags?)\b`)

// Listed returns the first cells of the tables on the pages for operators about a kind of things, such as commands or variables.
func Listed(w *workspace.Workspace, e *workspace.Knowledge, kind string) (out []Hit) {
	terms := lexical.Terms(listedAs.ReplaceAllString(kind, "flag"))
	names, err := w.Files.List(w.Layout.Docs)
	if err != nil || len(terms) == 0 {
		return nil
	}
	for _, name := range names {
		data, _, err := e.Current(name)
		if err != nil || !w.Layout.Owns(name) || strings.Contains(name, "/modules/") {
			continue
		}
		lines, heading := strings.Split(string(data), "\n"), ""
		var cells []string
		in := false
		for i, line := range lines {
			switch first, _, _ := strings.Cut(strings.TrimPrefix(line, "|"), " |"); {
			case strings.HasPrefix(line, "#"):
				heading = strings.TrimLeft(line, "# ")
			case !strings.HasPrefix(line, "|"):
				in = false
			case isHeader(lines, i):
				in = slices.Equal(lexical.Terms(first), terms) || slices.Equal(lexical.Terms(heading), terms)
			case in && !ruler.MatchString(line):
				if cell := markdown.Plain(strings.TrimSpace(first), "markdown"); cell != "" && !slices.Contains(cells, cell) {
					cells = append(cells, cell)
				}
			}
		}
		if len(cells) > 0 {
			out = append(out, Hit{Kind: "page", Target: name, Text: kind + ": " + strings.Join(cells, ", "), At: name})
		}
	}
	return out
}
