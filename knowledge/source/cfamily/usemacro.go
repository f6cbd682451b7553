package cfamily

import "github.com/causaldocs/causal/knowledge/source"

// ofMacro lists the references of a macro's replacement. Variables at the place of use are unknown.
func (u *uses) ofMacro(e *entry) []source.Reference {
	u.begin(nil)
	outer, ids := u.outline, u.idOf
	defer func() { u.outline, u.idOf = outer, ids }()
	u.within(e)
	from := u.macroParameters()
	for i := from; i < len(u.tokens); i++ {
		if u.name(i) && u.declaredInMacro(i) {
			u.bind(u.id(i))
		}
	}
	for i := from; i < len(u.tokens); {
		if !u.name(i) || u.is(i-1, opPaste) || u.is(i+1, opPaste) {
			i++
			continue
		}
		i = u.inMacro(i)
	}
	u.release(0)
	return u.list()
}

func (u *uses) within(e *entry) {
	d := &u.directives[e.macro-1]
	outer := u.outline
	u.line.outline, u.line.file = *outer, *outer.file
	u.line.file.tokens = outer.words[d.from:d.to]
	u.line.outline.file = &u.line.file
	u.outline, u.idOf = &u.line.outline, nil
}

// macroLocals marks names that macros declare at their place of use: those between a type and =, ; or [.
func (u *uses) macroLocals() {
	plain := func(w token) bool { return w.kind == identifier && (w.id == none || w.id == kwType) }
	for k := range u.directives {
		d := &u.directives[k]
		if d.name != "define" {
			continue
		}
		words := u.outline.words[d.from:d.to]
		for i := 2; i+1 < len(words); i++ {
			next := words[i+1]
			if words[i].kind != identifier || words[i].id != none || next.kind != punctuation || next.id != '=' && next.id != ';' && next.id != '[' {
				continue
			}
			before := words[i-1]
			if plain(before) || before.kind == punctuation && before.id == '*' {
				u.mark(u.numberOf(u.spelling(words[i])), wordOfMacro)
			}
		}
	}
}

func (u *uses) macroParameters() int {
	if len(u.tokens) < 2 || u.tokens[1].start != u.tokens[0].end || !u.is(1, '(') {
		return 1
	}
	i := 2
	for ; i < len(u.tokens) && !u.is(i, ')'); i++ {
		if u.name(i) {
			u.bind(u.id(i))
		}
	}
	return min(i+1, len(u.tokens))
}

func (u *uses) declaredInMacro(i int) bool {
	if !u.is(i+1, '=') && !u.is(i+1, ';') && !u.is(i+1, '[') {
		return false
	}
	k := i - 1
	for u.is(k, '*') {
		k--
	}
	return u.outline.word(k, kwType) || k > 0 && u.name(k) && (k == i-1 || u.is(k-1, ';') || u.is(k-1, '{') || u.outline.word(k-1, kwStruct))
}

func (u *uses) inMacro(i int) int {
	switch {
	case u.is(i-1, '.') && (u.is(i-2, '{') || u.is(i-2, ',')):
		return i + 1
	case u.is(i-1, opArrow), u.is(i-1, '.'):
		u.refer(u.id(i), u.how(i)|source.AsOpen, i)
		return i + 1
	}
	id, next := u.qualifiedName(i)
	how := source.AsValue
	switch {
	case u.is(next, '('):
		how = source.AsCall
	case u.outline.word(i-1, kwStruct), u.outline.word(i-1, kwUnion), u.outline.word(i-1, kwEnum):
		how = source.AsType
	}
	if how == source.AsValue && u.words[id].local == 0 && u.words[id].is&(wordKnown|wordCapitals|wordStandard) == 0 && next == i+1 {
		u.refer(id, how|source.AsOpen, i)
	} else {
		u.free(id, how, i)
	}
	return next
}
