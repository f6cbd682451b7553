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

// Facts about all files of the head as text: which of them name something. What is asked for is a list of words, since all are read
// for it.
const (
	documentFacts fact.Family = "documents" // documents <words>: which documents name which of the words
	wordFacts     fact.Family = "words"     // words <words>: which of them the code names
)

// Naming is a file with the words that it names, sorted.
type Naming struct {
	Path  string
	Words []string
}

// DocumentsNaming lists the Markdown documents that name one of the words, by path. A word is letters, digits and underscores; a
// name of several that hyphens join, also with the hyphens before it; one of these in double quotes, which single ones and
// backquotes stand for as well; or the last name of a path, with its ending. What tells of the past, as changelogs do, licences,
// and what others wrote are no documents.
func DocumentsNaming(r survey.Reader, words []string) ([]Naming, error) {
	if len(words) == 0 {
		return nil, nil
	}
	v, err := r.Read(fact.New(documentFacts, inOrder(words)))
	list, _ := v.([]Naming)
	return list, err
}

// CodeNaming returns those of the words that some file names that is no prose: code in any language, of whomever, with its
// comments and tests, and what it is built and run with. Where there is more to read than can be, it names all of them.
func CodeNaming(r survey.Reader, words []string) ([]string, error) {
	if len(words) == 0 {
		return nil, nil
	}
	v, err := r.Read(fact.New(wordFacts, inOrder(words)))
	list, _ := v.([]string)
	return list, err
}

func inOrder(words []string) string {
	return strings.Join(slices.Compact(slices.Sorted(slices.Values(words))), " ")
}

// What is read for words.
const (
	largestSearched = 16 << 20  // of a file; one with more is data
	mostSearched    = 512 << 20 // of all files: the largest repositories that people review in have as much, which takes seconds
)

// found answers which files name words. All that it reads is read once, whoever asks, and however often.
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

// foundDigest is the digest of what was found.
func (r *Room) foundDigest(ctx context.Context, f fact.Fact) (string, error) {
	v, err := r.found(ctx, f)
	return fact.Digest(fmt.Sprintf("%q", v)), err
}

func (r *Room) documentsNaming(ctx context.Context, words []string) (any, error) {
	found := []Naming{}
	_, err := r.search(ctx, words, IsDocument, func(file string, words []string) bool {
		found = append(found, Naming{file, words})
		return true
	})
	return found, err
}

func (r *Room) codeNaming(ctx context.Context, words []string) (any, error) {
	found := map[string]bool{}
	isCode := func(file string) bool { return !isProse(file) }
	whole, err := r.search(ctx, words, isCode, func(_ string, named []string) bool {
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

// entries lists the files of the head, once.
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

// search tells the words that each of the wanted files names, by path, until it is told that this is enough. It reports whether
// there was no more to read than mostSearched.
func (r *Room) search(ctx context.Context, words []string, wanted func(file string) bool, tell func(file string, words []string) (more bool)) (whole bool, err error) {
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
		if named := namedIn(content, sought); len(named) > 0 && !tell(e.Path, named) {
			return errEnough
		}
		return ctx.Err()
	})
	if err != nil && !errors.Is(err, errEnough) {
		return false, fmt.Errorf("look for words: %w", err)
	}
	return left >= 0, nil
}

// ofName are the bytes of words, and those that join words to longer names.
var ofName = func() (all [256]bool) {
	for c := range 256 {
		all[c] = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= 0x80 || strings.IndexByte("_-.", byte(c)) >= 0
	}
	return all
}()

// namedIn returns those of the words that a text names, sorted.
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

// parts takes apart a run of words that hyphens and dots join: the whole is the last name of a path, what is between dots may
// have hyphens, and words are between all of them.
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

// prose are the endings of files that are for readers. Of text files most are; those that tools read have names of their own.
var prose = map[string]bool{".md": true, ".mdx": true, ".markdown": true, ".rst": true, ".adoc": true, ".asciidoc": true, ".org": true}

var markdown = map[string]bool{".md": true, ".mdx": true, ".markdown": true}

// past matches the names of files and directories that tell how things were, or are licences: what they name need not be there.
// It is matched with names in lower case, without an ending.
var past = lazyregexp.New(`^(change-?s?|change-?log.*|history|news|whats-?new|release.*|upgrad.*|migrat.*|breaking.*|licen[cs]es?.*|copying.*|notice|` +
	`authors|blogs?|posts|rfcs?|adrs?|decisions|proposals|enhancements|archived?|archives|versioned.*|(previous|prior|former|older|old)-versions?|legacy|deprecat.*|.*-(notes|changelog)|` +
	`(version-?|v)?[0-9]+\.([0-9]+|x)[0-9a-z.-]*)$`)

// isProse reports whether a file is written for readers, or tells how things were.
func isProse(file string) bool {
	ext := path.Ext(file)
	return prose[ext] || (ext == "" || ext == ".txt") && tellsOfThePast(path.Base(file))
}

// IsDocument reports whether a file says in Markdown how things are.
func IsDocument(file string) bool {
	if !markdown[path.Ext(file)] || source.Foreign(file) {
		return false
	}
	for segment := range strings.SplitSeq(file, "/") {
		if tellsOfThePast(segment) {
			return false
		}
	}
	return true
}

func tellsOfThePast(name string) bool {
	name = strings.ToLower(name)
	for _, ext := range []string{".md", ".mdx", ".markdown", ".txt"} {
		name = strings.TrimSuffix(name, ext)
	}
	return past.MatchString(strings.ReplaceAll(name, "_", "-"))
}
