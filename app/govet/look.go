package govet

import (
	"cmp"
	"context"
	"fmt"
	"go/token"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/packages"

	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/review/finding"
	"github.com/causaldocs/causal/review/sarif"
)

// look is one analysis of a change.
type look struct {
	ctx     context.Context
	root    string
	env     []string
	taken   int // packages
	found   []sarif.Result
	skipped []finding.Skipped
}

// module analyses the packages of a module in batches.
func (l *look) module(m *module) {
	for dirs := range slices.Chunk(m.dirs, mostLoaded) {
		if l.taken += len(dirs); l.taken > mostPackages {
			for _, dir := range dirs {
				l.skip(m.of[dir][0], fmt.Sprintf("the change touches more than %d packages", mostPackages))
			}
			continue
		}
		l.packages(m, dirs)
	}
}

func (l *look) packages(m *module, dirs []string) {
	var patterns []string
	for _, dir := range dirs {
		in := dir
		if m.dir != "." {
			in = cmp.Or(strings.TrimPrefix(strings.TrimPrefix(dir, m.dir), "/"), ".")
		}
		patterns = append(patterns, "./"+in)
	}
	loaded, err := packages.Load(&packages.Config{
		Context: l.ctx, Dir: filepath.Join(l.root, filepath.FromSlash(m.dir)), Env: l.env, Tests: true,
		Mode: packages.LoadSyntax | packages.NeedModule | packages.NeedForTest,
	}, patterns...)
	if err != nil {
		_, why, _ := strings.Cut(err.Error(), "stderr: ") // the library puts the command line and environment in front
		l.skip(m.of[dirs[0]][0], cmp.Or(why, err.Error()))
		return
	}
	reasons := map[string]string{} // of skipped packages, by directory
	for _, p := range variants(loaded) {
		if dir, ok := l.relative(p.Dir); ok && reasons[dir] == "" {
			reasons[dir] = l.look(p)
		}
	}
	for _, dir := range dirs {
		if why := reasons[dir]; why != "" {
			l.skip(m.of[dir][0], why)
		}
	}
}

// variants drops packages that another one includes: the test variant contains the package itself.
func variants(loaded []*packages.Package) []*packages.Package {
	tested := map[string]bool{}
	for _, p := range loaded {
		if p.ForTest != "" && len(p.Errors) == 0 && !p.IllTyped {
			tested[p.PkgPath] = true
		}
	}
	return slices.DeleteFunc(loaded, func(p *packages.Package) bool {
		return strings.HasSuffix(p.PkgPath, ".test") || p.ForTest == "" && tested[p.PkgPath]
	})
}

// relative returns a path relative to the root; false outside it.
func (l *look) relative(name string) (string, bool) {
	rel, err := filepath.Rel(l.root, name)
	if err != nil || !filepath.IsLocal(rel) {
		return "", false
	}
	return path.Clean(filepath.ToSlash(rel)), true
}

// look analyses a package, and returns the reason if it cannot.
func (l *look) look(p *packages.Package) (why string) {
	if why := broken(p); why != "" {
		return why
	}
	i := &inspection{pkg: p, results: map[*analysis.Analyzer]any{}, facts: map[factKey]analysis.Fact{}, report: func(a *analysis.Analyzer, d analysis.Diagnostic) {
		l.add(p.Fset, a, d)
	}}
	for _, pass := range passes {
		if err := l.ctx.Err(); err != nil {
			return err.Error()
		}
		if err := i.run(pass); err != nil {
			return err.Error()
		}
	}
	return ""
}

// broken returns why the types of a package are unknown, or "". A missing dependency causes all other errors.
func broken(p *packages.Package) string {
	if len(p.Errors) == 0 && !p.IllTyped {
		return ""
	}
	missing, faulty := map[string]bool{}, map[string]string{}
	packages.Visit([]*packages.Package{p}, nil, func(dep *packages.Package) {
		for _, e := range dep.Errors {
			if e.Kind == packages.ListError && strings.Contains(e.Msg, "GOPROXY=off") {
				missing[dep.PkgPath] = true
			} else if dep != p && faulty[dep.PkgPath] == "" {
				faulty[dep.PkgPath] = said(e)
			}
		}
	})
	switch {
	case len(missing) > 0:
		return slices.Sorted(maps.Keys(missing))[0] + " is not in the module cache; `go mod download` gets it"
	case len(faulty) > 0:
		return faulty[slices.Sorted(maps.Keys(faulty))[0]]
	case len(p.Errors) > 0:
		return said(p.Errors[0])
	}
	return "something that it imports cannot be built"
}

// said returns a compiler error without the package heading.
func said(e packages.Error) string {
	text := e.Msg
	if e.Pos != "" && e.Pos != "-" {
		text = e.Pos + ": " + text
	}
	for strings.HasPrefix(text, "# ") {
		_, text, _ = strings.Cut(text, "\n")
	}
	return strings.TrimPrefix(text, "./")
}

// add records a diagnostic. Positions ignore line directives of generators.
func (l *look) add(files *token.FileSet, a *analysis.Analyzer, d analysis.Diagnostic) {
	from, to := files.PositionFor(d.Pos, false), files.PositionFor(d.End, false)
	name, ok := l.relative(from.Filename)
	if !ok {
		return
	}
	r := sarif.Result{Rule: Tool + "/" + a.Name, Category: finding.Correctness, Severity: finding.Warning, Path: name, Message: d.Message}
	r.Region = sarif.Region{Line: from.Line, EndLine: from.Line}
	if d.End.IsValid() && to.Filename == from.Filename {
		r.EndLine = max(from.Line, to.Line)
	}
	l.found = append(l.found, r)
}

// skip records a skipped package by one of its changed files. A common reason is reported once.
func (l *look) skip(name, why string) {
	why = plain.Line(strings.TrimSpace(strings.ReplaceAll(why, l.root+string(filepath.Separator), "")), longestWhy)
	if slices.ContainsFunc(l.skipped, func(s finding.Skipped) bool { return s.Reason == skipped+why }) {
		return
	}
	l.skipped = append(l.skipped, finding.Skipped{Path: name, Reason: skipped + why})
}

const (
	skipped = Tool + " did not look at its package: "
	// longestWhy bounds the bytes of a reason: the go command lists everything that is missing.
	longestWhy = 300
)
