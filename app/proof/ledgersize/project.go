package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/causaldocs/causal/app/cause"
	"github.com/causaldocs/causal/render/node"
)

// project is a repository that people push to. It makes the same pushes each time.
type project struct {
	random  *rand.Rand
	clock   int64
	modules []*node.Node
}

// What the project is made of.
const (
	mostModules = 150
	mostSymbols = 40 // of a module
	changedOnce = 3  // modules whose interface one push changes
)

var (
	verbs   = strings.Fields("Add Remove Fix Rename Move Split Simplify Allow Refuse Cache Log Check Parse Render Retry Bound Document Export Deprecate Speed-up")
	nouns   = strings.Fields("account address amount branch budget cart client commit config cookie currency customer discount event export field file filter header index invoice job key ledger limit lock login message metric module order page parser password payment queue quota reader refund report request response role router schema session shipment signature stock store token tree user webhook worker")
	reasons = strings.Fields("when for in of without with after before")
	people  = []string{"Ada Lovelace", "Grace Hopper", "Barbara Liskov", "Edsger Dijkstra", "Donald Knuth", "Margaret Hamilton", "Ken Thompson", "Radia Perlman"}
)

func newProject() *project {
	p := &project{random: rand.New(rand.NewPCG(1, 2)), clock: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC).Unix()} //nolint:gosec // the same each time
	for i := range mostModules {
		n := &node.Node{Path: fmt.Sprintf("internal/%s/%s%d", p.word(nouns), p.word(nouns), i)}
		for range 1 + p.random.IntN(mostSymbols) {
			n.PublicAPI = append(n.PublicAPI, p.symbol())
		}
		p.modules = append(p.modules, n)
	}
	return p
}

func (p *project) word(of []string) string { return of[p.random.IntN(len(of))] }

func (p *project) symbol() node.Symbol {
	name := p.word(verbs) + title(p.word(nouns)) + title(p.word(nouns))
	return node.Symbol{Name: name, Kind: "func", Signature: fmt.Sprintf("func %s(%s %s) error", name, p.word(nouns), title(p.word(nouns)))}
}

func title(word string) string { return strings.ToUpper(word[:1]) + word[1:] }

// push is what somebody pushes, and what it causes: the interfaces of some modules change.
func (p *project) push() (cause.Push, []cause.Consequence) {
	p.clock += int64(600 + p.random.IntN(6*3600))
	commit := fmt.Sprintf("%016x%016x%08x", p.random.Uint64(), p.random.Uint64(), p.random.Uint32())
	push := cause.Push{Commit: commit, Author: p.word(people), At: time.Unix(p.clock, 0).UTC().Format(time.RFC3339)}
	for range 1 + p.random.IntN(cause.MostSubjects) {
		push.Subjects = append(push.Subjects, fmt.Sprintf("%s the %s %s %s the %s %s", p.word(verbs), p.word(nouns), p.word(nouns), p.word(reasons), p.word(nouns), p.word(nouns)))
	}
	var list []cause.Consequence
	for len(list) < 1+p.random.IntN(changedOnce) {
		i := p.random.IntN(len(p.modules))
		now := p.change(p.modules[i])
		if c, ok := cause.OfModule(p.modules[i], now); ok {
			list = append(list, c)
		}
		p.modules[i] = now
	}
	return push, list
}

// change is a module with some functions more, some less, and some otherwise.
func (p *project) change(n *node.Node) *node.Node {
	now := *n
	now.PublicAPI = nil
	for _, s := range n.PublicAPI {
		switch p.random.IntN(2 * mostSymbols) {
		case 0:
		case 1:
			s.Signature = strings.Replace(s.Signature, "(", "("+p.word(nouns)+" string, ", 1)
			now.PublicAPI = append(now.PublicAPI, s)
		default:
			now.PublicAPI = append(now.PublicAPI, s)
		}
	}
	for range p.random.IntN(3) {
		if len(now.PublicAPI) < 2*mostSymbols {
			now.PublicAPI = append(now.PublicAPI, p.symbol())
		}
	}
	return &now
}
