package cli_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/cli"
	"github.com/causaldocs/causal/app/report"
	"github.com/causaldocs/causal/app/summary"
	"github.com/causaldocs/causal/knowledge/testmode"
)

// TestInjectedProse: orders in comments, documentation, literals, and names of files and directories.
func TestInjectedProse(t *testing.T) {
	t.Parallel()
	x := newInjected(t)
	for i, a := range attacks {
		word := fmt.Sprintf("ORDER%03d", i)
		text, doc, comment, literal, dir, file := x.order(word, a), "", "", "", fmt.Sprintf("m%03d", i), "m.go"
		switch i % 5 {
		case 0:
			comment = text
		case 1:
			doc = "// Parse reads an amount. " + text + "\n"
		case 2:
			literal = text
		case 3:
			dir = word
		case 4:
			file = word + ".go"
		}
		x.write(dir+"/"+file, fmt.Sprintf("package p%03d\n\n%sfunc Parse(s string) int {\n\t// %s\n\treturn len(s) + len(%q)\n}\n", i, doc, comment, literal))
	}
	x.commit("Add modules")
	x.causal(cli.ExitClean, "update")
	plainFiles := x.files(".causal", "docs/causal")
	x.git("clean", "-qfdx", "--", ".causal", "docs")
	x.expect(cli.ExitClean, "", "update")
	x.all(attacks)
	x.held(".causal/", "docs/causal/")
	files := x.files(".causal", "docs/causal")
	for name := range files {
		if _, there := plainFiles[name]; !there && name != ".causal/overview.yml" && !strings.HasPrefix(name, ".causal/frames/") {
			t.Errorf("%s was written", name)
		}
	}
	filled := 0
	for name, before := range plainFiles {
		after := files[name]
		filled += strings.Count(after, "✎ marks")
		if strings.HasPrefix(name, "docs/") {
			x.dropped(name, before, after)
		}
		if bad := outOfPlace(after); len(bad) > len(outOfPlace(before)) {
			t.Errorf("%s has %q", name, bad)
		}
		switch {
		case strings.HasPrefix(name, "docs/"):
			x.page(name, before, after)
		case strings.HasPrefix(name, ".causal/nodes/"):
			if now := prose.ReplaceAllString(after, ""); now != before {
				t.Errorf("facts of %s differ:\n%s\ninstead of\n%s", name, now, before)
			}
		}
	}
	if filled < 20 {
		t.Errorf("%d pages have prose: this test looks at nothing", filled)
	}
	x.expect(cli.ExitClean, "", "check")
}

// TestInjectedReview: orders in the diff of a change.
func TestInjectedReview(t *testing.T) {
	t.Parallel()
	x := newInjected(t)
	const web = "https://github.example/o/r"
	for i, list := range groups(5) {
		x.orders = map[string][]attack{}
		x.write("money/order.go", "package money\n\n// "+x.order(fmt.Sprintf("ORDER%03d", i), list...)+"\nfunc size(order string) int {\n\treturn len(order)\n}\n\nvar _ = size(\"\")\n")
		got := x.expect(cli.ExitClean, "", "review", "--vet=false", "--fail-on", "never", "--json")
		var r report.Review
		if err := json.Unmarshal([]byte(got.out), &r); err != nil {
			t.Fatal(err)
		}
		shown := &summary.Review{Report: &r}
		parts := append([]string{shown.Overview(web)}, shown.Findings(web)...)
		for _, f := range r.Findings {
			if f.Rule != "model/review" || f.Path != "money/order.go" {
				t.Errorf("a finding about %s by %s", f.Path, f.Rule)
			}
			parts = append(parts, shown.Remark(f))
		}
		x.dropped("the summary", "", parts[0])
		comment := strings.Join(parts, "\n\n")
		if bad := more("", comment, reviewElements(web)); len(bad) > 0 {
			t.Errorf("%s...: the comment has more than text: %q\n%s", list[0].name, bad, comment)
		}
		for _, format := range []string{"text", "github", "sarif"}[:testmode.Of(min(max(i%8-4, 0), 3), 3)] {
			got := x.expect(cli.ExitClean, "", "review", "--vet=false", "--fail-on", "never", "--format", format)
			if format != "github" && command.MatchString(got.out) {
				t.Errorf("%s: %s", format, got.out)
			}
		}
		x.held("money/order.go")
	}
	x.all(attacks)
}

// reviewElements allows what causal itself writes around findings.
func reviewElements(web string) func(element string) bool {
	return func(element string) bool {
		kind, what, _ := strings.Cut(element, " ")
		switch kind {
		case "Link":
			return strings.HasPrefix(what, web+"/blob/")
		case "RawHTML":
			return regexp.MustCompile(`^</?(sub|b|details|summary|br)>$`).MatchString(what)
		case "List", "ListItem", "Emphasis":
			return true
		}
		return false
	}
}

