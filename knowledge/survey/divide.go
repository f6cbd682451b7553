package survey

import (
	"context"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/source"
)

// Bundle is a group of small modules of one directory that are documented together, by category where their authors
// give one.
type Bundle struct {
	Dir   string
	Name  string // unique in the directory: a lower-case word
	Title string // the category as the authors write it, or empty
}

// Division holds how modules are split into parts (large ones) and grouped into bundles (small ones).
type Division struct {
	Parts   map[string][]source.Part // by module
	Bundles map[string]Bundle        // by module
}

const (
	// smallBytes limits the documentation size of a module in a bundle.
	smallBytes = 3 << 10
	// manyModules is the smallest number of modules in a repository with bundles, fewestBundled the smallest number
	// of small modules in a directory with bundles.
	manyModules   = 50
	fewestBundled = 5
	// bundleBytes limits the total documentation size of a bundle; below thinBytes, a category gets no separate
	// bundle.
	bundleBytes = 30 << 10
	thinBytes   = 2 << 10
	entryBytes  = 300
)

func (s *Survey) measure(ctx context.Context) error {
	set := map[string]bool{}
	if s.full {
		for m := range s.known {
			set[m] = true
		}
	}
	for m, v := range s.update.visits {
		set[m] = v.touched && s.modules[m] != nil
	}
	for m := range s.publisher.published {
		set[m] = s.modules[m] != nil
	}
	for f := range s.changed {
		if f.Family == manualFacts {
			set[f.Name] = s.modules[f.Name] != nil
		}
	}
	var modules []string
	manuals := map[string]map[string]int{}
	for m, there := range set {
		if there {
			modules = append(modules, m)
			if _, err := s.know(ctx, m); err != nil {
				return err
			}
			var err error
			if manuals[m], err = s.documentation.manualBytes(ctx, m); err != nil {
				return err
			}
		}
	}
	return inParallel(ctx, len(modules), func(i int) { s.measureModule(modules[i], manuals[modules[i]]) })
}

// measureModule measures one module. examples holds the bytes that documents say of each symbol; the module's example
// code is added to it.
func (s *Survey) measureModule(m string, examples map[string]int) {
	k, sum := s.known[m], s.modules[m]
	all := s.told(k, examples)
	for _, u := range k.Module.Units {
		for _, e := range u.File.Examples {
			examples[e.Symbol] += len(e.Doc) + len(e.Code) + len(e.Output)
		}
	}
	doc, _ := k.Module.Doc()
	sum.Bytes = len(doc) + source.Extent(all, examples)
	sum.Parts = source.Divide(all, examples)
	if slices.ContainsFunc(sum.Parts, func(p source.Part) bool { return escaped(path.Base(m))+escaped(p.Name) > longestPart }) {
		sum.Parts = nil
	}
	sum.Plain = isPlain(k.Module)
	sum.Category = ""
	for _, d := range all {
		if found := category.FindStringSubmatch(d.Doc); found != nil {
			sum.Category = found[1]
			break
		}
	}
}

func isPlain(m source.Module) bool {
	files := 0
	for _, u := range m.Units {
		if u.File.Main || len(u.File.Facts) > 0 {
			return false
		}
		if !u.File.Test {
			files++
		}
	}
	return files == 1
}

const longestPart = 240

func escaped(name string) int {
	n := len(name)
	for i := range len(name) {
		if c := name[i]; c != '.' && c != '-' && c != '_' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') {
			n += 2
		}
	}
	return n
}

var category = lazyregexp.New(`(?m)^[ \t]*@category[ \t]+(\S.{0,78}?)[ \t]*$`)

// told lists the declarations that documentation covers: those callers can name, those manuals describe, and those
// callers need to understand them. It is sorted by name.
func (s *Survey) told(k *Module, manual map[string]int) []*source.Declared {
	reached := map[string]Publication{}
	for _, u := range k.Module.Units {
		reached[u.Path] = s.publisher.publishedOf(u.Path)
	}
	reaches := func(d *source.Declared) bool {
		p := reached[d.Path]
		return d.Exported && !p.Ruled || named(p.Names, d.Name)
	}
	needed := source.Needed(k.Declared, reaches)
	var out []*source.Declared
	for i := range k.Declared {
		d := &k.Declared[i]
		if reaches(d) || manual[d.Name] > 0 || needed[d.Name] {
			out = append(out, d)
		}
	}
	return out
}

