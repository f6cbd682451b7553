package ecma

import (
	"context"

	"github.com/causaldocs/causal/knowledge/source"
)

// Form is the outermost construct of a Type.
type Form uint8

// The forms of types. Other has no values that a literal describes, or is not understood.
const (
	Other   Form = iota
	Named        // with type arguments
	Literal      // a string, a number or a boolean
	Union
	Intersection
	Array
	Tuple
	Object
	Dictionary // an object with an index signature
	Function
	Predicate // x is T, asserts x
)

// Type is a type as a tree.
type Type struct {
	Form   Form
	Text   string         // as in the source; of a Named type, without its arguments
	Of     []Type         // operands, elements, or type arguments
	Fields []Field        // of an object, methods included
	Call   *source.Header // of a Function
}

// Field is a property of an object type.
type Field struct {
	Name     string
	Optional bool
	Type     Type
}

// deepestType bounds the nesting of a Type.
const deepestType = 40

// TypeOf reads the text of a type, such as that of a parameter of a source.Header.
func TypeOf(text string) (t Type) {
	_, err := source.Extract(context.Background(), task{TypeScript, func(x *extractor) source.File {
		t = x.form(span{To: len(x.t)}, 0)
		return source.File{}
	}}, "", []byte(text))
	if err != nil {
		return Type{Text: text}
	}
	return t
}

func (x *extractor) form(s span, depth int) Type {
	for s.From < s.To && (x.at(s.From).isPunct('|') || x.at(s.From).isPunct('&')) {
		s.From++
	}
	if depth > deepestType || s.Empty() {
		return Type{}
	}
	t := Type{Text: valid(x.src[x.at(s.From).off:x.at(s.To-1).end])}
	var bars, ands []int
	for i := s.From; i < s.To; {
		switch p := x.at(i); {
		case p.isPunct(pArrow):
			if first := x.at(s.From); !first.isKeyword(kNew) && !first.isKeyword(kAbstract) {
				t.Form, t.Call = Function, x.call(s, i, t.Text)
			}
			return t
		case i > s.From && p.isKeyword(kIs):
			t.Form = Predicate
			return t
		case i > s.From && p.isKeyword(kExtends) && !x.namesMember(i):
			return t
		case p.isPunct('|'):
			bars = append(bars, i)
		case p.isPunct('&'):
			ands = append(ands, i)
		case p.isPunct('<'):
			i = max(x.skipAngles(i), i+1)
			continue
		}
		i = x.skip(i)
	}
	switch {
	case bars != nil:
		t.Form, t.Of = Union, x.operands(s, bars, depth)
	case ands != nil:
		t.Form, t.Of = Intersection, x.operands(s, ands, depth)
	default:
		return x.operand(s, t, depth)
	}
	return t
}

// call returns the header of a function type with its arrow at token i.
func (x *extractor) call(s span, i int, text string) *source.Header {
	l := source.NewLayout(text)
	x.callParts(l, s.From)
	if i+1 < s.To {
		l.Result(valid(x.src[x.at(i+1).off:x.at(s.To-1).end]))
	}
	list := (&source.Symbol{Signature: text, Type: l.Parts()}).Headers()
	if len(list) != 1 {
		return nil
	}
	return &list[0]
}

func (x *extractor) operands(s span, at []int, depth int) (out []Type) {
	for _, i := range append(at, s.To) {
		out = append(out, x.form(span{From: s.From, To: i}, depth+1))
		s.From = i + 1
	}
	return out
}

func (x *extractor) operand(s span, t Type, depth int) Type {
	first, last := x.at(s.From), x.at(s.To-1)
	single, whole := s.To == s.From+1, int(last.match) == s.From
	if first.kind == tIdent && !single {
		switch first.id {
		case kReadonly:
			return x.form(span{From: s.From + 1, To: s.To}, depth+1)
		case kAsserts:
			t.Form = Predicate
			return t
		case kKeyof, kTypeof, kUnique, kInfer, kImport, kNew, kAbstract:
			return t
		}
	}
	switch {
	case last.isPunct(']') && !whole:
		if int(last.match) == s.To-2 {
			t.Form, t.Of = Array, x.operands(span{From: s.From, To: s.To - 2}, nil, depth)
		}
	case last.isPunct(']'):
		t.Form = Tuple
		x.list(s.From, s.To-1, func(i int) int {
			if x.at(i).kind == tIdent && x.at(i+1).isPunct(':') {
				i += 2
			}
			return x.argument(&t, i, s.To-1, depth)
		})
	case last.isPunct(')') && whole:
		return x.form(span{From: s.From + 1, To: s.To - 1}, depth+1)
	case last.isPunct('}') && whole:
		x.objectForm(&t, s.From, depth)
	case single && first.kind != tIdent && first.kind != tPunct, first.isPunct('-') && last.kind == tNumber, single && (t.Text == "true" || t.Text == "false"):
		t.Form = Literal
	case first.kind == tIdent:
		i := x.chain(s.From)
		if i == s.To {
			t.Form = Named
		} else if x.at(i).isPunct('<') && last.isPunct('>') && x.skipAngles(i) == s.To {
			t.Form, t.Text = Named, valid(x.src[first.off:x.at(i-1).end])
			x.list(i, s.To-1, func(i int) int { return x.argument(&t, i, s.To-1, depth) })
		}
	}
	return t
}

// argument adds the element or type argument at i to t. A spread or optional element makes t unknown.
func (x *extractor) argument(t *Type, i, limit, depth int) int {
	end := x.skipType(i)
	if t.Of = append(t.Of, x.form(span{From: i, To: end}, depth+1)); end == i || end != limit && !x.at(end).isPunct(',') {
		t.Form = Other
	}
	return end
}

func (x *extractor) objectForm(t *Type, open, depth int) {
	known := true
	x.members(open, func(e member) {
		typ := x.annotation(span{From: e.key, To: e.head})
		computed, index := x.at(e.key).isPunct('['), x.at(e.key+2).isPunct(':')
		switch {
		case e.params >= 0 && e.name != "" && !computed:
			t.Fields = append(t.Fields, Field{e.name, x.at(e.call - 1).isPunct('?'), Type{Form: Function}})
		case computed && index && !typ.Empty():
			t.Of = []Type{x.form(typ, depth+1)}
		case computed || e.name == "" || typ.Empty():
			known = false
		default:
			t.Fields = append(t.Fields, Field{e.name, x.at(x.skip(e.key)).isPunct('?'), x.form(typ, depth+1)})
		}
	})
	switch {
	case !known || t.Of != nil && t.Fields != nil:
	case t.Of != nil:
		t.Form = Dictionary
	default:
		t.Form = Object
	}
}
