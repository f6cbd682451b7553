package cfamily

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/source"
)

// guards formats the enclosing conditionals of code as constraints.
type guards struct {
	*outline
	own   []string // by branch: its own condition
	whole []string // by branch: with enclosing conditions
	built []bool   // by branch: only for building or testing
	file  string   // common to all code in the file
}

// newGuards reads the conditionals of a file, except include guards, __cplusplus checks and conditions that are
// always true.
func newGuards(o *outline) *guards {
	g := &guards{outline: o, own: make([]string, len(o.branches)), whole: make([]string, len(o.branches)), built: make([]bool, len(o.branches))}
	var last []string // conditions of the open conditionals
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
	for b := 1; b < len(o.branches); b++ { // parents precede their branches
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

func (g *guards) includeGuard(i int) bool {
	return i+1 < len(g.directives) && g.directives[i+1].name == "define" && g.guard(i+1)
}

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

// common returns the innermost branch with a separate condition that contains both a and b; -1 stands for any.
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

func (g *guards) of(branch int32) string {
	whole := g.whole[branch]
	if g.file == "" {
		return whole
	}
	rest := strings.TrimPrefix(whole, g.file)
	return strings.TrimPrefix(rest, " && ")
}

var (
	// buildMacro matches macros defined to compile a header's implementation or a self test.
	buildMacro = lazyregexp.New(`defined[\s(]*(\w+_IMPLEMENTATION|(?:\w+_)?(?:SELF_?|UNIT_?)?TESTS?(?:ING|_MAIN)?)\b`)
	// refusal matches macros that exclude or detect a feature.
	refusal = lazyregexp.New(`(?:^|_)(?:NO|HAVE|DISABLE|WITHOUT|SKIP)_`)
)

func forBuilding(condition string) bool {
	asked := buildMacro.FindStringSubmatch(condition)
	return asked != nil && !strings.Contains(condition, "!(") && !strings.Contains(condition, "!"+asked[0]) && !refusal.MatchString(asked[1])
}

func (g *guards) branchOf(e *entry) int32 {
	if e.macro > 0 {
		return g.directives[e.macro-1].branch
	}
	return g.tokens[e.start].branch
}

// ofMacro returns the constraint of a macro. The check that it is not defined yet does not count.
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

func joinGuards(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	if len(a)+len(b) > maxGuard {
		return a
	}
	return a + " && " + grouped(b)
}

// maxGuard limits the bytes of a constraint, which grows with the depth.
const maxGuard = 1024

func grouped(condition string) string {
	if strings.Contains(condition, "||") {
		return "(" + condition + ")"
	}
	return condition
}

// eitherGuard returns the disjunction of constraints; empty if one is empty or two are complementary.
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

// guardMain finds the entry point's constraint and removes the facts that hold only under it.
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
