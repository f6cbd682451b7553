package render

import (
	"errors"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/markdown"
)

// Happened implements graph.
func (g *factGraph) Happened(module string) ledger.Happened {
	if g.err != nil || !g.happened {
		return ledger.Happened{}
	}
	value, err := g.r.Read(ledger.HappenedTo(ModuleUnit(module).String()))
	g.err = errors.Join(g.err, err)
	h, _ := value.(ledger.Happened)
	return h
}

const happenedHeading = "API changes"

// happenedBytes is how much is said of one change.
const happenedBytes = 300

// happened tells the newest of what the log has of the module, each with the day and the commit.
func (p *page) happened() {
	h := p.graph.Happened(p.node.Path)
	if len(h.List) == 0 {
		return
	}
	p.heading(2, happenedHeading)
	var rows []string
	for _, one := range h.List {
		text, cut := opening(strings.Join(strings.Fields(one.Text), " "), happenedBytes, ". ", " ")
		row := markdown.Escape(text)
		if cut {
			row += "…"
		}
		if day, _, _ := strings.Cut(one.At, "T"); day != "" {
			row = markdown.Escape(day) + ": " + row
		}
		rows = append(rows, "- "+row+p.happenedAt(one.Source))
	}
	if h.More {
		rows = append(rows, "- Earlier ones: `causal log`")
	}
	p.line("%s", strings.Join(rows, "\n"))
}

var commitID = lazyregexp.New(`^[0-9a-f]{40}$|^[0-9a-f]{64}$`)

// happenedAt leads to the commit that something happened by, or to where else it was said.
func (p *page) happenedAt(source string) string {
	switch {
	case commitID.MatchString(source) && p.config.Repository != "":
		return " (" + markdown.Link(markdown.Code(source[:10]), p.config.Repository+"/commit/"+source) + ")"
	case commitID.MatchString(source):
		return " (" + markdown.Code(source[:10]) + ")"
	case strings.HasPrefix(source, "https://"):
		return " (" + markdown.Link("source", source) + ")"
	}
	return ""
}