func named(names source.Reached, name string) bool {
	for at := range len(name) {
		if name[at] != '.' {
			continue
		}
		if _, found := names[name[:at]]; found {
			return true
		}
	}
	_, found := names[name]
	return found
}

func divisionOf(modules map[string]*summary) Division {
	d := Division{Parts: map[string][]source.Part{}, Bundles: map[string]Bundle{}}
	small := map[string][]string{}
	for m, sum := range modules {
		if len(sum.Parts) > 0 {
			d.Parts[m] = sum.Parts
		}
		if sum.Plain && sum.Bytes <= smallBytes && m != "." && !source.TraitsOf(sum.Language).Imported {
			small[path.Dir(m)] = append(small[path.Dir(m)], m)
		}
	}
	for dir, list := range small {
		if len(list) >= fewestBundled && len(modules) > manyModules {
			slices.Sort(list)
			d.bundle(dir, list, modules)
		}
	}
	return d
}

func (d *Division) bundle(dir string, list []string, modules map[string]*summary) {
	titles, extent := map[string]string{}, map[string]int{}
	categoryOf := func(m string) string { return word(modules[m].Category) }
	for _, m := range list {
		if name := categoryOf(m); titles[name] == "" {
			titles[name] = modules[m].Category
		}
		extent[categoryOf(m)] += entryBytes + modules[m].Bytes
	}
	byName := map[string][]string{}
	for _, m := range list {
		name := categoryOf(m)
		if extent[name] < thinBytes {
			name = ""
		}
		byName[name] = append(byName[name], m)
	}
	for name, in := range byName {
		n, room := 1, bundleBytes
		for _, m := range in {
			if room -= entryBytes + modules[m].Bytes; room < 0 {
				n, room = n+1, bundleBytes
			}
			b := Bundle{dir, name, titles[name]}
			if name == "" {
				b.Name, b.Title = "small", ""
			}
			if n > 1 {
				b.Name += "-" + strconv.Itoa(n)
			}
			d.Bundles[m] = b
		}
	}
}

func word(text string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') }), "-")
}

func (d Division) members() map[fact.Fact][]string {
	out := map[fact.Fact][]string{}
	for _, m := range slices.Sorted(maps.Keys(d.Bundles)) {
		f := BundledFact(d.Bundles[m])
		out[f] = append(out[f], m)
	}
	return out
}

const (
	dividedFacts fact.Family = "divided" // divided .: the division of all modules
	partFacts    fact.Family = "parts"   // parts <module>: the parts of a large module
	bundleFacts  fact.Family = "bundle"  // bundle <module>: the bundle of a small module
	bundledFacts fact.Family = "bundled" // bundled <dir>/~<name>: the modules of a bundle
)

// AllDivided is the fact of the whole division.
var AllDivided = fact.New(dividedFacts, ".")

// BundledFact is the fact of the modules in a bundle.
func BundledFact(b Bundle) fact.Fact { return fact.New(bundledFacts, b.Dir+"/~"+b.Name) }

func partsDigest(parts []source.Part) string {
	if len(parts) == 0 {
		return ""
	}
	var flat []string
	for _, p := range parts {
		flat = append(append(flat, p.Name, p.Type, p.From), p.Files...)
		flat = append(flat, "")
	}
	return string(source.DigestOf(flat...))
}

func (d Division) digest() string {
	var flat []string
	for _, m := range slices.Sorted(maps.Keys(d.Parts)) {
		flat = append(flat, m, partsDigest(d.Parts[m]))
	}
	flat = append(flat, "")
	for _, m := range slices.Sorted(maps.Keys(d.Bundles)) {
		flat = append(flat, m, d.Bundles[m].Name, d.Bundles[m].Title)
	}
	return string(source.DigestOf(flat...))
}

func (b Bundle) digest() string {
	if b.Name == "" {
		return ""
	}
	return string(source.DigestOf(b.Name, b.Title))
}

// Bundle returns the bundle of a small module, or the zero Bundle.
func (s *Survey) Bundle(module string) Bundle {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.division().Bundles[module]
}

// Parts lists the parts of a large module.
func (s *Survey) Parts(module string) []source.Part {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.division().Parts[module]
}

// BundledOf lists the modules of a bundle by path.
func BundledOf(r Reader, b Bundle) ([]string, error) { return value[[]string](r, BundledFact(b)) }

// DivisionOf returns the whole division.
func DivisionOf(r Reader) (Division, error) { return value[Division](r, AllDivided) }
