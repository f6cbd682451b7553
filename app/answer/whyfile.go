package answer

import (
	"maps"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/render"
	"github.com/causaldocs/causal/render/node"
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
