package source

import (
	"slices"
	"strings"
)

// Header is a parsed declaration. Texts have the spacing of the signature.
type Header struct {
	Text string // without the notes
	// Notes are decorators, attributes and annotations. Modifiers are words such as "public" and "async".
	Notes, Modifiers []string
	Word             string // the keyword, if a Kind covers several: "class", "@interface"
	TypeParams       []Parameter
	Params           []Parameter
	Bases            []string // extended or implemented types, or bounds
	Result           string   // a function's result; a variable's type
	Value            string   // a variable's value, if shown; "0" or "delete" for a function; a type's definition (TypeScript)
	// Members are fields with their types and enum constants. Partial marks a type with members that are not shown.
	Members []Parameter
	Partial bool
}

// Parameter is a parameter, type parameter or member. Type is the bound of a type parameter.
type Parameter struct {
	Name, Type, Default string
	Kind                ParameterKind
	Optional            bool
}

// ParameterKind is the way in which a caller passes a parameter.
type ParameterKind byte

// The kinds of parameters.
const (
	Plain       ParameterKind = 'p' // by position, and in some languages by name
	Positional  ParameterKind = '/'
	KeywordOnly ParameterKind = '*'
	Variadic    ParameterKind = 'v' // takes all further arguments
	Keywords    ParameterKind = 'k' // takes all further named arguments
	Receiver    ParameterKind = 's'
)

// part is a kind of piece of a signature. The parts in capitals and the parameter kinds have no text.
type part byte

const (
	partDeclaration part = 'D'
	partTypeParam   part = 'T'
	partMember      part = 'M'
	partOptional    part = 'O'
	partPartial     part = 'H'
	partNote        part = 'n'
	partModifier    part = 'm'
	partWord        part = 'w'
	partName        part = 'i'
	partType        part = 't'
	partDefault     part = 'd'
	partResult      part = 'r'
	partBase        part = 'b'
	partValue       part = '='
)

// Parts encodes the positions of a signature's parts, for each joined declaration.
type Parts string

// Layout records the parts of a declaration in signature order.
type Layout struct {
	text    string
	at, end int // start of the search for the next part, and end of the last one
	out     []byte
	lost    bool // the signature lacks a part
}

// NewLayout returns a Layout for a signature and consumes the leading lines that begin with a note prefix.
func NewLayout(signature string, note ...string) *Layout {
	l := &Layout{text: signature}
	for {
		line, _, more := strings.Cut(signature[l.at:], "\n")
		if !more || !slices.ContainsFunc(note, func(n string) bool { return strings.HasPrefix(line, n) }) {
			return l
		}
		l.add(partNote, line)
		l.at++
	}
}

func (l *Layout) add(p part, text string) {
	if text == "" || l.lost {
		return
	}
	at := strings.Index(l.text[l.at:], text)
	if l.lost = at < 0; l.lost {
		return
	}
	l.put(p, l.at+at, len(text))
}

// put adds the part of that length at a place in the text.
func (l *Layout) put(p part, at, length int) {
	way := 2 * (at - l.end)
	if way < 0 {
		way = -way - 1
	}
	l.out = appendNumber(appendNumber(append(l.out, byte(p)), way), length)
	l.at = at + length
	l.end = l.at
}

// Modifier adds words before or after the declaration, such as "public" and "const".
func (l *Layout) Modifier(words ...string) {
	for _, w := range words {
		l.add(partModifier, w)
	}
}

// Word adds the declaration's keyword.
func (l *Layout) Word(word string) { l.add(partWord, word) }

// TypeParam opens a type parameter. Its name, type and default follow.
func (l *Layout) TypeParam() { l.out = append(l.out, byte(partTypeParam)) }

// Param opens a parameter.
func (l *Layout) Param(kind ParameterKind) { l.out = append(l.out, byte(kind)) }

// Same opens one parameter or field per name, all with one type.
func (l *Layout) Same(open func(), names []string, typ string) {
	if len(names) < 2 || l.lost {
		for _, name := range names {
			open()
			l.Name(name)
			l.Type(typ)
		}
		return
	}
	places, at := make([]int, len(names)), l.at
	for i, name := range names {
		next := strings.Index(l.text[at:], name)
		if l.lost = next < 0; l.lost {
			return
		}
		places[i] = at + next
		at = places[i] + len(name)
	}
	next := strings.Index(l.text[at:], typ) // behind the last name
	if l.lost = next < 0; l.lost {
		return
	}
	for i, name := range names {
		open()
		l.put(partName, places[i], len(name))
		l.put(partType, at+next, len(typ))
	}
}

// Member opens a field or an enum constant.
func (l *Layout) Member() { l.out = append(l.out, byte(partMember)) }

// Name adds the name of the open parameter.
func (l *Layout) Name(text string) { l.add(partName, text) }

// Type adds to the type of the open parameter. A type may have two pieces, before and after the name.
func (l *Layout) Type(text string) { l.add(partType, text) }

