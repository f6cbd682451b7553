package pagecheck

import (
	"fmt"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazy"
	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

// The lines of diagrams. Text of a sequence must not contain characters with a meaning in Mermaid, which are written as numeric
// entities.
var (
	flowchart   = lazyregexp.New(`^flowchart (?:LR|RL|TB|TD|BT)$`)
	boxes       = lazyregexp.New(`^` + boxForm + `(?: -->(?:\|` + labelForm + `\|)? ` + boxForm + `)*$`)
	label       = lazyregexp.New(labelForm)
	participant = lazyregexp.New(`^participant (p[0-9]+) as ` + textForm + `$`)
	note        = lazyregexp.New(`^Note over (p[0-9]+): ` + textForm + `$`)
	block       = lazyregexp.New(`^(?:opt|alt|loop|par) ` + textForm + `$`)
	alternative = lazyregexp.New(`^else ` + textForm + `$`)
	message     = lazyregexp.New(`^(p[0-9]+)->>(p[0-9]+): ` + textForm + `$`)
)

const (
	labelForm = "\"[^\"`]+\""
	boxForm   = `[A-Za-z][A-Za-z0-9_]*(?:\[` + labelForm + `\])?`
	textForm  = `(?:[\pL\pN ._/]|#[0-9]+;)+`
)

// Mermaid's limits, which a page cannot raise.
const (
	mostBytes  = 50_000
	mostArrows = 500
)

// reserved lists lower-case keywords of Mermaid, in any position.
var reserved = lazy.Set(`end graph flowchart subgraph style class classdef linkstyle click call href direction interpolate default o x`)

// Diagram parses the Mermaid of pages: sequences of messages between participants with blocks and notes, and flowcharts of boxes
// with quoted labels and arrows. Mermaid accepts every accepted diagram. Other syntax is an error.
func Diagram(source string) error {
	lines := strings.Split(strings.TrimSpace(source), "\n")
	head, participants, open := strings.TrimSpace(lines[0]), []string{}, 0
	if head != "sequenceDiagram" && !flowchart.MatchString(head) {
		return fmt.Errorf("line 1: %q begins neither a flowchart nor a sequence", head)
	}
	if len(source) > mostBytes || strings.Count(source, "-->") > mostArrows {
		return fmt.Errorf("line 1: the diagram has more than %d bytes or %d arrows", mostBytes, mostArrows)
	}
	for i, line := range lines[1:] {
		line = strings.TrimSpace(line)
		ok := line == ""
		switch {
		case ok:
		case head != "sequenceDiagram":
			ok = boxes.MatchString(line) && !strings.Contains(line, "%%") && !slices.ContainsFunc(idsIn(line), func(id string) bool { return reserved[strings.ToLower(id)] })
		case participant.MatchString(line):
			participants, ok = append(participants, participant.FindStringSubmatch(line)[1]), true
		case block.MatchString(line):
			open, ok = open+1, true
		case alternative.MatchString(line):
			ok = open > 0
		case line == "end":
			open, ok = open-1, open > 0
		default:
			m := append(message.FindStringSubmatch(line), note.FindStringSubmatch(line)...)
			ok = len(m) > 0 && !slices.ContainsFunc(m[1:], func(id string) bool { return !slices.Contains(participants, id) })
		}
		if !ok {
			return fmt.Errorf("line %d: %q is not known here", i+2, line)
		}
	}
	if open > 0 {
		return fmt.Errorf("line %d: a block is not closed with end", len(lines))
	}
	return nil
}

func idsIn(line string) []string {
	return strings.FieldsFunc(label.ReplaceAllString(line, ""), func(r rune) bool { return strings.ContainsRune(" ->[]|", r) })
}
