package cli

import (
	"context"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/spf13/cobra"

	"github.com/causaldocs/causal/app/gitstore"
	"github.com/causaldocs/causal/app/summary"
	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/node"
	"github.com/causaldocs/causal/render"
	"github.com/causaldocs/causal/render/markdown"
)

func newWhy(world IO) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "why TARGET",
		Short: "Tell how something is known, and what would make it wrong",
		Long: `Tell the chain behind a statement: what it says, from which files and symbols it was derived, what would make it
wrong, what changed it last, and in which frame it was concluded. TARGET is a module (internal/money), one of its symbols
(internal/money.Parse), a page, a node file or a source file.`,
		Example: "  causal why internal/money\n  causal why internal/money.Parse\n  causal why docs/causal/modules/internal/money.md",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runWhy(cmd.Context(), world, args[0], asJSON)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return c
}

// because is one input of a conclusion, as it is printed.
type because struct {
	What  string `json:"what"`
	Level string `json:"level"`
	Hash  string `json:"hash"`
	How   string `json:"how"`
}

// whyAnswer is the chain behind one target.
type whyAnswer struct {
	Target    string          `json:"target"`
	Module    string          `json:"module"`
	Name      string          `json:"name"` // what people call the module
	Symbol    string          `json:"symbol,omitempty"`
	Fresh     bool            `json:"fresh"`
	Stale     []engine.Reason `json:"stale,omitempty"`
	Page      string          `json:"page"`
	Says      string          `json:"says"`
	From      string          `json:"from"`
	Because   []because       `json:"because"`
	Condition string          `json:"invalidation_condition"`
	Generator string          `json:"generator"`
	UsedBy    []string        `json:"used_by"`
	Changed   *changeAnswer   `json:"last_changed,omitempty"`
	Frame     string          `json:"frame,omitempty"`
	Verified  string          `json:"verified,omitempty"`
	Lost      string          `json:"lost,omitempty"` // why the frame cannot be shown, and what mends it
}

type changeAnswer struct {
	Commit  string `json:"commit"`
	Date    string `json:"date"`
	Subject string `json:"subject"`
}

func runWhy(ctx context.Context, world IO, target string, asJSON bool) error {
	return looking(ctx, world, ".", func(p *place, e *engine.Engine) error {
		a, err := p.why(ctx, e, target)
		if err != nil {
			return err
		}
		return world.answer(asJSON, a, func(w io.Writer) error { return printWhy(w, a) })
	})
}

// why finds what target means and explains it.
func (p *place) why(ctx context.Context, e *engine.Engine, target string) (*whyAnswer, error) {
	clean, anchor := p.Path(target)
	module, symbol := p.ModuleOf(clean), ""
	x, ok, err := e.Explain(ctx, module)
	if err != nil {
		return nil, err
	}
	if clean == p.Layout.Index() {
		return p.whyIndex(e, target), nil
	}
	if anchor != "" && x != nil && x.Node != nil {
		symbol = symbolOfAnchor(x.Node, anchor)
	}
	if !ok {
		module, symbol, ok = symbolTarget(e, target)
		if !ok {
			return nil, usage(fmt.Errorf("why %s: no module, symbol, page or source file is called so; `causal update` first, or see %s", target, p.Layout.Index()))
		}
		if x, _, err = e.Explain(ctx, module); err != nil {
			return nil, err
		}
	}
	a := &whyAnswer{Target: target, Module: module, Name: e.ModuleName(module), Symbol: symbol, Fresh: x.Fresh, Stale: x.Reasons, Page: x.Page, UsedBy: x.UsedBy, Because: []because{}}
	if a.UsedBy == nil {
		a.UsedBy = []string{}
	}
	if x.Node == nil {
		return a, nil
	}
	files := describeNode(a, x.Node, e.ModuleName)
	if symbol != "" {
		if files, ok = describeSymbol(a, x.Node, symbol, e.ModuleName); !ok {
			return nil, usage(fmt.Errorf("why %s: module %s exports no %s", target, module, symbol))
		}
	}
	a.Lost = x.Lost
	if x.Frame != nil {
		a.Frame = fmt.Sprintf("%s / %s / %s", x.Session, x.Frame.Query, x.Frame.ID)
		a.Verified = fmt.Sprintf("confidence %.1f", x.Frame.Confidence)
		if x.Verdict != nil {
			a.Verified += fmt.Sprintf(", verified %d of %d", x.Verdict.Verified, x.Verdict.Total)
		}
	}
	return a, p.lastChange(ctx, a, files)
}

// symbolOfAnchor is the symbol whose section of a page has that anchor, empty when none has.
func symbolOfAnchor(n *node.Node, anchor string) string {
	for _, s := range n.PublicAPI {
		if markdown.Slug(s.Name) == anchor {
			return s.Name
		}
	}
	return ""
}

// whyIndex explains the entry page.
func (p *place) whyIndex(e *engine.Engine, target string) *whyAnswer {
	a := &whyAnswer{
		Target: target, Name: "the index", Fresh: true, Page: p.Layout.Index(), Because: []because{}, UsedBy: []string{},
		Says: fmt.Sprintf("one line for each of %s, and how they depend on each other", summary.Count(len(e.Modules()), "module")),
		From: "from their knowledge nodes and the README", Generator: render.Version,
		Condition: "a module comes, goes, or changes its line, its kind, its dependencies; the README changes its first paragraph",
	}
	for _, m := range e.Modules() {
		if !m.Fresh {
			a.Fresh = false
			a.Stale = append(a.Stale, engine.Reason{Because: "the line of a module", Detail: m.Path + " is stale"})
		}
	}
	return a
}

