// Package manual finds descriptions of environment variables and configuration keys in the documents of a project. It reads
// Markdown, reStructuredText, AsciiDoc and manual pages line by line, and knows the usual forms: a heading, a table row, a list
// item, a line of an aligned listing, an entry of a manual page.
package manual

import (
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/source"
)

// Passage is the description of a name in a document.
type Passage struct {
	// Text is plain text of at most longestText bytes; empty if the document only mentions the name.
	Text string
	// Default is the value without a setting, where a sample states it.
	Default string
	// Anchor is that of the heading above; empty if there is none.
	Anchor string
}

const (
	longestText = 240
	// shortestText is how many letters a description has at least.
	shortestText = 8
	// longestLead bounds the part of a line that names something, before its description.
	longestLead = 120
)

// IsPage reports whether a file is a manual page: "shop.1".
func IsPage(name string) bool { return manualPage.MatchString(path.Base(name)) }

var manualPage = lazyregexp.New(`^[A-Za-z][\w.+-]*\.[1-8]$`)

// Find returns the passages of a document about names. Of several about one name, it is the first with a description.
func Find(file string, content []byte, names map[string]bool) map[string]Passage {
	return read(file, content, names).found
}

func read(file string, content []byte, names map[string]bool) *finder {
	f := &finder{names: names, found: map[string]Passage{}, page: IsPage(file), restructured: path.Ext(file) == ".rst", fences: markdownFence}
	if source.IsASCIIDoc(file) {
		f.fences = asciiFence
	}
	f.configures = configuring.MatchString(file)
	lines := strings.Split(strings.ReplaceAll(string(content), "\r\n", "\n"), "\n")
	if f.sample = IsSample(file); f.sample {
		if braces.MatchString(path.Base(file)) {
			lines = inLines(lines)
		}
		f.sampled(lines)
		f.samples()
		return f
	}
	headings := map[int]source.Heading{}
	for _, h := range source.Headings(file, content) {
		headings[h.Line] = h
	}
	for i, line := range lines {
		switch {
		case f.page:
			f.request(line)
		case f.fences == asciiFence && headings[i-1].Level > 0 && !strings.HasPrefix(lines[i-1], "=") && strings.Trim(line, "=-~^+ ") == "": // under a heading
		default:
			f.line(line, headings[i])
		}
	}
	f.flush()
	f.samples()
	return f
}

type finder struct {
	names              map[string]bool
	found              map[string]Passage
	page, restructured bool
	fences             *lazyregexp.Regexp // the marks that open a block of code
	sample             bool               // the file is a sample
	keys               []Key

	anchor     string
	configures bool   // the document or a heading above is about configuration
	since      int    // the level of that heading
	title      string // of the heading above
	fence      string // the mark that opened the block of code
	code       []string
	shell      bool // it has commands
	blocks     []*block
	byLast     map[string][]string // the names by their last part
	comment    bool
	columns    []string // the heads of the table that is read
	inside     bool     // the line above is of the same paragraph
	pending    []string // the names whose description follows
	text       []string // its lines so far
}

// keep notes a passage about names.
func (f *finder) keep(names []string, text, otherwise string) {
	text = plain(text)
	if countLetters(text) < shortestText || strings.HasSuffix(text, ":") { // it leads to code
		text = ""
	}
	for _, n := range names {
		if was, there := f.found[n]; !there || was.Text+was.Default == "" && text+otherwise != "" {
			f.found[n] = Passage{text, otherwise, f.anchor}
		}
	}
}

// flush ends the description that is read.
func (f *finder) flush() {
	if len(f.pending) > 0 {
		f.keep(f.pending, strings.Join(f.text, " "), "")
	}
	f.pending, f.text = nil, nil
}

// line reads a line of Markdown or reStructuredText, which may be a heading.
func (f *finder) line(line string, h source.Heading) {
	trimmed := strings.TrimSpace(line)
	if f.outside(trimmed) {
		return
	}
	inside := f.inside
	f.inside = false
	switch {
	case f.fence != "":
		f.code = append(f.code, line)
		f.aligned(line)
	case h.Level > 0:
		f.flush()
		f.columns = nil
		if !f.configures || f.since > 0 && h.Level <= f.since {
			f.configures, f.since = configuring.MatchString(h.Written), h.Level
		}
		f.title = h.Written
		f.anchor = h.Anchor
		f.pending = f.leading(h.Written)
	case trimmed == "":
		if len(f.text) > 0 && aboutDefault.MatchString(f.text[0]) {
			f.text = nil // the description follows
		} else if len(f.text) > 0 {
			f.flush()
		}
		f.columns = nil
	case strings.HasPrefix(trimmed, ">") && len(f.pending) > 0 && len(f.text) == 0: // a note ahead of the description
	case strings.HasPrefix(trimmed, "|"):
		f.flush()
		f.row(trimmed)
	case strings.HasPrefix(trimmed, ".. "):
		f.flush()
		if _, name, ok := strings.Cut(trimmed, "::"); ok {
			f.pending = f.leading(name)
		}
	case strings.Trim(trimmed, "=-~^\"'#*+") == "": // the line under a heading
	default:
		f.prose(line, trimmed, inside)
		f.inside = true
	}
}

