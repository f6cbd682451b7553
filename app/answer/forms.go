package answer

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/lexical"
	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/render"
)

// partsOf returns the words of a name, without endings. Stop words count, since "Where" may be a class.
func partsOf(name string) (out []string) {
	for _, word := range strings.FieldsFunc(strings.ToLower(lexical.SplitNames(name)), func(r rune) bool { return strings.ContainsRune(" ._-/:#`\"'", r) }) {
		if t := lexical.Terms(word); len(t) == 1 {
			word = t[0]
		}
		out = append(out, word)
	}
	return out
}

// named returns the modules and symbols with a name, modules first. Symbols of tests and examples are left out.
func (f *findable) named(name string) (out []Hit) {
	want := partsOf(name)
	for _, h := range f.hits {
		last := h.Target[strings.LastIndexAny(h.Target, "./")+1:]
		if (h.Kind == "module" || h.symbol != "") && !source.IsExampleDir(path.Dir(h.module+"/x")) && slices.Equal(partsOf(last), want) {
			out = append(out, h)
		}
	}
	slices.SortFunc(out, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(len(a.symbol), len(b.symbol)), cmp.Compare(strings.Count(a.Target, "/"), strings.Count(b.Target, "/")),
			cmp.Compare(len(a.Target), len(b.Target)), cmp.Compare(a.Target, b.Target))
	})
	return out
}

// Named returns the modules and symbols that have a name; its last word is enough for a module. The engine must have run.
func Named(ctx context.Context, w *workspace.Workspace, e *workspace.Knowledge, log *workspace.Ledger, name string, most int) ([]Hit, error) {
	f, err := collect(ctx, w, e, log, name, false)
	if err != nil {
		return nil, err
	}
	hits := f.named(name)
	if words := strings.Fields(name); len(hits) == 0 && len(words) > 1 && f.knows(lexical.Terms(name)) {
		hits = slices.DeleteFunc(f.named(words[len(words)-1]), func(h Hit) bool { return h.Kind != "module" })
	}
	for i := range hits {
		h := &hits[i]
		if h.symbol != "" {
			h.Text = h.says
			if file, lines, ok := e.Declared(ctx, h.module, h.symbol); ok {
				h.At = file + ":" + lines
			}
		} else if h.Text == "" {
			h.Text = "the module in " + cmp.Or(h.module, h.Target)
		}
	}
	return hits[:min(len(hits), most)], nil
}

var listedAs = lazyregexp.New(`(?i)\b(?:command[- ]line )?(?:options?|switche?s?|flags?)\b`)

// Listed returns the first cells of the tables on the pages for operators about a kind of things, such as commands or variables.
func Listed(w *workspace.Workspace, e *workspace.Knowledge, kind string) (out []Hit) {
	terms := lexical.Terms(listedAs.ReplaceAllString(kind, "flag"))
	names, err := w.Files.List(w.Layout.Docs)
	if err != nil || len(terms) == 0 {
		return nil
	}
	for _, name := range names {
		data, _, err := e.Current(name)
		if err != nil || !w.Layout.Owns(name) || strings.Contains(name, "/modules/") {
			continue
		}
		lines, heading := strings.Split(string(data), "\n"), ""
		var cells []string
		in := false
		for i, line := range lines {
			switch first, _, _ := strings.Cut(strings.TrimPrefix(line, "|"), " |"); {
			case strings.HasPrefix(line, "#"):
				heading = strings.TrimLeft(line, "# ")
			case !strings.HasPrefix(line, "|"):
				in = false
			case isHeader(lines, i):
				in = slices.Equal(lexical.Terms(first), terms) || slices.Equal(lexical.Terms(heading), terms)
			case in && !ruler.MatchString(line):
				if cell := markdown.Plain(strings.TrimSpace(first), "markdown"); cell != "" && !slices.Contains(cells, cell) {
					cells = append(cells, cell)
				}
			}
		}
		if len(cells) > 0 {
			out = append(out, Hit{Kind: "page", Target: name, Text: kind + ": " + strings.Join(cells, ", "), At: name})
		}
	}
	return out
}

