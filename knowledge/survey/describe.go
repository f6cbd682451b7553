package survey

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/manifest"
	"github.com/causaldocs/causal/knowledge/source"
)

// Description is what a manifest says of a package. It is said of the module that holds the main source of that.
type Description struct {
	Text string `json:"t"`
	File string `json:"f"` // the manifest
}

// Digest is what a node holds of it; empty where nothing is said.
func (d Description) Digest() string {
	if d.Text == "" {
		return ""
	}
	return string(source.DigestOf(d.File, d.Text))
}

// descriptionFacts are about what a manifest says of a module.
const descriptionFacts fact.Family = "description"

// DescriptionFact is the fact of what a manifest says of the package whose main source a module is.
func DescriptionFact(module string) fact.Fact { return fact.New(descriptionFacts, module) }

// DescriptionOf returns what a manifest says of the package whose main source a module is.
func DescriptionOf(r Reader, module string) (Description, error) {
	return value[Description](r, DescriptionFact(module))
}

// describer knows what manifests say of modules.
type describer struct {
	*Survey
	said    map[string]Description // once it is needed
	changed bool
}

// descriptions are what manifests say, by the modules that they say it of.
func (des *describer) descriptions() map[string]Description {
	if des.said == nil {
		des.said = map[string]Description{}
		if !des.full {
			des.Index.Get(wholes, keyDescriptions, &des.said)
		}
	}
	return des.said
}

// readDescriptions finds out what manifests say of modules.
func (des *describer) readDescriptions(ctx context.Context) error {
	before := des.descriptions()
	now := map[string]Description{}
	p, err := des.project(ctx)
	if err != nil {
		return err
	}
	holds := des.languagesOfDirs()
	for _, base := range manifest.Describing {
		language, ok := describedLanguage[base]
		if !ok {
			continue
		}
		for _, file := range p.Manifests(base) {
			content, _ := p.Read(file)
			name, text := manifest.Describe(file, content)
			m := mainModule(path.Dir(file), name, func(m string) bool { return holds[m][language] })
			if _, taken := now[m]; text != "" && m != "" && !taken {
				now[m] = Description{clip(text), file}
			}
		}
	}
	des.Survey.changed.compare(contributionsOf(before), contributionsOf(now))
	des.said, des.changed = now, true
	return nil
}

func contributionsOf(said map[string]Description) contributions {
	out := contributions{}
	for m, d := range said {
		out.add(d.Digest(), DescriptionFact(m))
	}
	return out
}

func (des *describer) save() error {
	if !des.changed {
		return nil
	}
	return des.Batch.Put(wholes, keyDescriptions, des.said)
}

// describedLanguage is in which language the packages are, as [source.Kin] calls it, that manifests describe.
var describedLanguage = map[string]string{"Cargo.toml": "rust", "pyproject.toml": "python", "setup.cfg": "python", "package.json": "typescript"}

// mainModule is the module that holds the main source of the package in a directory: that one itself, or else the customary place below it;
// empty where none does.
func mainModule(dir, name string, holds func(module string) bool) string {
	own := strings.ReplaceAll(name, "-", "_")
	for _, below := range []string{".", path.Join("src", own), own, "src", "lib"} {
		if m := path.Join(dir, below); holds(m) {
			return m
		}
	}
	return ""
}

// languagesOfDirs are the languages of the source in each directory, without what only configures tools.
func (des *describer) languagesOfDirs() map[string]map[string]bool {
	out := map[string]map[string]bool{}
	for _, file := range des.files() {
		c := des.classes.Classify(file)
		if !c.Readable || des.Excluded(file) || IsToolFile(path.Base(file)) {
			continue
		}
		dir := moduleOf(file)
		if out[dir] == nil {
			out[dir] = map[string]bool{}
		}
		out[dir][source.Kin(c.Language)] = true
	}
	return out
}

// IsToolFile reports whether a file is there for tools by its name: "vite.config.ts", "setup.py", ".eslintrc.js".
func IsToolFile(base string) bool {
	return strings.HasPrefix(base, ".") || strings.Contains(base, ".config.") || slices.Contains(forTools, base)
}

var forTools = []string{"setup.py", "conftest.py", "noxfile.py", "tasks.py", "build.rs", "gulpfile.js", "Gruntfile.js"}

// clip leaves of a description what may be a sentence.
func clip(text string) string {
	const enough = 1200
	return strings.ToValidUTF8(text[:min(len(text), enough)], "")
}
