package golang

import (
	"cmp"
	"go/ast"
	"go/token"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/testgen"
)

// What a function must not reach if its results are to be the same on every machine at every time, by package. Where names are listed, they
// are those that are harmless; all others are not.
var effects = map[string][]string{
	"os": {
		"ErrInvalid", "ErrPermission", "ErrExist", "ErrNotExist", "ErrClosed", "FileMode", "FileInfo", "DirEntry", "PathError", "SyscallError",
		"LinkError", "ModeDir", "ModePerm", "ModeType", "ModeSymlink", "IsNotExist", "IsExist", "IsPermission", "Expand", "PathSeparator",
	},
	"os/exec": nil, "os/signal": nil, "os/user": nil, "syscall": nil, "plugin": nil, "testing": nil, "C": nil, "runtime/pprof": nil,
	"math/rand": nil, "math/rand/v2": nil, "crypto/rand": nil, "database/sql": {"NullString", "NullInt64", "NullBool", "NullFloat64", "NullTime", "Scanner"},
	"io/ioutil": {"ReadAll", "NopCloser", "Discard"}, "log/syslog": nil, "net/smtp": nil, "net/rpc": nil, "expvar": nil, "debug/buildinfo": nil,
	"runtime": {"GOOS", "GOARCH", "Error", "KeepAlive", "Func", "TypeAssertionError"},
	"net":     {"IP", "IPNet", "IPMask", "ParseIP", "ParseCIDR", "ParseMAC", "HardwareAddr", "CIDRMask", "IPv4", "SplitHostPort", "JoinHostPort", "ParseError", "AddrError", "IPv4len", "IPv6len", "IPv4Mask"},
}

// harmful are the names of packages that are harmless otherwise.
var harmful = map[string][]string{
	"time":          {"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker", "LoadLocation", "Local"},
	"path/filepath": {"Abs", "Glob", "Walk", "WalkDir", "EvalSymlinks"},
	"fmt":           {"Scan", "Scanf", "Scanln"},
	"context":       {"WithTimeout", "WithDeadline", "WithTimeoutCause", "WithDeadlineCause", "AfterFunc"},
	"log":           {"Fatal", "Fatalf", "Fatalln"},
	"html/template": {"ParseFiles", "ParseGlob"}, "text/template": {"ParseFiles", "ParseGlob"},
	"net/http":     {"Get", "Post", "PostForm", "Head", "DefaultClient", "Client", "DefaultTransport", "Transport", "ListenAndServe", "ListenAndServeTLS", "Serve", "ServeTLS", "Server", "Dir", "ServeFile", "FileServer", "TimeoutHandler", "DefaultServeMux"},
	"hash/maphash": {"MakeSeed", "String", "Bytes", "Hash"},
}

// foreign are packages from outside of the standard library whose functions give the same for the same.
var foreign = []string{"golang.org/x/text", "golang.org/x/exp", "golang.org/x/mod", "golang.org/x/net/idna", "golang.org/x/net/html", "github.com/pkg/errors"}

// effect is what makes a name of another package one that no test can hold to anything; empty for all others.
func effect(at, name string) string {
	name, _, _ = strings.Cut(name, ".")
	if harmless, listed := effects[at]; listed {
		if slices.Contains(harmless, name) {
			return ""
		}
		return at
	}
	if slices.Contains(harmful[at], name) {
		return at
	}
	first, _, _ := strings.Cut(at, "/")
	if !strings.Contains(first, ".") {
		return "" // the standard library
	}
	for _, prefix := range foreign {
		if at == prefix || strings.HasPrefix(at, prefix+"/") {
			return ""
		}
	}
	return at
}

// assigns lists the variables of the package that a function changes: what it makes then depends on what was called before.
func (p *Package) assigns(f *function) (found []string) {
	if f.decl.Body == nil {
		return nil
	}
	local := locals(f.decl)
	check := func(x ast.Expr) {
		for {
			switch y := x.(type) {
			case *ast.ParenExpr:
				x = y.X
				continue
			case *ast.SelectorExpr:
				x = y.X
				continue
			case *ast.Ident:
				if p.vars[y.Name] && !local[y.Name] && y.Name != "_" {
					found = append(found, y.Name)
				}
			}
			return
		}
	}
	ast.Inspect(f.decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE {
				for _, x := range n.Lhs {
					check(x)
				}
			}
		case *ast.IncDecStmt:
			check(n.X)
		case *ast.CallExpr:
			return !p.once(n)
		}
		return true
	})
	return found
}

// once reports whether a call has something be done once, by a sync.Once of the package: what that sets is the same for all calls after.
func (p *Package) once(call *ast.CallExpr) bool {
	f, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || f.Sel.Name != "Do" || len(call.Args) != 1 {
		return false
	}
	of, ok := f.X.(*ast.Ident)
	if !ok || !p.vars[of.Name] {
		return false
	}
	what, ok := call.Args[0].(*ast.FuncLit)
	return ok && what.Type.Params.NumFields() == 0 && what.Type.Results.NumFields() == 0
}