// rootFiles are files at the root that state what questions are about: the words of such a question, of which it has the first, and the
// line that is quoted.
var rootFiles = []struct {
	name, words string
	line        *lazyregexp.Regexp
}{
	{"pyproject.toml", licensed, licenseKey}, {"package.json", licensed, licenseKey}, {"Cargo.toml", licensed, licenseKey}, {"composer.json", licensed, licenseKey},
	{"LICENSE", licensed, licenseName}, {"LICENSE.md", licensed, licenseName}, {"LICENSE.txt", licensed, licenseName}, {"LICENCE", licensed, licenseName},
	{"LICENSE-MIT", licensed, licenseName}, {"LICENSE-APACHE", licensed, licenseName}, {"COPYING", licensed, licenseName}, {"COPYING.md", licensed, licenseName},
	{"Dockerfile", "docker image container", lazyregexp.New(`^(?i:from)\s`)},
	{"pyproject.toml", "python" + version, lazyregexp.New(`^(?:requires-python|python)\s*=`)}, {"setup.cfg", "python" + version, lazyregexp.New(`^python_requires`)},
	{"setup.py", "python" + version, lazyregexp.New(`^\s*python_requires\s*=`)}, {"go.mod", "go" + version, lazyregexp.New(`^go\s`)},
	{"package.json", "node" + version, lazyregexp.New(`^\s*"node"\s*:`)}, {"Cargo.toml", "rust" + version, lazyregexp.New(`^(?:rust-version|edition)\s*=`)},
	{"composer.json", "php" + version, lazyregexp.New(`^\s*"php"\s*:`)},
	{"pom.xml", "java" + version, lazyregexp.New(`<(?:java\.version|maven\.compiler\.(?:source|target|release)|release)>`)},
	{"build.gradle", "java" + version, javaVersion}, {"build.gradle.kts", "java" + version, javaVersion},
}

const (
	licensed = "license licence"
	version  = " version minimum language"
)

var (
	licenseKey  = lazyregexp.New(`^\s*"?license"?\s*[=:]\s*(?:\{\s*text\s*=\s*)?["']`)
	licenseName = lazyregexp.New(`(?i)\blicen[sc]e\b`)
	javaVersion = lazyregexp.New(`sourceCompatibility|languageVersion|jvmToolchain`)
)

// InRoot returns the line of a file at the root that states what a question with these terms asks for.
func InRoot(ctx context.Context, e *workspace.Knowledge, terms []string, most int) (out []Hit, err error) {
	for _, f := range rootFiles {
		words := lexical.Terms(f.words)
		if first := words[0]; len(out) == most || !slices.Contains(terms, first) && !(f.words == licensed && slices.Contains(terms, words[1])) ||
			slices.ContainsFunc(terms, func(t string) bool { return !slices.Contains(words, t) }) {
			continue
		}
		lines, err := linesOf(ctx, e, f.name)
		if err != nil {
			return nil, err
		}
		if i := slices.IndexFunc(lines, f.line.MatchString); i >= 0 {
			at := f.name + ":" + strconv.Itoa(i+1)
			out = append(out, Hit{Kind: "file", Target: f.name, Text: markdown.Words(strings.TrimLeft(strings.TrimSpace(lines[i]), "#->* ")), At: at})
		}
	}
	return out, nil
}

// mostOfRoot is how many lines of a file are read at once.
const mostOfRoot = 400

// page adds the lines of a page, each with the words of its heading and of its table's header. A page that an update
// would change has no line to point at. Sentences that causal wrote are left out: only the page of commands has sentences of the code.
func (f *findable) page(name, text string, differs, sentences bool) {
	lines, heading, header := strings.Split(text, "\n"), "", ""
	for i, says := range proseOf(text) {
		switch {
		case strings.HasPrefix(lines[i], "#"):
			heading, header = lines[i], ""
		case isHeader(lines, i):
			header = lines[i]
		case says != "" && (strings.HasPrefix(lines[i], "|") || strings.HasPrefix(lines[i], "-") || sentences && strings.HasPrefix(heading, "## ") && !strings.HasPrefix(says, "Declared in ")):
			key := name + ":" + strconv.Itoa(i+1)
			h := Hit{Kind: "page", Target: name, Text: says, At: key}
			if differs {
				h.At = name
			}
			f.hits[key] = h
			f.lines.Add(key, strings.Join([]string{heading, header, says}, " "))
		}
	}
}

