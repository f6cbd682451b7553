package workspace

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/knowledge/condition"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/render"
	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/spec"
)

// testedVersion is part of the index key. Increment it when the output for the same specs changes.
const testedVersion = "tested/3"

// Limits for page content from specs, which are untrusted.
const (
	mostTestedSymbols = 200 // of a module
	mostTestedCases   = 12  // of a symbol
	longestTested     = 300 // bytes
	longestCall       = 80  // bytes of arguments, and of a result
)

type tested struct {
	files  specFiles
	layout store.Layout
	own    func() []string
	list   func() (map[string][]string, error)

	mu    sync.Mutex
	known map[string]render.Tested
}

type specFiles interface {
	Read(name string) ([]byte, error)
	Below(dir string) ([]string, error)
}

func newTested(files specFiles, layout store.Layout, own func() []string) *tested {
	t := &tested{files: files, layout: layout, own: own, known: map[string]render.Tested{}}
	t.list = sync.OnceValues(t.symbols)
	return t
}

func (t *tested) symbols() (map[string][]string, error) {
	names, err := t.files.Below(t.layout.SpecsDir())
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, store.ErrOccupied) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list specs: %w", err)
	}
	out := map[string][]string{}
	for _, name := range names {
		if module, symbol, ok := t.layout.SpecOf(name); ok {
			out[module] = append(out[module], symbol)
		}
	}
	for _, list := range out {
		slices.Sort(list)
	}
	return out, nil
}

func (*tested) Families() []fact.Family { return []fact.Family{render.TestedFacts} }

// of reads the specs of a module. An invalid spec is shown as such and does not fail the page.
func (t *tested) of(module string) (render.Tested, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if known, ok := t.known[module]; ok {
		return known, nil
	}
	all, err := t.list()
	if err != nil {
		return render.Tested{}, err
	}
	symbols := all[module]
	out := render.Tested{More: len(symbols) > mostTestedSymbols}
	for _, symbol := range symbols[:min(len(symbols), mostTestedSymbols)] {
		file := t.layout.Spec(module, symbol)
		s, err := testgen.ReadSpec(t.files, file)
		var bad *spec.FileError
		switch {
		case errors.As(err, &bad):
			out.Symbols = append(out.Symbols, render.TestedSymbol{Name: symbol, State: render.TestsUnread, Because: plain.Line(bad.Error(), longestTested)})
		case errors.Is(err, store.ErrOccupied):
			out.Symbols = append(out.Symbols, render.TestedSymbol{Name: symbol, State: render.TestsUnread, Because: plain.Line(err.Error(), longestTested)})
		case err != nil:
			return render.Tested{}, err
		default:
			out.Symbols = append(out.Symbols, testedSymbol(symbol, file, s))
		}
	}
	t.known[module] = out
	return out, nil
}

var states = map[spec.Status]render.TestsState{spec.Invalidated: render.TestsFell, spec.Pending: render.TestsWait, spec.Quarantined: render.TestsKeptOut}

func testedSymbol(symbol, file string, s *spec.Spec) render.TestedSymbol {
	out := render.TestedSymbol{Name: symbol, State: states[s.Status], Why: plain.Line(s.Rationale, longestTested)}
	if s.Fell != nil && s.Status == spec.Invalidated {
		out.Because, out.File = plain.Line(s.Fell.Because, longestTested), plain.Line(s.Fell.File, longestTested)
	}
	if s.Fell != nil && s.Status == spec.Quarantined {
		out.Because = plain.Line(s.Fell.Because, longestTested)
	}
	for i := range s.Cases {
		c := &s.Cases[i]
		if s.Status == spec.Quarantined {
			out.Because = cmp.Or(out.Because, plain.Line(c.Quarantined, longestTested))
			continue
		}
		if !c.Coded() {
			continue
		}
		if out.More = len(out.Cases) == mostTestedCases; out.More {
			break
		}
		out.Cases = append(out.Cases, render.TestedCase{
			Law: string(c.Law), Call: plain.Line(cmp.Or(spec.ArgsText(c), testgen.LastName(symbol)+"()"), longestCall), Want: inSentence(c.Want.Text()), Inverse: c.Inverse, Why: plain.Line(c.Why, longestTested),
		})
	}
	for _, c := range testgen.Changes(file, s) {
		if len(out.Became) == mostTestedCases {
			break
		}
		out.Became = append(out.Became, render.Became{Case: c.Case, Call: plain.Line(c.Call, longestCall), Was: inSentence(c.Was), Is: inSentence(c.Is)})
	}
	return out
}

func (t *tested) Digest(_ context.Context, f fact.Fact) (string, error) {
	value, err := t.of(f.Name)
	if err != nil || len(value.Symbols) == 0 {
		return "", err
	}
	data, err := json.Marshal(value)
	if err != nil {
		return "", fmt.Errorf("digest %s: %w", f, err)
	}
	return fact.Digest(string(data)), nil
}

func (t *tested) Value(_ context.Context, f fact.Fact) (any, error) { return t.of(f.Name) }

func (t *tested) Changed() (facts []fact.Fact, all bool) {
	for _, file := range t.own() {
		if module, _, ok := t.layout.SpecOf(file); ok {
			facts = append(facts, fact.New(render.TestedFacts, module))
		}
	}
	return slices.Compact(facts), false
}

func (t *tested) Explain(_ []fact.Observation, changes []fact.Change, _ func(fact.Family, string) []fact.Observation) []condition.Cause {
	return condition.CausesOf(changes, func(c *condition.Cause) {
		c.Detail = "its tests or their reasons changed"
		for _, file := range t.own() {
			if module, _, ok := t.layout.SpecOf(file); ok && module == c.Change.Fact.Name {
				c.File = file
				break
			}
		}
	})
}

func (a *askable) atSpec(name string) (Meant, bool) {
	if store.IsTest(name) {
		first, _, _ := strings.Cut(string(a.read(name)), "\n")
		_, from, _ := strings.Cut(first, " from ")
		name, _, _ = strings.Cut(from, ". ")
	}
	module, symbol, ok := a.layout.SpecOf(name)
	return Meant{Meaning: MeansSpec, Module: module, Name: symbol, File: name}, ok && a.read(name) != nil
}

// inSentence returns a result on one line, quoted if it has control characters.
func inSentence(result string) string {
	if strings.ContainsFunc(result, unicode.IsControl) {
		result = strconv.Quote(result)
	}
	return plain.Line(result, longestCall)
}
