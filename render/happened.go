package render

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/render/node"
)

const happenedHeading = "API changes"

// happenedBytes bounds the text of one change.
const happenedBytes = 300

// happened lists the latest log entries of the module.
func (p *page) happened() {
	h := p.graph.Happened(p.node.Path)
	if len(h.List) == 0 {
		return
	}
	p.heading(2, happenedHeading)
	p.line("%s", p.config.happenedRows(h))
}

// happened lists the latest log entries of the modules of a bundle.
func (x *bundled) happened(nodes []*node.Node) string {
	var all ledger.Happened
	for _, n := range nodes {
		h := x.graph.Happened(n.Path)
		all.List, all.More = append(all.List, h.List...), all.More || h.More
	}
	if len(all.List) == 0 {
		return ""
	}
	slices.SortStableFunc(all.List, func(a, b ledger.Occurrence) int { return strings.Compare(b.At, a.At) })
	if len(all.List) > ledger.MostHappened {
		all.List, all.More = all.List[:ledger.MostHappened], true
	}
	return "## " + happenedHeading + paragraph + x.config.happenedRows(all) + paragraph
}

func (c Config) happenedRows(h ledger.Happened) string {
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
		rows = append(rows, "- "+row+c.happenedAt(one.Source))
	}
	if h.More {
		rows = append(rows, "- Earlier ones: `causal log`")
	}
	return strings.Join(rows, "\n")
}

var commitID = lazyregexp.New(`^[0-9a-f]{40}$|^[0-9a-f]{64}$`)

// happenedAt links to the commit or other source of a log entry.
func (c Config) happenedAt(source string) string {
	switch {
	case commitID.MatchString(source) && c.Repository != "":
		return " (" + markdown.Link(markdown.Code(source[:10]), c.Repository+"/commit/"+source) + ")"
	case commitID.MatchString(source):
		return " (" + markdown.Code(source[:10]) + ")"
	case strings.HasPrefix(source, "https://"):
		return " (" + markdown.Link("source", source) + ")"
	}
	return ""
}