func isHeader(lines []string, i int) bool { return i+1 < len(lines) && ruler.MatchString(lines[i+1]) }

// Description returns the sentence of the entry page that describes the project; false if it has none.
func Description(w *workspace.Workspace, e *workspace.Knowledge) (Hit, bool) {
	name := w.Layout.Index()
	text, _, err := e.Current(name)
	if err != nil {
		return Hit{}, false
	}
	said := proseOf(string(text))
	for i, line := range strings.Split(string(text), "\n") {
		if said[i] != "" {
			return Hit{Kind: "page", Target: name, Text: said[i], At: name + ":" + strconv.Itoa(i+1)}, true
		}
		if strings.HasPrefix(line, "## ") {
			break // a section begins
		}
	}
	return Hit{}, false
}

// Commands returns the commands of the entry page for a purpose, such as to build or to test. The terms of the question
// must name it exactly.
func Commands(w *workspace.Workspace, e *workspace.Knowledge, terms []string) (out []Hit) {
	name := w.Layout.Index()
	text, _, err := e.Current(name)
	if err != nil || len(terms) == 0 {
		return nil
	}
	before, table, _ := strings.Cut(string(text), "\n"+render.RunHeading+"\n")
	table, _, _ = strings.Cut(table, "\n## ")
	if len(terms) > 1 { // "run" is the verb in "run the tests"
		terms = slices.DeleteFunc(slices.Clone(terms), func(t string) bool { return t == "run" })
	}
	for i, line := range strings.Split(table, "\n") {
		cells := strings.SplitN(line, "|", 4)
		if len(cells) == 4 && slices.Equal(lexical.Terms(cells[1]), terms) {
			at := fmt.Sprintf("%s:%d", name, strings.Count(before, "\n")+i+2)
			out = append(out, Hit{Kind: "page", Target: name, Text: strings.TrimSpace(cells[1]) + ": " + markdown.Plain(strings.TrimSpace(cells[2]), "markdown"), At: at})
		}
	}
	return out
}

var (
	smallPrint = lazyregexp.New(`<sub>.*?</sub>|\[([^\[\]]*)\]\(https?://[^()]*\)`) // with the addresses of links
	ruler      = lazyregexp.New(`^\|[-|: ]*$`)
)

// proseOf returns the lines of a page as plain text. Headings, front matter and links to other pages are empty; cells
// of a table row are joined.
func proseOf(page string) []string {
	lines := strings.Split(page, "\n")
	out := make([]string, len(lines))
	front := lines[0] == "---"
	for i, line := range lines {
		if front {
			front = i == 0 || line != "---"
			continue
		}
		if isHeader(lines, i) || ruler.MatchString(line) || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "<!--") || strings.HasPrefix(line, "**Start here**") {
			continue
		}
		if strings.HasPrefix(line, "|") {
			line = strings.Join(strings.FieldsFunc(line, func(r rune) bool { return r == '|' }), " ")
		}
		out[i] = markdown.Plain(strings.TrimLeft(smallPrint.ReplaceAllString(line, "$1"), "-> "), "markdown")
	}
	return out
}

// Users answers what uses a module; false if no single module has the name.
func Users(ctx context.Context, w *workspace.Workspace, e *workspace.Knowledge, name string) (Hit, bool) {
	m, err := w.Resolve(e, w.Repo.Root(), name)
	if err != nil || m.Meaning != workspace.MeansModule {
		return Hit{}, false
	}
	x, ok, err := e.Explain(ctx, m.Module)
	if err != nil || !ok {
		return Hit{}, false
	}
	text := "no module of this repository uses it"
	if len(x.UsedBy) > 0 {
		text = "used by " + strings.Join(x.UsedBy, ", ")
	}
	return Hit{Kind: "module", Target: m.Module, Text: text, At: x.Page}, true
}
