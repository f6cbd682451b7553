package api

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// rustFields holds the public fields of a struct, and whether other crates can write it as a literal.
type rustFields struct {
	names, types []string
	generic      map[string]bool // names of type parameters
	all          bool            // there are no private fields
	exhaustive   bool
}

// openEnded marks a type that may get more fields or variants without notice.
const openEnded = "#[non_exhaustive]"

func readFields(d *source.Declared) (rustFields, bool) {
	h, ok := header(d)
	f := rustFields{generic: genericsOf(h), all: !h.Partial, exhaustive: !slices.Contains(h.Notes, openEnded)}
	for _, m := range h.Members {
		f.names, f.types = append(f.names, m.Name), append(f.types, rustType(m.Type))
	}
	return f, ok && (h.Partial || len(h.Members) > 0)
}

func (c *rustComparer) fields(d, now *source.Declared) {
	was, ok := readFields(d)
	is, still := readFields(now)
	if !ok || !still {
		return
	}
	at, had := indexOf(is.names), indexOf(was.names)
	for i, name := range was.names {
		switch at, ok := at[name]; {
		case !ok:
			c.member(d, now, name, "field removed", goneText)
		case c.retyped(was.types[i], is.types[at], was.generic, is.generic):
			c.member(d, now, name, "field retyped", "is "+is.types[at]+" now, and not "+was.types[i]+": code that expects the old type no longer compiles")
		}
	}
	if !was.all || !was.exhaustive || d.Kind != source.Struct || len(was.names) == 0 {
		return
	}
	switch added := slices.IndexFunc(is.names, func(n string) bool { return !has(had, n) }); {
	case !is.exhaustive:
		c.tell(d, now, "non_exhaustive added", "is #[non_exhaustive] now: literals of it no longer compile")
	case !is.all:
		c.tell(d, now, "private field added", "has private fields now: literals of it no longer compile")
	case added >= 0:
		c.member(d, now, is.names[added], "field added", "has to be given now: literals of "+last(d)+" without it no longer compile")
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
	known := indexOf(old)
	for _, name := range memberNames(is) {
		if !has(known, name) {
			c.member(d, now, name, "variant added", "was added: matches that name all others no longer compile, unless they have an arm for the rest")
			return
		}
	}
}
