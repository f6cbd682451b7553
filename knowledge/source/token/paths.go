package token

// Paths numbers dotted names, which consist of numbered words, from 1. 0 is no name.
type Paths struct {
	list  []path // by number, from 1
	index map[path]int32
}

type path struct{ parent, last int32 }

// Join returns the number of the name of a word below a parent, which may be 0 or another number that is no name, and adds it if it is new.
func (p *Paths) Join(parent, word int32) int32 {
	n, ok := p.Find(parent, word)
	if !ok {
		if p.index == nil {
			p.index = map[path]int32{}
		}
		p.list = append(p.list, path{parent, word})
		n = int32(len(p.list))
		p.index[path{parent, word}] = n
	}
	return n
}

// Find returns the number of the name of a word below a parent, if there is one.
func (p *Paths) Find(parent, word int32) (int32, bool) {
	n, ok := p.index[path{parent, word}]
	return n, ok
}

// Split returns the parent of a name, and its last word.
func (p *Paths) Split(n int32) (parent, word int32) { return p.list[n-1].parent, p.list[n-1].last }

// Spell appends the text of a name.
func (p *Paths) Spell(to []byte, n int32, words *Words) []byte {
	parent, word := p.Split(n)
	if parent > 0 {
		to = append(p.Spell(to, parent, words), '.')
	}
	return words.Spell(to, word)
}
