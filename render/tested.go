package render

import (
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/knowledge/store"
)

// TestedFacts is the family of the facts about tested symbols. With Config.Tested, a room answers them with a Tested,
// or with no digest if no tests are known.
const TestedFacts fact.Family = "tested" // tested <module>

// Tested lists the symbols of a module that have a spec, by name.
type Tested struct {
	Symbols []TestedSymbol `json:"symbols"`
	More    bool           `json:"more,omitempty"` // the list is incomplete
}

// TestedSymbol is a symbol that has a spec.
type TestedSymbol struct {
	Name  string     `json:"name"`
	State TestsState `json:"state"`
	// Because is the reason for the state: a term of the condition, an obstacle to testing, or an error in the spec.
	// File is the file that caused it.
	Because string       `json:"because,omitempty"`
	File    string       `json:"file,omitempty"`
	Why     string       `json:"why,omitempty"` // the purpose of the tests
	Cases   []TestedCase `json:"cases,omitempty"`
	Became  []Became     `json:"became,omitempty"`
	More    bool         `json:"more,omitempty"` // the list is incomplete
}

// TestsState is the state of a symbol's tests.
type TestsState string

// The states.
const (
	TestsHold    TestsState = ""
	TestsFell    TestsState = "invalidated" // the code changed since recording; skipped
	TestsWait    TestsState = "waiting"     // waiting for a run that records results
	TestsKeptOut TestsState = "kept out"    // no case can be tested
	TestsUnread  TestsState = "unread"      // the spec is unreadable
)

// TestedCase is one test case. Call and Want are source code.
type TestedCase struct {
	Law     string `json:"law"`
	Call    string `json:"call,omitempty"`
	Want    string `json:"want,omitempty"`
	Inverse string `json:"inverse,omitempty"`
	Why     string `json:"why,omitempty"`
}

// Became is a result that differs from the recorded one and awaits review.
type Became struct {
	Case string `json:"case"`
	Call string `json:"call"`
	Was  string `json:"was"`
	Is   string `json:"is"`
}

// hasSpec reports whether a file is an existing spec, and whether a page may link to it.
func (g *factGraph) hasSpec(l store.Layout, file string) (there, spec bool) {
	module, symbol, spec := l.SpecOf(file)
	return spec && slices.ContainsFunc(g.Tested(module).Symbols, func(s TestedSymbol) bool { return s.Name == symbol }), spec
}

const testedHeading = "Tested behaviour"

func (p *page) tested() {
	if rows := p.testedRows(); rows != "" {
		p.heading(2, testedHeading)
		p.line("%s", rows)
	}
}

// testedRows writes two lines per symbol, which lets branches merge that change different specs.
func (p *page) testedRows() string {
	t := p.graph.Tested(p.node.Path)
	var rows []string
	for _, s := range t.Symbols {
		spec := p.config.Layout.Spec(p.node.Path, s.Name)
		rows = append(rows, "- "+markdown.Link(markdown.Code(s.Name), p.to(spec))+"\n  — "+p.testedText(s, spec)+"\n")
	}
	rows, more := few(rows, listBytes)
	if more > 0 || t.More {
		rows = append(rows, "- Others in "+markdown.Code(canonical.Path(path.Dir(p.config.Layout.Spec(p.node.Path, "x"))))+"\n")
	}
	return strings.TrimRight(strings.Join(rows, ""), "\n")
}

func (p *page) testedText(s TestedSymbol, spec string) string {
	var says []string
	if state := stateOf(s, spec); state != "" {
		says = append(says, state)
	}
	if s.State == TestsHold || s.State == TestsFell {
		says = append(says, heldTo(s)...)
	}
	if s.More {
		says = append(says, "and more")
	}
	text := strings.Join(says, " · ")
	if why := strings.TrimLeft(strings.TrimRight(p.whyTested(s), "."), ". "); why != "" {
		text = why + ". " + text
	}
	return strings.TrimRight(text, " ")
}

// whyTested returns why a symbol is tested, without the first sentence of its documentation, which the page already
// shows.
func (p *page) whyTested(s TestedSymbol) string {
	why := markdown.Escape(s.Why)
	for i := range p.node.PublicAPI {
		if one := &p.node.PublicAPI[i]; one.Name == s.Name {
			summary := markdown.Read(one.Doc, p.markupOf(one)).Summary()
			if _, rest, said := strings.Cut(why, summary); said && summary != "" {
				return strings.TrimSpace(rest)
			}
		}
	}
	return why
}