// Default adds the default of the open parameter.
func (l *Layout) Default(text string) { l.add(partDefault, text) }

// Optional marks the open parameter as optional.
func (l *Layout) Optional() { l.out = append(l.out, byte(partOptional)) }

// Result adds to a function's result or a variable's type.
func (l *Layout) Result(text string) { l.add(partResult, text) }

// Base adds an extended or implemented type, or a bound.
func (l *Layout) Base(text string) { l.add(partBase, text) }

// Value adds the value of a variable or a function.
func (l *Layout) Value(text string) { l.add(partValue, text) }

// Assigned adds the text after the next = as the value.
func (l *Layout) Assigned() {
	if at := strings.Index(l.text[l.at:], " = "); at >= 0 {
		l.at += at + len(" = ")
		l.add(partValue, l.text[l.at:])
	}
}

// Braced adds the text from the next brace on as the value.
func (l *Layout) Braced() {
	if at := strings.IndexByte(l.text[l.at:], '{'); at >= 0 {
		l.add(partValue, l.text[l.at+at:])
	}
}

// Partial marks a declaration with hidden members.
func (l *Layout) Partial() { l.out = append(l.out, byte(partPartial)) }

// Parts returns the recorded parts, or "" if the signature lacks one of them.
func (l *Layout) Parts() Parts {
	if l.lost {
		return ""
	}
	return Parts(append(appendNumber([]byte{byte(partDeclaration)}, len(l.text)), l.out...))
}

func appendNumber(out []byte, n int) []byte {
	for ; n >= 26; n /= 26 {
		out = append(out, 'A'+byte(n%26))
	}
	return append(out, 'a'+byte(n))
}

// Join returns the parts of two signatures joined by a newline, or "" if either is unknown.
func (p Parts) Join(other Parts) Parts {
	if p == "" || other == "" {
		return ""
	}
	return p + other
}

// Headers parses the symbol's declarations in signature order. It returns nil if the extractor recorded no parts.
func (s *Symbol) Headers() []Header {
	d := decoder{parts: s.Type, rest: s.Signature}
	for d.parts != "" {
		d.next()
	}
	return d.out
}

// Value returns the value of a constant or a variable, if exactly one of its declarations shows it.
func (s *Symbol) Value() string {
	list := slices.DeleteFunc(s.Headers(), func(h Header) bool { return h.Value == "" })
	if len(list) != 1 {
		return ""
	}
	return list[0].Value
}

type decoder struct {
	parts Parts
	out   []Header
	rest  string
	text  string
	at    int
	last  *Parameter
}

func (d *decoder) number() int {
	n := 0
	for i, unit := 0, 1; ; i, unit = i+1, unit*26 {
		if c := d.parts[i]; c >= 'a' {
			d.parts = d.parts[i+1:]
			return n + unit*int(c-'a')
		}
		n += unit * int(d.parts[i]-'A')
	}
}

func (d *decoder) next() {
	p := part(d.parts[0])
	d.parts = d.parts[1:]
	if p == partDeclaration {
		n := min(d.number(), len(d.rest))
		d.text, d.rest, d.at = d.rest[:n], d.rest[min(n+1, len(d.rest)):], 0
		d.out = append(d.out, Header{Text: d.text})
		return
	}
	h := &d.out[len(d.out)-1]
	switch p {
	case partTypeParam:
		d.open(&h.TypeParams, Plain)
	case partMember:
		d.open(&h.Members, Plain)
	case part(Plain), part(Positional), part(KeywordOnly), part(Variadic), part(Keywords), part(Receiver):
		d.open(&h.Params, ParameterKind(p))
	case partOptional:
		d.last.Optional = true
	case partPartial:
		h.Partial = true
	default:
		way := d.number()
		from := d.at + way/2
		if way%2 == 1 {
			from = d.at - way/2 - 1
		}
		if d.at = from + d.number(); from < 0 || d.at > len(d.text) { // parts of another signature
			d.parts, d.out = "", nil
			return
		}
		d.set(h, p, d.text[from:d.at])
	}
}

func (d *decoder) open(list *[]Parameter, kind ParameterKind) {
	*list = append(*list, Parameter{Kind: kind, Optional: kind == Variadic || kind == Keywords})
	d.last = &(*list)[len(*list)-1]
}

func (d *decoder) set(h *Header, p part, text string) {
	switch p {
	case partNote:
		h.Notes, h.Text = append(h.Notes, text), d.text[min(d.at+1, len(d.text)):]
	case partModifier:
		h.Modifiers = append(h.Modifiers, text)
	case partWord:
		h.Word = text
	case partName:
		d.last.Name = text
	case partType:
		d.last.Type += text
	case partDefault:
		d.last.Default, d.last.Optional = text, true
	case partBase:
		h.Bases = append(h.Bases, text)
	case partResult:
		h.Result += text
	case partValue:
		h.Value = text
	}
}

// Is reports whether the declaration has a modifier.
func (h *Header) Is(modifier string) bool { return slices.Contains(h.Modifiers, modifier) }
