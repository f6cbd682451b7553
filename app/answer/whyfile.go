package answer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/summary"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/render"
	"github.com/causaldocs/causal/render/node"
	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/spec"
)

// explainFile lists what a module gets from one of its files, and the pages that show it.
func (p place) explainFile(a *Why, e *workspace.Knowledge, x *workspace.Explanation) {
	n, file := x.Node, a.File
	a.keepReasons(file)
	i := slices.IndexFunc(n.Sources, func(s node.Source) bool { return s.Path == file })
	if i < 0 && a.Fresh {
		p.explainOther(a, e, file)
		return
	}
	a.own = modifiedTerms(n.InvalidationCondition)
	a.Gives = givenBy(n, path.Base(file))
	if readme, _ := e.Introducers(); readme == file || n.PurposeFile == canonical.Path(file) {
		a.Pages = append(a.Pages, p.Layout.Index())
	}
	var names []string
	for j := range n.PublicAPI {
		if s := &n.PublicAPI[j]; s.File == path.Base(file) {
			names = append(names, workspace.Published(s)...)
		}
	}
	a.UsedBy = usersOf(e, a.UsedBy, n.Path, names)
	a.From = "a source of " + a.Name
	if i < 0 {
		a.Says = "is new"
		return
	}
	s := n.Sources[i]
	if s.Role != "" {
		a.From += ": " + s.Role
	}
	a.Because = []because{a.becauseOf(s)}
	switch {
	case n.PurposeFile == canonical.Path(file) && n.PurposeFrom == node.FromDoc:
		a.Says, a.From, a.quoted = n.Purpose, a.From+"; gives its purpose", true
	case s.About != "":
		a.Says, a.quoted = s.About, true
	default:
		a.Says = says(a, s)
	}
	if s.Problem != "" {
		a.From += "; read in part: " + s.Problem
	}
}

// says describes a file without a description.
func says(a *Why, s node.Source) string {
	switch {
	case len(a.Gives) > 0:
		return "declares a part of " + a.Name
	case s.Role != "":
		return s.Role
	}
	return "exports nothing"
}

// keepReasons keeps the reasons that concern a file, or the whole module.
func (a *Why) keepReasons(file string) {
	a.Stale = slices.DeleteFunc(slices.Clone(a.Stale), func(r engine.Reason) bool { return r.File != "" && r.File != file })
	a.Fresh = a.Fresh || len(a.Stale) == 0
}

// innermost sorts elements of the user interface after all symbols.
const innermost = math.MaxInt

// givenBy returns what a module gets from one of its files.
func givenBy(n *node.Node, base string) []gives {
	var out []gives
	for _, s := range n.PublicAPI {
		if s.File == base && s.Source == "" {
			out = append(out, gives{s.Name, string(s.Kind), strings.Count(s.Name, ".")})
		}
	}
	for _, b := range n.Behaviour {
		if g := (gives{b.Name, workspace.ElementWord(b.Kind), innermost}); b.File == base && b.Name != "" && !slices.Contains(out, g) {
			out = append(out, g)
		}
	}
	return out
}

// explainOther explains a file that is not a source of a module.
func (p place) explainOther(a *Why, e *workspace.Knowledge, file string) {
	a.Fresh, a.File, a.Module, a.UsedBy, a.Generator, a.Frame, a.Lost = true, file, "", []string{}, render.Version, "", ""
	a.Page, a.Pages, a.Condition, a.own = "", []string{}, "", nil
	readme, manifests := e.Introducers()
	switch {
	case file == readme:
		a.Says, a.From = "introduces the repository", "the entry page shows its title and first paragraph"
		a.own = []string{"its title or its first paragraph changes"}
	case slices.Contains(manifests, file):
		a.Says, a.From = "names the repository and resolves imports", "the entry page uses the name if the README has no title"
		a.own = []string{"its name or its import paths change"}
	case p.Config.Excluded(file):
		a.Says, a.From = "no statement depends on it", "excluded by "+store.Config
	default:
		quoted := e.Quoted()
		a.Pages = slices.DeleteFunc(slices.Sorted(maps.Keys(quoted)), func(page string) bool { return !slices.Contains(quoted[page], file) })
		if len(a.Pages) > 0 {
			a.Says, a.From = "described or quoted", "read for "+strings.Join(a.Pages, ", ")
			a.own = []string{"a part of it that these pages show changes"}
			break
		}
		a.Says, a.From = "no statement depends on it", "not a source, README or manifest that causal reads"
	}
	if len(a.own) > 0 {
		a.Condition = a.own[0]
		if len(a.Pages) == 0 {
			a.Pages = []string{p.Layout.Index()}
		}
		a.Page = a.Pages[0]
	}
}

