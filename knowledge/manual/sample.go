package manual

import (
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/markdown"
)

// IsSample reports whether a file by its name is a sample of a configuration or holds its defaults: "config.example.toml",
// "defaults.yml". A file of JSON needs a name or directory that says so.
func IsSample(name string) bool {
	return sampleFile.MatchString(path.Base(name)) || IsShipped(name)
}

// IsShipped reports whether a file by its name holds only values that the project proposes or uses: "settings.json.template". Others
// may belong to a tool.
func IsShipped(name string) bool {
	return shippedFile.MatchString(path.Base(name)) && (!anyData.MatchString(name) || ofSettings.MatchString(name))
}

// IsDefaults reports whether the values of a sample hold for keys that are not set.
func IsDefaults(name string) bool { return IsShipped(name) && defaultFile.MatchString(path.Base(name)) }

const (
	sampleExt  = `\.(?:toml|ya?ml|ini|conf|cfg|json[5c]?)`
	sampleWord = `(?:example|sample|defaults?|template|dist)`
)

var (
	sampleFile  = lazyregexp.New(`(?i)^(?:(?:.*[._-])?` + sampleWord + `(?:[._-].*)?\.(?:toml|ya?ml|ini|conf|cfg)|.*\.(?:toml|ya?ml|ini|conf|cfg)[._-]` + sampleWord + `|(?:config|settings)\.(?:toml|ya?ml|ini))$`)
	shippedFile = lazyregexp.New(`(?i)^(?:(?:.*[._-])?` + sampleWord + sampleExt + `|.*` + sampleExt + `[._-]` + sampleWord + `|reference\.conf)$`)
	anyData     = lazyregexp.New(`(?i)\.(?:ya?ml|json)`)
	ofSettings  = lazyregexp.New(`(?i)conf|setting|option|preference|(?:^|/)\.?defaults\.`)
	defaultFile = lazyregexp.New(`(?i)^(?:.*[._-])?(?:defaults?|reference)\.`)
	braces      = lazyregexp.New(`(?i)\.(?:json|conf)`)
)

// block is a sample of a configuration in a document, in TOML, YAML or INI, or in the notation `[ key: <type> | default = x ]`.
type block struct {
	title, anchor string // of the heading above
	entries       []entry
	alone         bool // one key with the name of a setting, which may be of another tool
	whole         bool // it shows a whole configuration of this program
}

// entry is a key of a block. Its type is the title of the block with the keys below it.
type entry struct {
	path      []string
	typ       string
	text      string
	otherwise string // the default
	value     string // in a sample
	group     bool   // text may be about several keys
	out       bool   // it is commented out
}

// Open is the end of a name that stands for any key below the name.
const Open = "**"

const (
	deepestSample = 8
	deepestKey    = 16   // keys around a key
	mostEntries   = 4000 // of a document

	oneValue = `(?:"[^"]*"|'[^']*'|[\[{].*|[^\s"'\[{]\S*)(?:\s+#.*)?`
)

var (
	section  = lazyregexp.New(`^\s*(\[\[?)\s*([\w.-]+)\s*\]\]?\s*(?:[#;]\s*(.*))?$`)
	keyed    = lazyregexp.New(`^(\s*)(-\s+)?(?:\[\s*)?(<\w+>|[\w.-]+|"[^"]+")(?:\s*=\s*|:(?:\s+|$))(.*)$`)
	typed    = lazyregexp.New(`^\s*\[\s*(-\s*)?<(\w+)>`)
	typeOnly = lazyregexp.New(`^<(\w+)(?:>|\s*\|)`)
	stated   = lazyregexp.New(`\|\s*default\s*[=:]\s*([^\]>]+?)[\s\]>]*$`)
	beside   = lazyregexp.New(`^((?:[^"'#]|"[^"]*"|'[^']*')*?)(?:^|\s)#\s*(.*)$`)
	grouping = lazyregexp.New(`^\S+(?: \S+){0,4}[^.?!:;,]$|\b(?:these|following)\b`)
	assigned = lazyregexp.New(`^\s?[\w.-]+\s*=\s*\S`)
	banner   = lazyregexp.New(`^[#;]{3,}$|^#.*#$|^;.*;$|^[#;]+\s*[-=*_~+]{5,}$`)
	verbatim = lazyregexp.New(`[:=]\s*(?:[|>][-+\d]*|.*"""[^"]*)$`)
	trailing = lazyregexp.New(`\s*/\*\s*(.*?)\s*\*/$`)
	quotes   = lazyregexp.New(`"(?:[^"\\]|\\.)*"`)
	inBraces = lazyregexp.New(`^("[^"]+"|[\w.-]+)\s*(?:[:=]\s*("(?:[^"\\]|\\.)*"|.*?)|\{),?(?:\s+(?://|#)\s*(.*))?$`)
	// commentedOut matches a key that is commented out, and not a sentence with a colon.
	commentedOut = lazyregexp.New(`^(?:[#;][A-Za-z][\w.-]*:(?:\s+` + oneValue + `)?|[#;] ?[A-Za-z][\w.-]*\s*=\s*(?:` + oneValue + `)?)$`)
	said         = lazyregexp.New("^[`\"(]*\\pL[^ ]* ")
)

