package main

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// telling is what a tool tells of a symbol beside its name; empty where there is nothing to tell.
type telling struct{ signature, doc string }

// runWords is how many words in a row have to stand on a page in a row.
const runWords = 4

var (
	// markup ends a run: what stands there is written otherwise on a page.
	markup = regexp.MustCompile("[^\\pL\\pN\\s.,;'\"!?-]+|\\.\\b|\\.\\.|\n\\s*\n|\n\\s*[-+*] ")
	word   = regexp.MustCompile(`[\pL\pN]+`)
)

// runs are the parts of a documentation between its markup, as words with one space between them; shorter ones are left out.
func runs(doc string) []string {
	var out []string
	for _, part := range markup.Split(doc, -1) {
		if words := word.FindAllString(part, -1); len(words) >= runWords {
			out = append(out, " "+strings.ToLower(strings.Join(words, " "))+" ")
		}
	}
	return out
}

// pagesOf are the words of all pages of a repository.
func pagesOf(dir string) (string, error) {
	var b strings.Builder
	err := filepath.WalkDir(filepath.Join(dir, "docs", "causal"), func(file string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || filepath.Ext(file) != ".md" {
			return err
		}
		text, err := os.ReadFile(file) //nolint:gosec // nobody else writes there
		b.WriteString(" " + strings.ToLower(strings.Join(word.FindAllString(string(text), -1), " ")) + " ")
		return err
	})
	return b.String(), err
}

// complete tells of how many symbols that a tool names and a node shows the node has the signature, and the pages the whole
// documentation: each run of its words.
func complete(told account, symbols []symbol, pages string) string {
	if told.told == nil {
		return ""
	}
	shown := map[string][]*symbol{} // a stub stands beside what it tells of
	for i := range symbols {
		for _, as := range symbols[i].As {
			shown[as] = append(shown[as], &symbols[i])
		}
	}
	var signatures, docs int
	var unlike, lost []string
	for _, name := range slices.Sorted(maps.Keys(told.told)) {
		t, by := told.told[name], shown[name]
		if by == nil || !told.public[name] {
			continue
		}
		if t.signature != "" {
			if signatures++; !slices.ContainsFunc(by, func(s *symbol) bool { return told.signature(s) == t.signature }) {
				unlike = append(unlike, name)
			}
		}
		if list := runs(t.doc); len(list) > 0 {
			docs++
			if slices.ContainsFunc(list, func(run string) bool { return !strings.Contains(pages, run) }) {
				lost = append(lost, name)
			}
		}
	}
	return fmt.Sprintf("  signatures %s, documentation %s\n%s%s", share(signatures-len(unlike), signatures), share(docs-len(lost), docs),
		few("other signature", unlike), few("documentation not whole", lost))
}

// parameters are those of a signature of Python as public.py writes them: names, a star before them, "=" behind those with a default.
func parameters(s *symbol) string {
	_, list, ok := strings.Cut(s.Signature, "(")
	if !ok {
		return ""
	}
	depth, start := 0, 0
	var out []string
	take := func(end int) {
		text := strings.TrimSpace(list[start:end])
		if at := strings.IndexAny(text, ":="); at >= 0 {
			name := strings.TrimSpace(text[:at])
			if hasDefault(text[at:]) {
				name += "="
			}
			text = name
		}
		if text != "" && text != "*" && text != "/" {
			out = append(out, text)
		}
		start = end + 1
	}
	for i, r := range list {
		switch {
		case r == '(' || r == '[' || r == '{':
			depth++
		case r == ')' && depth == 0:
			take(i)
			return strings.Join(out, " ")
		case r == ')' || r == ']' || r == '}':
			depth--
		case r == ',' && depth == 0:
			take(i)
		}
	}
	return ""
}

// hasDefault reports whether what follows the name of a parameter has one, outside of brackets.
func hasDefault(text string) bool {
	depth := 0
	for _, r := range text {
		switch r {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case '=':
			if depth == 0 {
				return true
			}
		}
	}
	return false
}

// squeezed is a signature of Go without the spaces that gofmt gives it.
func squeezed(s *symbol) string { return strings.Join(strings.Fields(s.Signature), "") }
