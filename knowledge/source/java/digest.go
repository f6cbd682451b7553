package java

import (
	"strconv"

	"github.com/causaldocs/causal/knowledge/source"
	kernel "github.com/causaldocs/causal/knowledge/source/token"
)

type digester struct {
	*unit
	hash   *source.Hasher
	stream kernel.Stream
	docs   []symbolDoc
}

// symbolDoc is documentation that counts as content, with the token after it.
type symbolDoc struct {
	token int32
	text  string
}

func newDigester(u *unit) *digester {
	d := &digester{unit: u, hash: source.NewHasher()}
	size := 0
	for _, t := range u.toks {
		size += int(t.end - t.start)
	}
	d.stream.Reset(len(u.toks), size)
	for _, t := range u.toks {
		s := u.src[t.start:t.end]
		if t.kind == block {
			s = blockText(s)
		}
		d.stream.Mark()
		d.stream.Parts = source.AppendPart(d.stream.Parts, s)
	}
	return d
}

func (d *digester) add(spans ...span) {
	for _, s := range spans {
		if !s.Empty() {
			d.hash.AddBytes(d.stream.Of(int(s.From), int(s.To)))
		}
	}
}

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

// content digests a declaration with its documentation and that of its members.
func (d *digester) content(c decl, docs []symbolDoc) source.Digest {
	d.hash.Reset()
	for _, doc := range docs {
		d.hash.Add(doc.text)
	}
	d.hash.Add("tokens")
	d.add(c.all, c.rest)
	return d.hash.Sum()
}

// file digests the whole file; for a test only the displayed parts.
func (d *digester) file(f source.File) source.Digest {
	if f.Test {
		return source.TestContent(&f)
	}
	d.hash.Reset()
	d.add(span{From: 0, To: int32(len(d.toks))})
	d.hash.Add(f.Doc)
	d.hash.Add(strconv.FormatBool(f.Generated))
	d.hash.Add(strconv.FormatBool(f.Problem != ""))
	for _, doc := range d.docs {
		d.hash.Add(doc.text)
	}
	return d.hash.Sum()
}
