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

// mostNames is how many names of one kind a sentence has.
const mostNames = 6

// kindTests is the kind of a module that offers nothing to others.
const kindTests = "tests"

// OfModule tells what became of what others can use of a module, of which nothing was known before or is known now where a node is nil. False
// where nothing changed, and where it cannot be told: part of the module could not be read, or an earlier version of causal read it.
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

// compared sorts names by what became of them.
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

// unsure reports whether a node may tell less than there is.
func unsure(n *node.Node) bool { return n != nil && (n.Stale != "" || len(n.Problems()) > 0) }

// offered are the names that others can use of a module, with all that is declared under each.
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

// listed joins names as people write them.
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

// ended says why principles end.
var ended = map[principle.Status]string{
	principle.Demoted: "reviews dismissed its findings too often", principle.Expired: "it had no finding for a long time",
}

// OfPrinciple tells that what reviews kept finding became a principle, or that one is over; before is nil where there was none.
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
