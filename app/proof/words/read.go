package main

import (
	"html"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	gmtext "github.com/yuin/goldmark/text"
)

// gfm reads Markdown as GitHub does.
var gfm = goldmark.New(goldmark.WithExtensions(extension.GFM))

// shown is a rendered page.
type shown struct {
	text  string   // all of it
	prose string   // without code, of which a NUL is left
	code  []string // the contents of fenced blocks
	open  bool     // something is open at the end
}

// sentinel follows a page. It is a separate paragraph unless the page leaves a block open.
const sentinel = "sentinel"

func readPage(page string) shown {
	w := &walker{src: []byte(page + "\n\n" + sentinel + "\n")}
	doc := gfm.Parser().Parse(gmtext.NewReader(w.src))
	last := doc.LastChild()
	open := last.Kind() != ast.KindParagraph || strings.TrimSpace(string(last.Lines().Value(w.src))) != sentinel
	if !open {
		doc.RemoveChild(doc, last)
	}
	w.blocks(doc)
	return shown{w.text.String(), w.prose.String(), w.code, open}
}

type walker struct {
	src         []byte
	text, prose strings.Builder
	code        []string
}

func (w *walker) blocks(doc ast.Node) {
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			switch {
			case n.Type() == ast.TypeBlock || n.Kind() == extast.KindTableCell:
				w.both("\n")
			case n.Kind() != ast.KindText:
				w.text.WriteByte(0)
			}
			return ast.WalkContinue, nil
		}
		return w.enter(n), nil
	})
}

func (w *walker) both(s string) {
	w.text.WriteString(s)
	w.prose.WriteString(s)
}

func (w *walker) enter(n ast.Node) ast.WalkStatus {
	if n.Type() == ast.TypeInline && n.Kind() != ast.KindText {
		w.text.WriteByte(0) // a change of style ends a word, as in the source
	}
	switch n := n.(type) {
	case *ast.FencedCodeBlock, *ast.CodeBlock:
		code := string(n.Lines().Value(w.src))
		w.code = append(w.code, code)
		w.text.WriteString(code)
	case *ast.ListItem:
		if l := n.Parent().(*ast.List); l.IsOrdered() {
			w.text.WriteString(strconv.Itoa(l.Start+place(n)) + " ")
		}
	case *ast.CodeSpan:
		w.prose.WriteByte(0)
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			w.text.Write(c.(*ast.Text).Segment.Value(w.src))
		}
		return ast.WalkSkipChildren
	case *ast.AutoLink:
		w.both(string(n.Label(w.src)))
	case *ast.Text:
		w.both(html.UnescapeString(unescaped.ReplaceAllString(string(n.Segment.Value(w.src)), "$1")))
		if n.SoftLineBreak() || n.HardLineBreak() {
			w.both("\n")
		}
	case *ast.RawHTML:
		if tag := string(n.Segments.Value(w.src)); tag != "<code>" && tag != "</code>" && tag != "<br>" {
			w.both(tag)
		} else if tag == "<br>" {
			w.both("\n")
		}
	}
	return ast.WalkContinue
}

// place returns the index of an item in its list.
func place(item ast.Node) int {
	n := 0
	for item = item.PreviousSibling(); item != nil; item = item.PreviousSibling() {
		n++
	}
	return n
}

var unescaped = regexp.MustCompile("\\\\([!-/:-@\\[-`{-~])")

// leak is markup that must not be visible on a page.
type leak struct {
	languages string
	pattern   *regexp.Regexp
}

const tagNames = `(?:p|br|ul|ol|li|dl|dt|dd|pre|code|tt|b|i|em|strong|a|table|thead|tbody|tr|td|th|h[1-6]|div|span|blockquote|sup|sub|img|hr)`

var leaks = []leak{
	{"c c++ java javascript python rust typescript", regexp.MustCompile(`(?i)</?` + tagNames + `(?:\s+[a-z]+=[^>]*)?\s*/?>`)},
	{"*", regexp.MustCompile("(?:^|\n)\\s*(?:```|~~~)")},
	{"c c++ go javascript python rust typescript", regexp.MustCompile(`(?:^|\W)\*\*\w[^*\n]*\*\*(?:\W|$)`)},
	{"rust", regexp.MustCompile("\\[\x00\\]")},
	{"*", regexp.MustCompile("\\[[^\\]\x00\n]+\\]\\([^)\\s]+\\)")},
	{"java javascript typescript", regexp.MustCompile(`\{@[a-z]+`)},
	{"java javascript typescript c c++", regexp.MustCompile(`(?:^|\n)\s*@[a-z]+\b`)},
	{"c c++", regexp.MustCompile(`(?:^|\s)[\\@](?:brief|param|returns?|retval|c|p|a|b|e|em|ref|code|endcode|note|see|sa|li|ingroup|file|details|warning|throws?)\b`)},
	{"python", regexp.MustCompile("(?:^|\\s):[a-z][a-z:]*:\x00")},
	{"python", regexp.MustCompile(`(?:^|\n)\s*:(?:param|type|returns?|rtype|raises?|keyword|ivar|cvar|var)\b[^:\n]*:`)},
	{"python", regexp.MustCompile(`(?:^|\n)\s*\.\. (?:[a-zA-Z-]+::|_|\|)`)},
	{"python", regexp.MustCompile(`\S::(?:\n|$)`)},
	{"python", regexp.MustCompile("`_{1,2}(?:\\W|$)")},
}

// fenceLine matches a fence. Within code it means that an opening and a closing fence were confused.
var fenceLine = regexp.MustCompile("(?m)^\\s*```")

// leaks lists the visible markup of a page, without code.
func (s shown) leaks(doc, language string) []string {
	var out []string
	for _, l := range leaks {
		if l.languages != "*" && !slices.Contains(strings.Fields(l.languages), language) {
			continue
		}
		for _, m := range l.pattern.FindAllString(s.prose, -1) {
			if strings.HasPrefix(m, "<") && strings.Contains(doc, "&lt;") {
				continue // the author names a tag
			}
			out = append(out, strings.ReplaceAll(strings.TrimSpace(m), "\x00", "`…`"))
		}
	}
	if strings.Contains(doc, "````") || strings.Contains(doc, "~~~") {
		return out
	}
	for _, code := range s.code {
		if fenceLine.MatchString(code) {
			out = append(out, "a fence within code")
		}
	}
	return out
}
