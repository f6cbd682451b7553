package python

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// variable records that a variable of the environment is read, with what is taken where it is not set.
func (x *reader) variable(name, fallback string, i int) {
	key := source.Fact{Kind: source.Env, Name: valid(name), Default: valid(fallback)}
	if name == "" || x.told[key] {
		return
	}
	if x.told == nil {
		x.told = map[source.Fact]bool{}
	}
	x.told[key] = true
	key.Line = int(x.toks[i].line)
	x.facts = append(x.facts, key)
}

// otherwise is the default in a call whose first argument is token i: its second argument, or what follows an `or` behind it.
func (x *reader) otherwise(i int) string {
	n := len(x.toks)
	if x.is(i+1, n, ",") {
		at := i + 2
		if x.isName(at, n) && x.text(at) == "default" && x.is(at+1, n, "=") {
			at += 2
		}
		if text, ok := x.plain(at); ok && (x.is(at+1, n, ")") || x.is(at+1, n, ",")) {
			return text
		}
		return ""
	}
	if x.is(i+1, n, ")") && x.is(i+2, n, "or") {
		if text, ok := x.plain(i + 3); ok && (i+4 >= n || x.toks[i+4].line != x.toks[i+3].line || x.is(i+4, n, ")") || x.is(i+4, n, ",")) {
			return text
		}
	}
	return ""
}

// plain is the value that token i spells out as users would write it.
func (x *reader) plain(i int) (string, bool) {
	if i < 0 || i >= len(x.toks) {
		return "", false
	}
	switch t := x.toks[i]; {
	case t.kind == str:
		return x.literalAt(i), true
	case t.kind == number, x.is(i, len(x.toks), "True"), x.is(i, len(x.toks), "False"):
		return x.text(i), true
	}
	return "", false
}

// asking is a function that is open, and what it does with the name of a variable that it is given.
type asking struct {
	level         int32
	name          string
	class         bool
	key, fallback string // its first two parameters
	otherwise     string // the default of the second
	reads         bool   // it reads the variable that key names
	of            string // the function that it hands key to
	returned      bool   // what it is given for fallback is used where there is none
	at            int
}

// environment finds the functions that read the variable whose name they are given, and their calls.
func (x *reader) environment() {
	if len(x.named) == 0 && !strings.Contains(x.src, "env") && !strings.Contains(x.src, "(\"") && !strings.Contains(x.src, "('") {
		return
	}
	var open []asking
	named := map[int]bool{}
	for _, i := range x.named {
		named[i] = true
	}
	var loop string // the variable of the loop over literals that is open
	var literals []string
	var loopLevel int32
	leave := func(level int32) {
		for len(open) > 0 && open[len(open)-1].level >= level {
			x.asked(open[len(open)-1])
			open = open[:len(open)-1]
		}
	}
	for _, l := range x.lines {
		first, end := int(l.first), int(l.end)
		if first >= end {
			continue
		}
		leave(l.level)
		if l.level <= loopLevel {
			loop = ""
		}
		if x.is(first, end, "async") {
			first++
		}
		if (x.is(first, end, "def") || x.is(first, end, "class")) && x.isName(first+1, end) {
			open = append(open, x.asker(l, first, open))
			continue
		}
		if x.is(first, end, "for") && x.isName(first+1, end) && x.is(first+2, end, "in") {
			loop, loopLevel, literals = x.text(first+1), l.level, x.literalsIn(first+3, int(l.colon))
		}
		for i := first; i < end; i++ {
			if named[i] && x.isName(i, end) && x.text(i) == loop {
				for _, name := range literals {
					x.variable(name, "", i)
				}
			}
			x.askedAt(i, end, open, named)
		}
	}
	leave(-1)
}

// mostLiterals is how many texts a loop goes over that are told: for each use of its variable, all are.
const mostLiterals = 256

// literalsIn are the texts of a list or tuple between tokens; none where it has anything else.
func (x *reader) literalsIn(from, to int) []string {
	var out []string
	for i := from; i < to; i++ {
		switch {
		case len(out) == mostLiterals:
			return nil
		case x.toks[i].kind == str:
			out = append(out, x.literalAt(i))
		case x.toks[i].kind != op || x.is(i, to, "."):
			return nil
		}
	}
	return out
}

