package survey

import (
	"maps"
	"path"
	"slices"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/source"
)

// Changes are found by comparing digests. A module contributes to facts about itself, about the modules that it uses
// and about the modules that use it; every source fact is computed from such contributions. A module that was neither
// read nor linked again still has its last record, so only the others are compared.

// moduleState determines a module's contributions. The zero moduleState is a missing module.
type moduleState struct {
	record    *record
	summary   summary
	published publications
}

type visit struct {
	was     moduleState   // from the last run
	touched bool          // its files changed
	linked  bool          // its imports are resolved again
	led     bool          // names that it uses changed since the last run
	leads   source.Digest // of the present targets of its imports
	table   *tableChange
}

type update struct {
	*Survey
	changes []Change          // of sources, since the remembered state
	visits  map[string]*visit // by module
	undone  undone
	own     []string // changed files that causal generated
}

// visit returns the visit of a module. The first call saves the remembered state, so it precedes any replacement.
func (up *update) visit(m string) *visit {
	if up.visits[m] == nil {
		v := &visit{was: moduleState{record: up.record(m)}}
		if sum := up.modules[m]; sum != nil {
			v.was.summary = *sum
		}
		up.visits[m] = v
	}
	return up.visits[m]
}

type contributions map[fact.Fact]string

func (c contributions) add(digest string, facts ...fact.Fact) {
	for _, f := range facts {
		c[f] += digest + "\x00"
	}
}

type differences map[fact.Fact]bool

func (d differences) add(facts ...fact.Fact) {
	for _, f := range facts {
		d[f] = true
	}
}

func (d differences) compare(before, now contributions) {
	for _, pair := range [][2]contributions{{before, now}, {now, before}} {
		for f, digest := range pair[0] {
			if other, ok := pair[1][f]; !ok || other != digest {
				d.add(f)
			}
		}
	}
}

func (up *update) compareModules() {
	for m := range up.publisher.published {
		up.visit(m)
	}
	for m, v := range up.visits {
		var now moduleState
		if sum := up.modules[m]; sum != nil {
			now = moduleState{up.record(m), *sum, up.publisher.publications(m)}
		}
		v.was.published = up.publisher.publishedBefore(m)
		users := up.importer()[m].Code
		var differs string
		if v.led {
			differs = "names that it uses"
		}
		mentioned := differs
		if v.table != nil {
			up.changed.add(v.table.facts(m)...)
			if up.typesMention(m, v.table.came) {
				mentioned = "names that its types mention"
			}
		}
		up.changed.compare(v.was.contributes(m, users, "", ""), now.contributes(m, users, differs, mentioned))
	}
}

// contributes lists a module's contributions to facts about it, the modules it uses and its users. led and mentioned
// are digests of known differences in its import targets and in the names that its types mention.
func (p moduleState) contributes(m string, users []string, led, mentioned string) contributions {
	out := contributions{}
	r := p.record
	if r == nil {
		return out
	}
	links := LinksDigest(r.Uses, r.External)
	lead := string(r.Leads) + links + led
	d := p.digests(m)
	coded, named, shaped := string(d.code)+lead, string(d.names)+lead, string(d.shapes)+lead+mentioned
	for _, f := range r.Files {
		out.add(string(f.Fingerprint), fact.New(fact.Files, f.Path))
	}
	out.add("there", AllModules, ImportersFact(m), UsageFact(m))
	out.add(p.summary.Language, LanguageFact(m))
	out.add(digestOf(names(r.Files)), fact.New(fact.Listings, m))
	out.add(links, Links(m))
	out.add(string(d.code), ManualFact(m), ExamplesFact(m))
	out.add(coded, fact.Of(fact.Bodies, m, ""), FlowsFact(m))
	out.add(named, fact.Of(fact.Callees, m, ""), fact.Of(fact.Callers, m, ""), fact.Of(fact.Implementers, m, ""))
	out.add(shaped, ImplementsFact(m), BasesFact(m))
	for _, user := range users {
		out.add(shaped, ImplementsFact(user))
		for _, file := range slices.Sorted(maps.Keys(r.Table.Effects)) {
			out.add(file+string('0'+rune(r.Table.Effects[file])), FlowsFact(user))
		}
		for _, name := range slices.Sorted(maps.Keys(r.Table.Accessors)) {
			out.add(name+" accessor", FlowsFact(user))
		}
		for _, names := range []map[string]string{r.Table.Results, r.Table.Bases} {
			for _, name := range slices.Sorted(maps.Keys(names)) {
				out.add(name+" "+names[name], FlowsFact(user))
			}
		}
	}
	for _, base := range slices.Sorted(maps.Keys(p.published)) {
		digest := p.published[base].Digest()
		out.add(digest, PublishedFact(path.Join(m, base)))
		out.add(base+" "+digest, ExamplesFact(m))
	}
	p.edges(m, named, shaped, out)
	if d.tests != "" {
		for _, at := range slices.Concat([]string{m}, p.summary.Deps, p.summary.TestDeps) {
			out.add(string(d.tests)+lead, ExamplesFact(at))
		}
	}
	return out
}

// digests covers all files of a module. The digest of tests and examples covers every byte, and is empty if there are
// none.
type digests struct{ code, names, shapes, tests source.Digest }

func (p moduleState) digests(m string) (d digests) {
	var code, names, shapes, tests source.Hasher
	tested := len(p.summary.TestDeps) > 0
	for _, f := range p.record.Files {
		code.Add(f.Path + " " + string(f.Fingerprint))
		names.Add(f.Path + " " + string(f.Names))
		shapes.Add(f.Path + " " + string(f.Shapes))
		if f.Test || source.IsExampleDir(m) {
			tested = true
			tests.Add(f.Path + " " + f.Hash)
		}
	}
	d = digests{code.Sum(), names.Sum(), shapes.Sum(), ""}
	if tested {
		d.tests = tests.Sum()
	}
	return d
}

func (p moduleState) edges(m, named, shaped string, out contributions) {
	used := map[string]bool{}
	for _, u := range p.record.Uses {
		out.add(u.Name, UsageFact(u.Module))
		if u.Name != "" && u.Module != m { // an empty name is a side-effect import
			used[u.Module] = true
		}
	}
	for d := range used {
		out.add(named, fact.Of(fact.Callers, d, ""))
		out.add(shaped, fact.Of(fact.Implementers, d, ""))
	}
	for _, d := range p.summary.Deps {
		out.add("code", ImportersFact(d), ExamplesFact(d))
	}
	for _, d := range p.summary.TestDeps {
		out.add("tests", ImportersFact(d), ExamplesFact(d))
	}
}

func (d Division) contributes() contributions {
	out := contributions{AllDivided: d.digest()}
	for m, parts := range d.Parts {
		out.add(partsDigest(parts), PartsFact(m))
	}
	for m, b := range d.Bundles {
		out.add(string(source.DigestOf(b.Dir, b.Name, b.Title)), BundleFact(m))
	}
	for f, list := range d.members() {
		out.add(string(source.DigestOf(list...)), f)
	}
	return out
}
