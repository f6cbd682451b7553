package govet

import (
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/appends"
	"golang.org/x/tools/go/analysis/passes/assign"
	"golang.org/x/tools/go/analysis/passes/atomic"
	"golang.org/x/tools/go/analysis/passes/bools"
	"golang.org/x/tools/go/analysis/passes/buildtag"
	"golang.org/x/tools/go/analysis/passes/copylock"
	"golang.org/x/tools/go/analysis/passes/defers"
	"golang.org/x/tools/go/analysis/passes/directive"
	"golang.org/x/tools/go/analysis/passes/errorsas"
	"golang.org/x/tools/go/analysis/passes/httpresponse"
	"golang.org/x/tools/go/analysis/passes/ifaceassert"
	"golang.org/x/tools/go/analysis/passes/loopclosure"
	"golang.org/x/tools/go/analysis/passes/lostcancel"
	"golang.org/x/tools/go/analysis/passes/nilfunc"
	"golang.org/x/tools/go/analysis/passes/nilness"
	"golang.org/x/tools/go/analysis/passes/printf"
	"golang.org/x/tools/go/analysis/passes/shift"
	"golang.org/x/tools/go/analysis/passes/sigchanyzer"
	"golang.org/x/tools/go/analysis/passes/slog"
	"golang.org/x/tools/go/analysis/passes/stringintconv"
	"golang.org/x/tools/go/analysis/passes/structtag"
	"golang.org/x/tools/go/analysis/passes/testinggoroutine"
	"golang.org/x/tools/go/analysis/passes/tests"
	"golang.org/x/tools/go/analysis/passes/timeformat"
	"golang.org/x/tools/go/analysis/passes/unmarshal"
	"golang.org/x/tools/go/analysis/passes/unusedresult"
	"golang.org/x/tools/go/analysis/passes/waitgroup"
)

// passes are the analyzers without false positives, each with the reason. Excluded from `go vet`: composites, hostport
// and unreachable (taste); stdmethods (goes by method names); unsafeptr (guesses); asmdecl, cgocall and framepointer
// (assembly and cgo); stdversion (the compiler of the oldest Go reports it better).
var passes = []*analysis.Analyzer{
	appends.Analyzer,          // append with one argument appends nothing
	assign.Analyzer,           // self-assignment has no effect
	atomic.Analyzer,           // x = atomic.AddT(&x, n) is a plain write
	bools.Analyzer,            // both sides of || or && are the same, or one excludes the other
	buildtag.Analyzer,         // a misplaced constraint is a comment
	copylock.Analyzer,         // a copied lock locks nothing
	defers.Analyzer,           // time.Since in the arguments of a defer is computed at once
	directive.Analyzer,        // a misplaced directive is a comment
	errorsas.Analyzer,         // errors.As panics, by the types
	httpresponse.Analyzer,     // the response is used before the error check, and is nil on error
	ifaceassert.Analyzer,      // no type can have both methods
	loopclosure.Analyzer,      // before Go 1.22 all iterations share the variable
	lostcancel.Analyzer,       // cancel is never called on a path
	nilfunc.Analyzer,          // a declared function is never nil
	nilness.Analyzer,          // nil on every path
	printf.Analyzer,           // verbs and arguments mismatch, by the types
	shift.Analyzer,            // every bit is shifted out, by the size of the type
	sigchanyzer.Analyzer,      // signal.Notify drops signals on an unbuffered channel
	slog.Analyzer,             // a key without a value, by the types
	stringintconv.Analyzer,    // string(65) is A
	structtag.Analyzer,        // a tag that reflect cannot read, or a duplicate key
	testinggoroutine.Analyzer, // t.Fatal ends the calling goroutine, not the test
	tests.Analyzer,            // the testing package does not run it, or it documents an unknown name
	timeformat.Analyzer,       // 2006-02-01 has the day before the month
	unmarshal.Analyzer,        // only a pointer can be written to
	unusedresult.Analyzer,     // the call only returns a value, which is discarded
	waitgroup.Analyzer,        // Add within the goroutine may run after Wait
}
