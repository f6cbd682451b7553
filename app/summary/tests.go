package summary

import (
	"fmt"
	"strings"

	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/report"
	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/testgen"
)

// TestsTitle counts invalidated specs and changed results; empty if there are none.
func TestsTitle(t *report.Tests) string {
	if t == nil {
		return ""
	}
	var parts []string
	if n := len(t.Invalidated); n > 0 {
		parts = append(parts, Count(n, "spec")+" invalidated")
	}
	if n := len(t.BehaviourChanges); n > 0 {
		parts = append(parts, Count(n, "behaviour")+" changed")
	}
	return strings.Join(parts, ", ")
}

// tests is the row about test specs.
func (p Pull) tests() string {
	t := p.Report.Tests
	title := TestsTitle(t)
	if title == "" {
		return ""
	}
	text := title + ": "
	if len(t.BehaviourChanges) > 0 {
		return text + markdown.Cell(strings.Join(upTo(mostInLine, t.BehaviourChanges, changeText), " · ")) +
			". Fix the code, or accept the change: " + markdown.Cell(Code(acceptCommand(t.BehaviourChanges[0]))) + "."
	}
	names := upTo(mostInLine, t.Invalidated, func(f testgen.Fallen) string { return p.specLink(f.Spec) + " (" + Code(f.Because) + ")" })
	return text + markdown.Cell(strings.Join(names, " · ")) + ". Their tests are skipped until the next `causal testgen --verify`."
}

// specLink links a spec.
func (p Pull) specLink(spec string) string {
	name := markdown.Code(plain.Line(testgen.NameOf(spec), longestText))
	if to := address(p.Web, "blob", p.Base, spec); len(to) <= longestAddress && testgen.NameOf(spec) != "" {
		return "[" + name + "](" + to + ")"
	}
	return Code(spec)
}

func changeText(c testgen.Change) string {
	return Code(c.Call) + " was " + result(c.Was) + ", is " + result(c.Is)
}

// result formats a result in a sentence.
func result(text string) string {
	switch text {
	case "error":
		return "an error"
	case "":
		return "`\"\"`"
	}
	return Code(text)
}

func acceptCommand(c testgen.Change) string {
	return "causal testgen --accept " + c.Spec + "#" + c.Case
}

// upTo formats the first entries of a list, and counts the others.
func upTo[T any](most int, list []T, show func(T) string) []string {
	var out []string
	for i, one := range list {
		if i == most {
			return append(out, fmt.Sprintf("and %d more", len(list)-i))
		}
		out = append(out, show(one))
	}
	return out
}

// Tests lists the invalidated specs and changed results, with remedies.
func Tests(t *report.Tests) string {
	if TestsTitle(t) == "" {
		return ""
	}
	var out []string
	for _, c := range t.BehaviourChanges {
		out = append(out, "- "+changeText(c)+"; to accept it: "+Code(acceptCommand(c)))
	}
	for _, f := range t.Invalidated {
		if len(t.Changed(f.Spec)) == 0 {
			out = append(out, "- "+Code(f.Spec)+": "+Code(f.String()))
		}
	}
	return "Tests of changed functions are skipped. `causal testgen --verify` runs them again.\n\n" + List(out)
}
