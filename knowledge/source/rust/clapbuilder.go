package rust

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// builders follows clap's builder calls: Command::new("x").arg(…).subcommand(…).
type builders struct {
	*facts
	areas []area // argument ranges of open commands, outermost first
	in    []area // open functions
	ids   map[string]int
}

// area is a range of tokens with an ID.
type area struct {
	span
	id string
}

const (
	mostAreas = 64
	mostHead  = 400
)

func within(areas []area, i int) string {
	for n := len(areas) - 1; n >= 0; n-- {
		if areas[n].From <= i && i < areas[n].To {
			return areas[n].id
		}
	}
	return ""
}

func (b *builders) enter(i int) {
	o := b.o
	for _, areas := range []*[]area{&b.areas, &b.in} {
		for len(*areas) > 0 && (*areas)[len(*areas)-1].To <= i {
			*areas = (*areas)[:len(*areas)-1]
		}
	}
	if o.is(i, "fn") && o.class(i+1) == word {
		at := i + 2
		for n := 0; n < mostHead && at < len(o.toks) && !o.is(at, "{") && !o.is(at, ";"); n++ {
			at = o.after(at)
		}
		if o.is(at, "{") && len(b.in) < mostAreas {
			b.in = append(b.in, area{span{From: at, To: int(o.toks[at].mate)}, o.validName(i + 1)})
		}
	}
	if !o.is(i+1, "::") || !o.is(i+3, "(") {
		return
	}
	switch string(o.text(i)) {
	case "Command", "App":
		if o.is(i+2, "new") {
			b.command(i, within(b.in, i))
		}
	case "Arg":
		if o.is(i+2, "new") || o.is(i+2, "with_name") {
			b.flag(i)
		}
	}
}

func (b *builders) calls(i int, each func(name string, open, close int)) {
	o := b.o
	for o.is(i, ".") && o.class(i+1) == word && o.is(i+2, "(") {
		each(string(o.text(i+1)), i+2, int(o.toks[i+2].mate))
		i = o.after(i + 2)
	}
}

func (b *builders) command(i int, of string) {
	o := b.o
	f := source.Fact{Kind: source.Command, ID: of}
	if arg, ok := b.sole(i + 3); ok && o.class(arg) == text {
		f.Name = o.unquote(arg)
	}
	above := within(b.areas, i)
	if above != "" {
		f.ID = above + "." + f.Name
	}
	if b.ids[f.ID]++; b.ids[f.ID] > 1 || f.ID == "" {
		return
	}
	clap := false
	b.calls(o.after(i+3), func(name string, open, end int) {
		value := ""
		if arg, ok := b.sole(open); ok && o.class(arg) == text {
			value = o.unquote(arg)
		}
		switch name {
		case "about":
			f.Help, clap = strings.Join(strings.Fields(value), " "), true
		case "long_about":
			f.Doc = strings.TrimSpace(value)
		case "visible_alias":
			f.Also = value
		case "hide", "hidden":
			if o.is(open+1, "true") {
				f.Usage = source.Hidden
			}
		case "arg", "args", "subcommand", "subcommands":
			clap = clap || o.is(open+1, "Arg") || name == "subcommand" || name == "subcommands"
			b.areas = append(b.areas, area{span{From: open, To: end}, f.ID})
			if arg := open + 1; o.class(arg) == word && o.is(arg+1, "(") && o.after(arg+1) == end {
				b.note(source.Fact{Kind: source.Join, ID: toValid(o.name(arg)), Of: f.ID}, arg)
			}
		case "version", "author", "subcommand_required", "arg_required_else_help", "disable_help_subcommand":
			clap = true
		}
	})
	if !clap && above == "" {
		return // a process's Command
	}
	b.note(f, i)
	if above != "" {
		b.note(source.Fact{Kind: source.Join, ID: f.ID, Of: above}, i)
	}
}

func (b *builders) flag(i int) {
	o := b.o
	f, short, hidden, env := source.Fact{Kind: source.Flag, Of: within(b.areas, i)}, "", false, ""
	takes := true
	if arg, ok := b.sole(i + 3); ok && o.class(arg) == text {
		f.Value = strings.ToUpper(o.unquote(arg))
	}
	b.calls(o.after(i+3), func(name string, open, end int) {
		arg, ok := b.sole(open)
		value := ""
		if ok && o.class(arg) == text {
			value = o.unquote(arg)
		}
		switch name {
		case "long":
			f.Name = "--" + strings.TrimPrefix(value, "--")
		case "short":
			short = o.character(open + 1)
		case "visible_alias":
			f.Also = "--" + value
		case "help":
			f.Help = strings.Join(strings.Fields(value), " ")
		case "long_help":
			f.Doc = value
		case "default_value":
			f.Default = value
		case "value_name":
			f.Value = value
		case "env":
			env = value
		case "action":
			takes = o.is(end-1, "Set") || o.is(end-1, "Append")
		case "takes_value":
			takes = o.is(open+1, "true")
		case "hide", "hidden":
			hidden = o.is(open+1, "true")
		}
	})
	if f.Doc = longHelp(f.Help, f.Doc); !takes {
		f.Value = ""
	}
	if env != "" {
		b.note(source.Fact{Kind: source.Env, Name: env, Default: f.Default}, i)
	}
	switch {
	case hidden:
		return
	case len(f.Name) > 2:
		if short != "" {
			f.Also = strings.TrimSuffix("-"+short+", "+f.Also, ", ")
		}
	case short != "":
		f.Name = "-" + short
	default:
		return
	}
	b.note(f, i)
}
