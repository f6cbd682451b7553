package render

import (
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/knowledge/store"
)

// TestedFacts is the family of the facts of what is tested of a module, and why. Whoever sets Config.Tested has a room that answers them:
// with a Tested, and with no digest where nothing is known to be tested.
const TestedFacts fact.Family = "tested" // tested <module>

// Tested is what is tested of a module: the symbols that have a spec, by name.
type Tested struct {
	Symbols []TestedSymbol `json:"symbols"`
	More    bool           `json:"more,omitempty"` // there are others, of which nothing is told
}

// TestedSymbol is a symbol that has a spec.
type TestedSymbol struct {
	Name  string     `json:"name"`
	State TestsState `json:"state"`
	// Because is why the tests do not hold: a term of the condition, what keeps the symbol from being tested, or what is wrong with the spec;
	// File is through which file.
	Because string       `json:"because,omitempty"`
	File    string       `json:"file,omitempty"`
	Why     string       `json:"why,omitempty"` // why it is tested like this
	Cases   []TestedCase `json:"cases,omitempty"`
	Became  []Became     `json:"became,omitempty"`
	More    bool         `json:"more,omitempty"` // there are other cases
}

// TestsState is whether the tests of a symbol hold.
type TestsState string

// The states.
const (
	TestsHold    TestsState = ""
	TestsFell    TestsState = "invalidated" // the code is another since they were recorded, and they are skipped
	TestsWait    TestsState = "waiting"     // for a run that records results
	TestsKeptOut TestsState = "kept out"    // nothing of the spec can be tested
	TestsUnread  TestsState = "unread"      // the spec cannot be read
)

// TestedCase is one thing that a symbol is held to. Call and Want are as code writes them.
type TestedCase struct {
	Law     string `json:"law"`
	Call    string `json:"call,omitempty"`
	Want    string `json:"want,omitempty"`
	Inverse string `json:"inverse,omitempty"`
	Why     string `json:"why,omitempty"`
}

// Became is a result that is another than the one that was recorded, of which nobody has said whether it should be.
type Became struct {
	Case string `json:"case"`
	Call string `json:"call"`
	Was  string `json:"was"`
	Is   string `json:"is"`
}

// Tested implements graph.
func (g *factGraph) Tested(module string) Tested {
	if g.err != nil || !g.tested {
		return Tested{}
	}
	value, err := g.r.Read(fact.New(TestedFacts, module))
	g.err = errors.Join(g.err, err)
	t, _ := value.(Tested)
	return t
}

// hasSpec reports whether a file is a spec, and whether it is one that a page may lead to.
func (g *factGraph) hasSpec(l store.Layout, file string) (there, spec bool) {
	module, symbol, spec := l.SpecOf(file)
	return spec && slices.ContainsFunc(g.Tested(module).Symbols, func(s TestedSymbol) bool { return s.Name == symbol }), spec
}

const testedHeading = "Tested behaviour"

// tested tells of the symbols that have a spec what they are held to, and why.
func (p *page) tested() {
	if rows := p.testedRows(); rows != "" {
		p.heading(2, testedHeading)
		p.line("%s", rows)
	}
}

// testedRows has two lines for each symbol, so that two branches which change the specs of others merge.
func (p *page) testedRows() string {
	t := p.graph.Tested(p.node.Path)
	var rows []string
	for _, s := range t.Symbols {
		spec := p.config.Layout.Spec(p.node.Path, s.Name)
		rows = append(rows, "- "+markdown.Link(markdown.Code(s.Name), relative(p.path, spec))+"\n  — "+p.testedText(s, spec)+"\n")
	}
	rows, more := few(rows, listBytes)
	if more > 0 || t.More {
		rows = append(rows, "- Others in "+markdown.Code(canonical.Path(path.Dir(p.config.Layout.Spec(p.node.Path, "x"))))+"\n")
	}
	return strings.TrimRight(strings.Join(rows, ""), "\n")
}

// testedText says of a symbol whether its tests hold, what they hold it to, and why.
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
	if why := p.whyTested(s); why != "" {
		text = strings.TrimRight(why, ".") + ". " + text
	}
	return strings.TrimRight(text, " ")
}

// whyTested is why a symbol is tested, but for what its documentation says first, which stands on the page anyway.
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

// stateOf says why tests do not hold, and what mends that; nothing of those that do.
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

// resultText is a result in a sentence.
func resultText(text string) string {
	switch text {
	case errorResult:
		return "an error"
	case "":
		return "`\"\"`"
	}
	return markdown.Code(text)
}

// errorResult is what a result is called that is an error.
const errorResult = "error"

// laws are the laws in the order in which they are told, each with what it says of a symbol: of all its cases at once, or of each.
var laws = []struct {
	name string
	all  func(c TestedCase, symbol string) string
	each func(c TestedCase) string
	end  string // behind what is said of each
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

func shownResult(c TestedCase) string { return markdown.Code(c.Call) + " is " + resultText(c.Want) }

const (
	fewCases   = 3  // of a law that are shown with what they give
	fewReasons = 2  // of a law
	longest    = 72 // bytes that a call and its result may have to be read in a sentence
)

// readable reports whether a case can be shown in a sentence.
func (c TestedCase) readable() bool {
	return len(c.Call)+len(c.Want) <= longest
}

// heldTo says law by law what a symbol is held to, and why.
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
		if len(whys) > 0 {
			text += " (" + strings.Join(whys[:min(len(whys), fewReasons)], "; ") + ")"
		}
		out = append(out, text)
	}
	return out
}
