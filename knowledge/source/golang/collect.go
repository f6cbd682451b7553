package golang

import (
	"go/token"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/control"
)

// collector gathers the distinct names used by one declaration. It stores each name once per file.
type collector struct {
	names []string
	ids   map[string]int
	marks []mark
	round int
	found []use
	last  int // index of the use noted last
	turns int // positions used in the execution order of the declaration
	control.Forks
	branch control.Branch // the current one
	rest   control.Branch // of what follows the last statement if that may return a result, otherwise 0
	// returns counts the return statements.
	returns int
	// returning is set if the declaration returns the current function literal, directly or through a call.
	returning bool
	text      []byte
}

type mark struct{ round, at int }

type use struct {
	name, way, order int
	at               token.Pos
	branch           control.Branch
}

// ways are the kinds of use; the index is the kind.
var ways = [...]struct {
	kind source.RefKind
	open bool
}{
	{source.RefCall, false}, {source.RefType, false}, {source.RefValue, false},
	{source.RefCall, true}, {source.RefType, true}, {source.RefValue, true},
}

const (
	asCall = iota
	asType
	asValue
	asOpen // added to the others
)

// note adds a use of a name given by its parts.
func (u *collector) note(way int, at token.Pos, parts ...string) {
	u.text = u.text[:0]
	for i, p := range parts {
		if i > 0 {
			u.text = append(u.text, '.')
		}
		u.text = append(u.text, p...)
	}
	id, ok := u.ids[string(u.text)]
	if !ok {
		id = len(u.names)
		name := parts[0]
		if len(parts) > 1 {
			name = string(u.text)
		}
		u.ids[name] = id
		u.names = append(u.names, name)
		u.marks = append(u.marks, make([]mark, len(ways))...)
	}
	m := &u.marks[id*len(ways)+way]
	if m.round == u.round {
		was := &u.found[m.at]
		u.last = m.at
		was.at = min(was.at, at)
		u.turns++
		was.branch, was.order = control.Merge(&u.Forks, was.branch, was.order, u.branch, u.turns)
		return
	}
	*m = mark{u.round, len(u.found)}
	u.turns++
	u.last = len(u.found)
	u.found = append(u.found, use{id, way, u.turns, at, u.branch})
}

// after moves the use at a position behind all later ones: a function is called after its arguments are evaluated.
func (u *collector) after(at, turn int) {
	if f := &u.found[at]; u.turns > turn {
		u.turns++
		move := func(order int) int {
			if order == turn {
				return u.turns
			}
			return order
		}
		u.Move(f.branch, move)
		f.order, u.last = move(f.order), at
	}
}

func (u *collector) begin() {
	u.round++
	u.found, u.turns = u.found[:0], 0
	u.Forks, u.branch = control.Forks{}, 0
	u.returning, u.rest = false, 0
}

// in walks code in a branch of the current one.
func (u *collector) in(b control.Branch, walk func()) {
	outer, rest := u.branch, u.rest
	u.branch = u.In(b, outer)
	if walk(); u.rest == 0 || u.branch == control.Apart {
		u.rest = rest
	}
	u.branch = outer
}

// references returns the uses found since begin.
func (w *walker) references() []source.Reference {
	if len(w.found) == 0 {
		return nil
	}
	out := make([]source.Reference, len(w.found))
	for i, f := range w.found {
		way := ways[f.way]
		branch, order := w.Final(f.branch, f.order)
		out[i] = source.Reference{
			Name: w.reader.valid(w.names[f.name]), Kind: way.kind, Open: way.open, Line: w.reader.line(f.at), Order: order, Branch: branch,
		}
	}
	return source.SortReferences(out)
}

func (u *collector) release() {
	clear(u.ids)
	clear(u.names)
	u.names, u.marks, u.found, u.round = u.names[:0], u.marks[:0], u.found[:0], 0
}
