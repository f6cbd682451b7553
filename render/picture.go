package render

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/canonical"
)

const (
	// mostBoxes bounds the boxes of a picture, firstBoxes those that it starts with if there are few directories.
	mostBoxes = 12
	// fewestBoxes is the minimum for a picture of more modules.
	fewestBoxes = 4
	firstBoxes  = 6
	// mostGroups bounds the directories, since finding cycles is quadratic.
	mostGroups = 30
)

// picture draws the dependencies between the modules of a repository, grouped by directory to a readable size.
// Directories can form cycles even though modules do not: a cycle is divided, or drawn as one box. Transitive edges are
// left out. The result is empty if there is nothing to show.
func picture(modules []Summary) string {
	modules = connected(slices.DeleteFunc(slices.Clone(modules), func(s Summary) bool { return !isProduct(s) }))
	modules = shortPaths(modules).paths(modules)
	if len(modules) < 2 {
		return ""
	}
	g := grouping{modules: modules, dirs: firstGroups(modules)}
	if len(g.dirs) > mostGroups {
		g.keep(heaviest(g.arrows(), mostGroups))
	}
	for g.breakCircle() {
	}
	if g.tangled() {
		return ""
	}
	return g.draw()
}

// connected drops the modules without edges.
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

// firstGroups divides the modules into directories, the largest first, while the boxes fit. It returns the number of
// modules by directory.
func firstGroups(modules []Summary) map[string]int {
	groups := divide(modules, "")
	settled := map[string]bool{}
	for len(groups) <= firstBoxes {
		largest := ""
		for _, g := range slices.Sorted(maps.Keys(groups)) {
			if !settled[g] && groups[g] > 1 && (largest == "" || groups[g] > groups[largest]) {
				largest = g
			}
		}
		if largest == "" {
			break
		}
		parts := divide(modules, largest)
		if len(groups) > 1 && len(groups)-1+len(parts) > firstBoxes {
			settled[largest] = true
			continue
		}
		delete(groups, largest)
		maps.Copy(groups, parts)
		settled[largest] = parts[largest] > 0
	}
	return groups
}

// divide splits a directory into its subdirectories with their numbers of modules; dir is empty for the repository. The
// module of the directory itself keeps its path.
func divide(modules []Summary, dir string) map[string]int {
	depth := strings.Count(dir, "/") + 2
	if dir == "" {
		depth = 1
	}
	parts := map[string]int{}
	for _, m := range modules {
		if dir == "" || m.Path == dir || strings.HasPrefix(m.Path, dir+"/") {
			parts[cut(m.Path, depth)]++
		}
	}
	return parts
}

func cut(module string, depth int) string {
	parts := strings.Split(module, "/")
	return strings.Join(parts[:min(depth, len(parts))], "/")
}

// grouping holds the modules of a picture and the directories that are boxes. Boxes with the same label are merged.
type grouping struct {
	modules []Summary
	dirs    map[string]int
	merged  map[string]string // boxes by merged directory
}

// keep drops all other directories.
func (g *grouping) keep(dirs []string) {
	maps.DeleteFunc(g.dirs, func(dir string, _ int) bool { return !slices.Contains(dirs, dir) })
	g.modules = slices.DeleteFunc(g.modules, func(m Summary) bool { return g.boxOf(m.Path) == "" })
}

// boxOf returns the box of a module, that of the most specific directory, or "".
func (g *grouping) boxOf(module string) string {
	for dir := module; ; dir = path.Dir(dir) {
		if g.dirs[dir] > 0 {
			return cmp.Or(g.merged[dir], dir)
		}
		if !strings.Contains(dir, "/") {
			return ""
		}
	}
}

// arrows returns the number of module edges between boxes.
func (g *grouping) arrows() map[string]map[string]int {
	out := map[string]map[string]int{}
	for _, m := range g.modules {
		from := g.boxOf(m.Path)
		if out[from] == nil {
			out[from] = map[string]int{}
		}
		for _, d := range m.Deps {
			if to := g.boxOf(d); to != "" && to != from {
				out[from][to]++
			}
		}
	}
	return out
}

// breakCircle resolves the first cycle: it divides the cycle's largest directory if the parts fit, or merges the cycle
// into one box. It reports whether there was a cycle.
func (g *grouping) breakCircle() bool {
	circle := circleIn(g.arrows())
	if circle == nil {
		return false
	}
	slices.SortStableFunc(circle, func(a, b string) int { return g.dirs[b] - g.dirs[a] })
	for _, dir := range circle {
		parts := divide(g.modules, dir)
		whole := g.dirs[dir] > 1 && !slices.Contains(slices.Collect(maps.Values(g.merged)), dir)
		if whole && len(parts) > 1 && len(g.dirs)-1+len(parts) <= mostGroups {
			delete(g.dirs, dir)
			maps.Copy(g.dirs, parts)
			return true
		}
	}
	if g.merged == nil {
		g.merged = map[string]string{}
	}
	one := slices.Min(circle)
	for dir := range g.dirs {
		if slices.Contains(circle, cmp.Or(g.merged[dir], dir)) {
			g.merged[dir] = one
		}
	}
	return true
}

