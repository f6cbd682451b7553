package rust

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// readers read an item from its keyword, add declarations and return the index after it.
var readers map[string]func(o *outline, it *item, i int) int

func init() {
	readers = map[string]func(o *outline, it *item, i int) int{
		"fn":           (*outline).function,
		"struct":       func(o *outline, it *item, i int) int { return o.data(it, i, source.Struct, fields) },
		"union":        func(o *outline, it *item, i int) int { return o.data(it, i, source.Union, fields) },
		"enum":         func(o *outline, it *item, i int) int { return o.data(it, i, source.Enum, cases) },
		"const":        func(o *outline, it *item, i int) int { return o.assigned(it, i, source.Const) },
		"static":       func(o *outline, it *item, i int) int { return o.assigned(it, i, source.Var) },
		"type":         func(o *outline, it *item, i int) int { return o.assigned(it, i, source.Type) },
		"trait":        func(o *outline, it *item, i int) int { return o.data(it, i, source.Trait, plain) },
		"impl":         (*outline).implementation,
		"mod":          (*outline).module,
		"extern":       (*outline).externBlock,
		"extern crate": (*outline).externCrate,
		"use":          (*outline).use,
		"macro_rules":  (*outline).macroRules,
		"macro":        (*outline).macroItem,
	}
}

// declare adds the item under the name at i.
func (o *outline) declare(it *item, i int, kind source.Kind) bool {
	name := o.name(i)
	if name == "" {
		o.problem.Report(int32(o.toks[min(i, len(o.toks)-1)].line), "expected a name")
		return false
	}
	it.label = i
	it.kind, it.name = kind, it.scope.prefix+toValid(name)
	if name != "_" {
		o.items = append(o.items, it)
	}
	return true
}

// close sets the ends of the head and the item; i is a body, a ';' or the end of the scope.
func (o *outline) close(it *item, i int) int {
	it.head = i
	switch {
	case i >= it.scope.end:
		o.problem.Report(int32(o.toks[len(o.toks)-1].line), "expected '{' or ';'")
		it.head, it.end = it.scope.end, it.scope.end
	default:
		if o.toks[i].class == opener && isComma(o.src, o.toks[i-1]) {
			o.toks[i-1].skip = true // the trailing comma of a where clause
		}
		it.end = o.after(i)
	}
	return it.end
}

func (o *outline) function(it *item, i int) int {
	kind := source.Func
	if it.scope.kind == inTrait || it.scope.kind == inImpl {
		kind = source.Method
	}
	if it.scope.kind != inTraitImpl {
		if !o.declare(it, i+1, kind) {
			return i + 1
		}
		o.derive(it)
	}
	end := o.close(it, o.headEnd(it.scope, i+2, ""))
	if owner := it.scope.owner; owner != nil && o.class(it.head) == opener {
		owner.bodies = append(owner.bodies, span{From: it.head, To: end})
	}
	return end
}

// derive renames the function of #[proc_macro_derive(Name)] to its public name.
func (o *outline) derive(it *item) {
	for a := range o.attributesIn(it.attrs, it.first) {
		if o.is(a.From, "proc_macro_derive") && o.is(a.From+1, "(") && o.class(a.From+2) == word {
			it.kind, it.name = source.Macro, it.scope.prefix+o.validName(a.From+2)
		}
	}
}

func (o *outline) data(it *item, i int, kind source.Kind, f form) int {
	if !o.declare(it, i+1, kind) {
		return i + 1
	}
	it.form = f
	head := o.headEnd(it.scope, i+2, "")
	end := o.close(it, head)
	if kind == source.Trait && o.class(head) == opener {
		s := o.enter(it, head, inTrait, o.name(i+1))
		s.exported, s.generics = it.exported, o.parameters(i+2, head)
	}
	return end
}

func (o *outline) assigned(it *item, i int, kind source.Kind) int {
	if o.is(i+1, "mut") {
		i++
	}
	named := it.scope.kind == inTraitImpl || o.declare(it, i+1, kind)
	if !named {
		return i + 1
	}
	end := o.to(";", i+2, it.scope.end)
	it.head = end
	if kind != source.Type {
		it.form = value
		it.head = o.headEnd(it.scope, i+2, "=")
	}
	if end >= it.scope.end {
		o.problem.Report(int32(o.toks[len(o.toks)-1].line), "expected ';'")
		it.end = it.scope.end
		return it.end
	}
	it.end = end + 1
	return it.end
}

