package api

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// openEnded marks a type that may get more fields or variants without notice.
const openEnded = "#[non_exhaustive]"

// fields compares structs. Other crates can write one without private fields as a literal, unless it is open-ended.
func (c *rustComparer) fields(d, now *source.Declared) {
	was, ok := header(d)
	is, still := header(now)
	if !ok || !still || !was.Partial && len(was.Members) == 0 || !is.Partial && len(is.Members) == 0 {
		return
	}
	current := membersOf(is)
	for _, f := range was.Members {
		n, ok := current[f.Name]
		old, typ := rustType(f.Type), rustType(n.Type)
		switch {
		case !ok:
			c.member(d, now, f.Name, "field removed", goneText)
		case c.retyped(old, typ, genericsOf(was), genericsOf(is)):
			c.member(d, now, f.Name, "field retyped", "is "+typ+" now, and not "+old+": code that expects the old type no longer compiles")
		}
	}
	if was.Partial || slices.Contains(was.Notes, openEnded) || d.Kind != source.Struct || len(was.Members) == 0 {
		return
	}
	switch added := missing(is, was); {
	case slices.Contains(is.Notes, openEnded):
		c.tell(d, now, "non_exhaustive added", "is #[non_exhaustive] now: literals of it no longer compile")
	case is.Partial:
		c.tell(d, now, "private field added", "has private fields now: literals of it no longer compile")
	case len(added) > 0:
		c.member(d, now, added[0], "field added", "has to be given now: literals of "+last(d)+" without it no longer compile")
	}
}

func genericsOf(h source.Header) map[string]bool {
	out := map[string]bool{}
	for _, p := range h.TypeParams {
		out[p.Name] = true
	}
	return out
}

// variants compares enums. An added variant breaks exhaustive matches, which Cargo's compatibility rules forbid,
// unless the enum is #[non_exhaustive] or has a variant with a leading underscore.
func (c *rustComparer) variants(d, now *source.Declared) {
	for _, name := range lostEntries(d, now) {
		if !strings.HasPrefix(name, "_") {
			c.member(d, now, name, "variant removed", goneText)
		}
	}
	was, _ := header(d)
	is, _ := header(now)
	old := memberNames(was)
	reserved := func(name string) bool { return strings.HasPrefix(name, "_") }
	if slices.Contains(was.Notes, openEnded) || slices.ContainsFunc(old, reserved) || len(old) == 0 {
		return
	}
	if slices.Contains(is.Notes, openEnded) {
		c.tell(d, now, "non_exhaustive added", "is #[non_exhaustive] now: matches that name all variants no longer compile")
		return
	}
	if added := missing(is, was); len(added) > 0 {
		c.member(d, now, added[0], "variant added", "was added: matches that name all others no longer compile, unless they have an arm for the rest")
	}
}