// stateOf explains why tests are not valid and how to fix it; empty for valid tests.
func stateOf(s TestedSymbol, spec string) string {
	because := markdown.Escape(s.Because)
	switch s.State {
	case TestsHold:
	case TestsFell:
		if len(s.Became) > 0 {
			return becameText(s.Became, spec)
		}
		because = markdown.Code(s.Because)
		if s.File != "" {
			because += " through " + markdown.Code(canonical.Path(s.File))
		}
		return "⚠ **Invalidated**: " + because + "; its test is skipped until the next `causal testgen --verify`"
	case TestsWait:
		return "*not tested yet*: `causal testgen --verify` records results"
	case TestsKeptOut:
		return strings.TrimSuffix("*not tested*: "+because, ": ")
	case TestsUnread:
		return "⚠ **The spec cannot be read**: " + because
	}
	return ""
}

func becameText(list []Became, spec string) string {
	first := list[0]
	text := "⚠ **Behaviour changed**: " + markdown.Code(first.Call) + " was " + resultText(first.Was) + ", is " + resultText(first.Is)
	if len(list) > 1 {
		text += ", and others"
	}
	return text + "; fix the code, or accept the change with " + markdown.Code("causal testgen --accept "+canonical.Path(spec)+"#"+first.Case)
}

func resultText(text string) string {
	switch text {
	case errorResult:
		return "an error"
	case noError:
		return "no error"
	case "":
		return "`\"\"`"
	}
	return markdown.Code(text)
}

// The names of an error, and of the result of a function that returns only an error.
const (
	errorResult = "error"
	noError     = "no error"
)

// laws are the test laws in display order, each with its sentence: for all cases at once, or for each.
var laws = []struct {
	name string
	all  func(c TestedCase, symbol string) string
	each func(c TestedCase) string
	end  string // after the cases
}{
	{name: "roundtrip", all: func(c TestedCase, symbol string) string {
		return markdown.Code(symbol) + " and " + markdown.Code(c.Inverse) + " lead back to each other"
	}},
	{name: "idempotent", all: func(TestedCase, string) string { return "a second time changes nothing" }},
	{name: "order", all: func(TestedCase, string) string { return "values compare as an order does" }},
	{name: "example", each: shownResult, end: " as documented"},
	{name: "golden", each: shownResult},
	{name: "error", each: func(c TestedCase) string { return markdown.Code(c.Call) }, end: " refused"},
	{name: "http", all: func(TestedCase, string) string { return "requests are answered as recorded" }},
	{name: "no_panic", all: func(TestedCase, string) string { return "no input makes it panic" }},
}

func isNoError(c TestedCase) bool { return c.Want == noError }

func shownResult(c TestedCase) string { return markdown.Code(c.Call) + " is " + resultText(c.Want) }

const (
	fewCases   = 3  // cases per law that are shown with their results
	fewReasons = 2  // per law
	longest    = 72 // bytes of a call and its result in a sentence
)

// readable reports whether a case fits in a sentence.
func (c TestedCase) readable() bool {
	return len(c.Call)+len(c.Want) <= longest
}

// heldTo describes the cases and reasons by law.
func heldTo(s TestedSymbol) []string {
	var out []string
	for _, l := range laws {
		var cases, whys []string
		more := 0
		for _, c := range s.Cases {
			if c.Law != l.name {
				continue
			}
			switch {
			case l.all != nil:
				cases = []string{l.all(c, s.Name)}
			case len(cases) < fewCases && c.readable():
				cases = append(cases, l.each(c))
			default:
				more++
			}
			if why := markdown.Escape(c.Why); c.Why != "" && !slices.Contains(whys, why) {
				whys = append(whys, why)
			}
		}
		switch {
		case more > 0 && len(cases) > 0:
			cases = append(cases, "others")
		case more > 0:
			cases = []string{"calls that the spec shows"}
		case len(cases) == 0:
			continue
		}
		text := list(cases) + l.end
		if l.name == "error" && slices.ContainsFunc(s.Cases, isNoError) { // its results are errors, and may be meant
			text = list(cases) + " with an error"
		}
		if len(whys) > 0 {
			text += " (" + strings.Join(whys[:min(len(whys), fewReasons)], "; ") + ")"
		}
		out = append(out, text)
	}
	return out
}