// reference is one reference in code.
type reference struct {
	Name string `json:"name"`         // the other symbol
	Kind string `json:"kind"`         // call, type or value
	At   string `json:"at,omitempty"` // path and line
	// Certain is false if the type of the selected value is unknown.
	Certain bool `json:"certain"`
}

// mostReferences bounds the references of one kind that are shown.
const mostReferences = 6

// explainReach adds references to and from a symbol, and its implementations.
func (a *Why) explainReach(ctx context.Context, e *workspace.Knowledge) error {
	r, ok, err := e.Reach(ctx, a.Module, a.Symbol)
	if err != nil || !ok {
		return err
	}
	a.NamedBy, a.Names = references(e, r.UsedBy), references(e, r.Uses)
	for _, i := range r.Implementers {
		a.Implementers = append(a.Implementers, e.ModuleName(i.Module)+"."+i.Name)
	}
	return nil
}

func references(e *workspace.Knowledge, list []source.Referred) []reference {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b source.Referred) int { // certain references first
		switch {
		case a.Certain == b.Certain:
			return 0
		case a.Certain:
			return -1
		}
		return 1
	})
	var out []reference
	for _, r := range list {
		at := ""
		if r.Path != "" {
			at = fmt.Sprintf("%s:%d", r.Path, r.Line)
		}
		module := r.Module
		if !r.Outside {
			module = e.ModuleName(r.Module)
		}
		out = append(out, reference{module + "." + cmp.Or(r.Name, "(file)"), string(r.Kind), at, r.Certain})
	}
	return out
}

// reach writes the references.
func (t *whyText) reach() {
	for _, part := range []struct {
		title string
		list  []reference
	}{{"named by", t.NamedBy}, {"its code names", t.Names}} {
		var rows [][]string
		for _, r := range part.list {
			kind := r.Kind
			if !r.Certain {
				kind += ", perhaps"
			}
			rows = append(rows, []string{r.Name, kind, r.At})
		}
		t.part(part.title, Table(rows), mostReferences, branched)
	}
	t.inLine("implemented by", t.Implementers)
}

// testsAnswer describes the tests of a function.
type testsAnswer struct {
	Spec    string           `json:"spec"`
	Status  spec.Status      `json:"status"`
	Why     string           `json:"why"`
	Cases   int              `json:"cases"`
	Kept    int              `json:"kept"` // cases in the test file
	Because string           `json:"because,omitempty"`
	File    string           `json:"file,omitempty"`   // changed file that invalidated it
	Commit  *changeAnswer    `json:"commit,omitempty"` // last commit that changed the file
	Changed []testgen.Change `json:"behaviour_changes,omitempty"`
}

// mendSpec says how to update a spec, by its status.
var mendSpec = map[spec.Status]string{
	spec.Invalidated: "its test is skipped until the next causal testgen --verify", spec.Pending: "causal testgen --verify records results",
}

