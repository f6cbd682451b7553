package python

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

type exports struct {
	names   map[string]bool
	present bool
	open    bool // partly computed: may contain other names
}

func (e *exports) assign(x *reader, a assigned) {
	if a.value == 0 {
		return // annotation only
	}
	e.open = e.open || a.unpacked || a.operator != "=" && a.operator != "+="
	e.collect(x, a.value, a.valueEnd)
}

// method reads a method call on __all__ and reports whether the statement is one.
func (e *exports) method(x *reader, from, to int) bool {
	if !x.is(from+1, to, ".") || x.text(from) != "__all__" {
		return false
	}
	if !x.isName(from+2, to) || !x.is(from+3, to, "(") || x.text(from+2) != "extend" && x.text(from+2) != "append" {
		e.present, e.open = true, true
		return true
	}
	e.collect(x, from+3, to)
	return true
}

// collect adds literal names; anything except lists of strings and their sums makes the set open.
func (e *exports) collect(x *reader, from, to int) {
	if e.names == nil {
		e.names = map[string]bool{}
	}
	e.present = true
	for i := from; i < to; i++ {
		switch {
		case x.toks[i].kind == str:
			first := i
			for i+1 < to && x.toks[i+1].kind == str {
				i++
			}
			value, ok := x.joined(first, i+1)
			e.names[value] = ok
			e.open = e.open || !ok
		case x.is(i, to, ",") || x.is(i, to, "+"):
		case x.depth(i) != 0 && !x.is(i, to, "{") && !x.is(i, to, "}"):
		default:
			e.open = true
		}
	}
}

func (e *exports) visible(local string) bool {
	if e.names[local] {
		return true
	}
	return !(e.present && !e.open) && !strings.HasPrefix(local, "_")
}

func isDunder(s string) bool {
	return len(s) > 4 && strings.HasPrefix(s, "__") && strings.HasSuffix(s, "__")
}

// visibleMember reports whether a class member is public by convention.
func visibleMember(s string) bool { return !strings.HasPrefix(s, "_") || isDunder(s) }

func (x *reader) exported(s source.Symbol) bool {
	top, rest, member := strings.Cut(s.Name, ".")
	if !x.all.visible(top) {
		return false
	}
	for member {
		var segment string
		segment, rest, member = strings.Cut(rest, ".")
		if !visibleMember(segment) || isDunder(segment) && s.Kind == source.Field {
			return false
		}
	}
	return true
}

func (x *reader) allSymbols() []source.Symbol {
	passed := x.reexports()
	x.dropStandIns(passed)
	passed = append(passed, x.givenSymbols()...)
	x.symbols = append(x.symbols, passed...)
	if len(x.symbols) == 0 {
		return nil
	}
	merged := source.MergeSymbols(x.symbols)
	slices.SortStableFunc(merged, func(a, b source.Symbol) int { return a.Line - b.Line })
	for i := range merged {
		merged[i].Exported = merged[i].Kind == source.Reexport || x.exported(merged[i])
	}
	return merged
}

// dropStandIns removes stubs of re-exported names.
func (x *reader) dropStandIns(passed []source.Symbol) {
	if len(x.stands) == 0 || len(passed) == 0 {
		return
	}
	imported, dropped := map[string]bool{}, map[string]bool{}
	for i := range passed {
		imported[passed[i].Name] = true
	}
	for _, i := range x.stands {
		if name := x.symbols[i].Name; imported[name] {
			dropped[name] = true
		}
	}
	x.symbols = slices.DeleteFunc(x.symbols, func(s source.Symbol) bool {
		top, _, _ := strings.Cut(s.Name, ".")
		return dropped[top]
	})
}

// reexports returns symbols for the imported names that the module exports: those in __all__, those imported `as`
// themselves, and in an __init__ without a complete __all__ those of relative imports. A stub re-exports no others.
func (x *reader) reexports() []source.Symbol {
	var out []source.Symbol
	for i := range x.imports {
		e := &x.imports[i]
		if !e.outer {
			continue
		}
		relative := x.base == "__init__.py" && strings.HasPrefix(e.Path, ".") && (!x.all.present || x.all.open)
		if e.module {
			if x.all.names[e.local] || e.asItself {
				e.All = true
				out = append(out, x.reexport(*e, e.local, e.Path, e.alias))
			}
			continue
		}
		for _, n := range e.Names {
			local := n.As
			if local == "" {
				local = n.Name
			}
			if x.all.names[local] || e.themselves[local] || relative && !strings.HasPrefix(local, "_") {
				out = append(out, x.reexport(*e, local, n.Name, n.As))
			}
		}
		e.Reexport = e.All && x.isInit()
	}
	return out
}

func (x *reader) isInit() bool { return x.base == "__init__.py" || x.base == "__init__.pyi" }

func (x *reader) reexport(e edge, local, imported, as string) source.Symbol {
	signature := "import " + imported
	if !e.module {
		signature = "from " + e.Path + " " + signature
	}
	if as != "" && as != imported {
		signature += " as " + as
	}
	s := source.Symbol{
		Name: local, Kind: source.Reexport, Signature: signature, Type: source.NewLayout(signature).Parts(), Line: e.Line, End: e.end,
		Interface: x.digestOf(string(source.Reexport), signature), Refs: []string{local}, Guard: e.Guard,
	}
	s.Content = s.Interface
	return s
}
