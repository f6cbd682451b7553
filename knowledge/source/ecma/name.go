package ecma

// Numbers of the names that need no token.
const (
	nameThis int32 = iota + 1
	nameSuper
	namePrivate // of the class whose private names are known here
	reservedNames
)

// nameTable numbers the names of a file.
type nameTable struct {
	src    []byte
	slots  []int32 // by hash; 0 is free
	spans  []nameSpan
	global []int8 // what is known of it when the file does not declare it
	top    []int32
}

type nameSpan struct {
	off, end int32
	hash     uint32
}

func (n *nameTable) reset(src []byte, tokens int) {
	size := 64
	for size < tokens {
		size *= 2
	}
	if cap(n.slots) < size {
		n.slots = make([]int32, size)
	}
	n.slots = n.slots[:size]
	clear(n.slots)
	n.src = src
	n.spans = append(n.spans[:0], make([]nameSpan, reservedNames)...)
}

// number is the number of the name from off to end.
func (n *nameTable) number(off, end int32) int32 {
	word := n.src[off:end]
	hash := uint32(2166136261)
	for _, c := range word {
		hash = (hash ^ uint32(c)) * 16777619
	}
	mask := uint32(len(n.slots) - 1)
	for slot := hash & mask; ; slot = (slot + 1) & mask {
		i := n.slots[slot]
		if i == 0 {
			i = int32(len(n.spans))
			n.slots[slot] = i
			n.spans = append(n.spans, nameSpan{off, end, hash})
			return i
		}
		if s := n.spans[i]; s.hash == hash && string(n.src[s.off:s.end]) == string(word) {
			return i
		}
	}
}

func (n *nameTable) text(i int32) []byte {
	s := n.spans[i]
	return n.src[s.off:s.end]
}

// namePath is a name with what it is selected from, or a text of several names.
type namePath struct {
	parent, name int32
	text         string
	set          bool
}

// pathTable numbers dotted names.
type pathTable struct {
	paths  []namePath
	number map[uint64]int32
	texts  map[string]int32
}

func (p *pathTable) reset() {
	p.paths = append(p.paths[:0], namePath{})
	if p.number == nil {
		p.number, p.texts = map[uint64]int32{}, map[string]int32{}
	}
	clear(p.number)
	clear(p.texts)
}

// selected is the path of a name below a parent; 0 for no parent.
func (p *pathTable) selected(parent, name int32) int32 {
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
	e := &p.paths[n]
	if !e.set {
		text := valid(names.text(e.name))
		if e.parent != 0 {
			text = p.text(e.parent, names) + "." + text
		}
		e = &p.paths[n]
		e.text, e.set = text, true
	}
	return e.text
}