// symbolTarget reads a target as a module's symbol: of the modules whose path, or else whose short name, the target
// begins with, the one with the longest.
func symbolTarget(e *engine.Engine, target string) (module, symbol string, ok bool) {
	for _, name := range []func(engine.Summary) string{
		func(m engine.Summary) string { return m.Path }, func(m engine.Summary) string { return m.Title },
	} {
		for _, m := range e.Modules() {
			rest, found := strings.CutPrefix(target, name(m))
			switch {
			case found && rest == "":
				return m.Path, "", true
			case found && strings.HasPrefix(rest, ".") && len(rest) > 1 && (!ok || len(rest)-1 < len(symbol)):
				module, symbol, ok = m.Path, rest[1:], true
			}
		}
		if ok {
			return module, symbol, true
		}
	}
	return "", "", false
}

func describeNode(a *whyAnswer, n *node.Node, name func(string) string) (files []string) {
	a.Says, a.Condition, a.Generator = n.Purpose, n.InvalidationCondition, n.Generator
	switch {
	case n.PurposeFrom == node.FromDoc:
		a.From = "from the documentation in " + n.PurposeFile
	default:
		a.From = "derived from what is in it: nobody has described it yet"
	}
	for _, s := range n.Sources {
		how := "read"
		if s.Role != "" {
			how = s.Role
		}
		a.Because = append(a.Because, because{s.Path, "content", string(s.Fingerprint), how})
		files = append(files, s.Path)
	}
	for _, u := range n.Uses {
		if u.Name != "" {
			a.Because = append(a.Because, because{useText(u, name), "interface", string(u.Interface), "used"})
		}
	}
	return files
}

func useText(u node.Use, name func(string) string) string {
	if u.Name == "*" {
		return "all of " + name(u.Module)
	}
	return name(u.Module) + "." + u.Name
}

// describeSymbol narrows the answer to one symbol.
func describeSymbol(a *whyAnswer, n *node.Node, symbol string, name func(string) string) (files []string, ok bool) {
	for _, s := range n.PublicAPI {
		if s.Name != symbol {
			continue
		}
		file := path.Join(n.Path, s.File)
		a.Says, a.From = s.Signature, "declared in "+file
		a.Because = []because{
			{file, "content", string(s.Content), "declaration"},
		}
		return []string{file}, true
	}
	return nil, false
}

func (p *place) lastChange(ctx context.Context, a *whyAnswer, files []string) error {
	c, ok, err := p.LastChange(ctx, files...)
	if ok {
		a.Changed = change(c)
	}
	return err
}

func change(c gitstore.Commit) *changeAnswer {
	return &changeAnswer{Commit: c.ID, Date: c.When.UTC().Format("2006-01-02"), Subject: c.Subject}
}

func printWhy(w io.Writer, a *whyAnswer) error {
	var b strings.Builder
	name := a.Name
	if a.Symbol != "" {
		name += "." + a.Symbol
	}
	state := "is fresh."
	if !a.Fresh {
		state = "is stale."
	}
	fmt.Fprintf(&b, "%-55s %s\n", name+" "+state, a.Page)
	for _, r := range a.Stale {
		fmt.Fprintf(&b, "  %s    (%s)\n", r, r.Because)
	}
	if a.Says == "" {
		b.WriteString("nothing is known of it yet: run causal update\n")
		_, err := io.WriteString(w, b.String())
		return err
	}
	if strings.Contains(a.Says, "\n") {
		fmt.Fprintf(&b, "%s\n%s\n", a.Says, a.From)
	} else {
		fmt.Fprintf(&b, "%-55s %s\n", quoteText(a.Says), a.From)
	}
	if len(a.Because) > 0 {
		b.WriteString("\nbecause\n")
	}
	for i, x := range a.Because {
		branch := "├─"
		if i == len(a.Because)-1 {
			branch = "└─"
		}
		fmt.Fprintf(&b, "  %s %-35s %-9s %.8s…  %s\n", branch, x.What, x.Level, x.Hash, x.How)
	}
	fmt.Fprintf(&b, "it becomes wrong when\n  %s\n", strings.ReplaceAll(a.Condition, " or ", "\n  or "))
	fmt.Fprintf(&b, "  or another version than %s writes it\n", a.Generator)
	if a.Changed != nil {
		fmt.Fprintf(&b, "it last changed\n  %s  %s  %s\n", a.Changed.Date, short(a.Changed.Commit), a.Changed.Subject)
	}
	if len(a.UsedBy) > 0 {
		fmt.Fprintf(&b, "a change of its interface reaches\n  %s\n", strings.Join(a.UsedBy, ", "))
	}
	if a.Frame != "" {
		fmt.Fprintf(&b, "frame  %s   %s\n", a.Frame, a.Verified)
	}
	if a.Lost != "" {
		fmt.Fprintf(&b, "frame  none: %s\n", a.Lost)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func quoteText(s string) string { return `"` + s + `"` }
