package render

import (
	"fmt"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/knowledge/redact"
	"github.com/causaldocs/causal/knowledge/source"
)

const (
	// commandBytes bounds the sections of all commands.
	commandBytes = 52 << 10
	// longHelpBytes bounds the long description of a command or flag.
	longHelpBytes = 6 << 10
	// defaultBytes bounds a default in a table.
	defaultBytes = 200
)

// operatorPage writes a page for operators about all modules.
type operatorPage struct {
	sheet
	told detail // of commands
	// passages are descriptions from documents, by name.
	passages map[string]passage
	given    []given // in files
}

type detail struct {
	lines     bool // link each flag to its declaration
	helpBytes int  // of a command's long description
}

// details are tried in this order until all commands fit: listing every command matters more than detail.
var details = []detail{{true, longHelpBytes}, {false, longHelpBytes}, {false, 600}}

func (p *operatorPage) front(kind, title, description string, stale []string) {
	p.b.WriteString(p.config.head(kind, title))
	p.b.WriteString("# " + title + "\n\n" + description + "\n\n")
	if len(stale) > 0 {
		p.b.WriteString(banner + "Stale** · what is shown of " + list(stale) + " is the last readable version." + paragraph)
	}
}

// staleIn lists the modules that are shown in an earlier version.
func staleIn(surfaces []surface) (out []string) {
	for _, s := range surfaces {
		if s.Stale {
			out = append(out, markdown.Code(canonical.Path(s.module)))
		}
	}
	return out
}

// place links to the declaration of an element, if links may lead there.
func (p *operatorPage) place(e element) string {
	lines := ""
	if e.Line > 0 {
		lines = fmt.Sprintf("%d-%d", e.Line, e.Line)
	}
	return p.config.fileLink(p.path, e.file(), e.At, lines)
}

// placeLink is a link to the declaration of an element with the name of its file.
func (p *operatorPage) placeLink(e element) string {
	return markdown.Link(markdown.Code(canonical.Path(e.file())), p.place(e))
}

// renderCommands returns the commands page, empty without commands.
func renderCommands(c Config, surfaces []surface, program func(module, file string, alone bool) string) string {
	fillDefaults(surfaces)
	roots, loose := commandsOf(surfaces, program)
	if len(roots)+len(loose) == 0 {
		return ""
	}
	p := &operatorPage{sheet: newSheet(c, nil, c.Layout.Overview(CommandPage))}
	p.front("Command reference", "Commands", "Commands and flags declared in the code.", staleIn(surfaces))
	var sections []string
	var flags [][]element
	for _, p.told = range details {
		if sections, flags = p.sections(roots, loose); lengths(sections) <= commandBytes {
			break
		}
	}
	tellAtLength(sections, flags, commandBytes-lengths(sections))
	shown, more := few(sections, commandBytes)
	p.b.WriteString(strings.Join(shown, ""))
	if more > 0 {
		p.b.WriteString("More commands are listed on the module pages.\n")
	}
	return p.text()
}

// fillDefaults resolves defaults that other modules declare.
func fillDefaults(surfaces []surface) {
	holds := map[string]string{}
	for e := range elementsOf(surfaces) {
		if e.Kind == source.Holds {
			hold(holds, idOf(e.module, e.ID), e.Default)
		}
	}
	for _, s := range surfaces {
		for i := range s.Elements {
			if b := &s.Elements[i]; b.Kind == source.Flag && b.Usage != "" {
				b.Default, b.Usage = holds[b.Usage], ""
			}
		}
	}
}

// sections returns a section for each command with its flags, and one for flags without a command.
func (p *operatorPage) sections(roots []*command, loose []element) (sections []string, flags [][]element) {
	var walk func(c *command)
	walk = func(c *command) {
		sections, flags = append(sections, p.section(c)), append(flags, c.flags)
		for _, s := range c.subs {
			walk(s)
		}
	}
	for _, c := range roots {
		walk(c)
	}
	if len(loose) > 0 {
		sections = append(sections, "## Other flags\n\nThe commands of these flags are unknown.\n\n"+p.flags(loose))
		flags = append(flags, loose)
	}
	return sections, flags
}

func lengths(sections []string) int {
	n := 0
	for _, s := range sections {
		n += len(s)
	}
	return n
}

// tellAtLength adds the long descriptions of flags to the sections of their commands, in order, while there is room. No
// section takes room from another.
func tellAtLength(sections []string, flags [][]element, room int) {
	for i := range sections {
		for _, f := range flags[i] {
			doc, more := opening(f.Doc, longHelpBytes, "\n", " ")
			if more {
				doc += " …"
			}
			text := markdown.Code(spelled(f)) + ":\n\n" + markdown.Fence("text", doc) + paragraph
			if doc != "" && len(text) <= room {
				sections[i] += text
				room -= len(text)
			}
		}
	}
}