// level is a key that holds the keys with a greater indent.
type level struct {
	indent int
	key    string
}

// sampled reads the lines of a block.
func (f *finder) sampled(lines []string) {
	b := &block{title: f.title, anchor: f.anchor}
	f.blocks = append(f.blocks, b)
	var open []level
	var out hidden
	var head, above []string
	under := func(indent int) []string {
		for len(open) > 0 && open[len(open)-1].indent >= indent {
			open = open[:len(open)-1]
		}
		out := slices.Clone(head)
		for _, l := range open {
			if l.key == "[]" && len(out) > 0 {
				out[len(out)-1] += l.key
			} else {
				out = append(out, l.key)
			}
		}
		return out
	}
	spaced := isSpaced(lines)
	blank, apart := false, false // the line above is blank; a paragraph of comments has ended
	text := -1                   // the indent of the key whose value goes on
	for _, line := range lines {
		trimmed := strings.TrimSpace(line)
		if text >= 0 && (trimmed == "" || len(line)-len(strings.TrimLeft(line, " ")) > text) {
			continue
		}
		text = -1
		comment := strings.TrimLeft(trimmed, "#;")
		if comment == "" && len(trimmed) < 3 {
			if trimmed == "" && (blank || !spaced) {
				above = nil
			}
			blank, apart = trimmed == "", true
			continue
		}
		blank = false
		if apart && (section.MatchString(line) || grouping.MatchString(strings.Join(above, " "))) {
			above = nil // a title, or about what precedes it
		}
		if comment != trimmed {
			around := open
			indent := 2 * (len(line) - len(strings.TrimLeft(line, " ")))
			at := out.path(under(out.outer(indent)))
			open = around // a comment ends no section
			switch m := keyed.FindStringSubmatch(strings.TrimPrefix(comment, " ")); {
			case f.sample && out.begins(strings.TrimPrefix(comment, " ")):
				above = nil
			case m != nil && m[1]+m[2] == "" && (f.sample && commentedOut.MatchString(trimmed) || m[4] != "" && len(f.sampledNames(append(at, m[3]))) > 0):
				b.entry(append(at, m[3]), m[4], above)
				if b.entries[len(b.entries)-1].out = true; m[4] == "" && strings.HasSuffix(trimmed, ":") {
					out.levels = append(out.levels, level{indent, m[3]})
				}
				above = nil
			case len(above) == 0 && strings.HasPrefix(strings.TrimSpace(comment), "- "): // of a list that is commented out
			case banner.MatchString(trimmed), assigned.MatchString(comment):
				above = nil
			case !apart || len(above) == 0: // of several paragraphs, the first one describes the key
				above, apart = append(above, strings.TrimSpace(comment)), false
			}
			continue
		}
		apart, out = false, hidden{}
		if len(open) > deepestKey {
			open = open[:deepestKey] // no setting is that deep
		}
		if m := section.FindStringSubmatch(line); m != nil {
			head, open = strings.SplitN(m[2], ".", deepestKey), nil
			at := slices.Clone(head)
			if m[1] == "[[" {
				head[len(head)-1] += "[]"
			}
			b.entries = append(b.entries, entry{path: at, text: strings.Join(append(above, m[3]), " ")})
		} else if m := typed.FindStringSubmatch(line); m != nil && !strings.Contains(line, ":") {
			at := under(2 * (len(line) - len(strings.TrimLeft(line, " "))))
			if m[1] != "" && len(at) > 0 {
				at[len(at)-1] += "[]"
			}
			b.entries = append(b.entries, entry{path: at, typ: m[2]})
		} else if m := keyed.FindStringSubmatch(line); m != nil {
			indent := 2 * len(m[1])
			if m[2] != "" {
				under(indent + 1)
				open = append(open, level{indent + 1, "[]"})
				indent += 2 * len(m[2])
			}
			if m[3] = strings.Trim(m[3], `"`); strings.HasPrefix(m[3], "<") {
				m[3] = "*"
			}
			b.entry(append(under(indent), m[3]), m[4], above)
			open = append(open, level{indent, m[3]})
			if verbatim.MatchString(line) {
				text = len(m[1])
			}
		} else if indent := 2 * (len(line) - len(strings.TrimLeft(line, " \t"))); trimmed == "{" && len(under(indent)) > 0 {
			open = append(open, level{indent, "[]"})
		}
		above = nil
	}
}

