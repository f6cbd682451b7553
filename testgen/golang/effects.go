package golang

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/testgen"
)

var effects = testgen.Effects{Harmful: harmful, Names: names, Harmless: func(at string) bool {
	first, _, _ := strings.Cut(at, "/")
	return !strings.Contains(first, ".") || slices.ContainsFunc(foreign, func(prefix string) bool { return at == prefix || strings.HasPrefix(at, prefix+"/") })
}}

// harmful lists packages whose results differ between machines or runs. The listed names of a package are harmless; all
// its others are not.
var harmful = map[string][]string{
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

// names lists names of otherwise harmless packages.
var names = map[string][]string{
	"time":          {"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker", "LoadLocation", "Local"},
	"path/filepath": {"Abs", "Glob", "Walk", "WalkDir", "EvalSymlinks"},
	"fmt":           {"Scan", "Scanf", "Scanln"},
	"context":       {"WithTimeout", "WithDeadline", "WithTimeoutCause", "WithDeadlineCause", "AfterFunc"},
	"log":           {"Fatal", "Fatalf", "Fatalln"},
	"html/template": {"ParseFiles", "ParseGlob"}, "text/template": {"ParseFiles", "ParseGlob"},
	"net/http":     {"Get", "Post", "PostForm", "Head", "DefaultClient", "Client", "DefaultTransport", "Transport", "ListenAndServe", "ListenAndServeTLS", "Serve", "ServeTLS", "Server", "Dir", "ServeFile", "FileServer", "TimeoutHandler", "DefaultServeMux"},
	"hash/maphash": {"MakeSeed", "String", "Bytes", "Hash"},
}

// foreign lists deterministic packages outside the standard library.
var foreign = []string{"golang.org/x/text", "golang.org/x/exp", "golang.org/x/mod", "golang.org/x/net/idna", "golang.org/x/net/html", "github.com/pkg/errors"}

// reaches returns why the results of a function are unpredictable, or an empty string. others are the names that it
// reaches in other packages of the repository, which the caller has to check.
func (p *Package) reaches(r testgen.Reach) (reason string, others []testgen.Name) {
	bad, others := effects.Outside(r, nil)
	if reason := testgen.Reason(bad); reason != "" {
		return reason, others
	}
	for _, name := range r.Within {
		if f := p.funcs[name]; f != nil {
			if v := p.changes(f); v != "" {
				return "changes the variable " + v + " of the package, which later calls see", others
			}
			if v := p.set(f); v != "" {
				return "calls what the variable " + v + " of the package holds, which init sets", others
			}
		} else if by := p.changed()[name]; p.vars[name] != nil && p.mayRun(by) {
			return "depends on the variable " + name + " of the package, which " + by + " changes", others
		}
	}
	return "", others
}

// follow follows a function. It returns the names that it reaches in its package, and why its results are unpredictable, or
// all names that it reaches in other packages of the repository.
func (p *Package) follow(symbol string) (within []string, reason string, all []testgen.Name, err error) {
	reason, all, err = testgen.Follow(p.repository, p.Dir, symbol, func(m testgen.Module, n testgen.Name, reach testgen.Reach, there bool) (string, []testgen.Name) {
		if within == nil { // the first is the function
			within = reach.Within
		}
		other, ok := m.(*Package)
		switch {
		case !ok:
			return "reaches " + n.Dir + ", which is not Go", nil
		case !there:
			return "", nil // a wildcard or a re-exported name
		}
		return other.reaches(reach)
	})
	return within, reason, all, err
}

// other returns the package of an import path; nil if it is not part of the repository.
func (p *Package) other(at string) (*Package, error) {
	dir, ok := p.repository.Dir(p.Dir, at)
	if !ok {
		return nil, nil
	}
	m, err := p.repository.Open(dir)
	other, _ := m.(*Package)
	return other, err
}