// TestInjectedQuestions: orders in files, commit messages and events, in the answers of child frames and of earlier questions, and in names.
func TestInjectedQuestions(t *testing.T) {
	t.Parallel()
	x := newInjected(t)
	x.causal(cli.ExitClean, "update")
	x.commit("Document")
	sources := []func(order string){
		func(order string) { x.write("money/order.go", "package money\n\n// "+order+"\n") },
		func(order string) {
			x.write("money/money.go", shop["money/money.go"]+"\n// "+order[:8]+"\n")
			x.commit(order)
		},
		func(order string) { x.causal(cli.ExitClean, "record", "proposition", order) },
		func(order string) { x.write("notes/"+order[:8]+".md", "An ORDER.\n") },
	}
	for i, list := range groups(10) {
		x.orders = map[string][]attack{}
		word := fmt.Sprintf("ORDER%03d", i)
		sources[i%len(sources)](x.order(word, list...))
		x.commit("Go on")
		before := x.run("", "ask", "--offline", "What does money do?").code
		got := x.run("", "ask", "--keep", "--session", "s1", fmt.Sprintf("What does money do at %s?", word))
		if got.code > max(before, cli.ExitFindings) || command.MatchString(got.out) {
			t.Errorf("exit code %d: %s", got.code, got)
		}
		if got.code == cli.ExitClean {
			x.expect(cli.ExitClean, "", "ask", "--json", "--session", "s2", fmt.Sprintf("What does money do at %s?", word))
			x.run("", "memory", "query", "money")
		}
		x.dropped("the answer", "", got.out)
		x.held(".causal/answers/")
		x.expect(cli.ExitClean, "", "update", "--offline")
		x.commit("Keep")
	}
	x.all(attacks)
	if kept := x.files(".causal/answers"); len(kept) < 5 {
		t.Errorf("%d answers are kept: this test looks at nothing", len(kept))
	}
	page := x.read("docs/causal/answers.md")
	if bad := more("# Answers\n", page, answerElements(x.repo)); len(bad) > 0 {
		t.Errorf("the page of answers has more than text: %q\n%s", bad, page)
	}
	x.expect(cli.ExitClean, "", "check")
}

// answerElements allows what causal itself writes around answers.
func answerElements(r *repo) func(element string) bool {
	allowed := r.proseElements("docs/causal/answers.md")
	return func(element string) bool {
		kind, what, _ := strings.Cut(element, " ")
		switch kind {
		case "Heading":
			return strings.HasPrefix(what, "What does money do") || strings.HasPrefix(what, "type: Answers\ntitle: Answers\n") // front matter
		case "List", "ListItem", "ThematicBreak", "Blockquote":
			return true
		case "HTMLBlock":
			return strings.HasPrefix(what, "<!-- prettier-ignore") || strings.HasPrefix(what, "<!-- markdownlint") || strings.HasPrefix(what, "<!-- causal")
		}
		return allowed(element)
	}
}

// TestInjectedMemory: orders in a discussion, and in events of which a model judges the cause.
func TestInjectedMemory(t *testing.T) {
	t.Parallel()
	x := newInjected(t)
	for i, list := range groups(20) {
		x.orders = map[string][]attack{}
		x.write("notes.md", "# Notes\n\nAda: we store all sessions in cookies\n\n"+x.order(fmt.Sprintf("ORDER%03d", i), list...)+"\n")
		got := x.expect(cli.ExitClean, "", "record", "--propose", "notes.md")
		for line := range strings.Lines(got.out) {
			var draft struct{ Type, Text, Source string }
			if err := json.Unmarshal([]byte(line), &draft); err != nil || draft.Type != "proposition" || !strings.HasPrefix(draft.Source, "notes.md#L") || strings.Count(draft.Text, " ") > 5000 {
				t.Errorf("%v: %s", err, line)
			}
		}
		x.held("notes.md")
	}
	x.all(attacks)
	x.remove("notes.md")
	x.orders, x.obeyed = map[string][]attack{}, map[string]bool{}
	every := testmode.Of(4, 1)
	for i := 0; i < len(attacks); i += every {
		word := fmt.Sprintf("ORDER%03d", i)
		x.causal(cli.ExitClean, "memory", "add", x.order(word, attacks[i]))
		x.expect(cli.ExitClean, "", "memory", "add", "--judge", word+" was followed: "+word)
		if !x.obeyed[attacks[i].name] {
			t.Errorf("the model never saw the order %q", attacks[i].name)
		}
	}
	got := x.expect(cli.ExitClean, "", "memory", "query", "ORDER followed")
	if command.MatchString(got.out) {
		t.Error(got)
	}
	x.held(".causal/log/")
}

