package survey

import (
	"maps"
	"path"
	"slices"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/source"
)

// What changed is found by comparing digests. A module contributes to facts about itself, about the modules that it uses and about
// those that use it: whatever is found out about source follows from what is contributed. The record of a module that was neither
// read nor linked again is the one of the last run, so only those that were are compared.

// moduleState is all that decides what a module contributes. The zero moduleState stands for a module that is not there.
type moduleState struct {
	record    *record
	summary   summary
	published publications
}

// visit is a module that was read or linked again.
type visit struct {
	was     moduleState   // as the last run remembered it
	touched bool          // its files changed
	linked  bool          // its imports are followed again
	led     bool          // names that it uses are others than in the last run
	leads   source.Digest // where these lead now
	table   *tableChange
}

// visit takes down what is remembered of a module, before anything of that is replaced.
func (s *Survey) visit(m string) *visit {
	if s.visits[m] == nil {
		v := &visit{was: moduleState{record: s.record(m)}}
		if sum := s.modules[m]; sum != nil {
			v.was.summary = *sum
		}
		s.visits[m] = v
	}
	return s.visits[m]
}

// contributions are digests by the facts that they are a part of.
type contributions map[fact.Fact]string

func (c contributions) add(digest string, facts ...fact.Fact) {
	for _, f := range facts {
		c[f] += digest + "\x00"
	}
}

// differ takes facts down of which it is known that they differ from what is remembered.
func (s *Survey) differ(facts ...fact.Fact) {
	for _, f := range facts {
		s.changed[f] = true
	}
}

// compare takes down the facts to which two states contribute otherwise.
func (s *Survey) compare(before, now contributions) {
	for _, pair := range [][2]contributions{{before, now}, {now, before}} {
		for f, digest := range pair[0] {
			if other, ok := pair[1][f]; !ok || other != digest {
				s.differ(f)
			}
		}
	}
}

// compareModules compares the modules that were read or linked again, or of which callers reach something else.
func (s *Survey) compareModules() {
	for m := range s.published {
		s.visit(m)
	}
	for m, v := range s.visits {
		var now moduleState
		if sum := s.modules[m]; sum != nil {
			now = moduleState{s.record(m), *sum, s.publications(m)}
		}
		v.was.published = s.publishedBefore(m)
		users := s.importer()[m].Code
		var differs string
		if v.led {
			differs = "names that it uses"
		}
		mentioned := differs
		if v.table != nil {
			s.differ(v.table.facts(m)...)
			if s.typesMention(m, v.table.came) {
				mentioned = "names that its types mention"
			}
		}
		s.compare(v.was.contributes(m, users, "", ""), now.contributes(m, users, differs, mentioned))
	}
}

// contributes lists what a module contributes to facts about it, about the modules that it uses, and about its users. led is what
// else is known to differ of where its imports lead, and mentioned of what its types mention.
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
	out.add(ListingDigest(names(r.Files)), fact.New(fact.Listings, m))
	out.add(links, Links(m))
	out.add(string(d.code), ManualFact(m), ExamplesFact(m))
	out.add(coded, fact.Of(fact.Bodies, m, ""), FlowsFact(m))
	out.add(named, fact.Of(fact.Callees, m, ""), fact.Of(fact.Callers, m, ""), fact.Of(fact.Implementers, m, ""))
	out.add(shaped, ImplementsFact(m))
	for _, user := range users {
		out.add(shaped, ImplementsFact(user))
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

// digests of all files of a module: of their code, of what it names, of its types, and of tests and examples to the byte; the last is
// empty where there are none.
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

// edges adds what a module contributes to facts about the modules that it uses.
func (p moduleState) edges(m, named, shaped string, out contributions) {
	used := map[string]bool{}
	for _, u := range p.record.Uses {
		out.add(u.Name, UsageFact(u.Module))
		if u.Name != "" && u.Module != m { // or it is an import by effect
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

// contributes lists what there is to compare of a division.
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
