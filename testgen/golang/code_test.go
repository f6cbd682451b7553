package golang

import (
	"go/format"
	"strings"
	"testing"

	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/spec"
)

const written1 = `// Package io has what is read, written and answered.
package io

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// Handler answers ?amount=12.50.
func Handler() http.Handler { return nil }

// Serve answers POST /items.
func Serve(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodPost {
		fmt.Fprint(w, r.PostFormValue("amount"))
	}
}

// Prefix puts a prefix before paths.
func Prefix(prefix string) func(http.Handler) http.Handler { return nil }

// Only lets some through.
func Only(next http.Handler) http.Handler { return next }

// Shop is a server.
type Shop struct{ name string }

// NewShop opens a shop, e.g. NewShop("corner").
func NewShop(name string) (*Shop, error) { return &Shop{name}, nil }

// ServeHTTP answers.
func (s *Shop) ServeHTTP(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, s.name) }

// Upper reads in capitals.
func Upper(r io.Reader) (io.Reader, error) { return strings.NewReader("A"), nil }

// Encode writes a name.
func Encode(w io.Writer, name string) error { return nil }

// Decode reads a name.
func Decode(r io.Reader) (string, error) { return "", nil }

// CompareNames compares.
func CompareNames(a, b string) int { return strings.Compare(a, b) }

// Ratio is one by another.
func Ratio(of, to float32) (ratio float64, exact bool) { return 0, false }

// ID is an id.
type ID [8]byte

// Value is for databases, Scan reads it back.
func (id ID) Value() (string, error) { return "", nil }

// Scan reads.
func (id *ID) Scan(v any) error { return nil }

// Since is the time of a number.
func Since(at time.Time, n int) time.Time { return at }
`

// TestCode: what people get to read. A case is a line of a spec.
func TestCode(t *testing.T) {
	tests := []struct {
		name, symbol string
		cases        []string
	}{
		{"handler", "Handler", []string{
			`{id: c-1, law: http, why: "the documentation names it", args: [{"*http.Request": {method: "GET", target: "/?amount=12.50"}}], want: {response: {status: 200, type: "text/plain", body: "12.50\n"}}}`,
			`{id: c-2, law: http, why: "a form", args: [{"*http.Request": {method: "POST", target: "/", body: "a=b", header: {Content-Type: "application/x-www-form-urlencoded"}}}], want: {response: {status: 302, location: "/x"}}}`,
		}},
		{"headers", "Only", []string{
			`{id: c-1, law: http, why: "w", args: [{http.Handler: "next"}, {"*http.Request": {method: "GET", target: "/"}}], want: {response: {status: 200, header: "Cache-Control: no-cache\r\n", body: "GET /"}}}`,
		}},
		{"handles", "Serve", []string{`{id: c-1, law: http, why: "w", args: [{"*http.Request": {method: "GET", target: "/"}}], want: {response: {status: 405}}}`}},
		{"middleware", "Prefix", []string{`{id: c-1, law: http, why: "w", args: [{string: "/a"}, {"*http.Request": {method: "GET", target: "/"}}], want: {response: {status: 200, body: "GET /a/"}}}`}},
		{"wrapped", "Only", []string{`{id: c-1, law: http, why: "w", args: [{http.Handler: "next"}, {"*http.Request": {method: "GET", target: "/"}}], want: {response: {status: 200, body: "GET /"}}}`}},
		{"method", "Shop.ServeHTTP", []string{`{id: c-1, law: http, why: "w", args: [{"*Shop": {call: NewShop, args: [{string: "corner"}]}}, {"*http.Request": {method: "GET", target: "/"}}], want: {response: {status: 200, body: "corner"}}}`}},
		{"reader", "Upper", []string{
			`{id: c-1, law: golden, why: "w", args: [{io.Reader: "a"}], want: {io.Reader: "A"}}`, `{id: c-2, law: error, why: "w", args: [{io.Reader: ""}], want: {error: true}}`,
		}},
		{"writer", "Encode", []string{
			`{id: c-1, law: golden, why: "w", args: [{io.Writer: null}, {string: "a"}], want: {written: "\"a\""}}`,
			`{id: c-2, law: roundtrip, why: "Decode reads it", over: [c-1], inverse: Decode}`,
		}},
		{"order", "CompareNames", []string{
			`{id: c-1, law: golden, why: "w", args: [{string: "a"}, {string: "b"}], want: {int: -1}}`, `{id: c-2, law: order, why: "it is one", over: [c-1]}`, `{id: c-3, law: no_panic, why: "it is text", over: [c-1]}`,
		}},
		{"floats", "Ratio", []string{`{id: c-1, law: golden, why: "w", args: [{float32: 1}, {float32: 3}], want: {results: [{float64: 0.3333333333333333}, {bool: false}]}}`}},
		{"pair", "ID.Value", []string{
			`{id: c-1, law: golden, why: "w", args: [{ID: [0, 0, 0, 0, 0, 0, 0, 128]}], want: {string: "x"}}`, `{id: c-2, law: roundtrip, why: "Scan reads it", over: [c-1], inverse: ID.Scan}`,
		}},
		{"times", "Since", []string{`{id: c-1, law: golden, why: "w", args: [{time.Time: "2024-02-29T13:14:15Z"}, {int: 1}], want: {string_of: "2024-02-29 13:14:15 +0000 UTC"}}`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := plan(t, files{"p/p.go": written1}, tt.symbol)
			if p.Reason != "" {
				t.Fatalf("no tests are made of %s: %s", tt.symbol, p.Reason)
			}
			s := &spec.Spec{Target: spec.Target{Lang: "go", Symbol: tt.symbol}, Status: spec.Active, Rationale: "It says so."}
			for _, text := range tt.cases {
				c, err := spec.DecodeCase(text)
				if err != nil {
					t.Fatal(err)
				}
				s.Cases = append(s.Cases, *c)
			}
			file := ".causal/specs/p/" + tt.symbol + ".yml"
			code, misfits, err := Language.Code([]testgen.Coded{{File: file, Spec: s, Target: &p.Target}})
			if err != nil || len(misfits[file]) > 0 {
				t.Fatalf("its code: %v, %v", misfits, err)
			}
			golden(t, "code/"+tt.name+".golden", string(code))
			if again, err := format.Source(code); err != nil || string(again) != string(code) {
				t.Errorf("it is not formatted: %v", err)
			}
		})
	}
}

