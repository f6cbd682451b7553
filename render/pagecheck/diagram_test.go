package pagecheck

import (
	"encoding/json"
	"flag"
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
	if accepted < 25 {
		t.Errorf("only %d diagrams of the table are accepted", accepted)
	}
}

func TestDiagramErrors(t *testing.T) {
	t.Parallel()
	tests := []struct {
		source, want string
	}{
		{"", `line 1: "" begins neither a flowchart nor a sequence`},
		{"pie\n  \"a\" : 1", `line 1: "pie" begins neither a flowchart nor a sequence`},
		{"sequenceDiagram\n  A->>B: x", `line 2: "A->>B: x" is not known here`},
		{"sequenceDiagram\n  participant p0 as a b\n  p0->>p1: x", `line 3: "p0->>p1: x" is not known here`},
		{"sequenceDiagram\n  participant p0 as a\n  opt x\n  p0->>p0: x", "line 4: a block is not closed with end"},
		{"sequenceDiagram\n  participant p0 as a\n  else x", `line 3: "else x" is not known here`},
		{"sequenceDiagram\n  participant p0 as a\n  end", `line 3: "end" is not known here`},
		{"sequenceDiagram\n  participant p0 as a\n  Note over p1: x", `line 3: "Note over p1: x" is not known here`},
		{"sequenceDiagram\n  participant p0 as a;b", `line 2: "participant p0 as a;b" is not known here`},
		{"flowchart LR\n  end --> b", `line 2: "end --> b" is not known here`},
		{"flowchart LR\n  a --> End", `line 2: "a --> End" is not known here`},
		{"flowchart LR\n  a[Foo(x)]", `line 2: "a[Foo(x)]" is not known here`},
		{"flowchart LR\n  a[\"\"]", `line 2: "a[\"\"]" is not known here`},
		{"flowchart LR\n  a[\"%%\"]", `line 2: "a[\"%%\"]" is not known here`},
		{"flowchart LR\n  a --> ", `line 2: "a -->" is not known here`},
	}
	for _, test := range tests {
		err := Diagram(test.source)
		if err == nil || err.Error() != test.want {
			t.Errorf("Diagram(%.80q) = %v, want %s", test.source, err, test.want)
		}
	}
}

// drawn makes a flowchart of everything that the subset knows.
func drawn(t *rapid.T) string {
	ids := rapid.SampledFrom([]string{"n0", "n1", "n2", "a_b", "Z9", "ender", "classes", "graph1", "on", "xs"})
	label := func() string {
		return markdown.MermaidLabel(rapid.OneOf(rapid.StringMatching(`[ -~]{0,20}`), rapid.String()).Draw(t, "label"))
	}
	box := func() string {
		s := ids.Draw(t, "id")
		if rapid.Bool().Draw(t, "labelled") {
			s += "[" + label() + "]"
		}
		return s
	}
	lines := []string{"flowchart " + rapid.SampledFrom([]string{"LR", "TD", "BT", "RL", "TB"}).Draw(t, "direction")}
	for range rapid.IntRange(0, 8).Draw(t, "lines") {
		line := "  " + box()
		for range rapid.IntRange(0, 2).Draw(t, "arrows") {
			line += " -->"
			if rapid.Bool().Draw(t, "labelled") {
				line += "|" + label() + "|"
			}
			line += " " + box()
		}
		lines = append(lines, line)
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
	for _, s := range []string{"flowchart LR\n a[\"x\"] -->|\"y\"| b", "sequenceDiagram\n participant p0 as a\n opt b\n p0->>p0: c\n end"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, source string) {
		costtest.Hold(t, []byte(source), func(source []byte) { _ = Diagram(string(source)) })
	})
}
