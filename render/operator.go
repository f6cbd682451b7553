package render

import (
	"cmp"
	"encoding/json"
	"fmt"
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/render/node"
)

// surface is the behaviour surface of one module.
type surface struct {
	module   string
	programs []string        // the programs that contain a module which extends the flags of any program
	used     map[string]bool // the files that the product imports from a directory that may be one of tools
	Command  bool            `json:"command,omitempty"`
	Elements []node.Behavior `json:"elements"`
	Stale    bool            `json:"stale,omitempty"` // from an earlier version
	// Shown holds the anchors of the route and job handlers that have sections on the module's page.
	Shown map[string]string `json:"shown,omitempty"`
}

// surfacePart is the excerpt of a node for the operator pages. Examples and tests have none. Tools and code beside the
// product have only the environment: users of the product do not run their commands.
const surfacePart = "surface"

// ofTools lists the kinds of elements that also count for tools.
var ofTools = []source.FactKind{source.Env, source.Reads, source.Sets}

// servesIn are kinds of elements that show that a file named like one of a tool, such as setup.py, is part of the product.
var servesIn = map[source.FactKind]bool{source.Job: true, source.Route: true, source.Mount: true}

// encodeSurface returns the text that readSurface reads, empty without elements.
func encodeSurface(n *node.Node) string {
	beside := besides.MatchString(n.Path)
	elements := slices.DeleteFunc(slices.Clone(n.Behaviour), func(b node.Behavior) bool {
		tool := survey.IsToolFile(path.Base(b.File)) && !(servesIn[b.Kind] && source.IsToolFile(path.Base(b.File)))
		outside := (beside || tool) && !slices.Contains(ofTools, b.Kind)
		return b.Kind == source.Register || b.Kind == source.Data || outside
	})
	return surface{Command: (n.Kind == kindCommand || runs(n)) && !beside, Elements: elements, Stale: n.Stale != "", Shown: shownHandlers(n)}.encode(n)
}

// runs reports whether a library also has a program with a command line.
func runs(n *node.Node) bool {
	return slices.ContainsFunc(n.Sources, func(s node.Source) bool { return s.Role == entryRole }) &&
		slices.ContainsFunc(n.Behaviour, func(b node.Behavior) bool { return b.Of == source.Program && b.Kind != source.Config })
}

// dataPart is the excerpt of a node for the data page.
const dataPart = "data"

func encodeData(n *node.Node) string {
	elements := slices.DeleteFunc(slices.Clone(n.Behaviour), func(b node.Behavior) bool { return b.Kind != source.Data })
	return surface{Elements: elements, Stale: n.Stale != ""}.encode(n)
}

// encode returns the text that readSurface reads, empty for tests, examples and benchmarks.
func (s surface) encode(n *node.Node) string {
	if len(s.Elements) == 0 && !s.Command || n.Kind == kindTests || isExample(Summary{Path: n.Path}) || supportsTests(n.Path) || measures(n.Path) {
		return ""
	}
	for i := range s.Elements {
		s.Elements[i].File, s.Elements[i].In = canonical.Path(s.Elements[i].File), canonical.Path(s.Elements[i].In)
	}
	return string(mustJSON(s))
}

// testDirectory matches a directory with tests or test support: "tests", "tests_functional", "load-test", "dbtestutil".
var testDirectory = lazyregexp.New(`^(?:e2e|cypress|playwright|__tests__|__mocks__|tests?|tests?[-_].+|.+[-_]tests?|.*test_?(?:utils?|helpers?)|(?:dummy|mock|fake|stub)[-_]?server)$`)

func supportsTests(module string) bool {
	return slices.ContainsFunc(strings.Split(module, "/"), func(dir string) bool { return testDirectory.MatchString(dir) })
}

func readSurface(module, text string) (surface, error) {
	s := surface{module: module}
	err := json.Unmarshal([]byte(text), &s)
	for i := range s.Elements {
		for _, file := range []*string{&s.Elements[i].File, &s.Elements[i].In} {
			if err == nil {
				*file, err = canonical.ParsePath(*file)
			}
		}
	}
	if err != nil {
		return surface{}, fmt.Errorf("behaviour surface of %s: %w", module, err)
	}
	return s, nil
}

// elementsOf lists the elements of all modules.
func elementsOf(surfaces []surface) iter.Seq[element] {
	return func(yield func(element) bool) {
		for _, s := range surfaces {
			for _, b := range s.Elements {
				if !yield(element{b, s.module}) {
					return
				}
			}
		}
	}
}

func surfacesIn(g *factGraph, part string) []surface {
	surfaces := excerptsOf(&g.facts, g.paths(), part, readSurface)
	for i := range surfaces {
		surfaces[i].findUsed(g)
	}
	return surfaces
}

// mostSteps bounds the edges between modules that the search for programs follows.
const mostSteps = 1 << 20

// findPrograms finds the programs that contain a module which extends the flags of any program.
func findPrograms(g *factGraph, surfaces []surface) {
	var shared []*surface
	program := map[string]bool{}
	for i := range surfaces {
		s := &surfaces[i]
		program[s.module] = s.Command
		if !s.Command && slices.ContainsFunc(s.Elements, func(b node.Behavior) bool { return b.Of == source.Program }) {
			shared = append(shared, s)
		}
	}
	if len(shared) == 0 {
		return
	}
	users, left := map[string][]string{}, mostSteps
	for _, m := range g.paths() {
		for _, d := range g.deps(m) {
			users[d] = append(users[d], m)
		}
	}
	for _, s := range shared {
		s.programs = above(s.module, users, program, &left)
	}
}

// above lists the programs among the direct and indirect users of a module.
func above(module string, users map[string][]string, program map[string]bool, left *int) []string {
	var out []string
	seen, queue := map[string]bool{module: true}, []string{module}
	for len(queue) > 0 && *left > 0 {
		m := queue[0]
		queue = queue[1:]
		if program[m] {
			out = append(out, m)
		}
		for _, u := range users[m] {
			if *left--; !seen[u] {
				seen[u] = true
				queue = append(queue, u)
			}
		}
	}
	slices.Sort(out)
	return out
}

// commandsPageOf returns the generated part of the commands page.
func commandsPageOf(c Config, g *factGraph) string {
	surfaces := surfacesIn(g, surfacePart)
	findPrograms(g, surfaces)
	return renderCommands(c, surfaces, func(module, file string, alone bool) string {
		name := installed(&g.facts, path.Clean(strings.TrimSuffix(strings.TrimSuffix(module, "/bin"), "src")))
		if name == "" && (alone || module == "." || module == "cmd") { // no program has the name of such a directory
			name = projectName(c, g)
		}
		if name == "" && module == "." {
			name = strings.TrimSuffix(path.Base(file), path.Ext(file))
		}
		return cmp.Or(name, canonical.Path(dirName(module)))
	})
}

// routed returns the surfaces of all modules, with what files beside the code say about routes; partial lists such files
// that are not read in full.
func routed(g *factGraph) (surfaces []surface, partial []string) {
	more, partial := described(&g.facts)
	return append(surfacesIn(g, surfacePart), more...), partial
}

// operationsPageOf returns the generated part of the operations page.
func operationsPageOf(c Config, g *factGraph) string {
	files := settingsOf(&g.facts)
	tasks, unexamined := ownTasks(&g.facts, g.paths())
	surfaces, partial := routed(g)
	surfaces, files.partial = append(surfaces, files.askedFor()), partial
	passages := passagesOf(&g.facts, surfaces, &files)
	return renderOperations(c, g, surfaces, files, passages, tasks, unexamined)
}
