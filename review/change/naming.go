package change

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/survey"
)

// Facts about the names in all files of the head. Each covers a list of words, because it reads all files.
const (
	documentFacts fact.Family = "documents" // documents <words>: documents, each with the words that it contains
	wordFacts     fact.Family = "words"     // words <words>: the words that the code contains
)

// Naming is a file with the words that it contains, sorted.
type Naming struct {
	Path  string
	Words []string
}

// DocumentsNaming lists the Markdown documents that contain one of the words, by path. A word consists of letters,
// digits and underscores. It may also be several words joined by hyphens, with any leading hyphens, or one of these
// in double quotes, which match single quotes and backquotes too, or a file name with its extension. Changelogs and
// other historical documents, licences and third-party files do not count.
func DocumentsNaming(r survey.Reader, words []string) ([]Naming, error) {
	if len(words) == 0 {
		return nil, nil
	}
	return survey.Ask[[]Naming](r, fact.New(documentFacts, inOrder(words)))
}

// CodeNaming returns the words that any file except prose contains: code in any language, including third-party code,
// comments, tests and configuration. If there is more than mostSearched to read, it returns all of them.
func CodeNaming(r survey.Reader, words []string) ([]string, error) {
	if len(words) == 0 {
		return nil, nil
	}
	return survey.Ask[[]string](r, fact.New(wordFacts, inOrder(words)))
}

func inOrder(words []string) string {
	return strings.Join(slices.Compact(slices.Sorted(slices.Values(words))), " ")
}

// Limits of the search for words.
const (
	largestSearched = 16 << 20  // per file; a larger file is data
	mostSearched    = 512 << 20 // for all files; the size of the largest repositories in practice, which takes seconds
)

func (r *Room) found(ctx context.Context, f fact.Fact) (any, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if v, ok := r.named[f]; ok {
		return v, nil
	}
	find := r.documentsNaming
	if f.Family == wordFacts {
		find = r.codeNaming
	}
	v, err := find(ctx, strings.Fields(f.Name))
	if err == nil {
		r.named[f] = v
	}
	return v, err
}

func (r *Room) foundDigest(ctx context.Context, f fact.Fact) (string, error) {
	v, err := r.found(ctx, f)
	return fact.Digest(fmt.Sprintf("%q", v)), err
}

func (r *Room) documentsNaming(ctx context.Context, words []string) (any, error) {
	found := []Naming{}
	wanted := func(file string) bool { return IsDocument(file) || IsSetting(file) }
	told := func(file string, content []byte) []byte {
		if IsDocument(file) {
			return content
		}
		passed, _ := Passed(file, content)
		return passed
	}
	_, err := r.search(ctx, words, wanted, told, func(file string, words []string) bool {
		found = append(found, Naming{file, words})
		return true
	})
	return found, err
}

func (r *Room) codeNaming(ctx context.Context, words []string) (any, error) {
	found := map[string]bool{}
	isCode := func(file string) bool { return !isProse(file) }
	code := func(file string, content []byte) []byte {
		_, rest := Passed(file, content)
		return rest
	}
	whole, err := r.search(ctx, words, isCode, code, func(_ string, named []string) bool {
		for _, word := range named {
			found[word] = true
		}
		return len(found) < len(words)
	})
	if err != nil || !whole {
		return words, err
	}
	return slices.Sorted(maps.Keys(found)), nil
}

func (r *Room) entries(ctx context.Context) ([]survey.Entry, error) {
	if r.listed {
		return r.list, nil
	}
	state, err := r.head.State(ctx, func() survey.State { return survey.State{} })
	if err != nil {
		return nil, fmt.Errorf("look at the head of the change: %w", err)
	}
	if r.list, err = r.head.Entries(ctx, state); err != nil {
		return nil, fmt.Errorf("list the head of the change: %w", err)
	}
	r.listed = true
	return r.list, nil
}

var errEnough = errors.New("enough is found")

