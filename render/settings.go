package render

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazy"
	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/manifest"
	"github.com/causaldocs/causal/knowledge/manual"
	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/knowledge/redact"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/render/node"
)

// given is a variable or key with its value in a file.
type given struct {
	manifest.Setting
	file string
	out  bool // it is commented out
}

// settings holds the given values, and the unreadable files.
type settings struct {
	all    []given
	unread []string
	// partial lists the documents with routes that are not read, or not in full.
	partial []string
}

// testSettings matches the names of settings files of tests: "docker-compose-test.yml", "application-e2e.yml".
var testSettings = lazyregexp.New(`[.-](?:tests?|e2e|ci)(?:[.-]|$)`)

// settingsOf reads the settings files, except those of tests, examples and tools.
func settingsOf(f *facts) (out settings) {
	for _, file := range ask(f, survey.FilesFor, survey.SettingsList) {
		if isAside(file) {
			continue
		}
		found, err := manifest.Settings(file, f.blob(file))
		if err != nil {
			out.unread = append(out.unread, file)
		}
		for _, s := range found {
			out.all = append(out.all, given{Setting: s, file: file})
		}
	}
	return out
}

func isAside(file string) bool {
	return supportsTests(file) || testSettings.MatchString(path.Base(file)) || source.IsExampleDir(path.Dir(file)) || toolPlace.MatchString(file)
}

// isOffered reports whether a sample holds values of this program: by its name, or because the README names it.
func isOffered(f *facts, file string) bool {
	if manual.IsShipped(file) {
		return !isAside(file)
	}
	return configFile.MatchString(file) && !supportsTests(file) && slices.ContainsFunc(ask(f, survey.FilesFor, survey.ManualList), func(name string) bool {
		return path.Dir(name) == "." && isIndex(name) && strings.Contains(string(f.blob(name)), file)
	})
}

// configFile matches a configuration in a directory.
var configFile = lazyregexp.New(`/(?:config|settings)\.\w+$`)

// sampled adds the keys of samples, and of the configurations in documents, except names. For a known name it notes the value in a file of defaults.
func (s *settings) sampled(f *facts, documents []string, names map[string]bool, passages map[string]passage) {
	samples := slices.DeleteFunc(slices.Clone(ask(f, survey.FilesFor, survey.SampleList)), func(file string) bool { return !isOffered(f, file) || manifest.IsSettings(file) })
	if shown := shownIn(f, documents, names); shown != "" {
		samples = append(samples, shown)
	}
	for _, file := range samples {
		keys := manual.Keys(file, f.blob(file), names)
		if slices.ContainsFunc(keys, func(k manual.Key) bool { return ofPlatforms[k.Name] }) {
			continue
		}
		seen := map[string]bool{}
		for _, k := range keys {
			x := given{manifest.Setting{Name: k.Name, Value: k.Value, Help: k.Text}, file, k.Out}
			for _, name := range k.Known {
				if said := passages[name]; k.Value != "" && !k.Out && said.set.file == "" && manual.IsDefaults(file) {
					said.set = x
					passages[name] = said
				}
			}
			if len(k.Known) == 0 && !seen[k.Name] && !strings.HasPrefix(k.Name, "[]") && k.Value+k.Text != "" {
				seen[k.Name] = true
				s.all = append(s.all, x)
			}
		}
	}
}

// shownIn returns the document that shows a configuration with most of the known names; others may be of themes and plugins.
func shownIn(f *facts, documents []string, names map[string]bool) (best string) {
	most := 0
	for _, file := range documents {
		known := map[string]bool{}
		for _, k := range manual.Keys(file, f.blob(file), names) {
			for _, name := range k.Known {
				known[name] = true
			}
		}
		if len(known) > most {
			best, most = file, len(known)
		}
	}
	return best
}

// ofPlatforms are keys in samples for other tools.
var ofPlatforms = lazy.Set("apiVersion AWSTemplateFormatVersion $schema services jobs stages openapi swagger")

// askedFor returns the variables that the files refer to, as elements of the root module.
func (s settings) askedFor() surface {
	out := surface{module: "."}
	for _, x := range s.all {
		if x.Variable {
			e := node.Behavior{Kind: source.Env, Name: x.Name, Default: x.Value, File: x.file}
			if x.Required {
				e.Usage, e.Help = source.Required, x.Help
			}
			out.Elements = append(out.Elements, e)
		}
	}
	return out
}

// shipped returns the value of a key in a file of the same program that holds for all profiles, or in a file of defaults, if it is
// not the default in the code.
func (p *operatorPage) shipped(key element) string {
	sources := path.Dir(source.TraitsOfFile(key.File).Root) + "/" // and resources
	root, _, resources := strings.Cut(key.file(), sources)
	for _, x := range p.given {
		at, _, _ := strings.Cut(x.file, sources)
		value := x.plain()
		if resources && at == root && x.For == "" && !x.Variable && manual.Loose(x.Name) == manual.Loose(key.Name) && value != "" && value != key.Default {
			return markdown.Code(x.shown()) + " in " + p.fileCell(x.file)
		}
	}
	x := p.passages[key.Name].set
	at := path.Dir(x.file)
	if inConfig.MatchString(at) {
		at = path.Dir(at)
	}
	if x.file != "" && x.Value != key.Default && isBelow(path.Dir(key.file()), at) {
		return markdown.Code(x.shown()) + " in " + p.fileCell(x.file)
	}
	return ""
}

// inConfig matches the names of configuration directories.
var inConfig = lazyregexp.New(`(?:^|/)(?:conf|config|settings|defaults|etc)$`)

// plain returns the value if its variable is not set.
func (x given) plain() string { return placeholderDefault.ReplaceAllString(x.Value, "$1") }

// shown returns the value without a secret.
func (x given) shown() string {
	if plain := x.plain(); redact.Setting(x.Name, plain) != plain {
		return redact.Setting(x.Name, plain)
	}
	return x.Value
}

// placeholderDefault matches a reference to one variable with a default.
var placeholderDefault = lazyregexp.New(`^\$\{\w+:([^{}]*)\}$`)

func (p *operatorPage) settings(s settings) {
	slices.SortStableFunc(s.all, func(a, b given) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.file, b.file), cmp.Compare(a.For, b.For))
	})
	var rows [][]string
	for _, x := range s.all {
		if !x.Variable {
			value, more := opening(x.shown(), defaultBytes)
			if more {
				value += "…"
			}
			if value = markdown.Code(value); x.out && value != "" {
				value += " commented out"
			}
			rows = append(rows, []string{markdown.Code(x.Name), value, markdown.Escape(x.For), p.fileCell(x.file), p.meaning(x.Name, x.Help)})
		}
	}
	if len(rows)+len(s.unread) == 0 {
		return
	}
	p.b.WriteString("## Settings in files\n\nThe values in example environment files, in samples and defaults of configurations, in configurations that documents show, in `environment` of compose files, and in `application` files of Spring and Quarkus. Values of secrets are left out.\n\n")
	if len(rows) > 0 {
		p.b.WriteString(bounded(operationBytes, "More are in the files.\n\n", []string{"Name", "Value", "Service or profile", "In", "Meaning"}, rows))
	}
	if len(s.unread) > 0 {
		p.b.WriteString("Not readable: " + p.fileList(s.unread) + ".\n\n")
	}
}

func (p *operatorPage) fileList(files []string) string {
	var links []string
	for _, file := range files {
		links = append(links, p.fileCell(file))
	}
	return list(links)
}

func (p *operatorPage) fileCell(file string) string {
	return p.placeLink(element{Behavior: node.Behavior{File: file}, module: "."})
}