// aboutDefault matches a paragraph that says only what a value is without a setting, or its type.
var aboutDefault = lazyregexp.New(`(?i)^[*_]*(?:defaults?(?: value)?|type|required)[*_]*:`)

// outside reports whether a line is a mark of a block of code, or in a comment.
func (f *finder) outside(trimmed string) bool {
	if f.restructured {
		return false
	}
	mark := f.fences.FindString(trimmed)
	switch {
	case f.fence == "" && mark != "":
		f.flush()
		f.fence, f.code, f.shell = mark, nil, shell.MatchString(strings.Trim(trimmed, mark+" "))
		return true
	case f.fence != "" && strings.HasPrefix(mark, f.fence) && mark == trimmed:
		f.fence = ""
		if !f.shell {
			f.sampled(f.code)
		}
		return true
	case f.fence != "":
		return false
	}
	f.comment = f.comment || strings.HasPrefix(trimmed, "<!--")
	was := f.comment
	f.comment = f.comment && !strings.Contains(trimmed, "-->")
	return was
}

var (
	markdownFence = lazyregexp.New("^(?:`{3,}|~{3,})")
	asciiFence    = lazyregexp.New("^(?:`{3,}|(?:-{4,}|\\.{4,}|/{4,})$)")
)

// shell matches the language of a block with commands.
var shell = lazyregexp.New(`(?i)^(?:ba|z|fi|power|c)?sh(?:ell)?\b|^console\b|^bat|^cmd\b`)

// configuring matches files and headings about configuration. Below them, an ordinary word may be a key.
var configuring = lazyregexp.New(`(?i)config|setting|option|parameter|propert|environment|variable|flag|argument|\benv\b`)

// row reads a row of a table: a name in one of its first two cells, and the description in the cell below a head that says so, or
// else in the longest cell.
func (f *finder) row(line string) {
	cells := strings.Split(strings.ReplaceAll(strings.Trim(line, "| "), `\|`, "¦"), "|")
	for i := range cells {
		cells[i] = strings.TrimSpace(strings.ReplaceAll(cells[i], "¦", "|"))
	}
	if f.columns == nil {
		f.columns = cells
	}
	for i := range cells[:min(len(cells), 2)] {
		names := f.leading(cells[i])
		if len(names) == 0 {
			continue
		}
		best, letters := "", 0
		for j, cell := range cells {
			if j == i {
				continue
			}
			if j < len(f.columns) && len(f.columns) == len(cells) && describing.MatchString(f.columns[j]) {
				best = cell
				break
			}
			if n := countLetters(plain(cell)); n > letters && strings.Contains(strings.TrimSpace(cell), " ") {
				best, letters = cell, n
			}
		}
		f.keep(names, best, "")
		return
	}
	f.mentioned(line)
}

// describing matches the head of a column with descriptions.
var describing = lazyregexp.New(`(?i)^[*_ ]*(?:descriptions?|explanation|meaning|purpose|details?|notes?|what it does|comments?|usage)\b`)

// prose reads a line that is an item of a list or part of a paragraph.
func (f *finder) prose(line, trimmed string, inside bool) {
	text := strings.TrimSuffix(bullet.ReplaceAllString(trimmed, ""), "::") // a term in AsciiDoc
	item := text != trimmed
	if lead, rest, ok := f.split(text); ok && (item || !inside) {
		f.flush()
		f.pending = lead
		if rest != "" {
			f.text = []string{rest}
		}
		return
	}
	if f.aligned(line) {
		return
	}
	if item {
		f.flush()
	}
	if len(f.pending) > 0 {
		f.text = append(f.text, text)
	}
	f.mentioned(text)
}

var bullet = lazyregexp.New(`^(?:[-*+•]|\d+[.)])\s+`)

// split divides a line into the names at its beginning and their description.
func (f *finder) split(text string) (lead []string, rest string, ok bool) {
	if lead = f.leading(text); len(lead) > 0 {
		return lead, "", true
	}
	for _, sep := range []string{":", " - ", " – ", " — ", " -- ", " => ", " → "} {
		before, after, found := strings.Cut(text[:min(len(text), longestLead)], sep)
		if !found {
			continue
		}
		if lead = f.leading(before); len(lead) > 0 {
			return lead, strings.TrimSpace(after + text[min(len(text), longestLead):]), true
		}
	}
	// "`NAME` sets the name": the sentence is the description.
	if strings.HasPrefix(text, "`") {
		mark := text[:len(text)-len(strings.TrimLeft(text, "`"))]
		name, after, found := strings.Cut(text[len(mark):], mark)
		if found && f.names[name] && len(after) > 1 && after[0] == ' ' && unicode.IsLower(rune(after[1])) {
			return []string{name}, text, true
		}
	}
	return nil, "", false
}

