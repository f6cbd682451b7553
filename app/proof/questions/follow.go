package main

import (
	"fmt"
	"io/fs"
	"net/url"
	"path"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
)

// entryPage is where every question begins.
const entryPage = "index.md"

// outcome is the result of following a question.
type outcome struct {
	clicks []string // the words of the links that lead to the answer
	err    error    // the link or the answer that is not there
}

// followAll follows each question through the pages of a repository, which are in a directory.
func followAll(root fs.FS, pages string, questions []question) []outcome {
	out := make([]outcome, len(questions))
	for i, q := range questions {
		if q.Needle != "" {
			out[i].clicks, out[i].err = follow(root, pages, q)
		}
	}
	return out
}

// follow goes from the entry page along the links to the last page, and looks for the answer there.
func follow(root fs.FS, pages string, q question) (clicks []string, err error) {
	at := path.Join(pages, entryPage)
	data, err := fs.ReadFile(root, at)
	if err != nil {
		return nil, err
	}
	for _, next := range q.Path {
		if document, ok := strings.CutPrefix(next, "/"); ok {
			next = document
		} else {
			next = path.Join(pages, next)
		}
		words, ok := linkTo(data, at, next)
		if !ok {
			return clicks, fmt.Errorf("%s has no link to %s", at, next)
		}
		clicks = append(clicks, words)
		at, _, _ = strings.Cut(next, "#")
		if data, err = fs.ReadFile(root, at); err != nil {
			return clicks, err
		}
	}
	if !strings.Contains(spaced(string(data)), spaced(q.Needle)) {
		return clicks, fmt.Errorf("%s does not say %q", at, q.Needle)
	}
	return clicks, nil
}

// spaced returns a text with one space between its words: where lines end is no part of an answer.
func spaced(s string) string { return strings.Join(strings.Fields(s), " ") }

var markdown = goldmark.New(goldmark.WithExtensions(extension.GFM))

// linkTo returns the words of the first link from one page to another, or to a section of it.
func linkTo(page []byte, from, to string) (words string, ok bool) {
	to, section, _ := strings.Cut(to, "#")
	_ = ast.Walk(markdown.Parser().Parse(text.NewReader(page)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		link, isLink := n.(*ast.Link)
		if !entering || !isLink {
			return ast.WalkContinue, nil
		}
		target, err := url.Parse(string(link.Destination))
		if err != nil || target.IsAbs() || target.Path == "" || path.Join(path.Dir(from), target.Path) != to ||
			section != "" && target.Fragment != section {
			return ast.WalkContinue, nil
		}
		words, ok = wordsOf(link, page), true
		return ast.WalkStop, nil
	})
	return words, ok
}

// wordsOf returns the text of a link.
func wordsOf(link *ast.Link, page []byte) string {
	var b strings.Builder
	_ = ast.Walk(link, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if t, isText := n.(*ast.Text); entering && isText {
			_, _ = b.Write(t.Value(page))
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}
