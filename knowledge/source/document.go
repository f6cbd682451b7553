package source

import (
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

// Snippet is a code block in a document.
type Snippet struct {
	Language  string // a Language's name
	Code      string // without the common indentation
	Line, End int    // 1-based
}

const (
	// Limits for the size of a usage example: each name in it is looked up.
	longestSnippet      = 25
	longestSnippetBytes = 4 << 10
	// Limits for one document.
	mostSnippets     = 300
	mostSnippetBytes = 64 << 10
)

// IsDocument reports whether a file documents the project's use: a README, a document at the root, or a
// file in a documentation directory.
// Change logs and migration guides describe the past and do not count.
func IsDocument(name string) bool {
	if Foreign(name) {
		return false
	}
	ext := strings.ToLower(path.Ext(name))
	if ext != ".md" && ext != ".rst" && ext != ".markdown" && ext != ".mdx" && !IsASCIIDoc(name) || ofThePast.MatchString(path.Base(name)) {
		return false
	}
	stem := strings.ToLower(strings.TrimSuffix(path.Base(name), path.Ext(name)))
	return stem == "readme" || documentDir.MatchString(path.Dir(name)) || path.Dir(name) == "." && !ofTheProject.MatchString(stem)
}

// IsExampleDir reports whether a directory is an example directory or below one.
func IsExampleDir(dir string) bool { return exampleDir.MatchString(dir) }

var (
	exampleDir  = lazyregexp.New(`(?i)(^|/)(_?examples?|samples?|demos?|tutorials?)(/|$)`)
	documentDir = lazyregexp.New(`(?i)(^|/)(docs?|documentation|guides?|manual|man)(/|$)`)
	// ofTheProject matches documents at the root that are about people and law.
	ofTheProject = lazyregexp.New(`(?i)^(licen[cs]e|copying|notice|code[-_]of[-_]conduct|security|support|governance|maintainers|authors|owners|credits|thanks|sponsors|funding|roadmap|todo|contribut|agents|claude|gemini|pull_request|issue)`)
	ofThePast    = lazyregexp.New(`(?i)^(change|history|news|release|migrat|upgrad|whatsnew|contribut)`)
)

// Snippets lists the short code blocks with a known language: fences, and directives in reStructuredText.
func Snippets(name string, content []byte) []Snippet {
	text := strings.ReplaceAll(string(content), "\r\n", "\n")
	d := documentReader{lines: strings.Split(text, "\n"), room: mostSnippetBytes}
	if path.Ext(name) == ".rst" {
		d.directives(0, len(d.lines))
	} else {
		d.fences()
	}
	return d.out
}

type documentReader struct {
	lines []string
	room  int
	out   []Snippet
}

func (d *documentReader) fences() {
	for i := 0; i < len(d.lines); i++ {
		mark, info := fenceMark(d.lines[i])
		if mark == "" {
			continue
		}
		end := i + 1
		for end < len(d.lines) && !closesFence(d.lines[end], mark) {
			end++
		}
		words := strings.Fields(strings.Map(func(r rune) rune {
			if strings.ContainsRune("{},;:", r) {
				return ' '
			}
			return r
		}, info))
		switch {
		case slices.Contains(words, "eval-rst"):
			d.directives(i+1, end)
		case slices.ContainsFunc(words, func(w string) bool { return hidden[w] }):
		default:
			d.add(languageOfWords(words), i+1, end)
		}
		i = end
	}
}

// hidden are labels of blocks that show wrong code or are not displayed.
var hidden = map[string]bool{"compile_fail": true, "should_panic": true, "diff": true, "testsetup": true}

func languageOfWords(words []string) string {
	for _, w := range words[:min(len(words), 2)] {
		if l := fences[strings.ToLower(w)]; l != "" {
			return l
		}
	}
	return ""
}

func fenceMark(line string) (mark, info string) {
	text := strings.TrimLeft(line, " \t>")
	n := 0
	for n < len(text) && (text[n] == '`' || text[n] == '~') && text[n] == text[0] {
		n++
	}
	if n < 3 || strings.Contains(text[n:], "`") {
		return "", ""
	}
	return text[:n], text[n:]
}

func closesFence(line, mark string) bool {
	text := strings.Trim(line, " \t>")
	return len(text) >= len(mark) && strings.Trim(text, mark[:1]) == ""
}

var directive = lazyregexp.New(`^(\s*)\.\. ([\w:-]+)::\s*([\w+-]*)`)

func (d *documentReader) directives(from, to int) {
	for i := from; i < to; i++ {
		m := directive.FindStringSubmatch(d.lines[i])
		if m == nil {
			continue
		}
		language := fences[strings.ToLower(m[3])]
		switch kind := m[2][strings.LastIndexByte(m[2], ':')+1:]; {
		case domainCode[kind] != "":
			language = domainCode[kind]
		case kind != "code-block" && kind != "code" && kind != "sourcecode":
			continue
		}
		start := i + 1
		for start < to && (strings.TrimSpace(d.lines[start]) == "" || strings.HasPrefix(strings.TrimSpace(d.lines[start]), ":")) {
			start++
		}
		end := start
		for end < to && (strings.TrimSpace(d.lines[end]) == "" || indentOf(d.lines[end]) > len(m[1])) {
			end++
		}
		d.add(language, start, end)
		i = end - 1
	}
}

func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

func (d *documentReader) add(language string, from, to int) {
	for from < to && strings.TrimSpace(d.lines[from]) == "" {
		from++
	}
	for to > from && strings.TrimSpace(d.lines[to-1]) == "" {
		to--
	}
	if language == "" || from == to || to-from > longestSnippet || len(d.out) == mostSnippets {
		return
	}
	code := dedent(d.lines[from:to])
	if len(code) > longestSnippetBytes {
		return
	}
	if d.room -= len(code); d.room >= 0 {
		d.out = append(d.out, Snippet{language, code, from + 1, to})
	}
}

// File returns the snippet as a file that its language's extractor can read.
func (s Snippet) File() string {
	t := TraitsOf(s.Language)
	if t.Snippet != nil {
		return t.Snippet(s.Code)
	}
	w := t.Wrapping
	if w == nil || w.Own != "" && strings.HasPrefix(s.Code, w.Own) {
		return s.Code
	}
	if strings.Contains("\n"+s.Code, w.Whole) {
		return w.Ahead + s.Code
	}
	var top, rest strings.Builder
	top.WriteString(w.Ahead)
	open := false
	for line := range strings.Lines(s.Code) {
		word, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		if open || word != "" && slices.Contains(strings.Fields(w.Hoist), word) {
			top.WriteString(line)
			open = strings.Count(top.String(), "(") > strings.Count(top.String(), ")") || strings.Count(top.String(), "{") > strings.Count(top.String(), "}")
		} else {
			rest.WriteString(line)
		}
	}
	return top.String() + "\n" + w.Before + rest.String() + w.After
}