// tangled reports whether merged cycles put more than half of the modules into one box, which would show nothing.
func (g *grouping) tangled() bool {
	in := map[string]int{}
	for _, m := range g.modules {
		if box := g.boxOf(m.Path); slices.Contains(slices.Collect(maps.Values(g.merged)), box) {
			in[box]++
		}
	}
	return slices.Max(append(slices.Collect(maps.Values(in)), 0))*2 > len(g.modules)
}

// circleIn returns the boxes of a cycle, sorted, or nil.
func circleIn(arrows map[string]map[string]int) []string {
	reach := reachable(arrows)
	for _, box := range slices.Sorted(maps.Keys(arrows)) {
		if !reach[box][box] {
			continue
		}
		return slices.DeleteFunc(slices.Sorted(maps.Keys(reach[box])), func(other string) bool { return !reach[other][box] })
	}
	return nil
}

// reachable is the transitive closure. There are at most a few dozen boxes.
func reachable(arrows map[string]map[string]int) map[string]map[string]bool {
	out := map[string]map[string]bool{}
	for from := range arrows {
		seen := map[string]bool{}
		todo := slices.Collect(maps.Keys(arrows[from]))
		for len(todo) > 0 {
			box := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			if !seen[box] {
				seen[box] = true
				todo = slices.AppendSeq(todo, maps.Keys(arrows[box]))
			}
		}
		out[from] = seen
	}
	return out
}

// draw writes the connected boxes with the most edges, without transitive edges, and boxes apart that hold many modules.
func (g *grouping) draw() string {
	arrows := g.arrows()
	boxes := heaviest(arrows, mostBoxes)
	boxes = append(boxes, g.apart(boxes)...)
	slices.Sort(boxes)
	reach := reachable(arrows)
	var d diagram
	ids, labels, alike := map[string]string{}, map[string]string{}, map[string]int{}
	for _, box := range boxes {
		labels[box] = g.label(box, true)
		alike[labels[box]]++
	}
	for _, box := range boxes {
		if alike[labels[box]] > 1 {
			labels[box] = g.label(box, false)
		}
		ids[box] = d.box(labels[box])
	}
	for _, from := range boxes {
		for _, to := range slices.Sorted(maps.Keys(arrows[from])) {
			implied := slices.ContainsFunc(boxes, func(via string) bool { return via != to && arrows[from][via] > 0 && reach[via][to] })
			if ids[to] != "" && !implied {
				d.edges = append(d.edges, ids[from]+" --> "+ids[to])
			}
		}
	}
	if len(boxes) < fewestBoxes && len(boxes) < len(g.modules) {
		return "" // too much is inside the boxes
	}
	if len(d.edges) == 0 {
		return ""
	}
	return d.fence()
}

// apart lists the boxes without edges that hold at least a tenth of the modules, such as a frontend beside its server.
func (g *grouping) apart(connected []string) (out []string) {
	count, arrows := map[string]int{}, g.arrows()
	linked := heaviest(arrows, len(arrows))
	for _, m := range g.modules {
		count[g.boxOf(m.Path)]++
	}
	for box, n := range count {
		if n*10 >= len(g.modules) && !slices.Contains(linked, box) && box != "" {
			out = append(out, box)
		}
	}
	slices.Sort(out)
	return out[:min(len(out), max(0, mostBoxes-len(connected)))]
}

// heaviest lists the boxes with the most module edges, sorted by name.
func heaviest(arrows map[string]map[string]int, most int) []string {
	weight := map[string]int{}
	for from, to := range arrows {
		for box, n := range to {
			weight[from] += n
			weight[box] += n
		}
	}
	list := slices.Sorted(maps.Keys(weight))
	list = slices.DeleteFunc(list, func(box string) bool { return weight[box] == 0 })
	slices.SortStableFunc(list, func(a, b string) int { return weight[b] - weight[a] })
	list = list[:min(len(list), most)]
	slices.Sort(list)
	return list
}

// label names the common directory of a box, or its directories. A name ends in "/…" for several modules.
func (g *grouping) label(box string, common bool) string {
	var dirs, names []string
	for _, dir := range slices.Sorted(maps.Keys(g.dirs)) {
		if cmp.Or(g.merged[dir], dir) == box {
			dirs = append(dirs, dir)
		}
	}
	if above := commonDir(dirs); common && len(dirs) > 1 && above != "" {
		return canonical.Path(above) + "/…"
	}
	for i, dir := range dirs {
		if i == mostNamed {
			return strings.Join(names, ", ") + ", …"
		}
		name := canonical.Path(dir)
		module := slices.IndexFunc(g.modules, func(m Summary) bool { return m.Path == dir })
		switch {
		case dir == ".":
			name = g.modules[module].Title
		case g.dirs[dir] > 1:
			name += "/…"
		case module < 0: // for its only module
			j := slices.IndexFunc(g.modules, func(m Summary) bool { return strings.HasPrefix(m.Path, dir+"/") })
			name = canonical.Path(g.modules[j].Path)
		}
		names = append(names, name)
	}
	return strings.Join(names, ", ")
}

// commonDir returns the deepest directory that contains all others, empty for the root.
func commonDir(dirs []string) string {
	common := strings.Split(dirs[0], "/")
	for _, dir := range dirs[1:] {
		n := 0
		for parts := strings.Split(dir, "/"); n < min(len(parts), len(common)) && parts[n] == common[n]; {
			n++
		}
		common = common[:n]
	}
	return strings.Join(common, "/")
}