// aligned reads a line of a listing with two columns: "NAME    the name of it".
func (f *finder) aligned(line string) bool {
	m := columns.FindStringSubmatch(line)
	if m == nil || !f.names[m[1]] || !telling(m[1]) {
		if f.fence != "" {
			f.mentioned(line)
		}
		return false
	}
	f.keep([]string{m[1]}, strings.TrimLeft(m[2], "# "), "")
	return true
}

var columns = lazyregexp.New(`^\s*(?:export\s+|\$)?([A-Za-z_][\w.-]*)(?:=\S*)?(?:\s{2,}|\t+|\s+#\s*)(\S.*)$`)

// leading are the names that a text consists of, and nothing else but markup; none if it says more.
func (f *finder) leading(text string) (out []string) {
	if len(text) > longestLead {
		return nil
	}
	marked := text
	text = links.ReplaceAllString(text, "$1")
	text = aside.ReplaceAllString(text, " ")
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("`*,/|\"'", r) }) {
		word = strings.TrimSuffix(strings.TrimPrefix(word, "$"), ":")
		name, _, _ := strings.Cut(word, "=")
		is := f.names[name] && (f.page || telling(name) || f.configures && strings.Contains(marked, "`"+name+"`"))
		switch {
		case is && !slices.Contains(out, name):
			out = append(out, name)
		case is || filler[strings.ToLower(word)]:
		default:
			return nil
		}
	}
	return out
}

var (
	links = lazyregexp.New(`!?\[([^\]]*)\]\([^)]*\)`)
	aside = lazyregexp.New(`\([^)]*\)|\[[^\]]*\]|</?[a-zA-Z][^>]*>|:[a-z]+:`)
	// filler are words that may stand between names.
	filler = map[string]bool{"and": true, "or": true, "the": true, "environment": true, "env": true, "variable": true, "variables": true, "&": true, "-": true}
)

// telling reports whether a word is a name in any context. A lower-case word without a separator may be an ordinary word.
func telling(word string) bool {
	return strings.ContainsAny(word, "_.-") || word == strings.ToUpper(word) && len(word) > 3
}

// mentioned notes the names in a text. A word without a separator is one only as code.
func (f *finder) mentioned(text string) {
	code := map[string]bool{}
	for _, m := range asCode.FindAllStringSubmatch(text, -1) {
		code[m[1]] = f.configures || telling(m[1])
	}
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool {
		return r != '_' && r != '.' && r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}) {
		word = strings.TrimRight(word, ".-")
		if f.names[word] && (strings.ContainsAny(word, "_.") || code[word]) {
			f.keep([]string{word}, "", "")
		}
	}
}

var asCode = lazyregexp.New("`([\\w.-]+)`")

// request reads a line of a manual page.
func (f *finder) request(line string) {
	name, text, _ := strings.Cut(strings.TrimSpace(line), " ")
	switch name {
	case ".B", ".BR", ".It", ".IP", ".SS":
		names := f.leading(roff(strings.TrimPrefix(text, "Ev ")))
		if len(f.text) > 0 || len(names) == 0 {
			f.flush()
		}
		f.pending = append(f.pending, names...)
		return
	case ".TP", ".PP", ".RE", ".SH", ".P", ".LP", ".El":
		f.flush()
		return
	}
	if strings.HasPrefix(line, ".") || line == "" {
		return
	}
	text = roff(line)
	if names := f.leading(text); len(names) > 0 && len(f.text) == 0 {
		f.pending = append(f.pending, names...)
	} else if len(f.pending) > 0 {
		f.text = append(f.text, text)
	}
}

// roff is a text of a manual page without its escapes.
func roff(text string) string {
	return strings.NewReplacer(`\fB`, "", `\fI`, "", `\fR`, "", `\fP`, "", `\-`, "-", `\&`, "", `\ `, " ", `\(aq`, "'", `\e`, `\`).Replace(text)
}

var tags = lazyregexp.New(`</?[a-zA-Z][^>]*>`)

// plain is a passage without markup, in whole sentences if it is long.
func plain(text string) string {
	text = links.ReplaceAllString(text, "$1")
	text = tags.ReplaceAllString(text, " ")
	text = strings.NewReplacer("``", "", "`", "", "**", "", `\_`, "_").Replace(text)
	text = strings.Join(strings.Fields(text), " ")
	if len(text) <= longestText {
		return text
	}
	cut := strings.LastIndex(text[:longestText], ". ")
	if cut < longestText/4 {
		cut = strings.LastIndexByte(text[:longestText], ' ')
		return strings.TrimRight(text[:max(cut, 0)], ",;: ") + "…"
	}
	return text[:cut+1]
}

func countLetters(text string) (n int) {
	for _, r := range text {
		if unicode.IsLetter(r) {
			n++
		}
	}
	return n
}
