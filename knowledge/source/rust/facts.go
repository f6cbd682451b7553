package rust

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/ddl"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/surface"
)

// facts finds the behaviour surface by the idioms of the standard library, clap, axum, actix and rocket.
func (o *outline) facts(name string) []source.Fact {
	f := &facts{o: o, program: programIn(name), parsers: map[string]source.Fact{}}
	f.config = slices.ContainsFunc(strings.Split(strings.TrimSuffix(name, ".rs"), "/"), surface.IsConfigName)
	if f.children = "./"; source.Prefix(name, true) != "" && path.Base(name) != "main.rs" {
		f.children += strings.TrimSuffix(path.Base(name), ".rs") + "/"
	}
	if f.loads = loads.Match(o.src) || f.config && loadsJSON.Match(o.src); f.loads {
		f.list = append(f.list, source.Fact{Kind: source.Config, ID: source.Program, Of: source.Program})
	}
	f.clap = bytes.Contains(o.src, []byte("clap")) || bytes.Contains(o.src, []byte("structopt")) || bytes.Contains(o.src, []byte("getopts"))
	for i := 0; i < len(o.toks); i++ {
		switch t := o.toks[i]; {
		case t.skip:
		case t.class == word:
			f.word(i)
		case t.documents(), t.class == punct && o.src[t.start] == '#' && o.is(i+1, "["):
			behind := o.attributes(len(o.toks), i)
			f.attributed(i, behind)
			i = behind - 1
		}
	}
	f.tabled()
	f.surface()
	slices.SortStableFunc(f.list, func(a, b source.Fact) int { return a.Line - b.Line })
	return f.list
}

type facts struct {
	o    *outline
	tree *surface.Tree // translated on demand
	list []source.Fact

	scratch translator // of attributes

	table    ddl.Table                // of the file's entity
	clap     bool                     // or another crate for command lines
	config   bool                     // the file or a directory has the name of a configuration
	loads    bool                     // the file reads one
	children string                   // the directory of the modules below the file's
	program  string                   // the name of a program with only this file
	constant map[string]*surface.Node // see values
	parsers  map[string]source.Fact   // command descriptions by type
}

// attributed reads a type with attributes: a command line, a configuration, an entity or a table of routes.
func (f *facts) attributed(attrs, behind int) {
	o := f.o
	at, _ := o.visibility(behind)
	enum := o.is(at, "enum")
	if !enum && !o.is(at, "struct") || o.class(at+1) != word {
		return
	}
	derived := map[string]bool{}
	for a := range o.attributesIn(attrs, behind) {
		if o.lastSegment(a) == "derive" {
			for i := a.From + 1; i < a.To; i++ {
				derived[o.name(i)] = true
			}
		} else if !enum {
			f.routeTable(a, o.validName(at+1))
		}
	}
	open := at + 2
	for open < len(o.toks) && !o.is(open, "{") && !o.is(open, ";") && !o.is(open, "(") {
		open++
	}
	if !o.is(open, "{") {
		return
	}
	if derived["DeriveEntityModel"] || derived["DeriveRelation"] {
		f.entity(attrs, at, open)
	}
	if derived["Deserialize"] && !enum {
		f.deserialized(attrs, at, open)
	}
	if slices.ContainsFunc(derives, func(name string) bool { return derived[name] }) {
		f.describes(attrs, at, open)
	}
}

func (f *facts) word(i int) {
	o := f.o
	switch string(o.text(i)) {
	case "use":
		if o.is(i-1, "pub") {
			f.reexports(i + 1)
		}
	case "parse", "try_parse", "parse_from", "try_parse_from", "from_args", "command", "into_app":
		f.parses(i)
	}
}
