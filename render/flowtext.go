package render

import (
	"path"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/render/node"
)

// mostFlowSteps limits a flow with those of other modules that continue it.
const mostFlowSteps = 20

type flowWriter struct {
	config Config
	graph  graph
	page   string
	names  map[string]string // of lanes, in the current flow
}

// flowStep is a step with its flow and the steps of its callee.
type flowStep struct {
	node.Step

	flow  *flow
	below []flowStep
}

// treeOf returns the first step of a flow with the steps below it. A step that starts a flow of another module includes
// the steps of that flow if all of them fit.
func (w flowWriter) treeOf(f *flow, next func(module, entry string) *flow) *flowStep {
	start := &flowStep{Step: f.Steps[0], flow: f}
	n := len(f.Steps)
	callers := []*flowStep{start}
	for _, s := range f.Steps[1:] {
		one := flowStep{Step: s, flow: f}
		if s.Module != "" && next != nil {
			if follow := next(s.Module, s.Name); follow != nil && n+len(follow.Steps)-1 <= mostFlowSteps {
				n += len(follow.Steps) - 1
				one = *w.treeOf(follow, nil)
				one.From, one.Within, one.When = s.From, s.Within, s.When
			}
		}
		for len(callers) > 1 && callers[len(callers)-1].Name != s.From {
			callers = callers[:len(callers)-1]
		}
		caller := callers[len(callers)-1]
		caller.below = append(caller.below, one)
		if s.Module == "" { // a function of that name in another module calls nothing here
			callers = append(callers, &caller.below[len(caller.below)-1])
		}
	}
	return start
}

// each calls visit for the step and those below it, and returns their number.
func (s *flowStep) each(visit func(s *flowStep)) int {
	visit(s)
	n := 1
	for i := range s.below {
		n += s.below[i].each(visit)
	}
	return n
}

// line is a part of a flow: a step, the begin or end of a block of steps, or the number of calls that are no steps.
type line struct {
	from  *flowStep // the caller
	step  *flowStep
	block string // the keyword of Mermaid
	when  string // in words, of a block that begins, or of the only step of one
	alone bool   // the block has one step
	more  int
	depth int // in the list
}

// lines lists a step, and those below it with the blocks around them.
func (s *flowStep) lines(from *flowStep, when string, depth int) []line {
	out := []line{{from: from, step: s, when: when, depth: depth}}
	depth++
	var open []line
	until := func(i, level int) int { // the first step behind a block
		for i++; i < len(s.below) && s.below[i].Within > level; i++ {
		}
		return i
	}
	end := func() {
		last := open[len(open)-1]
		if open = open[:len(open)-1]; !last.alone {
			depth--
		}
	}
	for i := range s.below {
		b := &s.below[i]
		for ; len(open) > b.Within+1 || len(open) > b.Within && !source.When(b.When).Excludes(); end() {
			out = append(out, line{block: "end"})
		}
		var alone []string
		for level, when := b.Within, b.When; when != ""; level++ {
			var first string
			first, when, _ = strings.Cut(when, source.Within)
			next := until(i, level)
			excluded := next < len(s.below) && s.below[next].Within == level && source.When(s.below[next].When).Excludes()
			begin := line{block: "opt", when: first, alone: next == i+1 && (!excluded || when == "")}
			switch {
			case strings.HasSuffix(first, string(source.InLoop)):
				begin.block = "loop"
			case strings.HasSuffix(first, string(source.InBackground)):
				begin.block = "par"
			case len(open) > level:
				begin.block = "else"
				end()
			case excluded:
				begin.block = "alt"
			}
			begin.depth = depth
			switch out, open = append(out, begin), append(open, begin); {
			case !begin.alone:
				depth++
			case len(alone) == 0 || alone[len(alone)-1] != begin.when:
				alone = append(alone, begin.when)
			}
		}
		out = append(out, b.lines(s, strings.Join(alone, ", "), depth)...)
	}
	for ; len(open) > 0; end() {
		out = append(out, line{block: "end"})
	}
	if s.More > 0 {
		out = append(out, line{from: s, more: s.More, depth: depth})
	}
	return out
}

// words returns a condition as a list has it.
func words(when string) string {
	parts := strings.Split(when, "`")
	for i := 1; i < len(parts); i += 2 {
		parts[i] = markdown.Code(parts[i])
	}
	return strings.Join(parts, "")
}

func moreCalls(n int) string {
	if n == 1 {
		return "and one more call"
	}
	return "and " + strconv.Itoa(n) + " more calls"
}

// text writes a flow as a diagram and a list of steps.
func (w flowWriter) text(start *flowStep) string {
	lines := start.lines(nil, "", 0)
	w.names = w.laneNames(lines)
	var b strings.Builder
	if fence := w.sequence(lines); fence != "" {
		b.WriteString(fence + paragraph)
	}
	for _, l := range lines {
		text := moreCalls(l.more)
		switch {
		case l.step != nil && l.when != "":
			text = words(l.when) + ": " + w.step(l.step)
		case l.step != nil:
			text = w.step(l.step)
		case l.block == "end" || l.block != "" && l.alone:
			continue
		case l.block != "":
			text = words(l.when) + ":"
		}
		b.WriteString(strings.Repeat("    ", l.depth) + "- " + text + "\n")
	}
	return b.String() + "\n"
}