// explainSpec explains a spec.
func (p place) explainSpec(ctx context.Context, a *Why, m workspace.Meant) error {
	s, err := testgen.ReadSpec(p.Files, m.File)
	var bad *spec.FileError
	if errors.As(err, &bad) {
		a.Name, a.File, a.Page, a.Says, a.From = "the spec of "+testgen.NameOf(m.File), m.File, m.File, bad.Error(), "edit or delete the file"
		return nil
	}
	if err != nil {
		return err
	}
	name := testgen.NameOf(m.File)
	a.Name, a.File, a.Pages = "the spec of "+name, m.File, []string{a.Page}
	a.Says, a.quoted, a.Condition, a.Generator, a.FrameID = s.Rationale, true, s.Condition, s.Provenance.Generator, s.FrameID
	a.Because = []because{
		{What: name, Level: "interface", Hash: s.DependsOn.Interface, How: "its interface"},
		{What: name, Level: "body", Hash: s.DependsOn.Body, How: "its code, with all code that it calls"},
	}
	for i := range s.Cases {
		c := &s.Cases[i]
		how := c.Why
		if c.Quarantined != "" {
			how = "not in the code: " + c.Quarantined
		}
		a.Because = append(a.Because, because{What: spec.CallText(s.Target.Symbol, c), Level: string(c.Law), How: how})
	}
	if err := p.lastChange(ctx, a, []string{m.File}); err != nil {
		return err
	}
	if err := p.explainTests(ctx, a, m.Module, m.Name); err != nil || a.Tests == nil {
		return err
	}
	t := a.Tests
	a.From = string(t.Status) + ", " + summary.Count(t.Kept, "case") + " in the code"
	if a.Fresh = t.Status != spec.Invalidated; !a.Fresh {
		a.Stale = []engine.Reason{{Because: t.Because, File: t.File, Detail: "it changed after the results were recorded"}}
	}
	return nil
}

// explainTests adds the tests of a function, evaluated now instead of as stored. The engine cannot be used
// afterwards.
func (p place) explainTests(ctx context.Context, a *Why, module, symbol string) error {
	file := p.Layout.Spec(module, symbol)
	s, err := testgen.ReadSpec(p.Files, file)
	var bad *spec.FileError
	if errors.Is(err, fs.ErrNotExist) || errors.As(err, &bad) {
		return nil
	}
	if err != nil {
		return err
	}
	a.Tests = &testsAnswer{Spec: file, Status: s.Status, Why: s.Rationale, Cases: len(s.Cases), Kept: s.Kept()}
	told, err := p.TestsOrProblem(ctx, workspace.SpecsRun{Looks: true})
	if err != nil || told.Tests == nil {
		return err
	}
	at := slices.IndexFunc(told.Tests.Invalidated, func(f testgen.Fallen) bool { return f.Spec == file })
	if at < 0 {
		return nil
	}
	fell := told.Tests.Invalidated[at]
	a.Tests.Status, a.Tests.Because, a.Tests.File, a.Tests.Changed = spec.Invalidated, fell.Because, fell.File, told.Tests.Changed(file)
	if fell.File == "" {
		return nil
	}
	c, ok, err := p.LastChange(ctx, fell.File)
	if ok {
		a.Tests.Commit = change(c)
	}
	return err
}

func (t *whyText) tests() {
	if t.Tests == nil {
		return
	}
	if t.Means != workspace.MeansSpec {
		plain.Add(&t.Builder, "tested\n  %s  %s, %s in the code\n", t.Tests.Spec, t.Tests.Status, summary.Count(t.Tests.Kept, "case"))
		if t.Tests.Why != "" {
			plain.Add(&t.Builder, "  %s\n", quoteText(t.Tests.Why))
		}
		if t.Tests.Because != "" {
			plain.Add(&t.Builder, "  %s through %s\n", t.Tests.Because, t.Tests.File)
		}
	}
	if c := t.Tests.Commit; c != nil {
		plain.Add(&t.Builder, "  %s last changed %s  %s  %s\n", t.Tests.File, c.Date, short(c.Commit), c.Subject)
	}
	for _, c := range t.Tests.Changed {
		plain.Add(&t.Builder, "  %s; to accept it: causal testgen --accept %s#%s\n", c, c.Spec, c.Case)
	}
	if mend := mendSpec[t.Tests.Status]; mend != "" && len(t.Tests.Changed) == 0 {
		plain.Add(&t.Builder, "  %s\n", mend)
	}
}
