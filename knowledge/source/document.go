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
	if ext != ".md" && ext != ".rst" && ext != ".markdown" && ext != ".mdx" || ofThePast.MatchString(path.Base(name)) {
		return false
	}
	stem := strings.ToLower(strings.TrimSuffix(path.Base(name), path.Ext(name)))
	return stem == "readme" || documentDir.MatchString(path.Dir(name)) || path.Dir(name) == "." && !ofTheProject.MatchString(stem)
}

// IsExampleDir reports whether a directory is an example directory or below one.
func IsExampleDir(dir string) bool { return exampleDir.MatchString(dir) }

var (
	exampleDir  = lazyregexp.New(`(?i)(^|/)(_?examples?|samples?|demos?|tutorials?)(/|$)`)
	documentDir = lazyregexp.New(`(?i)(^|/)(docs?|documentation|guides?|manual)(/|$)`)
	// ofTheProject matches documents at the root that are about people and law.
	ofTheProject = lazyregexp.New(`(?i)^(licen[cs]e|copying|notice|code[-_]of[-_]conduct|security|support|governance|maintainers|authors|owners|credits|thanks|sponsors|funding|roadmap|todo|contribut|agents|claude|gemini|pull_request|issue)`)
	ofThePast    = lazyregexp.New(`(?i)^(change|history|news|release|migrat|upgrad|whatsnew|contribut)`)
)

var snippetLanguages = map[string]string{
	"go": "go", "golang": "go", "python": "python", "py": "python", "python3": "python", "pycon": "python", "pytb": "",
	"js": "javascript", "javascript": "javascript", "jsx": "javascript", "mjs": "javascript", "cjs": "javascript", "node": "javascript",
	"ts": "typescript", "typescript": "typescript", "tsx": "typescript", "mts": "typescript", "java": "java", "rust": "rust", "rs": "rust",
	"c": "c", "cpp": "c++", "c++": "c++", "cxx": "c++", "cc": "c++",
}

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
		if l := snippetLanguages[strings.ToLower(w)]; l != "" {
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
	text := strings.TrimSpace(line)
	return len(text) >= len(mark) && strings.Trim(text, mark[:1]) == ""
}

var directive = lazyregexp.New(`^(\s*)\.\. ([\w:-]+)::\s*([\w+-]*)`)

func (d *documentReader) directives(from, to int) {
	for i := from; i < to; i++ {
		m := directive.FindStringSubmatch(d.lines[i])
		if m == nil {
			continue
		}
		language := snippetLanguages[strings.ToLower(m[3])]
		switch kind := m[2][strings.LastIndexByte(m[2], ':')+1:]; {
		case kind == "example" || kind == "doctest" || kind == "testcode":
			language = "python"
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

// wrapping turns a snippet into a file, in languages with statements only inside functions.
type wrapping struct {
	ahead  string // the beginning of the file
	hoist  string // first words of lines outside functions
	whole  string // present if the snippet is a whole file
	before string
	after  string
}

var wrappings = map[string]wrapping{
	"go":   {ahead: "package snippet\n", hoist: "import", whole: "\nfunc ", before: "func _() {\n", after: "\n}\n"},
	"rust": {hoist: "use", whole: "fn ", before: "fn main() {\n", after: "\n}\n"},
	"java": {hoist: "import package", whole: "class ", before: "class Snippet { void snippet() {\n", after: "\n} }\n"},
	"c":    {hoist: "#include", whole: ") {\n", before: "void snippet(void) {\n", after: "\n}\n"},
	"c++":  {hoist: "#include using", whole: ") {\n", before: "void snippet() {\n", after: "\n}\n"},
}

// File returns the snippet as a file that its language's extractor can read.
func (s Snippet) File() string {
	if s.Language == "python" {
		return withoutPrompts(s.Code)
	}
	w, wrapped := wrappings[s.Language]
	if !wrapped || s.Language == "go" && strings.HasPrefix(s.Code, "package ") {
		return s.Code
	}
	if strings.Contains("\n"+s.Code, w.whole) {
		return w.ahead + s.Code
	}
	var top, rest strings.Builder
	top.WriteString(w.ahead)
	open := false
	for line := range strings.Lines(s.Code) {
		word, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		if open || word != "" && slices.Contains(strings.Fields(w.hoist), word) {
			top.WriteString(line)
			open = strings.Count(top.String(), "(") > strings.Count(top.String(), ")") || strings.Count(top.String(), "{") > strings.Count(top.String(), "}")
		} else {
			rest.WriteString(line)
		}
	}
	return top.String() + "\n" + w.before + rest.String() + w.after
}

func withoutPrompts(code string) string {
	if !strings.Contains(code, ">>> ") {
		return code
	}
	var b strings.Builder
	for line := range strings.Lines(code) {
		if rest, ok := strings.CutPrefix(line, ">>> "); ok {
			b.WriteString(rest)
		} else if rest, ok := strings.CutPrefix(line, "... "); ok {
			b.WriteString(rest)
		} else {
			b.WriteString("\n")
		}
	}
	return b.String()
}
