package cfamily

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/source"
)

// guards writes the conditionals that code stands in as one constraint.
type guards struct {
	*outline
	own   []string // by branch: its own condition
	whole []string // by branch: with those around it
	built []bool   // by branch: whether it is for who builds or tests the code
	file  string   // of all the code in the file
}

// newGuards reads the conditionals of a file. What only guards a header from being read twice is none, nor is what
// tells C++ from C, nor a condition that is always true.
func newGuards(o *outline) *guards {
	g := &guards{outline: o, own: make([]string, len(o.branches)), whole: make([]string, len(o.branches)), built: make([]bool, len(o.branches))}
	var last []string // the conditions of the conditionals that are open, as far as they are known
	for i := range o.directives {
		d := &o.directives[i]
		switch {
		case d.name == "endif":
			last = last[:max(0, len(last)-1)]
		case !d.opens():
		case d.name == "elif" || d.name == "else":
			if len(last) > 0 {
				last[len(last)-1] = g.open(i, last[len(last)-1])
			}
		default:
			last = append(last, g.open(i, ""))
		}
	}
	file := int32(-1)
	for b := 1; b < len(o.branches); b++ { // a branch comes after the one that it is in
		parent := o.branches[b].parent
		g.whole[b] = joinGuards(g.whole[parent], g.own[b])
		g.built[b] = g.built[parent] || forBuilding(g.own[b])
	}
	for i := range o.tokens {
		file = g.common(file, o.tokens[i].branch)
		if file == 0 {
			break
		}
	}
	if file > 0 {
		g.file = g.whole[file]
	}
	return g
}

// open notes the condition of the branch that directive i opens, and returns it; before is that of the branch before.
func (g *guards) open(i int, before string) string {
	d := &g.directives[i]
	text := g.condition(d)
	if d.name == "else" {
		text = negated(before)
	}
	b := &g.branches[d.branch]
	if b.guard || b.cplusplus || g.includeGuard(i) || text == "1" || text == "!(0)" {
		return text
	}
	g.own[d.branch] = text
	return text
}

// includeGuard reports whether directive i and the one behind it guard a header.
func (g *guards) includeGuard(i int) bool {
	return i+1 < len(g.directives) && g.directives[i+1].name == "define" && g.guard(i+1)
}

// condition is what a directive asks.
func (g *guards) condition(d *directive) string {
	var text strings.Builder
	for i, w := range g.outline.file.words[d.from:d.to] {
		if i > 0 && g.outline.file.words[int(d.from)+i-1].end < w.start {
			text.WriteByte(' ')
		}
		text.Write(g.spelling(w))
	}
	s := valid(text.String())
	switch spelled := string(g.src[d.start:min(d.end, d.start+16)]); {
	case strings.Contains(spelled, "ifdef"):
		return "defined(" + s + ")"
	case strings.Contains(spelled, "ifndef"):
		return "!defined(" + s + ")"
	}
	return s
}

// common is the innermost branch with a condition of its own that both are in: -1 stands for any.
func (g *guards) common(a, b int32) int32 {
	if a == b || a == 0 {
		return a
	}
	if a < 0 {
		return b
	}
	for a != b {
		if a > b {
			a = g.branches[a].parent
		} else {
			b = g.branches[b].parent
		}
	}
	return a
}

// of is the constraint of a branch beside that of the file.
func (g *guards) of(branch int32) string {
	whole := g.whole[branch]
	if g.file == "" {
		return whole
	}
	rest := strings.TrimPrefix(whole, g.file)
	return strings.TrimPrefix(rest, " && ")
}

var (
	// buildMacro matches a macro that one file defines before it includes a header, to have what the header declares, and one that a
	// library is tested under.
	buildMacro = lazyregexp.New(`defined[\s(]*(\w+_IMPLEMENTATION|(?:\w+_)?(?:SELF_?|UNIT_?)?TESTS?(?:ING|_MAIN)?)\b`)
	// refusal matches the name of a macro that leaves something out, or says what there is.
	refusal = lazyregexp.New(`(?:^|_)(?:NO|HAVE|DISABLE|WITHOUT|SKIP)_`)
)

// forBuilding reports whether a condition holds only where somebody builds the code or tests it.
func forBuilding(condition string) bool {
	asked := buildMacro.FindStringSubmatch(condition)
	return asked != nil && !strings.Contains(condition, "!(") && !strings.Contains(condition, "!"+asked[0]) && !refusal.MatchString(asked[1])
}

// branchOf is the branch that an entry stands in.
func (g *guards) branchOf(e *entry) int32 {
	if e.macro > 0 {
		return g.directives[e.macro-1].branch
	}
	return g.tokens[e.start].branch
}

// ofMacro is the constraint of a macro. That it is not defined yet is none.
func (g *guards) ofMacro(e *entry) string {
	branch := g.directives[e.macro-1].branch
	if g.own[branch] == "!defined("+e.name+")" {
		branch = g.branches[branch].parent
	}
	return g.of(branch)
}

func negated(condition string) string {
	if rest, ok := strings.CutPrefix(condition, "!defined("); ok && !strings.ContainsAny(rest, "( &|") {
		return "defined(" + rest
	}
	if strings.HasPrefix(condition, "defined(") && !strings.ContainsAny(condition[len("defined("):], "( &|") {
		return "!" + condition
	}
	return "!(" + condition + ")"
}

// joinGuards is the constraint that both hold.
func joinGuards(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	if len(a)+len(b) > maxGuard {
		return a
	}
	return a + " && " + grouped(b)
}

// maxGuard bounds a constraint in bytes: they grow with the depth.
const maxGuard = 1024

// grouped puts what joins alternatives in parentheses.
func grouped(condition string) string {
	if strings.Contains(condition, "||") {
		return "(" + condition + ")"
	}
	return condition
}

// eitherGuard is the constraint under which one of several declarations of a name is there: none when one always is,
// or two of them complete each other.
func eitherGuard(list []string) string {
	slices.Sort(list)
	list = slices.Compact(list)
	size := 0
	for _, g := range list {
		if g == "" || slices.Contains(list, negated(g)) {
			return ""
		}
		size += len(g)
	}
	if size > maxGuard {
		return list[0]
	}
	for i := range list {
		if len(list) > 1 && strings.Contains(list[i], "&&") {
			list[i] = "(" + list[i] + ")"
		}
	}
	return strings.Join(list, " || ")
}

// guardMain finds the constraint of the entry point, and leaves out the facts that only hold under it.
func (g *guards) guardMain(f *source.File, mains []int32, at []int32) {
	var list []string
	for _, branch := range mains {
		list = append(list, g.of(branch))
	}
	if len(list) == 0 {
		return
	}
	f.MainGuard = eitherGuard(list)
	if f.MainGuard == "" {
		return
	}
	kept := f.Facts[:0]
	for i, fact := range f.Facts {
		own := g.of(at[i])
		if own != f.MainGuard && !strings.HasPrefix(own, f.MainGuard+" && ") {
			kept = append(kept, fact)
		}
	}
	f.Facts = kept
}