// hidden are the sections of a sample that are commented out, at the current line.
type hidden struct {
	head   []string // in brackets
	levels []level  // by indent
}

// outer closes the sections with at least an indent, and returns the indent of the outermost that is left.
func (h *hidden) outer(indent int) int {
	for len(h.levels) > 0 && h.levels[len(h.levels)-1].indent >= indent {
		h.levels = h.levels[:len(h.levels)-1]
	}
	if len(h.levels) > 0 {
		return h.levels[0].indent
	}
	return indent
}

// path returns the sections around a key that is commented out.
func (h *hidden) path(around []string) []string {
	if h.head != nil {
		return slices.Clone(h.head)
	}
	for _, l := range h.levels[:min(len(h.levels), deepestKey)] {
		around = append(around, l.key)
	}
	return around
}

// begins reports whether a comment is the head of a section, which it opens.
func (h *hidden) begins(comment string) bool {
	m := section.FindStringSubmatch(comment)
	if m != nil {
		h.head, h.levels = strings.SplitN(m[2], ".", deepestKey), nil
	}
	return m != nil
}

// isSpaced reports whether most comments of a sample have a blank line between them and their key.
func isSpaced(lines []string) bool {
	const fewest = 3
	near, far := 0, 0
	for i, line := range lines {
		next := func(n int) string { return strings.TrimSpace(lines[min(i+n, len(lines)-1)]) }
		isKey := func(text string) bool { return keyed.MatchString(strings.TrimLeft(text, "#; ")) }
		switch text := strings.TrimSpace(line); {
		case text == "" || text[0] != '#' && text[0] != ';' || isKey(text):
		case isKey(next(1)):
			near++
		case next(1) == "" && isKey(next(2)):
			far++
		}
	}
	return far >= fewest && far > near
}

// entry adds a key with the comment beside it or else above it.
func (b *block) entry(at []string, value string, above []string) {
	e := entry{path: at, text: strings.Join(above, " ")}
	e.group = grouping.MatchString(e.text)
	if n := len(b.entries); n > 0 && e.text == "" && len(b.entries[n-1].path) == len(at) && b.entries[n-1].group {
		b.entries[n-1].text = "" // the title of a group
	}
	if m := beside.FindStringSubmatch(value); m != nil {
		value, e.text, e.group = m[1], m[2], false
	}
	if m := typeOnly.FindStringSubmatch(value); m != nil {
		e.typ = m[1]
	}
	if e.value = strings.TrimSpace(value); strings.Trim(e.value, "[{|>-+") == "" || verbatim.MatchString("= "+e.value) {
		e.value = "" // it is below
	} else if n := len(e.value) - 1; strings.Count(e.value, e.value[:1]) == 2 && strings.ContainsAny(e.value[:1], "\"'") && e.value[n] == e.value[0] {
		e.value = e.value[1:n]
	}
	if m := stated.FindStringSubmatch(value); m != nil {
		e.otherwise = strings.Trim(m[1], `"`)
	}
	b.entries = append(b.entries, e)
}

// samples notes the passages of the blocks of a document. What a block says counts before what a block with fewer keys says.
func (f *finder) samples() {
	types, of := map[string][]*block{}, map[string]bool{}
	for _, b := range f.blocks {
		for _, e := range b.entries {
			of[e.typ] = true
		}
	}
	left := mostEntries
	var roots []*block
	for _, b := range f.blocks {
		if name := strings.Trim(markdown.Plain(b.title, "markdown"), "<>` \\"); name != "" && of[name] {
			types[name] = append(types[name], b)
		} else {
			roots = append(roots, b)
		}
	}
	slices.SortStableFunc(roots, func(a, b *block) int { return f.known(b) - f.known(a) })
	var tell func(b *block, prefix []string, depth int)
	tell = func(b *block, prefix []string, depth int) {
		for _, e := range b.entries {
			if left--; left < 0 {
				return
			}
			at := append(slices.Clone(prefix), e.path...)
			f.anchor = b.anchor
			if !said.MatchString(e.text) {
				e.text = "" // a value, or the name of a file
			}
			known := f.sampledNames(at)
			if len(at) > 1 || !b.alone {
				f.keep(known, e.text, e.otherwise)
			}
			if b.whole && (!e.out || said.MatchString(e.text) && !strings.HasSuffix(e.text, ":") && !b.sets(e.path)) {
				f.keys = append(f.keys, Key{strings.Join(at, "."), e.value, plain(e.text), known, e.out})
			}
			for _, below := range types[e.typ] {
				if depth < deepestSample {
					tell(below, at, depth+1)
				}
			}
		}
	}
	for _, b := range roots {
		if below := b.belowRoot(); f.known(below) > 2*f.known(b)+fewestBelow {
			b = below
		}
		b.alone = f.known(b) < 2
		b.whole = f.sample || f.known(b) >= fewestKnown && b.described() >= fewestDescribed
		tell(b, nil, 0)
	}
}

