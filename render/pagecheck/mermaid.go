package pagecheck

import (
	"fmt"
	"strings"
	"unicode/utf16"

	"github.com/causaldocs/causal/knowledge/lazy"
	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

// Mermaid's limits, which a page cannot raise.
const (
	maxDiagram = 50_000 // UTF-16 units
	maxEdges   = 500
)

// DiagramError reports a line outside the supported subset. Line counts from 1 within the diagram.
type DiagramError struct {
	Line int
	What string
}

func (e *DiagramError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.What) }

// Diagram parses the subset of Mermaid that pages use: sequences of messages between participants, and flowcharts with
// quoted labels, plain ids, the arrows "-->", "-.->", "==>" and their lines without a head, edge labels in |"…"|,
// subgraphs, classes and comments. Mermaid accepts every accepted diagram. Unknown syntax is an error.
func Diagram(source string) error {
	if len(source) > maxDiagram && len(utf16.Encode([]rune(source))) > maxDiagram {
		return &DiagramError{1, "the diagram has more than 50,000 characters"}
	}
	var c chart
	last := 0
	for line := range strings.SplitSeq(source, "\n") {
		last++
		if what := c.line(strings.TrimSpace(line)); what != "" {
			return &DiagramError{last, what}
		}
	}
	switch {
	case !c.started:
		return &DiagramError{last, "there is no diagram"}
	case c.open > 0:
		return &DiagramError{last, "a block is not closed with end"}
	case c.edges > maxEdges:
		return &DiagramError{last, fmt.Sprintf("%d edges are more than %d", c.edges, maxEdges)}
	}
	return nil
}

type chart struct {
	started      bool
	isSequence   bool
	participants []string

	open  int // subgraphs
	edges int
}

var (
	header   = lazyregexp.New(`^(?:flowchart|graph)[ \t]+(?:LR|RL|TB|TD|BT)$`)
	turn     = lazyregexp.New(`^direction[ \t]+(?:LR|RL|TB|TD|BT)$`)
	subgraph = lazyregexp.New(`^subgraph[ \t]+(` + idForm + `)(?:[ \t]*\[(` + labelForm + `)\])?$`)
	classDef = lazyregexp.New(`^classDef[ \t]+(` + classForm + `(?:,` + classForm + `)*)[ \t]+(` + styleForm + `(?:,` + styleForm + `)*)$`)
	class    = lazyregexp.New(`^class[ \t]+(` + idForm + `(?:,` + idForm + `)*)[ \t]+(` + classForm + `)$`)
	arrowAt  = lazyregexp.New(`^[ \t]*(-->|-\.->|==>|---|-\.-|===)(?:[ \t]*\|(` + labelForm + `)\|)?([ \t]*)`)
)

const (
	idForm    = `[A-Za-z][A-Za-z0-9_]*`
	classForm = `[A-Za-z][A-Za-z0-9_]*`
	labelForm = `"[^"\n]*"`
	styleForm = `[a-z][a-z-]*:[ ]?#?[A-Za-z0-9.]+(?:[ ][A-Za-z0-9.]+)*`
)

// reserved lists lower-case keywords of Mermaid, in any position.
var reserved = lazy.Set(`end graph flowchart subgraph style class classdef linkstyle click call href direction interpolate default o x`)

func badID(id string) string {
	if reserved[strings.ToLower(id)] {
		return fmt.Sprintf("%q cannot be an id", id)
	}
	return ""
}

func (c *chart) line(line string) string {
	if strings.HasPrefix(line, "%%") {
		if strings.HasPrefix(line, "%%{") {
			return "directives are not known"
		}
		return ""
	}
	if !c.started && line == sequenceHeader {
		c.started, c.isSequence = true, true
		return ""
	}
	if c.isSequence {
		return c.sequence(line)
	}
	for _, statement := range statements(line) {
		if statement == "" {
			continue
		}
		if what := c.statement(statement); what != "" {
			return what
		}
	}
	return ""
}

// statements cuts a line at semicolons outside quotes.
func statements(line string) []string {
	var out []string
	from, quoted := 0, false
	for i := range len(line) {
		switch {
		case line[i] == '"':
			quoted = !quoted
		case line[i] == ';' && !quoted:
			out = append(out, strings.TrimSpace(line[from:i]))
			from = i + 1
		}
	}
	return append(out, strings.TrimSpace(line[from:]))
}

func (c *chart) statement(s string) string {
	if !c.started {
		if !header.MatchString(s) {
			return "a diagram starts with flowchart and LR, RL, TB, TD or BT"
		}
		c.started = true
		return ""
	}
	first, _, _ := strings.Cut(strings.ReplaceAll(s, "\t", " "), " ")
	switch first {
	case "end":
		if c.open == 0 || s != "end" {
			return "end closes nothing"
		}
		c.open--
		return ""
	case "subgraph":
		return c.subgraph(s)
	case "direction":
		return form(turn.MatchString(s), "direction takes LR, RL, TB, TD or BT")
	case "classDef":
		return form(definesClass(s), "classDef takes names and property:value pairs")
	case "class":
		return form(class.MatchString(s) && usable(class.FindStringSubmatch(s)), "class takes ids and the name of a class")
	}
	return c.edge(s)
}

func form(ok bool, what string) string {
	if ok {
		return ""
	}
	return what
}

func definesClass(s string) bool {
	m := classDef.FindStringSubmatch(s)
	if m == nil {
		return false
	}
	for _, name := range strings.Split(m[1], ",") {
		if name != "default" && badID(name) != "" {
			return false
		}
	}
	return true
}

func usable(m []string) bool {
	for _, id := range strings.Split(m[1]+","+m[2], ",") {
		if badID(id) != "" {
			return false
		}
	}
	return true
}

func (c *chart) subgraph(s string) string {
	m := subgraph.FindStringSubmatch(s)
	if m == nil {
		return "subgraph takes an id and a quoted label in brackets"
	}
	c.open++
	if what := badID(m[1]); what != "" {
		return what
	}
	if m[2] == "" {
		return ""
	}
	return badLabel(m[2])
}

func badLabel(quoted string) string {
	text := quoted[1 : len(quoted)-1]
	switch {
	case text == "":
		return "a label is empty"
	case strings.HasPrefix(text, "`"):
		return "a label starts with a backtick"
	case strings.Contains(text, "%%"):
		return "a label holds %%"
	}
	return ""
}

// edge reads nodes with arrows between them: a & b --> c --> d.
func (c *chart) edge(s string) string {
	rest, before, what := group(s)
	for what == "" && rest != "" {
		m := arrowAt.FindStringSubmatch(rest)
		if m == nil {
			return fmt.Sprintf("%q is not known here", clip(rest))
		}
		if m[2] != "" {
			if what := badLabel(m[2]); what != "" {
				return what
			}
		}
		rest = rest[len(m[0]):]
		if m[3] == "" && !strings.HasSuffix(m[1], ">") && m[2] == "" && rest != "" && strings.IndexByte("oxOX<-.=", rest[0]) >= 0 {
			return "put a space after the line"
		}
		var after int
		rest, after, what = group(rest)
		c.edges += before * after
		before = after
	}
	return what
}