func (w flowWriter) step(s *flowStep) string {
	if s.Module != "" {
		mark := "."
		if short := shortName(s.Step); s.byFile() && strings.Contains(short, ".") && strings.ToLower(short[:1]) == short[:1] {
			mark = "/"
		}
		name := markdown.Code(w.names[w.lane(s)] + mark + shortName(s.Step))
		if _, there := w.graph.Title(s.Module); !there { // a kept node may name a removed module
			return name
		}
		return markdown.Link(name, w.config.pageLink(w.page, w.graph, s.Module))
	}
	text := markdown.Link(markdown.Code(shortName(s.Step)), w.config.fileLink(w.page, path.Join(s.flow.module, s.File), s.At, s.Lines))
	if about := markdown.Summary(s.Doc, s.flow.Language); about != "" {
		text += ": *“" + about + "”*"
	}
	return text
}

// byFile reports whether the files of the step's language are namespaces.
func (s *flowStep) byFile() bool { return filesAreNamespaces(source.TraitsOf(s.flow.Language)) }

func filesAreNamespaces(t *source.Traits) bool { return !t.Imported && !t.Resolution.Members }

// shortName returns the name of a step within its module, without a file that is a namespace. An unnamed default export
// is named after its file.
func shortName(s node.Step) string {
	if startKind(s.Name) != "" {
		return shownStart(s.Name)
	}
	if file, ok := strings.CutSuffix(s.Name, ".default"); ok && s.Module != "" {
		return file
	}
	if prefix := source.Prefix(s.File, true); s.File != "" && prefix != "" && strings.HasPrefix(s.Name, prefix) && filesAreNamespaces(source.TraitsOfFile(s.File)) {
		return strings.TrimPrefix(s.Name, prefix)
	}
	return s.Name
}

// sequence draws the calls between types, files and other modules. A flow within one lane has no diagram.
func (w flowWriter) sequence(lines []line) string {
	var lanes, calls []string
	ids := map[string]string{}
	id := func(s *flowStep) string {
		lane := w.lane(s)
		if ids[lane] == "" {
			ids[lane] = "p" + strconv.Itoa(len(ids))
			lanes = append(lanes, "  participant "+ids[lane]+" as "+markdown.MermaidText(w.names[lane]))
		}
		return ids[lane]
	}
	for _, l := range lines {
		switch {
		case l.more > 0:
			calls = append(calls, "  Note over "+id(l.from)+": "+moreCalls(l.more))
		case l.block == "end":
			calls = append(calls, "  end")
		case l.block != "":
			when := strings.ReplaceAll(source.When(l.when).Alone(), "`", "")
			if before, loops := strings.CutSuffix(when, string(source.InLoop)); loops {
				when = before + "zero or more times"
			}
			calls = append(calls, "  "+l.block+" "+markdown.MermaidText(when))
		case l.from != nil:
			from := id(l.from)
			calls = append(calls, "  "+from+"->>"+id(l.step)+": "+markdown.MermaidText(w.message(l.step)))
		}
	}
	if len(lanes) < 2 {
		return ""
	}
	return "```mermaid\nsequenceDiagram\n" + strings.Join(append(lanes, calls...), "\n") + "\n```"
}

// message is the name of a step without that of its lane.
func (w flowWriter) message(s *flowStep) string {
	name := shortName(s.Step)
	if s.Module == "" {
		return strings.TrimPrefix(name, path.Base(w.lane(s))+".")
	}
	return name
}

// lane returns the lane of a step as a path: the path of another module, or that of this module with a type or file. The
// extension of a file distinguishes it from a module.
func (w flowWriter) lane(s *flowStep) string {
	if s.Module != "" {
		return s.Module
	}
	owner, _, member := strings.Cut(shortName(s.Step), ".")
	if !member || startKind(s.Name) != "" {
		owner = s.File
	}
	return path.Join(s.flow.module, owner)
}

// vagueName matches directories and files whose name says nothing.
var vagueName = lazyregexp.New(`^(?:src|lib|v\d+|(?:index|mod)(?:\.\w+)?)$`)

// laneNames names each lane by the shortest end of its path that no other has.
func (w flowWriter) laneNames(lines []line) map[string]string {
	names := map[string]string{}
	for _, l := range lines {
		if l.step != nil {
			names[w.lane(l.step)] = ""
		}
	}
	for lane := range names {
		parts := strings.Split(lane, "/")
		at := len(parts) - 1
		for ; at > 0; at-- {
			end := "/" + strings.Join(parts[at:], "/")
			same := 0
			for other := range names {
				if strings.HasSuffix("/"+other, end) {
					same++
				}
			}
			if same == 1 && !vagueName.MatchString(parts[at]) {
				break
			}
		}
		if names[lane] = canonical.Path(strings.Join(parts[at:], "/")); lane == "." {
			names[lane] = label(w.graph, lane)
		}
	}
	return names
}
