package render

import (
	"fmt"
	"runtime/metrics"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/render/node"
)

// mostGrowth is how many times as much may be allocated for twice as much source.
const mostGrowth = 2.3

// allocated is how many bytes do allocates, on all processors: no test may run at the same time.
func allocated(do func()) float64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	before := sample[0].Value.Uint64()
	do()
	metrics.Read(sample)
	return float64(sample[0].Value.Uint64() - before)
}

// TestGrowthOfPages: the pages of a module cost in proportion to its symbols, its files, its types and their members.
func TestGrowthOfPages(t *testing.T) { //nolint:paralleltest // it measures
	for name, module := range map[string]func(n int) *node.Node{
		"symbols": func(n int) *node.Node {
			return moduleOf(n, func(i int) (string, string) { return "a.go", fmt.Sprintf("F%05d", i) })
		},
		"files": func(n int) *node.Node {
			return moduleOf(n, func(i int) (string, string) { return fmt.Sprintf("f%04d.go", i/40), fmt.Sprintf("F%05d", i) })
		},
		"types": func(n int) *node.Node {
			return moduleOf(n, func(i int) (string, string) {
				if i%40 == 0 {
					return "a.go", fmt.Sprintf("T%05d", i/40)
				}
				return "a.go", fmt.Sprintf("T%05d.M%05d", i/40, i)
			})
		},
	} {
		pages := func(n int) float64 {
			o := outlineOf(module(n))
			return allocated(func() { renderAll(t, o) })
		}
		pages(3000) // one-time initialisation
		small, large := pages(3000), pages(6000)
		if large > mostGrowth*small {
			t.Errorf("%s: %.1f MB are allocated for 3,000, %.1f MB for 6,000", name, small/1e6, large/1e6)
		}
	}
}

// moduleOf is a module of n symbols.
func moduleOf(n int, at func(i int) (file, name string)) *node.Node {
	out := &node.Node{Module: "m", Path: "m", Language: "go"}
	for i := range n {
		file, name := at(i)
		kind := source.Func
		if strings.HasPrefix(name, "T") {
			kind = source.Struct
			if strings.Contains(name, ".") {
				kind = source.Method
			}
		}
		if i == 0 || file != out.Sources[len(out.Sources)-1].Path[2:] {
			out.Sources = append(out.Sources, node.Source{Path: "m/" + file, About: "Says something."})
		}
		out.PublicAPI = append(out.PublicAPI, node.Symbol{Name: name, Kind: kind, File: file, Signature: "func " + name + "(a, b int) int", Doc: "Adds two numbers."})
	}
	return out
}

func outlineOf(n *node.Node) *outline {
	var all []*source.Declared
	for _, s := range n.PublicAPI {
		all = append(all, &source.Declared{Symbol: &source.Symbol{Kind: s.Kind, Signature: s.Signature, Doc: s.Doc}, Name: s.Name, Path: "m/" + s.File})
	}
	return newOutline(n, source.NewPartIndex(source.Divide(all, nil)))
}

func renderAll(t *testing.T, o *outline) {
	t.Helper()
	config := Config{Layout: store.Layout{Docs: "docs/causal"}}
	pages := 0
	for i := range o.index.Parts {
		if renderPart(config, o, &fakeGraph{}, i) != "" {
			pages++
		}
	}
	if text := renderPage(config, o, &fakeGraph{}); text == "" || pages < 10 {
		t.Errorf("%d pages of parts", pages)
	}
}

// TestGrowthOfRuns checks that the cost of a first run is proportional to the modules, and to the importers of a module.
func TestGrowthOfRuns(t *testing.T) { //nolint:paralleltest // it measures
	for name, files := range map[string]func(n int) map[string]string{
		"modules": func(n int) map[string]string {
			return repositoryWith(n, func(i int) string { return fmt.Sprintf("m%04d", max(i-3, 0)) })
		},
		"importers": func(n int) map[string]string { return repositoryWith(n, func(int) string { return "m0000" }) },
	} {
		run := func(n int) float64 {
			s := docsOver(files(n), nil)(t)
			return allocated(func() {
				c, done := s.Open(t)
				defer done()
				r, err := engine.New(c).Update(t.Context())
				if err != nil || len(r.Ran) < n {
					t.Fatalf("%d units ran: %v", len(r.Ran), err)
				}
			})
		}
		run(10) // one-time initialisation
		small, large := run(100), run(200)
		if large > mostGrowth*small {
			t.Errorf("%s: %.1f MB are allocated for 100, %.1f MB for 200", name, small/1e6, large/1e6)
		}
	}
}

// repositoryWith is a repository of n modules, each of which imports another.
func repositoryWith(n int, imported func(i int) string) map[string]string {
	files := map[string]string{"go.mod": "module example.com/made\n"}
	for i := range n {
		text := fmt.Sprintf("// Package m%04d does one thing.\npackage m%04d\n\n", i, i)
		if i > 0 {
			of := imported(i)
			text += fmt.Sprintf("import \"example.com/made/%s\"\n\n// F%d does it.\nfunc F%d(a int) int { return %s.F0(a) }\n\n", of, i, i, of)
		}
		files[fmt.Sprintf("m%04d/a.go", i)] = text + "// F0 does the same.\nfunc F0(a int) int { return a }\n"
	}
	return files
}
