package rust

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/causaldocs/causal/knowledge/source"
)

// clap reads types with command line derives: Parser and Args have flags, the variants of a Subcommand are commands.
// The type's name is the fact ID, which links fields and variants of the type to it.
type clap struct {
	*facts
	id     string
	rename string          // rename_all
	words  map[string]bool // the attributes that count
}

var derives = []string{"Parser", "Args", "Subcommand", "StructOpt", "Clap"}

var clapWords = set("arg", "clap", "command", "structopt", "group")

// describes reads the type at a token as a command line.
func (f *facts) describes(attrs, at, open int) {
	o := f.o
	c := &clap{facts: f, id: o.validName(at + 1), words: clapWords}
	settings := c.settings(attrs, at)
	c.rename = settings["rename_all"]
	if o.is(at, "enum") {
		c.variants(open)
		return
	}
	about := source.Fact{Kind: source.Command, ID: c.id + "#", Name: settings["name"], Help: strings.TrimSuffix(settings["about"], isTrue)}
	c.describe(&about, attrs, at)
	if about.Name != "" || about.Help != "" {
		f.parsers[c.id] = about
	}
	c.fields(open, c.id)
}

// describe takes help texts from the documentation if the attributes have none.
func (c *clap) describe(f *source.Fact, from, to int) {
	doc := c.o.doc(from, to, outerDoc)
	first, rest, _ := strings.Cut(doc, "\n\n")
	if f.Help == "" {
		f.Help = strings.TrimSuffix(strings.Join(strings.Fields(first), " "), ".")
	}
	if f.Kind == source.Command && f.Doc == "" {
		f.Doc = strings.TrimSpace(rest)
	}
}

func (c *clap) members(open int, each func(attrs, name, end int)) {
	o := c.o
	last := int(o.toks[open].mate)
	for _, m := range o.members(open+1, last, true) {
		if name, _ := o.visibility(m.first); name < last {
			each(m.attrs, name, m.end)
		}
	}
}

func (c *clap) fields(open int, of string) {
	o := c.o
	c.members(open, func(attrs, name, end int) {
		s := c.settings(attrs, name)
		if !o.is(name+1, ":") || s["skip"] != "" {
			return
		}
		field := toValid(o.name(name))
		_, size := utf8.DecodeRuneInString(field)
		if _, sub := s["subcommand"]; sub || s["flatten"] != "" {
			c.join(c.typeAt(name+2, end), of, name)
			return
		}
		f := source.Fact{Kind: source.Flag, Of: of, Help: s["help"], Default: cmp.Or(s["default_value"], s["default_value_t"], s["default_value_os_t"])}
		for key, usual := range map[string]string{"long": c.spelled(field, "kebab-case"), "short": field[:size], "env": strings.ToUpper(field)} {
			if s[key] == isTrue {
				s[key] = usual
			}
		}
		c.describe(&f, attrs, name)
		if takes(s, !o.is(name+2, "bool")) {
			f.Value = cmp.Or(s["value_name"], strings.ToUpper(field))
		}
		f.Doc = cmp.Or(strings.TrimSuffix(s["long_help"], isTrue), c.o.doc(attrs, name, outerDoc))
		f.Line = int(o.toks[name].line)
		c.flag(f, s)
	})
}

// flag records a flag with its settings, and the variable that it reads.
func (f *facts) flag(x source.Fact, s map[string]string) {
	if s["env"] != "" {
		v := source.Fact{Kind: source.Env, Name: s["env"], Default: x.Default, Help: x.Help, Line: x.Line}
		if v.Default == "" && hasAny(s, "default_value", "default_value_t", "default_value_os_t") {
			v.Usage = source.Computed
		}
		f.list = append(f.list, v)
	}
	if s["long"]+s["short"] == "" || isHidden(s) {
		return
	}
	x.Name, x.Also = spellings(s)
	x.Doc = longHelp(x.Help, x.Doc)
	f.list = append(f.list, x)
}

func hasAny(s map[string]string, keys ...string) bool {
	return slices.ContainsFunc(keys, func(key string) bool {
		_, has := s[key]
		return has
	})
}

func isHidden(s map[string]string) bool { return s["hide"] == isTrue || s["hidden"] == isTrue }

// takes reports whether a flag with such settings has a value; usual is the answer without an action.
func takes(s map[string]string, usual bool) bool {
	action := s["action"]
	return s["num_args"] != "0" && (action == "" && usual || strings.HasSuffix(action, "Set") || strings.HasSuffix(action, "Append"))
}

// longHelp returns a long help unless it equals the short one. clap writes a newline as {n}.
func longHelp(help, long string) string {
	long = strings.TrimSpace(strings.ReplaceAll(long, "{n}", ""))
	if strings.TrimSuffix(strings.Join(strings.Fields(long), " "), ".") == strings.TrimSuffix(help, ".") {
		return ""
	}
	return long
}

func (c *clap) variants(open int) {
	o := c.o
	c.members(open, func(attrs, name, _ int) {
		s := c.settings(attrs, name)
		if o.class(name) != word || isHidden(s) || s["external_subcommand"] != "" || s["skip"] != "" {
			return
		}
		variant := toValid(o.name(name))
		if s["flatten"] != "" {
			if o.is(name+1, "(") {
				c.join(c.typeAt(name+2, int(o.toks[name+1].mate)), c.id, name)
			}
			return
		}
		f := source.Fact{Kind: source.Command, ID: c.id + "." + variant, Name: s["name"], Help: strings.TrimSuffix(s["about"], isTrue), Also: s["visible_alias"]}
		if f.Name == "" {
			f.Name = c.spelled(variant, "kebab-case")
		}
		c.describe(&f, attrs, name)
		c.note(f, name)
		c.join(f.ID, c.id, name)
		switch {
		case o.is(name+1, "{"):
			c.fields(name+1, f.ID)
		case o.is(name+1, "("):
			inner := o.attributes(len(o.toks), name+2)
			c.join(c.typeAt(inner, int(o.toks[name+1].mate)), f.ID, name)
		}
	})
}

func (c *clap) join(id, of string, at int) {
	if id != "" && id != of {
		c.note(source.Fact{Kind: source.Join, ID: id, Of: of}, at)
	}
}

func (f *facts) note(x source.Fact, at int) {
	x.Line = int(f.o.toks[at].line)
	f.list = append(f.list, x)
}

// parses records the type that the program parses its flags into: `Cli::parse()`; i is the method.
func (f *facts) parses(i int) {
	o := f.o
	if !o.is(i-1, "::") || o.class(i-2) != word || !o.is(i+1, "(") {
		return
	}
	name := toValid(o.name(i - 2))
	if first, _ := utf8.DecodeRuneInString(name); !unicode.IsUpper(first) || !strings.HasSuffix(string(o.text(i)), "_from") && !o.is(i+2, ")") {
		return
	}
	about := f.parsers[name]
	about.Kind, about.ID = source.Command, source.Program
	if f.program != "" { // one of several in the directory
		about.ID, about.Name = "main()", cmp.Or(about.Name, f.program)
	}
	if f.clap {
		f.note(about, i)
	}
	f.note(source.Fact{Kind: source.Join, ID: name, Of: about.ID}, i)
}
