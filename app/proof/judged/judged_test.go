package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/proof/trial"
	"github.com/causaldocs/causal/render/node"
)

// shop has a module with two flows, of which a page shows one, and one with none.
func shop() (repository, []*node.Node) {
	return repository{Name: "example/shop", Commit: "c0ffee"}, []*node.Node{
		{Path: "cart", Purpose: "Go code.", PurposeFrom: node.FromDerived},
		{Path: ".", Purpose: "Sells.", PurposeFrom: node.FromDoc, PurposeFile: "README.md", Flows: []node.Step{
			{Flow: "Sell", Name: "Sell", File: "shop.go", Lines: "3-9"},
			{Flow: "Sell", From: "Sell", Name: "pay", File: "pay.go", Lines: "1-2"},
			{Flow: "Sell", From: "pay", Module: "bank", Name: "Take"},
			{Flow: "Buy", Name: "Buy", File: "shop.go", Lines: "12-14"},
			{Flow: "Buy", From: "Buy", Name: "pay", File: "pay.go", Lines: "1-2"},
		}},
	}
}

func TestDraw(t *testing.T) {
	t.Parallel()
	r, nodes := shop()
	sources := []source{newSource(r, nodes, 1), newSource(repository{Name: "example/other"}, nodes[:1], 1)}
	if s := sources[0]; s.modules != 2 || s.written != 1 {
		t.Errorf("%d modules, %d in words", s.modules, s.written)
	}
	flows := draw(sources, flowKind, 5)
	if len(flows) != 1 || flows[0].text != "Sell; Sell > pay; pay > bank#Take" ||
		!slices.Equal(flows[0].places, []string{"shop.go:3-9 Sell", "pay.go:1-2 Sell > pay", "bank pay > bank#Take"}) {
		t.Errorf("flows %+v", flows)
	}
	purposes := draw(sources, purposeKind, 2)
	if len(purposes) != 2 || purposes[0].repository == purposes[1].repository {
		t.Errorf("not in turns: %+v", purposes)
	}
	if all := draw(sources, purposeKind, 9); len(all) != 3 {
		t.Errorf("%d purposes of 3", len(all))
	}
	again := newSource(r, nodes, 1)
	for i, d := range again.texts[purposeKind] {
		if d.key() != sources[0].texts[purposeKind][i].key() {
			t.Error("the same seed draws others")
		}
	}
}

func TestHolds(t *testing.T) {
	t.Parallel()
	of := func(verdicts string) tally {
		var c tally
		for v := range strings.SplitSeq(verdicts, " ") {
			c.add(verdict{Verdict: v})
		}
		return c
	}
	many := strings.Repeat("right ", 19)
	for verdicts, want := range map[string]bool{
		many + useless:                     true,
		many + useless + " " + useless:     false,
		many + many + right + " " + wrong:  false,
		many + many + right + " " + "none": false,
	} {
		if got := of(verdicts).holds(); got != want {
			t.Errorf("%s: %t", verdicts, got)
		}
	}
}

func TestReport(t *testing.T) {
	t.Parallel()
	r, nodes := shop()
	all := &report{sources: []source{newSource(r, nodes, 1)}}
	all.texts = append(draw(all.sources, purposeKind, 2), draw(all.sources, flowKind, 1)...)
	all.texts[2].verdict = verdict{useless, "pays"}
	var out strings.Builder
	all.printTexts(&out)
	all.printTable(&out)
	for _, want := range []string{
		"purpose example/shop .\n    not judged\n    Sells.\n    README.md\n",
		"flow example/shop .\n    useless: pays\n    shop.go:3-9 Sell\n",
		"of 2 modules, 50.0 % have a purpose in an author's words\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("there is no %q in\n%s", want, out.String())
		}
	}
}

func TestVerdicts(t *testing.T) {
	t.Parallel()
	const good = `{"repository":"a/b","commit":"c","module":".","kind":"flow","text":"x","verdict":"useless","why":"y"}`
	if known, err := decodeVerdicts([]byte(good)); err != nil || known[key{"a/b", "c", ".", "flow", "x"}] != (verdict{useless, "y"}) {
		t.Errorf("%v, %v", known, err)
	}
	for name, data := range map[string]string{
		"no reason":      strings.Replace(good, `,"why":"y"`, "", 1),
		"no verdict":     strings.Replace(good, useless, "good", 1),
		"an unknown key": strings.Replace(good, "why", "wy", 1),
		"twice":          good + "\n" + good,
	} {
		if _, err := decodeVerdicts([]byte(data)); err == nil {
			t.Errorf("%s is not refused", name)
		}
	}
	repositories, err := readRepositories("")
	if err != nil {
		t.Fatal(err)
	}
	commits := map[string]string{}
	for _, r := range repositories {
		commits[r.Name] = r.Commit
	}
	known, err := readVerdicts()
	if err != nil {
		t.Fatal(err)
	}
	for k := range known {
		if commits[k.Repository] != k.Commit || k.Kind != purposeKind && k.Kind != flowKind {
			t.Errorf("a verdict about nothing that is drawn: %+v", k)
		}
	}
}

func TestSets(t *testing.T) {
	t.Parallel()
	all, err := readRepositories("")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, set := range []string{"libraries", "applications"} {
		of, err := readRepositories(set)
		if err != nil || len(of) == 0 || len(of) == len(all) {
			t.Errorf("%d of %d repositories are %s: %v", len(of), len(all), set, err)
		}
		n += len(of)
	}
	if n != len(all) {
		t.Errorf("%d of %d repositories are in a set", n, len(all))
	}
}

func TestUsage(t *testing.T) {
	t.Parallel()
	var out, errs strings.Builder
	if code := proof.Run(t.Context(), nil, &out, &errs); code != trial.ExitUsage || !strings.Contains(errs.String(), "usage: judged") {
		t.Errorf("exit %d with %q", code, errs.String())
	}
}