// sets reports whether a block has a key that is not commented out.
func (b *block) sets(at []string) bool {
	return slices.ContainsFunc(b.entries, func(e entry) bool { return !e.out && slices.Equal(e.path, at) })
}

// fewestKnown and fewestDescribed are how many keys of a block in a document are known and have a comment at least, if it shows a
// whole configuration.
const fewestKnown, fewestDescribed = 3, 10

// described returns how many keys have a comment.
func (b *block) described() (n int) {
	for _, e := range b.entries {
		if said.MatchString(e.text) {
			n++
		}
	}
	return n
}

// Key is a key in a sample.
type Key struct {
	Name, Value string
	Text        string   // the comment
	Known       []string // the names that it has
	Out         bool     // it is commented out
}

// Keys returns the keys of a sample, or those of the whole configurations that a document shows.
func Keys(file string, content []byte, names map[string]bool) []Key {
	return read(file, content, names).keys
}

// inLines returns the lines of JSON or HOCON in the form of YAML, indented by their depth.
func inLines(lines []string) (out []string) {
	comment, depth := false, 0
	for _, line := range lines {
		text := trailing.ReplaceAllString(strings.TrimSpace(line), " // $1")
		begins := strings.HasPrefix(text, "/*")
		indent := strings.Repeat("  ", min(max(depth, 0), deepestKey))
		switch {
		case comment || begins:
			if comment = !strings.Contains(text, "*/"); !begins && comment || strings.Trim(text, "*/ ") != "" {
				out = append(out, indent+"# "+strings.Trim(text, "*/ "))
			}
			continue
		case strings.HasPrefix(text, "//"), strings.HasPrefix(text, "#"):
			text = "#" + strings.TrimLeft(strings.TrimSuffix(text, "//"), "/#")
		default:
			code, _, _ := strings.Cut(quotes.ReplaceAllString(text, ""), "//")
			rest := strings.TrimLeft(code, "}]")
			closed := len(code) - len(rest)
			indent = strings.Repeat("  ", min(max(depth-closed, 0), deepestKey))
			depth += strings.Count(code, "{") + strings.Count(code, "[") - strings.Count(code, "}") - strings.Count(code, "]")
			text = strings.TrimLeft(text, "}], ")
			if m := inBraces.FindStringSubmatch(text); m != nil {
				if text = m[1] + ": " + m[2]; m[3] != "" {
					text += " # " + m[3]
				}
			}
		}
		out = append(out, indent+text)
	}
	return out
}

// fewestBelow is how many more keys below the root of a sample are known than with it, if the root is only the program's name.
const fewestBelow = 2

// belowRoot returns the entries below the first key that most of them have, without it.
func (b *block) belowRoot() *block {
	below := map[string][]entry{}
	most := ""
	for _, e := range b.entries {
		if root := e.path[0]; len(e.path) > 1 {
			e.path = e.path[1:]
			below[root] = append(below[root], e)
			if len(below[root]) > len(below[most]) {
				most = root
			}
		}
	}
	return &block{title: b.title, anchor: b.anchor, entries: below[most]}
}

func (f *finder) known(b *block) (n int) {
	for _, e := range b.entries {
		n += min(len(f.sampledNames(e.path)), 1)
	}
	return n
}

// sampledNames returns the names that a key in a sample has, also those with * for one of its sections. A name that ends with Open
// stands for the keys below it.
func (f *finder) sampledNames(at []string) (out []string) {
	if f.byLast == nil {
		f.byLast = map[string][]string{}
		for name := range f.names {
			last := Loose(name[strings.LastIndexByte(name, '.')+1:])
			f.byLast[last] = append(f.byLast[last], name)
		}
	}
	for _, last := range []string{Loose(at[len(at)-1]), "*"} {
		for _, name := range f.byLast[last] {
			parts := strings.Split(name, ".")
			if len(parts) == len(at) && matches(parts, at) {
				out = append(out, name)
			}
		}
	}
	if len(out) > 0 || f.sample {
		return out
	}
	for _, name := range f.byLast[Open] {
		if parts := strings.Split(strings.TrimSuffix(name, "."+Open), "."); len(parts) < len(at) && matches(parts, at) {
			out = append(out, strings.Join(append(parts, at[len(parts):]...), "."))
		}
	}
	return out
}

func matches(parts, at []string) bool {
	for i, p := range parts {
		if p != "*" && Loose(p) != Loose(at[i]) {
			return false
		}
	}
	return true
}

// Loose returns a key for comparison: configurations may accept max-age, max_age and maxAge for one key.
func Loose(key string) string { return strings.ToLower(separators.Replace(key)) }

var separators = strings.NewReplacer("-", "", "_", "")