// fixed are the exported variables of the package that nothing in it changes, by the name of their type: values as good as constants.
func (p *Package) fixed() map[string][]string {
	if p.steady != nil {
		return p.steady
	}
	p.steady = map[string][]string{}
	changed := p.changed()
	for _, name := range p.valueNames {
		if !ast.IsExported(name) || changed[name] != "" {
			continue
		}
		base := ""
		switch x := p.values[name].(type) {
		case *ast.CallExpr:
			if f, ok := x.Fun.(*ast.Ident); ok && p.funcs[f.Name] != nil {
				if d := p.funcs[f.Name].decl; d.Type.Results.NumFields() == 1 {
					base = valueName(d.Type.Results.List[0].Type)
				}
			}
		case *ast.CompositeLit:
			base = valueName(x.Type)
		}
		if base != "" && p.types[base] != nil {
			p.steady[base] = append(p.steady[base], name)
		}
	}
	return p.steady
}

func valueName(x ast.Expr) string {
	if id, ok := x.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}

// changed are the variables of the package that some function changes, with the first that does.
func (p *Package) changed() map[string]string {
	if p.changing == nil {
		p.changing = map[string]string{}
		for _, name := range slices.Sorted(maps.Keys(p.funcs)) {
			if name == "init" {
				continue
			}
			for _, v := range p.assigns(p.funcs[name]) {
				p.changing[v] = cmp.Or(p.changing[v], name)
			}
		}
	}
	return p.changing
}

// mayRun reports whether tests that people wrote may call a function of the package.
func (p *Package) mayRun(name string) bool {
	if name == "" || !ast.IsExported(lastName(name)) {
		return name != "" && len(p.tests) > 0
	}
	return slices.ContainsFunc(p.tests, func(t *ast.FuncDecl) bool { return mentions(t, lastName(name)) })
}

// set is a variable of the package that a function calls, and that init sets: to what is not known.
func (p *Package) set(f *function) (found string) {
	init := p.funcs["init"]
	if init == nil || f.decl.Body == nil {
		return ""
	}
	sets := p.assigns(init)
	ast.Inspect(f.decl.Body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if id, ok := call.Fun.(*ast.Ident); ok && slices.Contains(sets, id.Name) {
				found = id.Name
			}
		}
		return found == ""
	})
	return found
}

// locals are the names that a function binds itself, wherever.
func locals(d *ast.FuncDecl) map[string]bool {
	out := map[string]bool{}
	add := func(list *ast.FieldList) {
		if list == nil {
			return
		}
		for _, f := range list.List {
			for _, n := range f.Names {
				out[n.Name] = true
			}
		}
	}
	add(d.Recv)
	add(d.Type.Params)
	add(d.Type.Results)
	ast.Inspect(d.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE {
				for _, x := range n.Lhs {
					if id, ok := x.(*ast.Ident); ok {
						out[id.Name] = true
					}
				}
			}
		case *ast.ValueSpec:
			for _, id := range n.Names {
				out[id.Name] = true
			}
		case *ast.RangeStmt:
			for _, x := range []ast.Expr{n.Key, n.Value} {
				if id, ok := x.(*ast.Ident); ok && n.Tok == token.DEFINE {
					out[id.Name] = true
				}
			}
		case *ast.FuncLit:
			add(n.Type.Params)
			add(n.Type.Results)
		}
		return true
	})
	return out
}

// Reach and Name are those of the port.
type (
	Reach = testgen.Reach
	Name  = testgen.Name
)

// reaches says why the results of a function cannot be relied upon; empty where they can. What is left of it is whatever it reaches in
// other packages of the repository.
func (p *Package) reaches(r Reach) (reason string, others []Name) {
	var bad []string
	for _, n := range r.Outside {
		if n.Dir != "" {
			others = append(others, n)
		} else if at := effect(n.Path, n.Name); at != "" {
			bad = append(bad, at)
		}
	}
	if len(bad) > 0 {
		slices.SortFunc(bad, func(a, b string) int { return strings.Compare(path.Base(a), path.Base(b)) })
		return "reaches " + strings.Join(slices.Compact(bad), ", "), others
	}
	for _, name := range r.Within {
		if f := p.funcs[name]; f != nil {
			if v := p.assigns(f); len(v) > 0 {
				return "changes the variable " + v[0] + " of the package, which later calls see", others
			}
			if v := p.set(f); v != "" {
				return "calls what the variable " + v + " of the package holds, which init sets", others
			}
		} else if by := p.changed()[name]; p.vars[name] && p.mayRun(by) {
			return "depends on the variable " + name + " of the package, which " + by + " changes", others
		}
	}
	return "", others
}