// search passes the words of the part of each wanted file to tell until it returns false, and reports whether it read everything.
func (r *Room) search(ctx context.Context, words []string, wanted func(file string) bool, part func(file string, content []byte) []byte, tell func(file string, words []string) (more bool)) (whole bool, err error) {
	if len(words) == 0 {
		return true, nil
	}
	all, err := r.entries(ctx)
	if err != nil {
		return false, err
	}
	var list []survey.Entry
	for _, e := range all {
		if e.Mode == survey.Regular && !r.ignored(e.Path) && wanted(e.Path) {
			list = append(list, e)
		}
	}
	left, sought := mostSearched, map[string]bool{}
	for _, word := range words {
		sought[word] = true
	}
	err = r.head.Read(ctx, list, largestSearched, func(e survey.Entry, content []byte, _ error) error {
		if left -= len(content); left < 0 {
			return errEnough
		}
		if bytes.IndexByte(content[:min(len(content), 8000)], 0) >= 0 {
			return ctx.Err()
		}
		if named := namedIn(part(e.Path, content), sought); len(named) > 0 && !tell(e.Path, named) {
			return errEnough
		}
		return ctx.Err()
	})
	if err != nil && !errors.Is(err, errEnough) {
		return false, fmt.Errorf("look for words: %w", err)
	}
	return left >= 0, nil
}

var ofName = func() (all [256]bool) {
	for c := range 256 {
		all[c] = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= 0x80 || strings.IndexByte("_-.", byte(c)) >= 0
	}
	return all
}()

func namedIn(text []byte, sought map[string]bool) []string {
	found := map[string]bool{}
	look := func(word []byte) {
		if sought[string(word)] {
			found[string(word)] = true
		}
	}
	for at := 0; at < len(text); {
		if !ofName[text[at]] {
			at++
			continue
		}
		start := at
		for at < len(text) && ofName[text[at]] {
			at++
		}
		name := text[start:at]
		parts(name, look)
		if start > 0 && at < len(text) && text[start-1] == text[at] && strings.IndexByte("\"'`", text[at]) >= 0 && sought[`"`+string(name)+`"`] {
			found[`"`+string(name)+`"`] = true
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// parts splits a run of characters into the names that it contains: the whole run as a file name, the parts between
// dots with their hyphens, and single words.
func parts(name []byte, look func([]byte)) {
	if bytes.IndexByte(name, '.') >= 0 {
		look(bytes.TrimRight(name, "."))
	}
	for of := range bytes.SplitSeq(name, []byte(".")) {
		if bytes.IndexByte(of, '-') < 0 {
			look(of)
			continue
		}
		look(of)
		look(bytes.Trim(of, "-"))
		for word := range bytes.SplitSeq(of, []byte("-")) {
			look(word)
		}
	}
}

// prose lists extensions of text files for readers. Most .txt files are read by tools.
var prose = map[string]bool{".md": true, ".mdx": true, ".markdown": true, ".rst": true, ".adoc": true, ".asciidoc": true, ".org": true}

var markdown = map[string]bool{".md": true, ".mdx": true, ".markdown": true}

// past matches the names of historical files and directories, and of licences. The names in them may no longer exist.
// Names are matched in lower case without extension.
var past = lazyregexp.New(`^(change-?s?|change-?log.*|history|news|whats-?new|release.*|upgrad.*|migrat.*|breaking.*|licen[cs]es?.*|copying.*|notice|` +
	`authors|blogs?|posts|rfcs?|adrs?|decisions|proposals|enhancements|archived?|archives|versioned.*|(previous|prior|former|older|old)-versions?|legacy|deprecat.*|.*-(notes|changelog)|` +
	`(version-?|v)?[0-9]+\.([0-9]+|x)[0-9a-z.-]*)$`)

func isProse(file string) bool {
	ext := path.Ext(file)
	return prose[ext] || (ext == "" || ext == ".txt") && tellsOfThePast(path.Base(file))
}

// IsDocument reports whether a file is a Markdown document about the current state.
func IsDocument(file string) bool { return markdown[path.Ext(file)] && Excluded(file) == "" }

// Excluded returns the kind of document whose names may be out of date, or "".
func Excluded(file string) string {
	switch {
	case source.Foreign(file):
		return "third-party"
	case slices.ContainsFunc(strings.Split(file, "/"), tellsOfThePast):
		return "historical or legal"
	}
	return ""
}

func tellsOfThePast(name string) bool {
	name = strings.ToLower(name)
	for _, ext := range []string{".md", ".mdx", ".markdown", ".txt"} {
		name = strings.TrimSuffix(name, ext)
	}
	return past.MatchString(strings.ReplaceAll(name, "_", "-"))
}
