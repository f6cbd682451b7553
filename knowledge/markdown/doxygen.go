package markdown

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/lazy"
	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

// readDoxygen reads the comments of C and C++: Doxygen commands with either mark, and Markdown. lang is the language
// of examples.
func readDoxygen(lang string) func(string) []block {
	r := tagReader{
		blockReader: blockReader{manner: emphasis | headings},
		dialect:     dialect{doxygen: true}, code: lang,
	}
	return func(doc string) []block { return r.read(doxygenLines(doc, lang)) }
}

var (
	doxygenTag   = lazyregexp.New(`^(\s*)[\\@]([A-Za-z]+)(.*)$`)
	doxygenTitle = lazyregexp.New(`^(?:par|section|subsection|subsubsection|paragraph|name|page|mainpage)$`)
	direction    = lazyregexp.New(`^\[[a-z, ]*\]`)
	pageID       = lazyregexp.New(`^\S+\s+`)
)

var codeEnds = map[string]string{
	"code": "endcode", "verbatim": "endverbatim", "dot": "enddot", "msc": "endmsc", "startuml": "enduml", "htmlonly": "endhtmlonly",
	"latexonly": "endlatexonly",
}

// doxygenLines rewrites line starts in the form that tagReader reads: code commands as fences, titles as headings,
// block commands with "@".
func doxygenLines(doc, code string) string {
	var out []string
	closing := ""
	for _, line := range splitLines(ownLines(doc)) {
		if closing != "" {
			if strings.Contains(line, `\`+closing) || strings.Contains(line, "@"+closing) {
				line, closing = strings.Repeat("~", 8), ""
			}
			out = append(out, line)
			continue
		}
		m := doxygenTag.FindStringSubmatch(line)
		if m == nil {
			out = append(out, line)
			continue
		}
		if end, isCode := codeEnds[m[2]]; isCode && !strings.Contains(m[3], end) {
			lang := infoWord(strings.TrimPrefix(strings.TrimLeft(m[3], "{ "), "."))
			if lang == "" && m[2] == "code" {
				lang = code
			}
			out, closing = append(out, "", strings.Repeat("~", 8)+lang), end
			continue
		}
		out = append(out, doxygenLine(line, m)...)
	}
	if closing != "" {
		out = append(out, strings.Repeat("~", 8))
	}
	return strings.Join(out, "\n")
}

// blockCommands start a block anywhere in a line, and codeCommands start or end code.
var (
	blockCommands = lazy.Set("param tparam return returns retval sa see note warning throw throws details pre post since deprecated ingroup")
	codeCommands  = lazy.Set("code verbatim endcode endverbatim")
)

// ownLines puts block and code commands on separate lines, which Doxygen does not require.
func ownLines(doc string) string {
	if strings.IndexByte(doc, '\\') < 0 && !strings.Contains(doc, "code") && !strings.Contains(doc, "verbatim") {
		return doc
	}
	var b strings.Builder
	done, end := 0, "" // the end command of the open code
	for i := 0; i < len(doc); i++ {
		if doc[i] != '\\' && doc[i] != '@' || i > 0 && isWordByte(doc[i-1]) {
			continue
		}
		word := letters(doc[i+1:])
		isCode := codeCommands[word] && (end == "" || word == end)
		if !isCode && (end != "" || doc[i] != '\\' || !blockCommands[word]) {
			continue
		}
		if before := strings.TrimRight(doc[done:i], " \t"); before != "" && before[len(before)-1] != '\n' {
			b.WriteString(before + "\n")
			done = i
		}
		i += len(word)
		if !isCode {
			continue
		}
		end = ""
		if !strings.HasPrefix(word, "end") {
			end = "end" + word
			i += len(braced(doc[i+1:]))
		}
		b.WriteString(doc[done : i+1])
		rest := strings.TrimLeft(doc[i+1:], " \t")
		if done = len(doc) - len(rest); rest != "" && rest[0] != '\n' {
			b.WriteByte('\n')
		}
	}
	return b.String() + doc[done:]
}

func letters(s string) string {
	n := 0
	for n < len(s) && (s[n]|0x20) >= 'a' && (s[n]|0x20) <= 'z' {
		n++
	}
	return s[:n]
}

func braced(s string) string {
	if strings.HasPrefix(s, "{") {
		if end := strings.IndexAny(s, "}\n"); end > 0 && s[end] == '}' {
			return s[:end+1]
		}
	}
	return ""
}

func doxygenLine(line string, m []string) []string {
	name, rest := m[2], m[3]
	switch {
	case doxygenTitle.MatchString(name):
		title := strings.TrimSpace(rest)
		if name != "par" && name != "mainpage" && name != "name" {
			title = pageID.ReplaceAllString(title, "")
		}
		if title == "" {
			return []string{""}
		}
		return []string{"", "### " + title, ""}
	case name == "li" || name == "arg" && strings.HasPrefix(strings.TrimSpace(rest), "-"):
		return []string{m[1] + "- " + strings.TrimSpace(rest)}
	}
	if _, known := sections[strings.ToLower(name)]; known && name != "link" && name != "test" {
		way := direction.FindString(rest)
		rest = strings.TrimSpace(rest[len(way):])
		if strings.Contains(way, "out") {
			rest = "{" + strings.Trim(way, "[]") + "} " + rest
		}
		return []string{m[1] + "@" + name + " " + rest}
	}
	return []string{line}
}

var (
	doxygenWord = lazyregexp.New(`^[\\@](c|p|a|b|e|em|ref|link|n|copydoc|copybrief|copydetails|endlink|f\$|anchor|cite|emoji)\b[ \t]*`)
	formula     = lazyregexp.New(`^[\\@]f(\$|\[|\()`)
	argument    = lazyregexp.New(`^[^\s,;!?)]+`)
)

// command translates a command inside text: \c word, \ref X, \f$ formula \f$.
func (t *translator) command() {
	rest := t.s[t.i:min(len(t.s), t.i+400)]
	if m := formula.FindStringSubmatch(rest); m != nil {
		t.formula(m)
		return
	}
	if t.i > 0 && isWordByte(t.s[t.i-1]) {
		t.keep(1)
		return
	}
	m := doxygenWord.FindStringSubmatch(rest)
	if m == nil {
		t.keep(min(2, len(rest)))
		return
	}
	t.i += len(m[0])
	switch m[1] {
	case "n":
		t.breakBlock()
		return
	case "endlink":
		return
	}
	word := strings.TrimRight(argument.FindString(rest[len(m[0]):]), ".:")
	if strings.HasSuffix(word, "(") && strings.HasPrefix(rest[len(m[0])+len(word):], ")") {
		word += ")"
	}
	t.i += len(word)
	switch m[1] {
	case "c", "p", "ref", "link", "copydoc", "copybrief", "copydetails":
		t.out.WriteString(Code(strings.TrimPrefix(word, "#")))
	case "b":
		t.marked("**", word)
	case "a", "e", "em":
		t.marked("*", word)
	case "anchor":
	default:
		t.out.WriteString(word)
	}
}

func (t *translator) marked(mark, word string) {
	if word != "" {
		t.out.WriteString(mark + escapePlain(word) + mark)
	}
}

func (t *translator) formula(m []string) {
	closer := "f" + map[string]string{"$": "$", "[": "]", "(": ")"}[m[1]]
	t.i += len(m[0])
	for _, mark := range []string{`\`, "@"} {
		if inner, ok := t.before(mark + closer); ok {
			t.i += len(inner) + len(mark) + len(closer)
			t.out.WriteString(Code(inner))
			return
		}
	}
}
