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

// Description is a package description from a manifest. It belongs to the module with the package's main source.
type Description struct {
	Text string `json:"t"`
	File string `json:"f"` // manifest
}

// Digest returns the digest of the description, or "" if it is empty.
func (d Description) Digest() string {
	if d.Text == "" {
		return ""
	}
	return string(source.DigestOf(d.File, d.Text))
}

const descriptionFacts fact.Family = "description"

type describer struct {
	*Survey
	said    map[string]Description // loaded lazily
	changed bool
}

func (des *describer) descriptions() map[string]Description {
	if des.said == nil {
		des.said = map[string]Description{}
		if !des.full {
			des.Index.Get(wholes, keyDescriptions, &des.said)
		}
	}
	return des.said
}

func (des *describer) readDescriptions(ctx context.Context) error {
	before := des.descriptions()
	now := map[string]Description{}
	p, err := des.project(ctx)
	if err != nil {
		return err
	}
	holds := des.languagesOfDirs()
	for _, base := range manifest.Describing {
		language := describedLanguage(base)
		if language == "" {
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

func describedLanguage(manifest string) string {
	for _, t := range source.AllTraits() {
		if slices.Contains(t.Manifests, manifest) {
			return t.Name
		}
	}
	return ""
}

// mainModule returns the module that holds the main source of the package in a directory: the directory itself or a
// conventional subdirectory. It returns "" if there is none.
func mainModule(dir, name string, holds func(module string) bool) string {
	own := strings.ReplaceAll(name, "-", "_")
	for _, below := range []string{".", path.Join("src", own), own, "src", "lib"} {
		if m := path.Join(dir, below); holds(m) {
			return m
		}
	}
	return ""
}

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

// IsToolFile reports whether a file name belongs to tool configuration: "vite.config.ts", "setup.py", ".eslintrc.js".
func IsToolFile(base string) bool {
	return strings.HasPrefix(base, ".") || strings.Contains(base, ".config.") || source.IsToolFile(base)
}

// clip limits a description to the length of a sentence.
func clip(text string) string {
	const enough = 1200
	return strings.ToValidUTF8(text[:min(len(text), enough)], "")
}
