package python

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// variable records that a variable of the environment is read, with what is taken where it is not set.
func (x *reader) variable(name, fallback, usage string, i int) {
	key := source.Fact{Kind: source.Env, Name: valid(name), Default: valid(fallback), Usage: usage}
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

// otherwise is the default in a call whose first argument ends with token i: its second argument, or what follows an `or` behind it.
func (x *reader) otherwise(i int) (value, usage string) {
	n := len(x.toks)
	switch {
	case x.is(i+1, n, ","):
		at := i + 2
		if x.isName(at, n) && x.text(at) == "default" && x.is(at+1, n, "=") {
			at += 2
		}
		return x.fallback(at, x.nameEnd(at))
	case x.is(i+1, n, ")") && x.is(i+2, n, "or"):
		at, end := i+3, i+3
		for end < n && x.toks[end].line == x.toks[at].line && !x.is(end, n, ",") && x.depth(end) >= 0 && end < at+maxArguments {
			end++
		}
		return x.fallback(at, end)
	}
	return "", ""
}

// nothing are defaults that say that there is none.
var nothing = map[string]bool{"None": true, `""`: true, "''": true, "[": true, "{": true, "(": true, "...": true, ")": true}

// fallback is the default that tokens are: a literal, arithmetic as written, or source.Computed.
func (x *reader) fallback(i, end int) (value, usage string) {
	if i >= end || i >= len(x.toks) || nothing[x.text(i)] && i+1 == end {
		return "", ""
	}
	if text, ok := x.plain(i); ok && i+1 == end {
		return text, ""
	}
	numbers := true
	for j := i; j < end && numbers; j++ {
		t := x.toks[j]
		numbers = t.kind == number || t.kind == op && strings.Contains("+-*/()**//", x.text(j))
	}
	switch {
	case numbers:
		return strings.Join(strings.Fields(x.src[x.toks[i].start:x.toks[end-1].end]), " "), ""
	case nothing[x.text(i)] && x.toks[i].kind == op:
		return "", ""
	}
	return "", source.Computed
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
	required      bool   // it fails where there is none
	at            int
}

// environment finds the variables that are read, the functions that read the variable whose name they are given, and their calls.
func (x *reader) environment() {
	if len(x.reads) == 0 && !strings.Contains(x.src, "env") && !strings.Contains(x.src, "(\"") && !strings.Contains(x.src, "('") {
		return
	}
	var open []asking
	reads := map[int]envRead{}
	for _, r := range x.reads {
		reads[r.name] = r
	}
	var loops []envLoop
	for n, l := range x.lines {
		first, end := int(l.first), int(l.end)
		if first >= end {
			continue
		}
		for len(open) > 0 && open[len(open)-1].level >= l.level {
			x.asked(open[len(open)-1])
			open = open[:len(open)-1]
		}
		for len(loops) > 0 && loops[len(loops)-1].level >= l.level {
			loops = loops[:len(loops)-1]
		}
		if x.is(first, end, "async") {
			first++
		}
		if (x.is(first, end, "def") || x.is(first, end, "class")) && x.isName(first+1, end) {
			open = append(open, x.asker(l, first, open))
			continue
		}
		if x.is(first, end, "for") {
			loops = append(loops, x.loopAt(first+1, max(int(l.colon), first), l.level))
		}
		for i := first; i < end; i++ {
			if r, ok := reads[i]; ok && !(r.alone() && len(open) > 0 && open[len(open)-1].key == x.text(i)) {
				x.resolve(r, n, loops)
			}
			x.askedAt(i, end, open, reads)
		}
	}
	for n := len(open) - 1; n >= 0; n-- {
		x.asked(open[n])
	}
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
	if a.required {
		f.Usage = source.Required
	}
	if a.returned {
		f.Value, f.Default = source.Fallback, valid(a.otherwise)
	}
	x.facts = append(x.facts, f)
}

// askedAt looks at token i of a function.
func (x *reader) askedAt(i, end int, open []asking, reads map[int]envRead) {
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
		case text == in.key && reads[i].alone():
			in.reads, in.of, in.required = true, "", x.is(i-1, end, "[")
		case text == in.fallback && (x.is(i-1, end, "return") || x.is(i-1, end, "or") || x.is(i-2, end, "environ") || x.behindKey(i, in.key) || x.is(i-1, end, "=") && x.isName(i-2, end) || x.is(i-1, end, "else")):
			in.returned = true
		}
	}
	if !x.is(i+1, end, "(") || i+2 >= end {
		return
	}
	callee := x.callee(i, open)
	about := strings.Contains(strings.ToLower(callee), "env")
	_, read := reads[i+2]
	switch name := x.literalAt(i + 2); {
	case callee == "" || read:
	case isVariable(name) && (about || strings.Contains(name, "_")) && (x.is(i+3, end, ",") || x.is(i+3, end, ")")):
		f := source.Fact{Kind: source.Env, Name: name, Of: callee, Line: int(x.toks[i].line)}
		f.Default, f.Usage = x.otherwise(i + 2)
		if x.readsFor(callee) {
			if f.Of = ""; f.Default == "" && x.is(i+3, end, ")") {
				f.Usage = source.Required
			}
		}
		f.Default = valid(f.Default)
		x.facts = append(x.facts, f)
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
