package api

import (
	"cmp"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/source"
)

type rustFunction struct {
	receiver string // self as written, such as "&mut self"; empty without one
	types    []string
	result   string
	generic  map[string]bool // names of type parameters
	words    []string        // before fn: const, unsafe, async
}

var (
	lifetime = lazyregexp.New(`<'[a-z_][a-z0-9_]*>|'[a-z_][a-z0-9_]*,?\s?`)
	pathed   = lazyregexp.New(`(?:[A-Za-z_][A-Za-z0-9_]*)?::`)
)

// readRust reads a function's signature. It returns false if there are several declarations.
func readRust(d *source.Declared) (rustFunction, bool) {
	h, ok := header(d)
	f := rustFunction{generic: genericsOf(h), words: h.Modifiers, result: rustType(h.Result)}
	for _, p := range h.Params {
		switch typ := rustType(cmp.Or(p.Type, p.Name)); {
		case p.Kind != source.Receiver:
			f.types = append(f.types, typ)
		case p.Type != "":
			f.receiver = p.Name + ": " + typ
		default:
			f.receiver = typ
		}
	}
	return f, ok
}

// rustType normalizes a type by dropping paths and lifetimes.
func rustType(text string) string {
	return strings.TrimSpace(pathed.ReplaceAllString(lifetime.ReplaceAllString(text, ""), ""))
}

var rustWord = lazyregexp.New(`[A-Za-z_][A-Za-z0-9_]*`)

var plainTypes = map[string]bool{
	"u8": true, "u16": true, "u32": true, "u64": true, "u128": true, "usize": true, "i8": true, "i16": true, "i32": true, "i64": true, "i128": true,
	"isize": true, "f32": true, "f64": true, "bool": true, "char": true, "str": true, "String": true, "Vec": true, "Option": true, "Result": true, "Box": true,
	"Rc": true, "Arc": true, "HashMap": true, "BTreeMap": true, "HashSet": true, "BTreeSet": true, "Duration": true, "mut": true, "dyn": false,
}

// retyped reports whether two types certainly differ: all names in them are known types, or structs and enums of the
// crate in both versions, and none is a type parameter.
func (c *rustComparer) retyped(was, now string, generic ...map[string]bool) bool {
	if was == now {
		return false
	}
	for _, word := range slices.Concat(rustWord.FindAllString(was, -1), rustWord.FindAllString(now, -1)) {
		if slices.ContainsFunc(generic, func(g map[string]bool) bool { return g[word] }) || !plainTypes[word] && !c.concrete(word) {
			return false
		}
	}
	return true
}

// concrete reports whether a name denotes a struct or an enum of the crate in both versions.
func (c *rustComparer) concrete(name string) bool {
	only := func(crate *rustCrate) bool {
		list := crate.names[name]
		return len(list) > 0 && !slices.ContainsFunc(list, func(item rustItem) bool {
			k := crate.symbol(item).Kind
			return k != source.Struct && k != source.Enum && k != source.Reexport
		})
	}
	return only(c.old) && only(c.new)
}

func (c *rustComparer) function(d, now *source.Declared, owner string) {
	was, ok := readRust(d)
	is, still := readRust(now)
	if !ok || !still {
		return
	}
	switch kind, why := c.callsRust(was, is, owner); kind {
	case "const removed":
		c.may(d, now, kind, why)
	default:
		c.recalled(d, now, kind, why, nil)
	}
}

var borrowed = []string{"&self", "&mut self"}

// isCopy reports whether a type may be Copy, in which case a method that takes it by value leaves the value usable. An
// implementation of a trait may be.
func (c *rustComparer) isCopy(owner string) bool {
	list := c.new.names[owner]
	return len(list) != 1 || slices.ContainsFunc(c.new.symbol(list[0]).Headers(), func(h source.Header) bool {
		return slices.ContainsFunc(h.Notes, func(note string) bool { return hasWord(note, "Copy") })
	}) || c.isTrait(c.new.symbol(list[0])) || c.implements(owner, "Copy")
}

func (c *rustComparer) callsRust(was, now rustFunction, owner string) (kind, why string) {
	lost := func(word string) bool { return slices.Contains(was.words, word) && !slices.Contains(now.words, word) }
	gained := func(word string) bool { return !slices.Contains(was.words, word) && slices.Contains(now.words, word) }
	switch {
	case was.receiver != "" && now.receiver == "":
		return "self removed", "takes no self any more: calls on a value no longer compile"
	case was.receiver == "" && now.receiver != "":
		return "self added", "takes " + now.receiver + " now: calls without a value no longer compile"
	case len(was.types) != len(now.types):
		return recounted(len(was.types), len(now.types))
	case was.receiver == "&self" && now.receiver == "&mut self":
		return "self made mutable", "takes &mut self now: calls on shared references no longer compile"
	case slices.Contains(borrowed, was.receiver) && (now.receiver == "self" || now.receiver == "mut self") && !c.isCopy(owner):
		return "self taken by value", "takes self by value now: calls on references, and uses of the value after a call, no longer compile"
	case gained("async") || lost("async"):
		return "async changed", "is async in one version and not in the other: code that uses its result fails"
	case gained("unsafe"):
		return "unsafe added", "is unsafe now: calls outside of unsafe code no longer compile"
	case lost("const"):
		return "const removed", "is not const any more: constants that call it no longer compile"
	}
	for i := range was.types {
		if c.retyped(was.types[i], now.types[i], was.generic, now.generic) {
			return "parameter retyped", "takes " + now.types[i] + " now, and not " + was.types[i] + ": calls that give that no longer compile"
		}
	}
	self := strings.NewReplacer("Self", owner[strings.LastIndexByte(owner, '.')+1:])
	if was.result != "" && c.retyped(self.Replace(was.result), self.Replace(now.result), was.generic, now.generic) {
		if now.result == "" {
			return "result removed", "returns nothing now, and not " + was.result + ": code that uses its result fails"
		}
		return "result retyped", "returns " + now.result + " now, and not " + was.result + ": code that expects the old result no longer compiles"
	}
	return "", ""
}
