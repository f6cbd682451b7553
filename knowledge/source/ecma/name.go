package ecma

import (
	"strings"

	kernel "github.com/causaldocs/causal/knowledge/source/token"
)

// Numbers of names without a token.
const (
	nameThis int32 = iota + 1
	nameSuper
	namePrivate // of the class whose private names are in scope
	reservedNames
)

// reserved spells the names without a token so that they match no token; the first is none.
var reserved = [reservedNames]string{"\x00", "\x00this", "\x00super", "\x00private"}

type nameTable struct {
	kernel.Words
	src    string
	global []int8 // see globals; for names that the file does not declare
	top    []int32
}

func (n *nameTable) reset(src []byte) {
	n.forget()
	n.src = string(src) // its words are substrings of it
	for _, name := range reserved {
		n.Number(name)
	}
}

// forget releases the source text.
func (n *nameTable) forget() {
	n.src = ""
	n.Words.Reset()
}

func (n *nameTable) number(off, end int32) int32 { return n.Number(n.src[off:end]) }

type namePath struct {
	parent, name int32
	text         string
	set, spelled bool
	taken        bool // imported from the parent module
}

type pathTable struct {
	paths  []namePath
	single []int32 // paths of one name, by its number
	number map[uint64]int32
	texts  map[string]int32

	letters []byte // text of the spelled paths
	spelled []spelling
}

type spelling struct {
	path int32
	end  int
}

func (p *pathTable) reset() {
	p.paths, p.single = append(p.paths[:0], namePath{}), p.single[:0]
	if p.number == nil {
		p.number, p.texts = map[uint64]int32{}, map[string]int32{}
	}
	clear(p.number)
	clear(p.texts)
}

// selected returns the path of a name below a parent; 0 is no parent.
func (p *pathTable) selected(parent, name int32) int32 {
	if parent == 0 {
		for int(name) >= len(p.single) {
			p.single = append(p.single, 0)
		}
		if p.single[name] == 0 {
			p.single[name] = int32(len(p.paths))
			p.paths = append(p.paths, namePath{name: name})
		}
		return p.single[name]
	}
	key := uint64(uint32(parent))<<32 | uint64(uint32(name))
	if n, ok := p.number[key]; ok {
		return n
	}
	n := int32(len(p.paths))
	p.number[key] = n
	p.paths = append(p.paths, namePath{parent: parent, name: name})
	return n
}

func (p *pathTable) literal(text string) int32 {
	n, ok := p.texts[text]
	if !ok {
		n = int32(len(p.paths))
		p.texts[text] = n
		p.paths = append(p.paths, namePath{text: text, set: true})
	}
	return n
}

func (p *pathTable) text(n int32, names *nameTable) string {
	if p.paths[n].set {
		return p.paths[n].text
	}
	return string(p.append(nil, n, names))
}

func (p *pathTable) append(out []byte, n int32, names *nameTable) []byte {
	e := &p.paths[n]
	if e.set {
		return append(out, e.text...)
	}
	if e.parent != 0 {
		out = append(p.append(out, e.parent, names), '.')
	}
	return append(out, strings.ToValidUTF8(names.Text(e.name), "\uFFFD")...)
}

// spell sets the texts of the found paths, which share one string.
func (p *pathTable) spell(list []finding, names *nameTable) {
	p.letters, p.spelled = p.letters[:0], p.spelled[:0]
	for i := range list {
		n := list[i].path
		if e := &p.paths[n]; n == 0 || e.set || e.spelled {
			continue
		}
		p.paths[n].spelled = true
		p.letters = p.append(p.letters, n, names)
		p.spelled = append(p.spelled, spelling{n, len(p.letters)})
	}
	all, from := string(p.letters), 0
	for _, s := range p.spelled {
		e := &p.paths[s.path]
		e.text, e.set = all[from:s.end], true
		from = s.end
	}
}
