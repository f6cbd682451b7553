package pagecheck

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/costtest"
	"github.com/causaldocs/causal/knowledge/markdown"
	_ "github.com/causaldocs/causal/knowledge/rapidseed"
	"pgregory.net/rapid"
)

var update = flag.Bool("update", false, "write golden files anew")

// diagram is one fence with the verdict of Mermaid's own parser and ours.
type diagram struct {
	Source   string `json:"source"`
	Real     bool   `json:"real"`
	Accepted bool   `json:"accepted"`
}

const golden = "testdata/diagrams.json"

func readDiagrams(t *testing.T) []diagram {
	t.Helper()
	data, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	var table []diagram
	if err := json.Unmarshal(data, &table); err != nil {
		t.Fatal(err)
	}
	return table
}

func TestDiagramAgainstRecordedVerdicts(t *testing.T) {
	t.Parallel()
	accepted := 0
	for _, d := range readDiagrams(t) {
		err := Diagram(d.Source)
		if (err == nil) != d.Accepted {
			t.Errorf("Diagram(%.200q) = %v, want accepted %v", d.Source, err, d.Accepted)
		}
		if err == nil && !d.Real {
			t.Errorf("Diagram(%.200q) is accepted, and Mermaid refuses it", d.Source)
		}
		if d.Accepted {
			accepted++
		}
	}
	if accepted < 40 {
		t.Errorf("only %d diagrams of the table are accepted", accepted)
	}
}

func TestDiagramErrors(t *testing.T) {
	t.Parallel()
	tests := []struct {
		source, want string
	}{
		{"", "line 1: there is no diagram"},
		{"pie\n  \"a\" : 1", "line 1: a diagram starts with flowchart and LR, RL, TB, TD or BT"},
		{"sequenceDiagram\n  A->>B: x", `line 2: "A->>B: x" is not known in a sequence`},
		{"sequenceDiagram\n  participant p0 as a b\n  p0->>p1: x", "line 3: p1 is no participant"},
		{"sequenceDiagram\n  participant p0 as a\n  opt x\n  p0->>p0: x", "line 4: a block is not closed with end"},
		{"sequenceDiagram\n  participant p0 as a\n  else x", `line 3: "else x" is not known in a sequence`},
		{"sequenceDiagram\n  participant p0 as a\n  Note over p1: x", "line 3: p1 is no participant"},
		{"sequenceDiagram\n  participant p0 as a;b", `line 2: "participant p0 as a;b" is not known in a sequence`},
		{"flowchart LR\n  end --> b", "line 2: end closes nothing"},
		{"flowchart LR\n  a --> end", `line 2: "end" cannot be an id`},
		{"flowchart LR\n  a[Foo(x)]", `line 2: "[Foo(x)]" is not known here`},
		{"flowchart LR\n  a[\"\"]", "line 2: a label is empty"},
		{"flowchart LR\n  subgraph s[\"S\"]\n  a", "line 3: a block is not closed with end"},
		{"flowchart LR\n  click a \"x\"", `line 2: "click" cannot be an id`},
		{"flowchart LR\n  a --> ", `line 2: "" is not a node`},
		{"flowchart LR\n  a[\"" + strings.Repeat("x", maxDiagram) + "\"]", "line 1: the diagram has more than 50,000 characters"},
	}
	for _, test := range tests {
		err := Diagram(test.source)
		if err == nil || err.Error() != test.want {
			t.Errorf("Diagram(%.80q) = %v, want %s", test.source, err, test.want)
		}
	}
}

// drawn makes a diagram of everything that the subset knows.
func drawn(t *rapid.T) string {
	ids := rapid.SampledFrom([]string{"n0", "n1", "n2", "a_b", "Z9", "ender", "classes", "graph1", "on", "xs"})
	label := func() string {
		return markdown.MermaidLabel(rapid.OneOf(rapid.StringMatching(`[ -~]{0,20}`), rapid.String()).Draw(t, "label"))
	}
	shapes := []string{"[%s]", "(%s)", "([%s])", "[[%s]]", "[(%s)]", "((%s))", "{%s}", "{{%s}}"}
	node := func() string {
		s := ids.Draw(t, "id")
		if rapid.Bool().Draw(t, "labelled") {
			s += fmt.Sprintf(rapid.SampledFrom(shapes).Draw(t, "shape"), label())
		}
		if rapid.Bool().Draw(t, "classed") {
			s += ":::std"
		}
		return s
	}
	arrow := func() string {
		s := " " + rapid.SampledFrom([]string{"-->", "-.->", "==>", "---", "-.-", "==="}).Draw(t, "arrow")
		if rapid.Bool().Draw(t, "labelled") {
			s += "|" + label() + "|"
		}
		return s + " "
	}
	lines := []string{rapid.SampledFrom([]string{"flowchart LR", "graph TD", "%% note\nflowchart BT", "flowchart RL;"}).Draw(t, "header")}
	open := 0
	for i := range rapid.IntRange(0, 8).Draw(t, "lines") {
		switch rapid.IntRange(0, 7).Draw(t, "what") {
		case 0:
			lines = append(lines, fmt.Sprintf("subgraph s%d[%s]", i, label()))
			open++
		case 1:
			lines = append(lines, "classDef std stroke-dasharray: 3 3,fill:#fff", "class n0,n1 std")
		case 2:
			lines = append(lines, "direction TB", "%% comment")
		case 3:
			lines = append(lines, node()+" & "+node()+arrow()+node()+arrow()+node())
		default:
			lines = append(lines, "  "+node()+arrow()+node()+rapid.SampledFrom([]string{"", ";"}).Draw(t, "stop"))
		}
	}
	for range open {
		lines = append(lines, "end")
	}
	return strings.Join(lines, "\n")
}

