// Package inspect answers calls that look into the files of a repository: read, grep, search and history. Each call is a fact, whose digest
// follows from its output. Running the calls of an answer again shows whether the answer is still valid, without a model.
//
// A call shows only regular files that git tracks or would track: no ignored file, nothing behind a symbolic link or outside of the
// repository, no well-known secret, nothing that the configuration excludes, and none of causal's own files except principles.
package inspect

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/knowledge/condition"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/grounding"
	"github.com/causaldocs/causal/knowledge/ledger"
)

// Facts is the family of calls: shown <call> <digest of its output>.
const Facts fact.Family = "shown"

// Tool is the name of a call.
type Tool string

// The tools.
const (
	Read    Tool = "read"
	Grep    Tool = "grep"
	Search  Tool = "search"
	History Tool = "history"
)

// Call is one call with its arguments.
type Call struct {
	Tool     Tool
	About    string // the path, pattern or query
	Glob     string // of grep
	From, To int    // of read
}

// Fact is the fact of a call. Equal calls are equal facts.
func (c Call) Fact() fact.Fact {
	words := []string{string(c.Tool), fact.Field(c.About)}
	switch c.Tool {
	case Grep:
		words = append(words, fact.Field(c.Glob))
	case Read:
		words = append(words, strconv.Itoa(c.From), strconv.Itoa(c.To))
	}
	return fact.New(Facts, strings.Join(words, " "))
}

// ParseCall reads the call of a fact.
func ParseCall(f fact.Fact) (Call, error) {
	tool, rest, _ := strings.Cut(f.Name, " ")
	c := Call{Tool: Tool(tool)}
	var fields []string
	for rest != "" {
		field, tail, err := fact.CutField(rest)
		if err != nil {
			return Call{}, fmt.Errorf("call %q: %w", f.Name, err)
		}
		fields, rest = append(fields, field), strings.TrimPrefix(tail, " ")
	}
	var err error
	switch {
	case c.Tool == Read && len(fields) == 3:
		if c.From, err = strconv.Atoi(fields[1]); err == nil {
			c.To, err = strconv.Atoi(fields[2])
		}
	case c.Tool == Grep && len(fields) == 2:
		c.Glob = fields[1]
	case (c.Tool == Search || c.Tool == History) && len(fields) == 1:
	default:
		return Call{}, fmt.Errorf("%q is not a call", f.Name)
	}
	if err != nil {
		return Call{}, fmt.Errorf("call %q: %w", f.Name, err)
	}
	if c.About = fields[0]; c.Fact() != f {
		return Call{}, fmt.Errorf("call %q: write it as %q", f.Name, c.Fact().Name)
	}
	return c, nil
}

// families are those of facts that answers can rest on.
var families = map[fact.Family]bool{Facts: true, fact.Conclusions: true, fact.Units: true, ledger.EventFacts: true}

// kinds are those of the units that an answer can rest on: none of them rests on an answer.
var kinds = []string{"module/", "principle/"}

// Check refuses a fact on which no answer rests.
func Check(f fact.Fact) error {
	switch {
	case !families[f.Family]:
		return fmt.Errorf("an answer cannot rest on %q", f)
	case f.Family == Facts:
		_, err := ParseCall(f)
		return err
	case f.Family == fact.Conclusions && !hasAnyPrefix(f.Name, kinds):
		return fmt.Errorf("an answer cannot rest on %q", f)
	case f.Family == fact.Units && f.Name != "module":
		return fmt.Errorf("an answer cannot rest on %q", f)
	case f.Family == ledger.EventFacts && f != ledger.AllEvents && f != ledger.Positions:
		return fmt.Errorf("an answer cannot rest on %q", f)
	}
	return nil
}

func hasAnyPrefix(s string, prefixes []string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

// Describe is a fact for people, such as "file: money/money.go:1-11".
func Describe(f fact.Fact) string {
	switch f.Family {
	case fact.Conclusions:
		kind, name, _ := strings.Cut(f.Name, "/")
		return kind + ": " + name
	case fact.Units:
		return "list: the modules"
	case ledger.EventFacts:
		return "log: the recorded events"
	}
	c, err := ParseCall(f)
	if err != nil {
		return f.Name
	}
	switch c.Tool {
	case Read:
		return "file: " + grounding.Cite{File: c.About, From: c.From, To: c.To}.String()
	case Grep:
		return "grep: " + c.About + " in " + c.Glob
	}
	return string(c.Tool) + ": " + c.About
}

// shownChanged is the word of conditions for calls that do not read one file, and for the log.
const shownChanged = "shown_changed"

// Words are what conditions can say of calls.
var Words = []condition.Word{{
	Name: shownChanged, Params: []string{"tool", "about"}, Matches: func(q condition.Question, c fact.Change) bool {
		tool, about := term(c.Fact)
		return tool == q.Args[0] && about == q.Args[1]
	},
}}

// term is how shown_changed names a fact; empty where another word does.
func term(f fact.Fact) (tool, about string) {
	switch f.Family {
	case Facts:
		c, err := ParseCall(f)
		if err == nil && c.Tool != Read && c.Tool != History {
			return string(c.Tool), c.About
		}
	case fact.Units:
		return "units", f.Name
	case ledger.EventFacts:
		return "events", f.Name
	}
	return "", ""
}

// Condition is the condition that makes an answer wrong which rests on these facts.
func Condition(words *condition.Vocabulary, facts []fact.Fact) string {
	var terms []condition.Condition
	for _, f := range facts {
		tool, about := term(f)
		switch c, err := ParseCall(f); {
		case tool != "":
			terms = append(terms, words.Call(shownChanged, tool, about))
		case f.Family == fact.Conclusions:
			terms = append(terms, words.Call("conclusion_changed", f.Name))
		case err == nil:
			glob, err := condition.PathGlob(c.About)
			if err != nil {
				terms = append(terms, words.Call("evidence_changed"))
				continue
			}
			terms = append(terms, words.Call("modified", glob.String()))
		}
	}
	if len(terms) == 0 {
		terms = append(terms, words.Call("evidence_changed"))
	}
	return condition.Any(terms...).String()
}