// TestMisfits: what a person, or a stranger, writes into a spec is no code.
func TestMisfits(t *testing.T) {
	tests := []struct{ name, symbol, args, want, why string }{
		{"a target with a space", "Handler", `{"*http.Request": {method: "GET", target: "/a b"}}`, `{response: {status: 200}}`, "is no *http.Request"},
		{"another host", "Handler", `{"*http.Request": {method: "GET", target: "http://x/"}}`, `{response: {status: 200}}`, "is no *http.Request"},
		{"a method that is none", "Handler", `{"*http.Request": {method: "GET / HTTP/1.1\r\nX: ", target: "/"}}`, `{response: {status: 200}}`, "is no *http.Request"},
		{"a status that is none", "Handler", `{"*http.Request": {method: "GET", target: "/"}}`, `{response: {status: 99999}}`, "is no response"},
		{"a response with more", "Handler", `{"*http.Request": {method: "GET", target: "/"}}`, `{response: {status: 200, cookie: "x"}}`, "is no response"},
		{"a time that is none", "Since", `{time.Time: "yesterday"}, {int: 1}`, `{string_of: "x"}`, "is no time.Time"},
		{"a number where a text was read", "Upper", `{io.Reader: "a"}`, `{io.Reader: 1}`, "is no io.Reader"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := plan(t, files{"p/p.go": written1}, tt.symbol)
			c, err := spec.DecodeCase(`{id: c-1, law: golden, why: "w", args: [` + tt.args + `], want: ` + tt.want + `}`)
			if err != nil {
				t.Fatal(err)
			}
			if err := p.Fits(c); err == nil || !strings.Contains(err.Error(), tt.why) {
				t.Errorf("it fits: %v, want %s", err, tt.why)
			}
		})
	}
}

func TestRequests(t *testing.T) {
	m := files{"p/p.go": written1}
	for symbol, want := range map[string][]string{
		"Handler": {`{"*http.Request": {method: "GET", target: "/?amount=12.50"}} the documentation names ?amount=12.50`, `{"*http.Request": {method: "GET", target: "/?amount=12"}} amount: "12.50" up to its first separator`, `{"*http.Request": {method: "GET", target: "/missing"}} a path that nothing names`},
		"Serve":   {`{"*http.Request": {method: "POST", target: "/items"}} the documentation names it`, `{"*http.Request": {method: "POST", target: "/"}} the code knows POST`, `body: "amount=x", header: {"Content-Type": "application/x-www-form-urlencoded"}`},
	} {
		p := plan(t, m, symbol)
		all := strings.Join(shown(p.Candidates), "\n")
		for _, w := range want {
			if !strings.Contains(all, w) {
				t.Errorf("%s: %s is not tried, of\n%s", symbol, w, all)
			}
		}
		for _, c := range p.Candidates {
			if err := p.Fits(&spec.Case{Args: c.Args}); err != nil {
				t.Errorf("%s: what is tried does not fit: %v", symbol, err)
			}
		}
	}
}

func TestRecorderWritesAllOfThese(t *testing.T) {
	m := files{"p/p.go": written1}
	var calls []*testgen.Call
	for _, symbol := range []string{"Handler", "Serve", "Prefix", "Only", "Shop.ServeHTTP", "Upper", "Encode", "Decode", "Ratio", "ID.Value", "ID.Scan", "Since"} {
		p := plan(t, m, symbol)
		if p.Reason != "" || len(p.Candidates) == 0 {
			t.Errorf("%s: %s, %d calls", symbol, p.Reason, len(p.Candidates))
			continue
		}
		calls = append(calls, &testgen.Call{Target: &p.Target, Candidate: p.Candidates[0]})
	}
	r, err := NewRecorder(calls, true)
	if err != nil || len(r.Calls) != len(calls) {
		t.Fatalf("of %d calls %d are written: %v", len(calls), len(r.Calls), err)
	}
	if !strings.Contains(string(r.Code), `iopkg "example.com/m/p"`) {
		t.Error("a package that is called like one of the standard library has its own name in tests")
	}
}
