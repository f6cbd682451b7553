package golang

import (
	"go/ast"

	"github.com/causaldocs/causal/knowledge/source"
)

// piece is the input of a node's content digest, as ranges of the workspace.
type piece struct {
	from, to         int // in the tokens' parts
	docsFrom, docsTo int
}

// digests holds the digest of a declaration, and one without documentation if it has any.
type digests struct{ content, code source.Digest }

func (r *reader) content(doc string, p piece) digests {
	r.hash.Reset()
	r.hash.Add(doc)
	r.hash.AddFramed(r.tokens.parts[p.from:p.to])
	r.hash.AddFramed(r.docs[p.docsFrom:p.docsTo])
	d := digests{content: r.hash.Sum()}
	if doc != "" || p.docsTo > p.docsFrom {
		r.hash.Reset()
		r.hash.Add("") // as if without documentation
		r.hash.AddFramed(r.tokens.parts[p.from:p.to])
		d.code = r.hash.Sum()
	}
	return d
}

func (r *reader) begin(d ast.Decl) {
	r.tokens.parts = r.tokens.parts[:0]
	r.docs, r.specs = r.docs[:0], r.specs[:0]
	r.tokens.begin(r.offset(d.Pos()))
}

func (r *reader) whole(d ast.Decl) piece {
	r.begin(d)
	r.tokens.scan(r.offset(d.End()))
	return piece{to: len(r.tokens.parts)}
}

// group reads a grouped declaration, with separate pieces for its specs.
func (r *reader) group(d *ast.GenDecl) piece {
	r.begin(d)
	for _, s := range d.Specs {
		r.specs = append(r.specs, r.spec(s))
	}
	all := piece{docsTo: len(r.docs)}
	if r.broken {
		all.from = len(r.tokens.parts)
		r.tokens.begin(r.offset(d.Pos()))
	}
	r.tokens.scan(r.offset(d.End()))
	all.to = len(r.tokens.parts)
	return all
}

// spec reads to the start and then to the end of a spec. In a broken file it may be anywhere.
func (r *reader) spec(s ast.Spec) piece {
	t := &r.tokens
	if r.broken {
		t.begin(r.offset(s.Pos()))
	} else {
		t.scan(r.offset(s.Pos()))
		t.flush()
	}
	p := piece{from: len(t.parts), docsFrom: len(r.docs)}
	t.scan(r.offset(s.End()))
	p.to = len(t.parts)
	ast.Walk(innerDocs{r}, s)
	p.docsTo = len(r.docs)
	return p
}

func (r *reader) rescan(from, to int) []byte {
	r.tokens.parts = r.tokens.parts[:0]
	r.tokens.begin(from)
	r.tokens.scan(to)
	return r.tokens.parts
}

// innerDocs collects the visible comments of fields, methods and grouped values.
type innerDocs struct{ *reader }

// Visit implements ast.Visitor.
func (r innerDocs) Visit(n ast.Node) ast.Visitor {
	switch n := n.(type) {
	case *ast.Field:
		r.doc(n.Doc)
		r.doc(n.Comment)
	case *ast.ValueSpec:
		r.doc(n.Doc)
		r.doc(n.Comment)
	case *ast.TypeSpec:
		r.doc(n.Doc)
	case *ast.FuncLit:
		return nil
	}
	return r
}

func (r innerDocs) doc(g *ast.CommentGroup) {
	r.docs = source.AppendPart(r.docs, r.docText(g))
}
