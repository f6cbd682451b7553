package ecma

import (
	"strings"

	kernel "github.com/causaldocs/causal/knowledge/source/token"
)

// Numbers of the names that need no token.
const (
	nameThis int32 = iota + 1
	nameSuper
	namePrivate // of the class whose private names are known here
	reservedNames
)

// reserved are the names that need no token, spelled as no token is; the first is none.
var reserved = [reservedNames]string{"\x00", "\x00this", "\x00super", "\x00private"}

// nameTable numbers the names of a file.
type nameTable struct {
	kernel.Words
	src    string
	global []int8 // what is known of it when the file does not declare it
	top    []int32
}

func (n *nameTable) reset(src []byte) {
	n.forget()
	n.src = string(src) // its words are pieces of it
	for _, name := range reserved {
		n.Number(name)
	}
}

// forget lets go of the file that was read.
func (n *nameTable) forget() {
	n.src = ""
	n.Words.Reset()
}

// number is the number of the name from off to end.
func (n *nameTable) number(off, end int32) int32 { return n.Number(n.src[off:end]) }

// namePath is a name with what it is selected from, or a text of several names.
type namePath struct {
	parent, name int32
	text         string
	set, spelled bool
	taken        bool // from the module that the parent stands for
}

// pathTable numbers dotted names.
type pathTable struct {
	paths  []namePath
	single []int32 // of one name, by its number
	number map[uint64]int32
	texts  map[string]int32

	letters []byte // of the paths that are spelled
	spelled []spelling
}

// spelling says where the text of a path ends.
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

// selected is the path of a name below a parent; 0 for no parent.
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

// literal is a path for a text that stands as such nowhere in the source.
func (p *pathTable) literal(text string) int32 {
	n, ok := p.texts[text]
	if !ok {
		n = int32(len(p.paths))
		p.texts[text] = n
		p.paths = append(p.paths, namePath{text: text, set: true})
	}
	return n
}

// text is a path with dots.
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

// spell sets the texts of the paths that are found. They share one string.
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
