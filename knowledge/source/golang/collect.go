package golang

import (
	"go/token"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/control"
	kernel "github.com/causaldocs/causal/knowledge/source/token"
)

// collector gathers the names used by one declaration. It stores each name once per file.
type collector struct {
	mentions source.Mentions
	kernel.Words
	turns int32 // positions used in the execution order of the declaration
	last  int   // the mention with the last position
	control.Forks
	branch control.Branch // the current one
	rest   control.Branch // of what follows the last statement if that may return a result, otherwise 0
	// returns counts the return statements.
	returns int
	// literals is the branch of function literals: Result if the declaration returns them, directly or through a call; 0 for
	// Later. spawned is that of the next called function if it runs in a goroutine.
	literals, spawned control.Branch
	text              []byte
}

// note adds a use of a name given by its parts.
func (u *collector) note(how source.How, at token.Pos, parts ...string) {
	u.text = u.text[:0]
	for i, p := range parts {
		if i > 0 {
			u.text = append(u.text, '.')
		}
		u.text = append(u.text, p...)
	}
	u.turns++
	u.last = len(u.mentions.List)
	u.mentions.List = append(u.mentions.List, source.Mention{
		Owner: source.NoOwner, Name: u.NumberOf(u.text), At: int32(at), Place: u.turns, How: how, Branch: u.branch,
	})
}

// after moves a use behind all later ones: a function is called after its arguments are evaluated.
func (u *collector) after(at int) {
	if m := &u.mentions.List[at]; u.turns > m.Place {
		u.turns++
		m.Place, u.last = u.turns, at
	}
}

func (u *collector) begin() {
	u.mentions.List, u.turns = u.mentions.List[:0], 0
	u.Forks, u.branch = control.Forks{}, 0
	u.literals, u.spawned, u.rest = 0, 0, 0
}

// in walks code in a branch of the current one.
func (u *collector) in(b control.Branch, walk func()) {
	outer, rest := u.branch, u.rest
	u.branch = u.In(b, outer)
	if walk(); u.rest == 0 || u.branch.IsApart() {
		u.rest = rest
	}
	u.branch = outer
}

// references returns the uses found since begin.
func (w *walker) references() (out []source.Reference) {
	w.mentions.References(0, w, &w.Forks, func(_ int, list []source.Reference) { out = list })
	return out
}

// LineOf implements source.Speller.
func (w *walker) LineOf(at int32) int { return w.reader.line(token.Pos(at)) }
