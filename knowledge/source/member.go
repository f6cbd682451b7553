package source

import (
	"slices"
	"strings"
)

func (f *follower) member(from, i int, name string, l tie) {
	if !f.rules.Closed || !f.kinded(i) {
		if l.kind == RefCall {
			f.inherited(from, i, name, l)
		}
		f.ofInterface(from, Use{f.module, f.declared[i].Name + "." + name}, l)
		f.open(from, name, l)
		return
	}
	f.promoted(from, i, name, l)
}

// inherited links to a member of the nearest base class that has it.
func (f *follower) inherited(from, i int, name string, l tie) {
	l.certain = false // a subtype may override it
	for range deepestBases {
		if len(f.bases[i]) == 0 {
			return
		}
		base := f.bases[i][0]
		if base.node < 0 || base.node >= len(f.declared) {
			table, _ := f.linker.Table(base.away.Module)
			l.node, l.away.Module = -1, base.away.Module
			var known bool
			if l.away.Name, known = table.memberOf("", base.away.Name+"."+name); known && !base.outside {
				f.add(from, l)
			}
			return
		}
		i = base.node
		if to, known := f.lookup(f.declared[i].Name+".", name); known {
			l.node = to
			f.add(from, l)
			return
		}
	}
}

// ofInterface adds the call of a method of an interface, whichever type implements it.
func (f *follower) ofInterface(from int, method Use, l tie) {
	if l.kind == RefCall && f.isRequired(method) {
		l.node, l.away, l.certain, l.outside, l.passing = -1, method, false, false, false
		f.add(from, l)
	}
}

// ofResult links to a member of the type that a function returns, or of a type to which a conversion leads.
func (f *follower) ofResult(from int, scope, function, name string, l tie) {
	if i, rest, ok := f.within(scope, function); ok && rest == "" {
		owner := f.declared[i].Name
		if !types[f.declared[i].Kind] {
			owner = f.declared[i].resultType()
		}
		if i, rest, ok = f.within("", owner+"."+name); ok && owner != "" {
			f.declaredHere(from, i, rest, l)
			return
		}
	}
	for _, to := range f.through(function) {
		table, _ := f.linker.Table(to.away.Module)
		owner := table.Results[to.away.Name]
		if table.Types[to.away.Name] {
			owner = to.away.Name
		}
		if to.rest != "" || to.node >= 0 {
			continue
		}
		method := Use{to.away.Module, owner + "." + name}
		if _, ok := table.Names[method.Name]; ok {
			l.node, l.away = -1, method
			f.add(from, l)
			return
		}
		f.ofInterface(from, method, l)
	}
	f.open(from, name, l)
}

// ofField resolves a selection from a variable, or from the field of a struct, in the file that declares it.
func (f *follower) ofField(from, i int, rest string, r *Reference, l tie) bool {
	d := &f.declared[i]
	field, member, chained := strings.Cut(rest, ".")
	typ := d.Fields[""]
	switch {
	case typ != "" && rest != "":
		own := l
		own.node, own.kind, member = i, RefValue, rest
		f.add(from, own)
	case chained:
		typ = d.Fields[field]
	default:
		return false
	}
	at := f.scopes[d.Path]
	if typ == "" || at == nil {
		f.open(from, last(member), l)
		return true
	}
	here := f.fileScope
	f.fileScope = at
	if named, _, ok := f.within("", typ); ok && f.declared[named].Fields[""] != "" { // a variable is no type
		f.open(from, last(member), l)
	} else {
		one := *r
		one.Name = typ + "." + member
		f.resolve(from, "", &one, l)
	}
	f.fileScope = here
	return true
}

// resultType returns the name of the type of a function's first result, without pointers.
func (s *Symbol) resultType() string {
	if s.Kind != Func {
		return ""
	}
	for _, h := range s.Headers() {
		result, _, _ := strings.Cut(strings.TrimPrefix(h.Result, "("), ",")
		fields := strings.Fields(strings.TrimSuffix(result, ")"))
		if len(fields) > 0 {
			return strings.TrimLeft(fields[len(fields)-1], "*")
		}
	}
	return ""
}

// Server returns the name of the method that handles requests for the value that a function returns.
func (s *Symbol) Server(rules Resolution) string {
	typ := s.resultType()
	if typ == "" || rules.Serves == "" {
		return ""
	}
	return typ + "." + rules.Serves
}

// kinded reports whether the members are exactly the declaration's own and those of its bases.
func (f *follower) kinded(i int) bool {
	kind := f.declared[i].Kind
	return kind == Struct || kind == Type
}

// promoted links to a member of the nearest base. If no base can have the member, it is a field and part of the type;
// a member that is not called may be a field anyway. For a base outside the repository, only a call can lead back
// into it.
func (f *follower) promoted(from, i int, name string, l tie) {
	l.certain = l.kind == RefCall
	seen := map[int]bool{i: true}
	for queue := []int{i}; len(queue) > 0; queue = queue[1:] {
		for _, base := range f.bases[queue[0]] {
			switch {
			case base.node < 0:
				if f.promotedAway(from, base, name, l) {
					return
				}
			case seen[base.node] || base.node >= len(f.declared):
			default:
				seen[base.node] = true
				if to, ok := f.lookup(f.declared[base.node].Name+".", name); ok {
					l.node = to
					f.add(from, l)
					return
				}
				if f.declared[base.node].requires(name) {
					f.ofInterface(from, Use{f.module, f.declared[base.node].Name + "." + name}, l)
					f.open(from, name, l)
					return
				}
				queue = append(queue, base.node)
			}
		}
	}
}

func (f *follower) promotedAway(from int, base destination, name string, l tie) bool {
	if !base.outside {
		table, _ := f.linker.Table(base.away.Module)
		method := Use{base.away.Module, base.away.Name + "." + name}
		if _, ok := table.Names[method.Name]; ok {
			l.node, l.away = -1, method
			f.add(from, l)
			return true
		}
		f.ofInterface(from, method, l)
	}
	if l.kind == RefCall {
		f.open(from, name, l)
	}
	return false
}

func (s *Symbol) requires(name string) bool {
	_, ok := slices.BinarySearchFunc(s.Requires, name, func(m Member, name string) int { return strings.Compare(m.Name, name) })
	return ok
}

func (f *follower) base(name string) []destination {
	if i, rest, ok := f.within("", name); ok && rest == "" {
		return []destination{{node: i, certain: true}}
	}
	return f.through(name)
}

func (f *follower) all(name string) int {
	if node, ok := f.selectors[name]; ok {
		return node
	}
	prefix := strings.TrimSuffix(name, "*")
	for i := range f.declared {
		if strings.HasPrefix(f.declared[i].Name, prefix) {
			f.addSelectable(name, i)
		}
	}
	if node, ok := f.selectors[name]; ok {
		return node
	}
	return -1
}
