package cause

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/render"
	"github.com/causaldocs/causal/render/node"
	"github.com/causaldocs/causal/review/principle"
)

// mostNames bounds the names of one kind in a sentence.
const mostNames = 6

// kindTests is the kind of a module without an API.
const kindTests = "tests"

// OfModule describes the changes of a module's API; before or now is nil for a new or removed module. It returns false
// without changes, or if the comparison is unreliable: part of the module could not be read, or an earlier version of
// causal read it.
func OfModule(before, now *node.Node) (Consequence, bool) {
	n := cmp.Or(now, before)
	c := Consequence{About: render.ModuleUnit(n.Path).String(), How: "it changed its public interface"}
	name := n.Path
	if name == "." {
		name = n.Module
	}
	name = plain.Line(name, longestName)
	had, has := offered(before), offered(now)
	switch {
	case unsure(before) || unsure(now) || before != nil && before.Outdated:
		return c, false
	case now == nil && len(had) > 0:
		c.Text, c.How = name+" is no longer documented; it had "+listed(slices.Sorted(maps.Keys(had))), "it removed the module"
		return c, true
	case before == nil && len(has) > 0:
		c.Text, c.How = name+" is new, with "+listed(slices.Sorted(maps.Keys(has))), "it added the module"
		return c, true
	case now == nil, before == nil:
		return c, false
	}
	removed, changed, added := compared(had, has)
	var parts []string
	for _, group := range []struct {
		names     []string
		one, more string
	}{
		{removed, "was removed", "were removed"}, {changed, "changed its signature", "changed their signatures"}, {added, "was added", "were added"},
	} {
		switch len(group.names) {
		case 0:
		case 1:
			parts = append(parts, listed(group.names)+" "+group.one)
		default:
			parts = append(parts, listed(group.names)+" "+group.more)
		}
	}
	c.Text = name + ": " + strings.Join(parts, ", ")
	return c, len(parts) > 0
}

func compared(had, has map[string]string) (removed, changed, added []string) {
	for _, name := range slices.Sorted(maps.Keys(had)) {
		switch signature, there := has[name]; {
		case !there:
			removed = append(removed, name)
		case signature != had[name]:
			changed = append(changed, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(has)) {
		if _, there := had[name]; !there {
			added = append(added, name)
		}
	}
	return removed, changed, added
}

// unsure reports whether a node may be incomplete.
func unsure(n *node.Node) bool { return n != nil && (n.Stale != "" || len(n.Problems()) > 0) }

// offered returns the exported names of a module with all declarations of each.
func offered(n *node.Node) map[string]string {
	out := map[string]string{}
	if n == nil || n.Kind == kindTests {
		return out
	}
	for _, s := range n.PublicAPI {
		if !s.Inside {
			out[s.Name] += string(s.Kind) + " " + s.Signature + "\n"
		}
	}
	return out
}

func listed(names []string) string {
	var out []string
	for _, name := range names[:min(len(names), mostNames)] {
		out = append(out, plain.Line(name, longestName))
	}
	if more := len(names) - len(out); more > 0 {
		out = append(out, fmt.Sprintf("%d more", more))
	}
	if len(out) == 1 {
		return out[0]
	}
	return strings.Join(out[:len(out)-1], ", ") + " and " + out[len(out)-1]
}

var ended = map[principle.Status]string{
	principle.Demoted: "reviews dismissed its findings too often", principle.Expired: "it had no finding for a long time",
}

// OfPrinciple describes a new or ended principle; before is nil for a new one.
func OfPrinciple(before, now *principle.Principle) (Consequence, bool) {
	c := Consequence{About: "principle/" + now.Slug}
	what := plain.Line(now.Slug, longestName) + ": " + plain.Line(now.Rule, longestSubject)
	switch {
	case before == nil && now.Status == principle.Active:
		c.Text, c.How = "Recurring review findings became the principle "+what, "it is one of the changes with this finding"
	case before != nil && before.Status != now.Status && ended[now.Status] != "":
		c.Text, c.How = "The principle is over: "+what, ended[now.Status]
	default:
		return c, false
	}
	return c, true
}
