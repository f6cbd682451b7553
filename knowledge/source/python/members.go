package python

import "strings"

// members reads all tokens again to find the uses of imported modules, and whether the file may define a command line.
func (x *reader) members() {
	bound := x.bindings()
	words := lineWords.Get()
	for _, l := range x.lines {
		for i := int(l.first); i < int(l.end); i++ {
			switch x.toks[i].kind {
			case name:
				x.nameUse(i, i == int(l.first), bound)
				x.commandLine = x.commandLine || words[x.text(i)] && x.is(i+1, len(x.toks), "(")
			case str:
				if len(bound) > 0 {
					x.quotedUses(x.text(i), bound)
				}
			}
		}
	}
}

func (x *reader) nameUse(i int, first bool, bound map[string]*binding) {
	n := len(x.toks)
	b := bound[x.text(i)]
	if b == nil || x.is(i-1, n, ".") {
		return
	}
	if annotation := !first && x.is(i-1, n, ":"); x.is(i+1, n, "=") && !annotation {
		return // keyword argument, parameter or rebinding
	}
	last := i
	var chain [16]token
	members := chain[:0]
	for len(members) < cap(members) && x.is(last+1, n, ".") && x.isName(last+2, n) {
		last += 2
		members = append(members, x.toks[last])
	}
	if len(b.edges) > 0 {
		x.use(b, members)
	}
}

func (x *reader) quotedUses(literal string, bound map[string]*binding) {
	if strings.IndexByte(literal, '.') < 0 {
		return
	}
	for _, dotted := range quotedNames(literal) {
		local, rest, ok := strings.Cut(dotted, ".")
		b := bound[local]
		if !ok || b == nil || len(b.edges) == 0 {
			continue
		}
		for _, e := range b.edges {
			x.imports[e].reachQuoted(rest)
		}
	}
}

// reachQuoted records a member named in a string if it may be one of this module.
func (e *edge) reachQuoted(rest string) {
	for _, segment := range e.rest {
		first, behind, ok := strings.Cut(rest, ".")
		if first != segment || !ok {
			return
		}
		rest = behind
	}
	if member, _, _ := strings.Cut(rest, "."); member != "" {
		e.reach(member)
	}
}