func (p *operatorPage) section(c *command) string {
	var b strings.Builder
	title := c.path
	if title == "" {
		title = "Flags of " + c.module
	}
	b.WriteString("## " + markdown.Escape(title) + "\n\n")
	if c.path != "" {
		b.WriteString(markdown.Fence("", usageLine(c)) + paragraph)
	}
	if c.apart {
		b.WriteString("Its parent command is unknown.\n\n")
	}
	if c.Help != "" {
		b.WriteString(markdown.Escape(c.Help) + paragraph)
	}
	if doc, more := opening(c.Doc, p.told.helpBytes, paragraph, "\n", " "); doc != "" && doc != c.Help {
		b.WriteString(markdown.Text(withExamples(doc), "markdown"))
		if more {
			b.WriteString(" …")
		}
		b.WriteString(paragraph)
	}
	if c.Also != "" {
		b.WriteString("Also as " + codes(strings.Split(c.Also, ", ")) + ".\n\n")
	}
	if c.Guard != "" {
		b.WriteString("Only with " + markdown.Code(c.Guard) + ".\n\n")
	}
	if len(c.subs) > 0 {
		b.WriteString("| Command | |\n|---|---|\n")
		for _, s := range c.subs {
			b.WriteString("| " + markdown.Cell(markdown.Code(s.Name)) + " | " + markdown.Cell(markdown.Escape(s.Help)) + " |\n")
		}
		b.WriteString("\n")
	}
	b.WriteString(p.flags(c.flags))
	if c.File != "" {
		b.WriteString("Declared in " + markdown.Link(markdown.Code(c.File), p.place(c.element)) + ".\n\n")
	}
	return b.String()
}

var listItem = lazyregexp.New(`^\s*(?:[-*+•]|\d+[.)])\s`)

// withExamples makes the indented lines of a help text, such as examples behind a colon, a block of code. Lists and blocks of
// code stay.
func withExamples(doc string) string {
	var out []string
	indented := func(line string) bool {
		return strings.TrimSpace(line) != "" && (strings.HasPrefix(line, "  ") || line[0] == '\t') && !listItem.MatchString(line)
	}
	lines, code, fence, list := strings.Split(doc, "\n"), false, false, false
	if !slices.ContainsFunc(lines, func(line string) bool { return line != "" && line[0] != ' ' && line[0] != '\t' }) {
		return doc // all of it is indented
	}
	for i, line := range lines {
		blank := strings.TrimSpace(line) == ""
		begins := i == 0 || strings.TrimSpace(lines[i-1]) == "" || strings.HasSuffix(strings.TrimSpace(lines[i-1]), ":")
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fence = !fence
		}
		switch {
		case fence || list && (blank || indented(line)):
		case indented(line) && !code && begins:
			code = true
			out = append(out, "")
		case !blank && !indented(line):
			code, list = false, listItem.MatchString(line)
		}
		if code {
			line = "    " + line
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

func usageLine(c *command) string {
	line := strings.TrimSpace(c.path + " " + c.Usage)
	if c.apart {
		line = "… " + line
	}
	if len(c.flags) > 0 && !strings.Contains(line, "[flags]") && !strings.Contains(line, "[options]") && !strings.Contains(strings.ToLower(line), "[option") {
		line += " [flags]"
	}
	return line
}

// flags returns a table of flags, linked to their declarations if there is room.
func (p *operatorPage) flags(flags []element) string {
	if len(flags) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("| Flag | Default | |\n|---|---|---|\n")
	for _, f := range flags {
		about := strings.TrimSpace(markdown.Escape(f.Help) + onlyWith(f.Guard))
		name := markdown.Code(spelled(f))
		if p.told.lines {
			name = markdown.Link(name, p.place(f))
		}
		b.WriteString("| " + markdown.Cell(name) + " | " + p.fallback(f) + " | " + markdown.Cell(about) + " |\n")
	}
	b.WriteString("\n")
	return b.String()
}

// spelled formats a flag as help texts do: short forms first, then the name of the value.
func spelled(f element) string {
	names := []string{f.Name}
	if f.Also != "" {
		names = append(names, strings.Split(f.Also, ", ")...)
		slices.SortStableFunc(names, func(a, b string) int { return dashes(a) - dashes(b) })
	}
	return strings.TrimSpace(strings.Join(names, ", ") + " " + f.Value)
}

func dashes(flag string) int { return len(flag) - len(strings.TrimLeft(flag, "-")) }

func (p *operatorPage) fallback(e element) string {
	negates := strings.HasPrefix(e.Name, "--no-") && strings.EqualFold(e.Default, "true") // the default is that of the option that it turns off
	if e.Default == "" && e.Usage != "" && (e.Kind == source.Env || e.Kind == source.Config) {
		return "*" + e.Usage + "*"
	}
	if e.Default == "" || e.Kind == source.Flag && (e.Default == "false" || negates) {
		return ""
	}
	text, more := opening(redact.Setting(e.Name, e.Default), defaultBytes)
	if more {
		text += "…"
	}
	return markdown.Cell(markdown.Code(text))
}

func codes(names []string) string { return list(coded(names)) }

func coded(names []string) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = markdown.Code(n)
	}
	return out
}