// enter queues the items between the brackets at i as members of it.
func (o *outline) enter(it *item, i int, kind scopeKind, name string) *scope {
	up := it.scope
	s := &scope{
		kind: kind, start: i + 1, end: int(o.toks[i].mate), prefix: up.prefix, modules: up.modules, exported: up.exported,
		attrs: it.attrs, head: it.rest, headEnd: i, depth: up.depth + 1,
		wrapper: up.wrapper, guard: o.guard(it),
	}
	if name != "" {
		s.prefix += name + "."
	}
	if s.depth <= maxDepth && len(s.prefix) <= maxPrefix {
		o.scopes = append(o.scopes, s)
	}
	return s
}

func (o *outline) module(it *item, i int) int {
	if !o.declare(it, i+1, source.Namespace) {
		return i + 1
	}
	end := o.close(it, i+2)
	if !o.is(i+2, "{") {
		return end
	}
	name := o.name(i + 1)
	s := o.enter(it, i+2, inModule, name)
	s.exported = it.exported
	s.modules = append(s.modules[:len(s.modules):len(s.modules)], name)
	o.nested = append(o.nested, s)
	return end
}

func (o *outline) externBlock(it *item, i int) int {
	o.enter(it, i+1, inExtern, "")
	return o.after(i + 1)
}

// implementation reads an impl block: a trait impl is an item; otherwise the items are members of the type.
func (o *outline) implementation(it *item, i int) int {
	body := o.headEnd(it.scope, i+1, "")
	end := o.close(it, body)
	if o.class(body) != opener {
		return end
	}
	trait, self := o.implHead(i+1, body)
	name := toValid(o.selfName(self, body))
	if name == "" || len(name) > maxPrefix {
		return end
	}
	if trait == "" {
		s := o.enter(it, body, inImpl, name)
		s.exported, s.generics, s.selfAt = true, o.parameters(i+1, body), self
		return end
	}
	it.kind, it.form, it.exported = source.Method, merged, false
	it.name = it.scope.prefix + name + ".<" + trait + ">"
	it.label = i
	o.items = append(o.items, it)
	s := o.enter(it, body, inTraitImpl, name)
	s.owner = it
	return end
}

// implHead returns the normalized trait and the start of the type in `impl<…> Trait for Type`.
func (o *outline) implHead(i, end int) (trait string, self int) {
	if o.is(i, "<") {
		i = min(o.outside(i+1, end, ">")+1, end)
	}
	if o.is(i, "const") {
		i++
	}
	for j := o.outside(i, end, "for"); j < end; j = o.outside(j+1, end, "for") {
		if j > i && !o.binder(j) {
			return o.render(i, j), j + 1
		}
	}
	return "", i
}

// binder distinguishes `for<'a>` from the `for` of an impl.
func (o *outline) binder(i int) bool {
	return o.is(i+1, "<") && (o.class(i+2) == lifetime || o.is(i+2, ">"))
}

// selfName returns the last name of the type's path, or the whole type if it is not a path.
func (o *outline) selfName(i, end int) string {
	stop := o.outside(i, end, "where")
	for o.is(i, "&") || o.is(i, "&&") || o.is(i, "*") || o.is(i, "mut") || o.is(i, "const") || o.is(i, "dyn") || o.class(i) == lifetime {
		i++
	}
	if o.is(i, "::") {
		i++
	}
	for o.class(i) == word && o.is(i+1, "::") && o.class(i+2) == word {
		i += 2
	}
	if o.class(i) == word && !keywords[string(o.text(i))] && !o.is(i+1, "!") && !o.is(i+1, "::") {
		return o.name(i)
	}
	return strings.ReplaceAll(o.render(i, stop), ".", "_")
}

func (o *outline) macroRules(it *item, i int) int {
	if !o.is(i+1, "!") || o.class(i+3) != opener {
		if end, ok := o.macroCall(i); ok {
			return end
		}
		o.problem.Report(int32(o.toks[i].line), "expected the rules of a macro")
		return i + 1
	}
	if !o.declare(it, i+2, source.Macro) {
		return i + 2
	}
	it.form, it.head, it.end = macro, i+3, o.after(i+3)
	it.exported = o.hasAttribute(it.attrs, it.first, "macro_export")
	if o.is(it.end, ";") {
		it.end++
	}
	return it.end
}

func (o *outline) macroItem(it *item, i int) int {
	if !o.declare(it, i+1, source.Macro) {
		return i + 1
	}
	j := i + 2
	if o.is(j, "(") {
		j = o.after(j)
	} else {
		it.form = macro
	}
	return o.close(it, j)
}
