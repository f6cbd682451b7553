package java

import (
	"encoding/binary"
	"strconv"

	"github.com/causaldocs/causal/knowledge/source"
)

// digester makes digests of token ranges. The tokens are framed once, in one buffer; a range is then a part of it.
type digester struct {
	*unit
	hash   *source.Hasher
	stream []byte
	at     []int32 // start of each token in stream
	docs   []symbolDoc
}

// symbolDoc is documentation that counts as content, with the token that it stands before.
type symbolDoc struct {
	token int32
	text  string
}

func newDigester(u *unit) *digester {
	d := &digester{unit: u, hash: source.NewHasher(), at: make([]int32, len(u.toks)+1)}
	size := 0
	for _, t := range u.toks {
		size += int(t.end-t.start) + 1
	}
	d.stream = make([]byte, 0, size+64)
	for i, t := range u.toks {
		d.at[i] = int32(len(d.stream))
		s := u.src[t.start:t.end]
		if t.kind == block {
			s = blockText(s)
		}
		d.stream = binary.AppendUvarint(d.stream, uint64(len(s)))
		d.stream = append(d.stream, s...)
	}
	d.at[len(u.toks)] = int32(len(d.stream))
	return d
}

func (d *digester) add(spans ...span) {
	for _, s := range spans {
		if s.from < s.to {
			d.hash.AddBytes(d.stream[d.at[s.from]:d.at[s.to]])
		}
	}
}

// iface digests what a dependant sees of a declaration.
func (d *digester) iface(p *parser, c decl) source.Digest {
	d.hash.Reset()
	d.hash.Add(string(c.kind))
	notes, mods, parts := p.header(c)
	for _, group := range [][]span{notes, mods, parts, c.members} {
		d.hash.Add(strconv.Itoa(len(group)))
		d.add(group...)
	}
	return d.hash.Sum()
}

// content digests a whole declaration with its documentation and, of a type, that of its members.
func (d *digester) content(c decl, docs []symbolDoc) source.Digest {
	d.hash.Reset()
	for _, doc := range docs {
		d.hash.Add(doc.text)
	}
	d.hash.Add("tokens")
	d.add(c.all, c.rest)
	return d.hash.Sum()
}

// file digests the whole file; of a test only what is shown of it.
func (d *digester) file(f source.File) source.Digest {
	d.hash.Reset()
	if f.Test {
		for _, t := range f.Tests {
			d.hash.Add(t)
		}
		for _, imp := range f.Imports {
			d.hash.Add(imp.Path)
			d.hash.Add(strconv.FormatBool(imp.All))
			for _, n := range imp.Names {
				d.hash.Add(n.Name)
			}
		}
		return d.hash.Sum()
	}
	d.add(span{0, int32(len(d.toks))})
	d.hash.Add(f.Doc)
	d.hash.Add(strconv.FormatBool(f.Generated))
	d.hash.Add(strconv.FormatBool(f.Problem != ""))
	for _, doc := range d.docs {
		d.hash.Add(doc.text)
	}
	return d.hash.Sum()
}
