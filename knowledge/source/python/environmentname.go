package python

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// envRead is where a variable of the environment is read: the tokens that name it, and that of the function.
type envRead struct {
	name, end, at int
	required      bool // it fails where there is none
}

// alone reports whether one token is the name.
func (r envRead) alone() bool { return r.end == r.name+1 }

// nameEnd is where the expression at token i ends: at a comma or a closing bracket.
func (x *reader) nameEnd(i int) int {
	depth, limit := 0, min(len(x.toks), i+maxArguments)
	for ; i < limit; i++ {
		d := x.depth(i)
		if depth == 0 && (d < 0 || x.is(i, limit, ",")) {
			break
		}
		depth += d
	}
	return i
}

// envLoop is a loop over texts that the file lists.
type envLoop struct {
	level      int32
	key, value string
	rows       []envRow
}

// envRow is the token of a key, and of its value in a dictionary; -1 for none.
type envRow struct{ name, value int }

// loopAt reads `key in …` or `key, value in ….items()` of a loop or a comprehension.
func (x *reader) loopAt(i, end int, level int32) envLoop {
	l := envLoop{level: level}
	if !x.isName(i, end) {
		return l
	}
	l.key = x.text(i)
	if x.is(i+1, end, ",") && x.isName(i+2, end) {
		i, l.value = i+2, x.text(i+2)
	}
	if x.is(i+1, end, "in") {
		l.rows = x.rows(i+2, end)
	}
	return l
}

// mostLiterals bounds the literals of a loop: each use of its variable repeats all.
const mostLiterals = 256

// mostListings bounds the loops of a file whose lists are looked up.
const mostListings = 2048

// rows are those of a list, a tuple or a dictionary at token i, or of the name of one; none where it has anything else.
func (x *reader) rows(i, end int) []envRow {
	if x.listings++; x.listings > mostListings {
		return nil
	}
	if x.isName(i, end) {
		at := x.valueOf(x.text(i))
		if at < 0 || x.isName(at, len(x.toks)) {
			return nil
		}
		i, end = at, len(x.toks)
	}
	var out []envRow
	dict := x.is(i, end, "{")
	for depth := 0; i < end; i++ {
		d := x.depth(i)
		if depth += d; depth <= 0 && (d < 0 || d == 0 && x.toks[i].kind != str && !x.is(i, end, ",")) {
			break
		}
		switch {
		case len(out) == mostLiterals:
			return nil
		case x.toks[i].kind == str && depth <= 1 && dict && x.is(i+1, end, ":"):
			out = append(out, envRow{i, i + 2})
			if i = x.nameEnd(i + 2); x.is(i, end, "}") {
				return out
			}
		case x.toks[i].kind == str && !dict:
			out = append(out, envRow{i, -1})
		case x.toks[i].kind == op && (d > 0 && depth == 1 || x.is(i, end, ",")):
		default:
			return nil
		}
	}
	return out
}

// valueOf is where the value begins that a name of the module is assigned; -1 for any other.
func (x *reader) valueOf(name string) int {
	if x.assigned == nil {
		x.assigned = map[string]int{}
		for _, l := range x.lines {
			first, end := int(l.first), int(l.end)
			if l.level != 0 || !x.isName(first, end) {
				continue
			}
			at := first + 1
			if x.is(at, end, ":") {
				for at < end && !x.is(at, end, "=") {
					at++
				}
			}
			if _, again := x.assigned[x.text(first)]; x.is(at, end, "=") && !again {
				x.assigned[x.text(first)] = at + 1
			} else if again {
				x.assigned[x.text(first)] = -1
			}
		}
	}
	if at, ok := x.assigned[name]; ok {
		return at
	}
	return -1
}

// resolve notes the variables that are read on a line.
func (x *reader) resolve(r envRead, line int, loops []envLoop) {
	value, usage := x.otherwise(r.end - 1)
	if r.required && !x.is(r.end+1, len(x.toks), "or") && x.certain(line) {
		usage = source.Required
	}
	if r.alone() && x.isName(r.name, r.end) {
		name := x.text(r.name)
		all := append([]envLoop{}, loops...)
		for i, end := r.end, min(int(x.lines[line].end), r.end+4*maxArguments); i < end; i++ {
			if x.is(i, end, "for") {
				all = append(all, x.loopAt(i+1, end, 0))
			}
		}
		for n := len(all) - 1; n >= 0; n-- {
			if l := all[n]; l.key == name && len(l.rows) > 0 {
				x.looped(r, l, value, usage)
				return
			}
		}
	}
	x.variable(x.spelled(r.name, r.end), value, usage, r.at)
}

