package api

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/source"
)

// rustFields are the fields that a struct shows, and whether others can write it as a literal.
type rustFields struct {
	names, types []string
	all          bool // there are no others
	exhaustive   bool
}

// hiddenFields stands in a signature for fields that are not for others.
const hiddenFields = "/* private fields */"

// openEnded are attributes by which a type may get more without notice.
var openEnded = lazyregexp.New(`(?m)^#\[non_exhaustive\]$`)

func readFields(d *source.Declared) (rustFields, bool) {
	f := rustFields{all: true, exhaustive: !openEnded.MatchString(d.Signature)}
	if !strings.Contains(d.Signature, "{\n") {
		return f, false
	}
	for line := range strings.SplitSeq(d.Signature, "\n") {
		text, ok := strings.CutPrefix(line, "    ")
		text = strings.TrimSuffix(text, ",")
		switch {
		case !ok || strings.HasPrefix(text, "#["):
		case strings.HasPrefix(text, "pub("), text == hiddenFields:
			f.all = false
		default:
			name, typ, _, whole := (scanner{strings.TrimPrefix(text, "pub "), true}).cut(":")
			if !whole {
				return f, false
			}
			f.names, f.types = append(f.names, name), append(f.types, rustType(typ))
		}
	}
	return f, true
}

// fields compares structs with named fields.
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
			c.broken = append(c.broken, c.memberOf(d, now, name, "field removed", "was removed: code that uses it fails"))
		case c.retyped(was.types[i], is.types[at], genericsOf(d), genericsOf(now)):
			c.broken = append(c.broken, c.memberOf(d, now, name, "field retyped", "is "+is.types[at]+" now, and not "+was.types[i]+": code that expects the old type no longer compiles"))
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
		c.broken = append(c.broken, c.memberOf(d, now, is.names[added], "field added", "has to be given now: literals of "+last(d)+" without it no longer compile"))
	}
}

// genericsOf are the type parameters of a type.
func genericsOf(d *source.Declared) map[string]bool {
	out := map[string]bool{}
	for line := range strings.SplitSeq(d.Signature, "\n") {
		if _, list, found := strings.Cut(line, "<"); found && !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, " ") {
			for _, word := range rustWord.FindAllString(list, -1) {
				out[word] = true
			}
		}
	}
	return out
}

// variants compares enums. A variant more is an error as one less is: a match that named all of them does not compile any more, and the
// versions that Cargo takes for compatible may not do that. An enum that is #[non_exhaustive], or has a variant by which it says so, is open.
func (c *rustComparer) variants(d, now *source.Declared) {
	for _, name := range lostEntries(d, now) {
		if !strings.HasPrefix(name, "_") {
			c.broken = append(c.broken, c.memberOf(d, now, name, "variant removed", "was removed: code that uses it fails"))
		}
	}
	old := entries(d.Signature)
	reserved := func(name string) bool { return strings.HasPrefix(name, "_") }
	if openEnded.MatchString(d.Signature) || slices.ContainsFunc(old, reserved) || len(old) == 0 {
		return
	}
	if openEnded.MatchString(now.Signature) {
		c.tell(d, now, "non_exhaustive added", "is #[non_exhaustive] now: matches that name all variants no longer compile")
		return
	}
	known := indexOf(old)
	for _, name := range entries(now.Signature) {
		if !has(known, name) {
			c.broken = append(c.broken, c.memberOf(d, now, name, "variant added", "was added: matches that name all others no longer compile, unless they have an arm for the rest"))
			return
		}
	}
}
