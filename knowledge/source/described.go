package source

import (
	"cmp"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

// Described is a document's description of a symbol: a Sphinx directive in reStructuredText or a section in Markdown.
type Described struct {
	Language string `json:"l,omitempty"` // the language of the domain; empty if the document does not say
	Module   string `json:"m,omitempty"`
	Name     string `json:"n"` // with the enclosing types: "Model.select"
	Digest   Digest `json:"d"` // of Text
	Bytes    int    `json:"b"`
	Line     int    `json:"f"` // 1-based
	End      int    `json:"t"`
	Anchor   string `json:"a,omitempty"` // of the Markdown heading
	// Text is the description without that of the members. It is not cached, because a manual may be longer than the
	// code.
	Text string `json:"-"`
}

const (
	// Limits for the entries of one document and the bytes of each entry.
	mostDescribed = 5000
	mostSaid      = 4 << 10
	longestName   = 200
	mostNested    = 8
	// mostTogether limits the symbols of one directive, and longestSignature the bytes of one signature.
	mostTogether     = 64
	longestSignature = 1 << 10
)

// defaultDomain is Sphinx's domain of directives without a prefix.
const defaultDomain = "py"

var (
	anyDirective = lazyregexp.New(`^\.\. (?:([\w+-]+):)?([\w-]+)::(?:\s+(.*))?$`)
	optionLine   = lazyregexp.New(`^:[\w-]+:`)
)

// Descriptions lists a reStructuredText document's symbol descriptions in document order.
func Descriptions(content []byte) []Described {
	text := strings.ReplaceAll(strings.ToValidUTF8(string(content), "�"), "\r\n", "\n")
	d := describedReader{lines: strings.Split(text, "\n"), domain: defaultDomain, code: -1}
	d.read()
	return d.out
}

type entry struct {
	language, module string
	names            []string
	holds            bool
	indent, line     int
	end              int
	text             []string
}

type describedReader struct {
	lines          []string
	domain, module string
	open           []*entry
	code           int // indentation of the current code block or comment; -1 outside
	entries        []*entry
	out            []Described
}

func (d *describedReader) read() {
	for i := 0; i < len(d.lines) && len(d.entries) < mostDescribed; {
		i = d.next(i)
	}
	for _, e := range d.entries {
		d.add(e)
	}
}

func (d *describedReader) next(i int) int {
	line := strings.TrimRight(d.lines[i], " \t")
	text := strings.TrimLeft(line, " \t")
	indent := len(line) - len(text)
	if text == "" {
		d.keep(i, "")
		return i + 1
	}
	for len(d.open) > 0 && indent <= d.open[len(d.open)-1].indent {
		d.open = d.open[:len(d.open)-1]
	}
	if d.code >= 0 && indent > d.code {
		d.keep(i, line)
		return i + 1
	}
	d.code = -1
	m := anyDirective.FindStringSubmatch(text)
	switch {
	case m != nil:
		if next, ok := d.directive(i, indent, m); ok {
			return next
		}
	case text == ".." || strings.HasPrefix(text, ".. ") || strings.HasSuffix(text, "::"):
		d.code = indent
	}
	d.keep(i, line)
	return i + 1
}

func (d *describedReader) keep(i int, line string) {
	if len(d.open) == 0 {
		return
	}
	e := d.open[len(d.open)-1]
	e.text = append(e.text, line)
	if line == "" {
		return
	}
	for _, e := range d.open {
		e.end = i + 1
	}
}

func (d *describedReader) directive(i, indent int, m []string) (next int, describes bool) {
	language := domains[cmp.Or(m[1], d.domain)]
	domain := TraitsOf(language).Domain
	switch kind := m[2]; {
	case domain != nil && domain.Modular && (kind == "module" || kind == "currentmodule"):
		d.module = strings.TrimSpace(m[3])
		if d.module == "None" {
			d.module = ""
		}
	case m[1] == "" && kind == "default-domain":
		d.domain = cmp.Or(strings.TrimSpace(m[3]), "none")
	case codeDirectives[kind]:
		d.code = indent
	case domain != nil && len(d.open) < mostNested:
		holds, describes := domain.Directives[kind]
		if describes && (kind != "attribute" || len(d.open) == 0) { // the entry of a type covers its attributes
			return d.begin(i, indent, language, holds, domain, m[3]), true
		}
	}
	return 0, false
}

var codeDirectives = map[string]bool{
	"code-block": true, "code": true, "sourcecode": true, "parsed-literal": true, "literalinclude": true, "raw": true, "prompt": true, "doctest": true,
	"testcode": true, "testoutput": true, "highlight": false, "productionlist": true, "graphviz": true, "math": true, "comment": true,
}

// begin opens an entry for the symbols of a directive, one per line, and returns the line after its options.
func (d *describedReader) begin(i, indent int, language string, holds bool, domain *Domain, first string) int {
	e := &entry{language: language, module: d.module, holds: holds, indent: indent, line: i + 1, end: i + 1}
	signatures := []string{first}
	next := i + 1
	for ; next < len(d.lines); next++ {
		line := strings.TrimRight(d.lines[next], " \t")
		text := strings.TrimSpace(line)
		if text == "" || len(line)-len(strings.TrimLeft(line, " \t")) <= indent {
			break
		}
		last := &signatures[len(signatures)-1]
		switch {
		case strings.HasSuffix(*last, `\`):
			if *last = strings.TrimSuffix(*last, `\`) + text; len(*last) > longestSignature {
				*last = (*last)[:longestSignature] // the name is near the beginning
			}
		case !optionLine.MatchString(text):
			signatures = append(signatures, text)
		case strings.HasPrefix(text, ":module:"):
			e.module = strings.TrimSpace(strings.TrimPrefix(text, ":module:"))
		}
	}
	if !domain.Modular {
		e.module = ""
	}
	for _, s := range signatures {
		name, of := domain.Symbol(strings.TrimSpace(s))
		if name = d.within(name); name == "" || len(name) > longestName || len(e.names) == mostTogether || slices.Contains(e.names, name) {
			continue
		}
		if e.names = append(e.names, name); of != language { // C declarations without a domain
			e.language, e.module = of, ""
		}
	}
	d.open = append(d.open, e)
	d.entries = append(d.entries, e)
	return next
}

func (d *describedReader) within(name string) string {
	if len(d.open) == 0 || name == "" {
		return name
	}
	owner := d.open[len(d.open)-1]
	if !owner.holds || len(owner.names) != 1 {
		return ""
	}
	if strings.HasPrefix(name, owner.names[0]+".") {
		return name
	}
	return owner.names[0] + "." + name
}

func (d *describedReader) add(e *entry) {
	text := said(e.text)
	if text == "" {
		return
	}
	for _, name := range e.names {
		if len(d.out) < mostDescribed {
			d.out = append(d.out, Described{e.language, e.module, name, DigestOf(text), len(text), e.line, e.end, "", text})
		}
	}
}

// said returns the text up to the size limit, with the field list moved after the first paragraph, which states the
// purpose.
func said(lines []string) string {
	for len(lines) > 0 && lines[0] == "" {
		lines = lines[1:]
	}
	text := strings.Trim(dedent(lines), "\n")
	fields := 0
	lines = strings.Split(text, "\n")
	for fields < len(lines) && (lines[fields] == "" || strings.HasPrefix(lines[fields], ":") || fields > 0 && indentOf(lines[fields]) > 0) {
		fields++
	}
	rest := strings.Join(lines[fields:], "\n")
	if first, behind, _ := strings.Cut(rest, "\n\n"); fields > 0 && strings.HasPrefix(lines[0], ":") && rest != "" {
		head := strings.TrimRight(strings.Join(lines[:fields], "\n"), "\n")
		if strings.HasSuffix(first, ":") || indentOf(behind) > 0 || strings.HasPrefix(first, "..") {
			first, behind = rest, ""
		}
		text = strings.TrimRight(first+"\n\n"+head+"\n\n"+behind, "\n")
	}
	if len(text) <= mostSaid {
		return text
	}
	return strings.TrimRight(text[:paragraphBefore(text, mostSaid)], "\n")
}

func paragraphBefore(text string, most int) int {
	last := 0
	for at := strings.LastIndex(text[:most], "\n\n"); at > 0; at = strings.LastIndex(text[:at], "\n\n") {
		if last == 0 {
			last = at
		}
		if rest := strings.TrimLeft(text[at:], "\n"); rest != "" && rest[0] != ' ' && rest[0] != '\t' {
			return at
		}
	}
	if last > 0 {
		return last
	}
	return strings.LastIndexByte(text[:most], '\n') + 1
}
