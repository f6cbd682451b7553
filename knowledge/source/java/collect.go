package java

import (
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/control"
	kernel "github.com/causaldocs/causal/knowledge/source/token"
)

// dotted is a qualified name by its number; 0 is none.
type dotted = int32

type collector struct {
	words
	kernel.Paths
	mentions source.Mentions
	owner    int32
	apart    int // positive in nested functions and error paths
}

func (c *collector) alone(id ident) dotted { return c.Join(0, id) }

func (c *collector) use(u *unit, name dotted, how source.How, token int32) {
	if name <= 0 {
		return
	}
	m := source.Mention{Owner: c.owner, Name: name, At: token, Place: int32(len(c.mentions.List)), How: how, Branch: u.branches[token]}
	if c.apart > 0 && m.Branch != control.Apart {
		m.Branch = control.Later
	}
	c.mentions.List = append(c.mentions.List, m)
}

// Spell implements source.Speller.
func (c *collector) Spell(to []byte, name int32) []byte { return c.Paths.Spell(to, name, &c.Words) }

// LineOf implements source.Speller.
func (w *walker) LineOf(at int32) int { return int(w.toks[at].line) }
