package render

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/markdown"
)

const (
	// mostNeighbours is how many modules the diagram of a module's place shows on each side.
	mostNeighbours = 12
	// mostGroups is how many boxes the diagram of a whole repository shows.
	mostGroups = 20
	// mostEdges is how many arrows a diagram can have before nobody can follow them.
	mostEdges = 60
)

// neighbours draws a module between those that use it and those it uses.
func neighbours(g graph, module string, importers, dependencies []string) string {
	var d diagram
	self := d.box(title(g, module))
	boxes := map[string]string{}
	side := func(list []string, edge func(other string) string) {
		for i, m := range list {
			if i == mostNeighbours && len(list) > mostNeighbours+1 {
				d.edges = append(d.edges, edge(d.box(fmt.Sprintf("+%d more", len(list)-i))))
				return
			}
			if boxes[m] == "" {
				boxes[m] = d.box(label(g, m))
			}
			d.edges = append(d.edges, edge(boxes[m]))
		}
	}
	side(importers, func(other string) string { return other + " --> " + self })
	side(dependencies, func(other string) string { return self + " --> " + other })
	return d.fence()
}

// label is what a module is called among others: its path, and of the root, whose path says nothing, the title.
func label(g graph, module string) string {
	if module == "." {
		return title(g, module)
	}
	return canonical.Path(module)
}

func title(g graph, module string) string {
	if name, ok := g.Title(module); ok {
		return name
	}
	return canonical.Path(path.Base(module))
}

// diagram is a flowchart with synthetic ids: names of modules can be words of the diagram language.
type diagram struct {
	boxes []string
	edges []string
}

func (d *diagram) box(label string) string {
	id := "n" + strconv.Itoa(len(d.boxes))
	d.boxes = append(d.boxes, id+"["+markdown.MermaidLabel(label)+"]")
	return id
}

func (d *diagram) fence() string {
	var b strings.Builder
	b.WriteString("```mermaid\nflowchart LR\n")
	for _, lines := range [][]string{d.boxes, d.edges} {
		for _, l := range lines {
			b.WriteString("  " + l + "\n")
		}
	}
	return b.String() + "```"
}

// architecture draws the modules that use each other, grouped by directory as far as it takes for a reader to follow.
// Tests and examples are left out: they point at everything.
func architecture(modules []Summary) (fence, note string) {
	modules = connected(slices.DeleteFunc(slices.Clone(modules), func(s Summary) bool { return s.Kind == kindTests || isExample(s) }))
	if len(modules) == 0 {
		return "", ""
	}
	groups := groupModules(modules)
	edges := map[groupEdge]int{}
	for _, m := range modules {
		for _, d := range m.Deps {
			from, to := groupOf(groups, m.Path), groupOf(groups, d)
			if from != to && to != "" {
				edges[groupEdge{from, to}]++
			}
		}
	}
	return drawGroups(groups, edges, modules)
}

// connected leaves out the modules that neither use another one nor are used.
func connected(modules []Summary) []Summary {
	known, used := map[string]bool{}, map[string]bool{}
	for _, m := range modules {
		known[m.Path] = true
	}
	for _, m := range modules {
		for _, d := range m.Deps {
			if known[d] && d != m.Path {
				used[m.Path], used[d] = true, true
			}
		}
	}
	return slices.DeleteFunc(modules, func(m Summary) bool { return !used[m.Path] })
}

type groupEdge struct{ from, to string }

// groupModules divides the modules into directories, the largest first, for as long as the boxes fit. It returns how
// many modules each directory stands for.
func groupModules(modules []Summary) map[string]int {
	groups := map[string]int{}
	for _, m := range modules {
		groups[cut(m.Path, 1)]++
	}
	settled := map[string]bool{}
	for {
		largest := ""
		for _, g := range slices.Sorted(maps.Keys(groups)) {
			if !settled[g] && groups[g] > 1 && (largest == "" || groups[g] > groups[largest]) {
				largest = g
			}
		}
		if largest == "" {
			return named(groups, modules)
		}
		parts := divide(modules, largest)
		if len(groups) > 1 && len(groups)-1+len(parts) > mostGroups {
			settled[largest] = true
			continue
		}
		delete(groups, largest)
		maps.Copy(groups, parts)
		if _, same := parts[largest]; same {
			settled[largest] = true
		}
	}
}

// named gives a group of one module that module's name.
func named(groups map[string]int, modules []Summary) map[string]int {
	out := map[string]int{}
	for _, m := range modules {
		g := groupOf(groups, m.Path)
		if groups[g] == 1 {
			g = m.Path
		}
		out[g]++
	}
	return out
}

// divide splits a directory into those below it. The module of the directory itself keeps its name.
func divide(modules []Summary, dir string) map[string]int {
	parts := map[string]int{}
	for _, m := range modules {
		if m.Path == dir || strings.HasPrefix(m.Path, dir+"/") {
			parts[cut(m.Path, strings.Count(dir, "/")+2)]++
		}
	}
	return parts
}

// groupOf is the most specific group that a module is in, empty when it is in none.
func groupOf(groups map[string]int, module string) string {
	for dir := module; ; dir = path.Dir(dir) {
		if groups[dir] > 0 {
			return dir
		}
		if !strings.Contains(dir, "/") {
			return ""
		}
	}
}

func cut(module string, depth int) string {
	parts := strings.Split(module, "/")
	return strings.Join(parts[:min(depth, len(parts))], "/")
}

func drawGroups(groups map[string]int, edges map[groupEdge]int, modules []Summary) (fence, note string) {
	weight := map[string]int{}
	for e, n := range edges {
		weight[e.from] += n
		weight[e.to] += n
	}
	names := slices.Sorted(maps.Keys(groups))
	if len(names) > mostGroups {
		// what hangs together with most is worth seeing most
		slices.SortStableFunc(names, func(a, b string) int { return weight[b] - weight[a] })
		names = names[:mostGroups]
		slices.Sort(names)
		note = fmt.Sprintf("The %d parts with most connections, of %d. ", len(names), len(groups))
	}
	var d diagram
	ids := map[string]string{}
	for _, n := range names {
		text := canonical.Path(n)
		if n == "." {
			text = modules[slices.IndexFunc(modules, func(m Summary) bool { return m.Path == n })].Title
		}
		if groups[n] > 1 {
			text += fmt.Sprintf(" (%d)", groups[n])
		}
		ids[n] = d.box(text)
	}
	list := slices.SortedFunc(maps.Keys(edges), func(a, b groupEdge) int {
		return strings.Compare(a.from+"\x00"+a.to, b.from+"\x00"+b.to)
	})
	list = slices.DeleteFunc(list, func(e groupEdge) bool { return ids[e.from] == "" || ids[e.to] == "" })
	if len(list) > mostEdges {
		all := len(list)
		slices.SortStableFunc(list, func(a, b groupEdge) int { return edges[b] - edges[a] })
		list = list[:mostEdges]
		slices.SortFunc(list, func(a, b groupEdge) int { return strings.Compare(a.from+"\x00"+a.to, b.from+"\x00"+b.to) })
		note += fmt.Sprintf("The %d heaviest of %d arrows. ", mostEdges, all)
	}
	for _, e := range list {
		d.edges = append(d.edges, ids[e.from]+" --> "+ids[e.to])
	}
	if len(groups) < len(modules) {
		note = "A number in parentheses says how many modules a box stands for. " + note
	}
	return d.fence(), strings.TrimSpace(note)
}