func TestDrawnDiagramsAreAccepted(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		source := drawn(t)
		if err := Diagram(source); err != nil {
			t.Fatalf("%v\n%s", err, source)
		}
	})
}

// TestDiagramAgainstMermaid compares verdicts with those of Mermaid's own parser. With -update it records them.
//
//	mkdir -p DIR && cd DIR && npm init -y && npm install mermaid@11.17.2 jsdom@26.1.0
//	CAUSAL_MERMAID=DIR go test ./render/pagecheck -run AgainstMermaid
func TestDiagramAgainstMermaid(t *testing.T) {
	dir := os.Getenv("CAUSAL_MERMAID")
	if dir == "" {
		t.Skip("CAUSAL_MERMAID does not name a folder with mermaid and jsdom")
	}
	table := readDiagrams(t)
	sources := make([]string, 0, len(table))
	for _, d := range table {
		sources = append(sources, d.Source)
	}
	good := rapid.Custom(drawn)
	for seed := range 400 {
		source := good.Example(seed)
		sources = append(sources, source, damage(source, seed))
	}
	verdicts := mermaidVerdicts(t, dir, sources)
	both := 0
	for i, source := range sources {
		err := Diagram(source)
		if err == nil && !verdicts[i] {
			t.Errorf("accepted here, refused by Mermaid:\n%s", source)
		}
		if err == nil && verdicts[i] {
			both++
		}
		if i < len(table) {
			table[i].Real, table[i].Accepted = verdicts[i], err == nil
		}
	}
	t.Logf("%d fences, %d accepted by both, %d refused by Mermaid", len(sources), both, len(sources)-len(slices.DeleteFunc(slices.Clone(verdicts), func(ok bool) bool { return !ok })))
	if both < 400 {
		t.Errorf("only %d fences are accepted by both", both)
	}
	if *update {
		data, err := json.MarshalIndent(table, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(golden, append(data, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// damage removes, doubles or replaces a few characters.
func damage(source string, seed int) string {
	runes := []rune(source)
	for i := range 1 + seed%3 {
		at := (seed*7919 + i*104729) % len(runes)
		switch (seed + i) % 3 {
		case 0:
			runes = append(runes[:at], runes[at+1:]...)
		case 1:
			runes = slices.Insert(runes, at, runes[(at*31+7)%len(runes)])
		default:
			runes[at] = []rune("\"[](){}|;:%&-=>.xo \n#`")[(seed+at)%22]
		}
		if len(runes) == 0 {
			return ""
		}
	}
	return string(runes)
}

const mermaidProgram = `
import fs from 'node:fs'
import {JSDOM} from 'jsdom'
const {window} = new JSDOM('<!DOCTYPE html><body></body>')
Object.assign(globalThis, {window, document: window.document})
const mermaid = (await import('mermaid')).default
mermaid.initialize({startOnLoad: false, suppressErrorRendering: true})
const verdicts = []
for (const source of JSON.parse(fs.readFileSync(0, 'utf8'))) {
  verdicts.push(await mermaid.parse(source).then(() => true, () => false))
}
fs.writeSync(1, '\nVERDICTS ' + JSON.stringify(verdicts) + '\n')
`

func mermaidVerdicts(t *testing.T, dir string, sources []string) []bool {
	t.Helper()
	input, err := json.Marshal(sources)
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command("node", "--input-type=module", "-e", mermaidProgram)
	command.Dir = filepath.Clean(dir)
	command.Stdin = strings.NewReader(string(input))
	out, err := command.Output()
	if err != nil {
		t.Fatalf("run node: %v", err)
	}
	_, found, ok := strings.Cut(string(out), "\nVERDICTS ")
	if !ok {
		t.Fatalf("no verdicts in %.500s", out)
	}
	var verdicts []bool
	if err := json.Unmarshal([]byte(found), &verdicts); err != nil {
		t.Fatal(err)
	}
	if len(verdicts) != len(sources) {
		t.Fatalf("%d verdicts for %d fences", len(verdicts), len(sources))
	}
	return verdicts
}

func FuzzDiagram(f *testing.F) {
	for _, s := range []string{"flowchart LR\n a[\"x\"] -->|\"y\"| b:::c", "graph TD;a-->b;", "flowchart LR\n subgraph s[\"S\"]\n end"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, source string) {
		costtest.Hold(t, []byte(source), func(source []byte) { _ = Diagram(string(source)) })
		err := Diagram(source)
		if at, ok := err.(*DiagramError); ok && (at.Line < 1 || at.Line > strings.Count(source, "\n")+1) {
			t.Fatalf("line %d of %q", at.Line, source)
		}
	})
}
