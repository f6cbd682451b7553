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

// passes are the analyzers that run: those whose word can be taken, each with what makes it certain. Of what `go vet` has besides,
// these are left out: composites, hostport and unreachable, which are about taste; stdmethods, which goes by the name of a method;
// unsafeptr, which guesses; asmdecl, cgocall and framepointer, which are about assembly and cgo; stdversion, which the compiler of
// the oldest Go says better.
var passes = []*analysis.Analyzer{
	appends.Analyzer,          // append with one argument appends nothing
	assign.Analyzer,           // what is assigned to itself stays as it is
	atomic.Analyzer,           // x = atomic.AddT(&x, n) is a plain write
	bools.Analyzer,            // both sides of || or && are the same, or one excludes the other
	buildtag.Analyzer,         // a constraint at the wrong place is a comment
	copylock.Analyzer,         // a copy of a lock locks nothing
	defers.Analyzer,           // time.Since in the arguments of a defer is computed at once
	directive.Analyzer,        // a directive at the wrong place is a comment
	errorsas.Analyzer,         // errors.As panics, by the types
	httpresponse.Analyzer,     // the response is used before its error is looked at, and is nil then
	ifaceassert.Analyzer,      // no type can have both methods
	loopclosure.Analyzer,      // before Go 1.22 all rounds of a loop share its variable
	lostcancel.Analyzer,       // a path on which cancel is never called
	nilfunc.Analyzer,          // a function that is declared is never nil
	nilness.Analyzer,          // nil on every path that leads there
	printf.Analyzer,           // verbs and arguments do not fit, by the types
	shift.Analyzer,            // every bit is shifted out, by the size of the type
	sigchanyzer.Analyzer,      // signal.Notify drops what an unbuffered channel is not ready for
	slog.Analyzer,             // a key without a value, by the types
	stringintconv.Analyzer,    // string(65) is A
	structtag.Analyzer,        // a tag that reflect cannot read, or a key that two fields have
	testinggoroutine.Analyzer, // t.Fatal ends the goroutine that it is called in, which is not the test's
	tests.Analyzer,            // the testing package does not run it, or documents what is not there
	timeformat.Analyzer,       // 2006-02-01 has the day before the month
	unmarshal.Analyzer,        // what is no pointer cannot be written to
	unusedresult.Analyzer,     // a call that does nothing but return a value that is thrown away
	waitgroup.Analyzer,        // Add within the goroutine may come after Wait
}