// asker takes up a function or a class.
func (x *reader) asker(l line, at int, open []asking) asking {
	end := int(l.end)
	a := asking{level: l.level, name: x.text(at + 1), class: x.is(at, end, "class"), at: at + 1}
	if len(open) > 0 {
		a.name = open[len(open)-1].name + "." + a.name
	}
	if a.class || !x.is(at+2, end, "(") {
		return a
	}
	i := at + 3
	for n, depth := 0, 1; i < end && depth > 0 && n < 2; i++ {
		begins := depth == 1 && (x.is(i-1, end, "(") || x.is(i-1, end, ","))
		depth += x.depth(i)
		if !begins || !x.isName(i, end) || x.text(i) == "self" || x.text(i) == "cls" {
			continue
		}
		if n++; n == 1 {
			a.key = x.text(i)
			continue
		}
		a.fallback = x.text(i)
		for j := i + 1; j < end && depth == 1 && !x.is(j, end, ",") && !x.is(j, end, ")"); j++ {
			if x.is(j, end, "=") {
				a.otherwise, _ = x.plain(j + 1)
			}
		}
	}
	return a
}

// asked records what a function that is closed does.
func (x *reader) asked(a asking) {
	if a.class || !a.reads && a.of == "" {
		return
	}
	f := source.Fact{Kind: source.Reads, ID: a.name, Of: a.of, Line: int(x.toks[a.at].line)}
	if a.returned {
		f.Value, f.Default = source.Fallback, valid(a.otherwise)
	}
	x.facts = append(x.facts, f)
}

// askedAt looks at token i of a function.
func (x *reader) askedAt(i, end int, open []asking, named map[int]bool) {
	if !x.isName(i, end) {
		return
	}
	var in *asking
	if len(open) > 0 && !open[len(open)-1].class {
		in = &open[len(open)-1]
	}
	if in != nil {
		text := x.text(i)
		switch {
		case text == in.key && named[i]:
			in.reads, in.of = true, ""
		case text == in.fallback && (x.is(i-1, end, "return") || x.is(i-1, end, "or") || x.is(i-2, end, "environ") || x.behindKey(i, in.key) || x.is(i-1, end, "=") && x.isName(i-2, end) || x.is(i-1, end, "else")):
			in.returned = true
		}
	}
	if !x.is(i+1, end, "(") || i+2 >= end {
		return
	}
	callee := x.callee(i, open)
	about := strings.Contains(strings.ToLower(callee), "env")
	switch name := x.literalAt(i + 2); {
	case callee == "" || named[i+2]:
	case isVariable(name) && (about || strings.Contains(name, "_")) && (x.is(i+3, end, ",") || x.is(i+3, end, ")")):
		x.facts = append(x.facts, source.Fact{Kind: source.Env, Name: name, Of: callee, Default: valid(x.otherwise(i + 2)), Line: int(x.toks[i].line)})
	case in != nil && !in.reads && about && x.isName(i+2, end) && x.text(i+2) == in.key && callee != in.name:
		in.of = callee
	}
}

// behindKey reports whether token i is the argument behind the name of the variable.
func (x *reader) behindKey(i int, key string) bool {
	return x.is(i-1, len(x.toks), ",") && x.isName(i-2, len(x.toks)) && x.text(i-2) == key
}

// longestDotted is how many bytes a dotted name has that is followed.
const longestDotted = 256

// callee is the function that is called at token i: a name of the file or of a module, or a method of the class around it.
func (x *reader) callee(i int, open []asking) string {
	name, first := x.text(i), i
	for x.is(first-1, len(x.toks), ".") {
		if !x.isName(first-2, len(x.toks)) || len(name) > longestDotted {
			return ""
		}
		first -= 2
		name = x.text(first) + "." + name
	}
	rest, own := strings.CutPrefix(name, "self.")
	if !own {
		rest, own = strings.CutPrefix(name, "cls.")
	}
	for n := len(open) - 1; own && n >= 0; n-- {
		if open[n].class {
			return open[n].name + "." + rest
		}
	}
	return name
}

// isVariable reports whether a text is written as variables of the environment are.
func isVariable(name string) bool {
	for i := range len(name) {
		if c := name[i]; (c < 'A' || c > 'Z') && c != '_' && (c < '0' || c > '9') {
			return false
		}
	}
	return len(name) > 1 && name[0] >= 'A' && name[0] <= 'Z'
}
