package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// telling is the description of a symbol by a tool. Unknown parts are empty.
type telling struct {
	signature, doc string
	inherited      bool // from a class that callers cannot name
	class          bool
}

// tellings reads one JSON value per line, with the name and description of a symbol. Overloads of one name become sorted lines of its
// signature.
func tellings(text []byte) (map[string]telling, error) {
	signatures, told := map[string][]string{}, map[string]telling{}
	for line := range bytes.Lines(text) {
		var one struct {
			Name, Signature, Doc string
			Inherited, Class     bool
		}
		if err := json.Unmarshal(line, &one); err != nil {
			return nil, fmt.Errorf("read %q: %w", line, err)
		}
		before := told[one.Name]
		told[one.Name] = telling{"", before.doc + one.Doc + "\n\n", before.inherited || one.Inherited, before.class || one.Class}
		if one.Signature != "" {
			signatures[one.Name] = append(signatures[one.Name], one.Signature)
		}
	}
	for name, t := range told {
		t.signature = inOrder(signatures[name])
		told[name] = t
	}
	return told, nil
}

// equal compares signatures by the form that one gives to those of nodes, and a tool to its own.
func equal(form func(s *symbol) string) func(*symbol, string) bool {
	return func(s *symbol, signature string) bool { return form(s) == signature }
}

// inOrder are lines as a text, each of them once.
func inOrder(lines []string) string {
	slices.Sort(lines)
	return strings.Join(slices.Compact(lines), "\n")
}

// runWords is the number of consecutive words that must appear consecutively on a page.
const runWords = 4

var (
	// markup ends a run, because pages render it differently.
	markup = regexp.MustCompile("&#?\\w+;|\\]\\([^)]*\\)|\n\\s*\\[[^\\]\n]+\\]:.*|[^\\pL\\pN\\s.,;'\"!?-]+|\\.\\b|\\.\\.|\n\\s*\n|\n\\s*[-+*] ")
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
	pages := filepath.Join(dir, ".causal-docs") // where docs is a site
	if _, err := os.Stat(pages); err != nil {
		pages = filepath.Join(dir, "docs", "causal")
	}
	err := filepath.WalkDir(pages, func(file string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || filepath.Ext(file) != ".md" {
			return err
		}
		text, err := os.ReadFile(file) //nolint:gosec // the directory is the user's own
		b.WriteString(" " + strings.ToLower(strings.Join(word.FindAllString(string(text), -1), " ")) + " ")
		return err
	})
	return b.String(), err
}

// complete counts, among the symbols that both a tool and a node have, the nodes with the same signature and the symbols whose whole
// documentation is on the pages.
func complete(told account, symbols []symbol, pages string) string {
	if told.told == nil {
		return ""
	}
	shown := map[string][]*symbol{} // a stub and its implementation have the same name
	for i := range symbols {
		for _, as := range symbols[i].As {
			shown[as] = append(shown[as], &symbols[i])
		}
	}
	var signatures, docs int
	var unlike, lost []string
	for _, name := range slices.Sorted(maps.Keys(told.told)) {
		t, by := told.told[name], shown[name]
		if by == nil {
			continue
		}
		if t.signature != "" {
			if signatures++; !slices.ContainsFunc(by, func(s *symbol) bool { return told.alike(s, t.signature) }) {
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