// TestInjectedTests: orders in the documentation of functions for which tests are proposed.
func TestInjectedTests(t *testing.T) {
	t.Parallel()
	x := newInjected(t)
	lists := groups(8)
	text := "// Package text reads amounts.\npackage text\n"
	for i, list := range lists {
		text += fmt.Sprintf("\n// Size%d reads an amount of money: %s\nfunc Size%d(s string) int {\n\tif s == \"x\" {\n\t\treturn 0\n\t}\n\treturn len(s)\n}\n", i, x.order(fmt.Sprintf("ORDER%03d", i), list...), i)
	}
	x.write("text/text.go", text)
	x.remove("money")
	x.commit("Add text")
	got := x.expect(cli.ExitClean, "", "testgen", "--verify")
	x.all(attacks)
	x.held(".causal/specs/", ".causal/frames/tests/", "text/zz_causal_")
	specs := 0
	for name, spec := range x.files(".causal/specs") {
		specs++
		if !strings.Contains(spec, "args:") || strings.Contains(spec, "evil.go") {
			t.Errorf("%s: %s", name, spec)
		}
	}
	if specs < len(lists) {
		t.Errorf("%d specs: %s", specs, got)
	}
	if out, err := x.tryGit("grep", "--no-index", "-n", "-E", "^(import|func init|//go:|// \\+build)", "--", "text/zz_causal_*"); err == nil && strings.Contains(out, "go:generate") {
		t.Error(out)
	}
}

// TestInjectedAgent: a coding agent that obeys orders writes prose.
func TestInjectedAgent(t *testing.T) {
	t.Parallel()
	x := newInjected(t)
	x.write("money/money.go", "package money\n\nfunc Parse(s string) int {\n\treturn len(s)\n}\n")
	x.commit("Remove the documentation")
	x.causal(cli.ExitClean, "update")
	x.commit("Document")
	before := x.files("docs/causal")
	const name = "docs/causal/modules/money.md"
	written := 0
	for i := 0; i < len(attacks); i += testmode.Of(3, 1) {
		a := attacks[i]
		if a.alone() {
			continue
		}
		slots := x.inForm("causal.prose/v1", "slot `purpose` slot `how` <data 0 money/money.go>\n1\t", []attack{a})
		in := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"evil","version":"1"}}}` + "\n" +
			`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n" +
			`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"prose_write","arguments":` + strings.Replace(slots, "{", `{"unit": "module/money", `, 1) + "}}\n"
		if got := x.expect(cli.ExitClean, in, "mcp"); !strings.Contains(got.out, "module/money: ") && !strings.Contains(got.out, "parameter has") {
			t.Errorf("%s: %s", a.name, got)
		}
		if after := x.read(name); after != before[name] {
			written++
			x.page(name, before[name], after)
		}
		x.held(".causal/", "docs/causal/")
		x.git("checkout", "--quiet", ".")
	}
	if written < 5 {
		t.Errorf("%d pages were written: this test looks at nothing", written)
	}
}

// forgeries are causal's own files, as a pull request can change them, with a sentence and the sources of one.
var forgeries = []struct {
	file  string
	forge func(before, said string, cites []string) string
}{
	{".causal/nodes/money.yml", func(before, said string, cites []string) string {
		list := quote(append([]string{"money.go"}, cites...))
		return before + "prose:\n- slot: purpose\n  text: " + quote(said) + "\n  cites: " + list + "\n- slot: how\n  text: " + quote(said) + "\n  cites: " + list + "\n"
	}},
	{".causal/nodes/money.yml", func(before, said string, _ []string) string {
		return before + "prose:\n- slot: how\n  text: Reads it.\n  cites: [money.go]\nprose_evidence: [{of: " + quote("file "+said) + ", digest: x}]\n"
	}},
	{".causal/overview.yml", func(_, said string, cites []string) string {
		return "prose:\n- slot: overview\n  text: " + quote(said) + "\n  cites: " + quote(append([]string{"module/money"}, cites...)) + "\nprose_evidence: []\n"
	}},
	{".causal/overview.yml", func(_, said string, _ []string) string {
		return "prose:\n- slot: overview\n  text: Reads it.\n  cites: [module/money]\nprose_evidence: [{of: " + quote("module "+said) + ", digest: x}]\n"
	}},
	{".causal/answers/money.yml", func(before, said string, cites []string) string {
		return forgedAnswer(before, "What does money do?", said, cites, "")
	}},
	{".causal/answers/money.yml", func(before, said string, cites []string) string {
		return forgedAnswer(before, said, "Reads it.", cites, "")
	}},
	{".causal/answers/money.yml", func(before, said string, _ []string) string {
		return forgedAnswer(before, "What does money do?", "Reads it.", nil, "open: ["+quote(said)+"]\ninvalid: ["+quote(said)+"]\n")
	}},
}