// looped notes the variables that a loop goes over.
func (x *reader) looped(r envRead, l envLoop, value, usage string) {
	second := x.is(r.end, len(x.toks), ",") && x.isName(r.end+1, len(x.toks)) && x.text(r.end+1) == l.value
	for _, row := range l.rows {
		if second && row.value >= 0 {
			value, usage = x.fallback(row.value, x.nameEnd(row.value))
		}
		x.variable(x.literalAt(row.name), value, usage, r.at)
	}
}

// mostAddends is how many tokens the name of a variable has at most.
const mostAddends = 16

// spelled is the name that tokens spell out: texts and constants with plus signs, or one text with some in it.
func (x *reader) spelled(i, end int) string {
	var parts []string
	for ; i < end; i++ {
		at := i
		if x.isName(i, end) && !x.is(i+1, end, ".") && !x.is(i+1, end, "(") {
			at = x.valueOf(x.text(i))
		}
		switch {
		case len(parts) > mostAddends:
			return source.Unknown
		case x.is(i, end, "+"):
		case x.toks[i].kind == fpart:
			text := strings.Trim(x.text(i), "{}")
			if quote := strings.IndexAny(text, `"'`); quote >= 0 && quote <= 2 && !strings.HasPrefix(x.text(i), "}") {
				text = text[quote:] // behind the prefix
			}
			parts = append(parts, source.Text+strings.Trim(text, `"'`))
		case at >= 0 && x.toks[at].kind == str:
			parts = append(parts, source.Text+x.literalAt(at))
		default:
			parts = append(parts, source.Unknown)
		}
	}
	if len(parts) == 1 {
		return strings.TrimPrefix(parts[0], source.Text)
	}
	return source.Joined(parts)
}

// mostAround bounds the lines that are searched backwards for the enclosing block.
const mostAround = 400

// certain reports whether a line runs whenever its function does, and nothing catches its failure.
func (x *reader) certain(line int) bool {
	level := x.lines[line].level
	for n := line - 1; n >= max(0, line-mostAround) && level > 0; n-- {
		l := x.lines[n]
		if l.level >= level || int(l.first) >= int(l.end) {
			continue
		}
		level = l.level
		switch x.text(int(l.first)) {
		case "def", "class", "async", "with", "for":
		default:
			return false
		}
	}
	return level == 0
}

// helpers are the packages whose functions read the variable that they are given, by how their import is written.
var helpers = []string{"import environ", "from environ import", "from environs import", "from decouple import", "from starlette.config import"}

// readsFor reports whether a function that is called is one of a package that reads variables.
func (x *reader) readsFor(callee string) bool {
	first, _, _ := strings.Cut(callee, ".")
	if first != "env" && first != "config" {
		return false
	}
	for _, h := range helpers {
		if strings.Contains(x.src, h) {
			return true
		}
	}
	return false
}

// mostWalks is how many functions of a file are read for the exit codes in them.
const mostWalks = 32

// codes are the possible values of the expression at token i: literals in it, in constants and variables of the function, or that a function of
// the file returns; source.Unknown for any other.
func (x *reader) codes(i, deep int) []string {
	n := len(x.toks)
	switch {
	case i >= n || x.toks[i].kind == str:
		return nil
	case x.toks[i].kind == number && isDecimal(x.text(i)):
		return []string{x.text(i)}
	case !x.isName(i, n) || deep < 0:
		return nil
	}
	if at := x.valueOf(x.text(i)); at >= 0 && x.toks[at].kind == number {
		return []string{x.text(at)}
	}
	if x.walks++; x.walks > mostWalks {
		return []string{source.Unknown}
	}
	var out []string
	of, called := x.text(i), x.is(i+1, n, "(")
	for _, l := range x.around(i, of, called) {
		first, end := int(l.first), int(l.end)
		switch {
		case called && x.is(first, end, "return") && first+1 < end:
			out = append(out, x.codes(first+1, deep-1)...)
		case !called && x.isName(first, end) && x.text(first) == of && x.is(first+1, end, "="):
			out = append(out, x.codes(first+2, deep-1)...)
		}
	}
	if len(out) == 0 {
		return []string{source.Unknown}
	}
	return out
}

// around are the lines of the function around token i, or of the function with a name.
func (x *reader) around(i int, name string, called bool) []line {
	from := -1
	for n, l := range x.lines {
		first, end := int(l.first), int(l.end)
		if x.is(first, end, "def") && x.isName(first+1, end) && (called && x.text(first+1) == name || !called && first < i) {
			from = n
		}
	}
	if from < 0 {
		return nil
	}
	to := from + 1
	for to < min(len(x.lines), from+mostAround) && x.lines[to].level > x.lines[from].level {
		to++
	}
	return x.lines[from+1 : to]
}
