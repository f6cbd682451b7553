package token

// Paths numbers dotted names, which consist of numbered words. 0 is no name; the zero value is ready after Reset.
type Paths struct {
	list   []path
	single []int32 // by word: the name that is only this word
	index  map[path]int32
}

type path struct{ parent, last int32 }

// Reset removes all names and keeps the memory.
func (p *Paths) Reset() {
	if p.index == nil {
		p.index = map[path]int32{}
	}
	clear(p.index)
	p.list, p.single = append(p.list[:0], path{}), p.single[:0]
}

// Join returns the number of the name of a word below a parent, which may be 0 or another number that is no name, and adds it if it is new.
func (p *Paths) Join(parent, word int32) int32 {
	if parent == 0 {
		if n := int(word) + 1 - len(p.single); n > 0 {
			p.single = append(p.single, make([]int32, n)...)
		}
		if p.single[word] == 0 {
			p.single[word] = p.add(path{0, word})
		}
		return p.single[word]
	}
	n, ok := p.Find(parent, word)
	if !ok {
		n = p.add(path{parent, word})
		p.index[path{parent, word}] = n
	}
	return n
}

func (p *Paths) add(name path) int32 {
	p.list = append(p.list, name)
	return int32(len(p.list) - 1)
}

// Find returns the number of the name of a word below a parent, if there is one.
func (p *Paths) Find(parent, word int32) (int32, bool) {
	n, ok := p.index[path{parent, word}]
	return n, ok
}

// Split returns the parent of a name, and its last word.
func (p *Paths) Split(n int32) (parent, word int32) { return p.list[n].parent, p.list[n].last }

// Spell appends the text of a name.
func (p *Paths) Spell(to []byte, n int32, words *Words) []byte {
	if parent := p.list[n].parent; parent > 0 {
		to = append(p.Spell(to, parent, words), '.')
	}
	return words.Spell(to, p.list[n].last)
}