func quote(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) // it is texts
	}
	return string(data)
}

// forgedAnswer has the evidence of a true one.
func forgedAnswer(before, question, said string, cites []string, rest string) string {
	_, evidence, _ := strings.Cut(before, "evidence:\n")
	return "question: " + quote(question) + "\nanswer:\n- text: " + quote(said) + "\n  cites: " + quote(append([]string{"money/money.go:1-3"}, cites...)) +
		"\nconfidence: 1\n" + rest + "evidence:\n" + evidence
}

// TestForgedFiles: attacks in causal's own files.
func TestForgedFiles(t *testing.T) {
	t.Parallel()
	x := newInjected(t)
	x.write("money/money.go", "package money\n\nfunc Parse(s string) int {\n\treturn len(s)\n}\n")
	x.write("tax/tax.go", "package tax\n\nimport \"example.com/shop/money\"\n\nfunc Rate() int {\n\treturn money.Parse(\"\")\n}\n")
	x.write("money/order.go", "package money\n\n// "+x.order("ORDER999", attack{name: "honest", says: "Reads it."})+"\n")
	x.commit("Begin")
	x.expect(cli.ExitClean, "", "ask", "--keep", "What does money do?")
	for name := range x.files(".causal/answers") {
		x.git("add", "--all")
		x.git("mv", name, ".causal/answers/money.yml")
	}
	x.causal(cli.ExitClean, "update", "--offline")
	x.commit("Document")
	before := x.files(".causal", "docs/causal")
	shown := 0
	for i := range forgeries {
		f := forgeries[i]
		for j := i * testmode.Of(1, 0); j < len(attacks); j += testmode.Of(3*len(forgeries), 1) {
			a := attacks[j]
			if a.alone() {
				continue
			}
			x.write(f.file, f.forge(before[f.file], x.said(a), a.cites))
			if got := x.run("", "update", "--offline"); got.code > cli.ExitFindings {
				t.Errorf("%s in %s: %s", a.name, f.file, got)
			}
			x.held(".causal/", "docs/causal/")
			for name, after := range x.files(".causal", "docs/causal") {
				switch {
				case strings.HasPrefix(name, ".causal/nodes/"):
					if now := prose.ReplaceAllString(after, ""); now != before[name] {
						t.Errorf("%s in %s: facts differ: %s\n%s", a.name, f.file, "\n"+now, before[name])
					}
				case strings.HasPrefix(name, "docs/"):
					if bad := more(before[name], after, forgedElements(x.repo, name)); len(bad) > 0 {
						t.Errorf("%s in %s: %s has more than text: %q", a.name, f.file, name, bad)
					}
					if after != before[name] {
						shown++
					}
				}
			}
			x.git("checkout", "--quiet", ".")
			x.git("clean", "-qfd")
		}
	}
	if shown < 10 {
		t.Errorf("%d pages show a forged text: this test looks at nothing", shown)
	}
}

// forgedElements allows the banner of a text that is out of date, and the page of answers.
func forgedElements(r *repo, page string) func(element string) bool {
	prose, answers := r.proseElements(page), answerElements(r)
	return func(element string) bool {
		kind, what, _ := strings.Cut(element, " ")
		switch {
		case kind == "TableCell": // a purpose where there was none adds its column
			return strings.HasSuffix(page, "/index.md") || strings.HasSuffix(page, "/README.md")
		case kind == "Blockquote", kind == "Emphasis", kind == "ListItem", kind == "Link" && strings.HasSuffix(what, "answers.md"):
			return true
		case strings.HasSuffix(page, "/answers.md"):
			return answers(element) || kind == "Heading" || kind == "Link" && strings.HasPrefix(what, "../../") && !strings.HasPrefix(what, "../../../")
		}
		return prose(element)
	}
}

// TestForgedConfiguration: a repository cannot choose the model, its address, its key, or a command.
func TestForgedConfiguration(t *testing.T) {
	t.Parallel()
	x := newInjected(t)
	for _, key := range []string{"url: CANARY/v1", "provider: command", "command: touch evil", "key: x", "api_key: x", "name: evil"} {
		x.write(".causal/config.yml", "version: 1\nmodel:\n  "+strings.ReplaceAll(key, "CANARY", x.server.URL+"/canary")+"\n")
		for _, args := range [][]string{{"update"}, {"ask", "What is it?"}, {"review", "--vet=false"}, {"testgen", "--verify"}, {"memory", "add", "--judge", "It failed"}} {
			if got := x.expect(cli.ExitUsage, "", args...); !strings.Contains(got.err, "environment") {
				t.Errorf("%s: %s: %s", key, args, got)
			}
		}
	}
	x.held(".causal/config.yml")
}
