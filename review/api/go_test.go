package api

import (
	"fmt"
	"maps"
	"strings"
	"testing"
)

const (
	money = "money/money.go"
	cart  = "cart/cart.go"
	tax   = "internal/tax/tax.go"
)

var parse = `// ParseAmount reads a number.
func ParseAmount(text string) (Amount, error) {
	n, err := digits(text)
	return Amount(n * Scale), err
}

`

var shop = files{
	"go.mod": "module example.com/shop\n\ngo 1.22\n",
	money: `// Package money holds amounts.
package money

import (
	"strconv"

	"example.com/shop/internal/tax"
	"github.com/other/go-wire"
)

const Scale = 100

const (
	First Amount = iota
	Second
	Third
)

// Version is told to users.
const Version = "1.0"

// Amount counts small units.
type Amount int64

func (a Amount) String() string { return strconv.FormatInt(int64(a)/Scale, 10) }

type base struct{ Note string }

func (*base) Notes() string { return "" }

type Quote struct {
	*base
	Price string
	Days  int
}

type Store interface {
	Put(q Quote) error
}

type Kind interface {
	Name() string
	sealed()
}

type Wire struct {
	wire.Conn
	Speed int
}

func (Wire) Close() {}

type Set[K comparable] map[K]Quote

func (s Set[K]) Has(k K) bool { return false }

func Map[A, B any](from []A, do func(A) B) []B { return nil }

var Default Store

func Taxed(a Amount, with tax.Rates) Amount { return a }

` + parse + `func digits(text string) (int, error) { return strconv.Atoi(text) }
`,
	"money/money_test.go": "package money\n\nfunc Fixture() string { return \"1\" }\n",
	cart: `// Package cart adds up.
package cart

import (
	"example.com/shop/internal/tax"
	"example.com/shop/money"
)

type Memory []money.Quote

var _ money.Store = Memory{}

func (m Memory) Put(q money.Quote) error { return nil }

// Total sums.
func Total(quotes []money.Quote) (sum money.Amount) {
	for _, q := range quotes {
		a, _ := money.ParseAmount(q.Price)
		sum += a
	}
	return sum + money.Amount(tax.Rate()*money.Scale)
}
`,
	tax:                "// Package tax knows rates.\npackage tax\n\n// Rate is one.\nfunc Rate() int { return 1 }\n\nfunc Later() int { return 2 }\n\ntype Rates struct{ Normal int }\n",
	"cmd/shop/main.go": "package main\n\nfunc Run(addr string) {}\n\nfunc main() { Run(\"\") }\n",
}

func TestGoBreaks(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		edits []edit
		want  []string
	}{
		"function removed":                  {[]edit{{money, parse, ""}}, []string{"ParseAmount function removed error money/money.go:64 left -> cart/cart.go:18"}},
		"function removed, use mended":      {[]edit{{money, parse, ""}, {cart, "a, _ := money.ParseAmount(q.Price)", "a := money.Amount(q.Days)"}}, []string{"ParseAmount function removed error money/money.go:64 left"}},
		"function moved to another package": {[]edit{{money, parse, ""}, {"cash/cash.go", "", "package cash\n\n" + parse}, {cart, "example.com/shop/money\"\n", "example.com/shop/money\"\n\tmoney2 \"example.com/shop/cash\"\n"}, {cart, "money.ParseAmount", "money2.ParseAmount"}}, []string{"ParseAmount function removed error money/money.go:64 left"}},
		"a use that leads elsewhere":        {[]edit{{money, parse, ""}, {"cash/cash.go", "", strings.Replace(shop[money], "package money", "package cash", 1)}, {cart, "example.com/shop/money", "example.com/shop/cash"}, {cart, "money.Quote\n", "cash.Quote\n"}}, []string{"ParseAmount function removed error money/money.go:64 left"}},
		"parameter added":                   {[]edit{{money, "Amount(text string)", "Amount(text string, base int)"}}, []string{"ParseAmount parameter added error money/money.go:64 -> cart/cart.go:18"}},
		"parameter removed":                 {[]edit{{money, "Amount(text string)", "Amount()"}}, []string{"ParseAmount parameter removed error money/money.go:64 -> cart/cart.go:18"}},
		"parameter added, use mended":       {[]edit{{money, "Amount(text string)", "Amount(text string, base int)"}, {cart, "q.Price)", "q.Price, 10)"}}, []string{"ParseAmount parameter added error money/money.go:64 -> cart/cart.go:18 adapted"}},
		"variadic parameter added":          {[]edit{{money, "Amount(text string)", "Amount(text string, base ...int)"}}, []string{"ParseAmount variadic parameter added error money/money.go:64"}},
		"parameter retyped":                 {[]edit{{money, "Amount(text string)", "Amount(text []byte)"}}, []string{"ParseAmount parameter retyped error money/money.go:64 -> cart/cart.go:18"}},
		"result retyped":                    {[]edit{{money, "(Amount, error) {", "(float64, error) {"}}, []string{"ParseAmount result retyped error money/money.go:64 -> cart/cart.go:18"}},
		"method added to an interface":      {[]edit{{money, "\tPut(q Quote) error\n", "\tPut(q Quote) error\n\tDrop(days int) error\n"}}, []string{"Store.Drop method added to interface error money/money.go:39 -> cart/cart.go:9"}},
		"constant's value":                  {[]edit{{money, "Scale = 100", "Scale = 1000"}}, []string{"Scale constant's value changed error money/money.go:11 -> cart/cart.go:21"}},
		"counted constants":                 {[]edit{{money, "\tSecond\n", "\tNew\n\tSecond\n"}}, []string{"Second constant's value changed error money/money.go:16"}},
		"field removed":                     {[]edit{{money, "\tPrice string\n", ""}}, []string{"Quote.Price field removed error money/money.go:33 left -> cart/cart.go:18"}},
		"field retyped":                     {[]edit{{money, "Price string", "Price int"}}, []string{"Quote.Price field retyped error money/money.go:33 -> cart/cart.go:18"}},
		"method removed":                    {[]edit{{money, "func (a Amount) String() string { return strconv.FormatInt(int64(a)/Scale, 10) }\n", ""}}, []string{"Amount.String method removed error money/money.go:25 left"}},
		"method of a hidden type":           {[]edit{{money, "func (*base) Notes() string { return \"\" }\n", ""}}, []string{"Quote.Notes method removed error money/money.go:29 left"}},
		"type removed":                      {[]edit{{money, "type Set[K comparable] map[K]Quote\n\nfunc (s Set[K]) Has(k K) bool { return false }\n", ""}}, []string{"Set type removed error money/money.go:53 left"}},
		"method of a generic type":          {[]edit{{money, "Has(k K) bool", "Has(k []K) bool"}}, []string{"Set.Has parameter retyped error money/money.go:55"}},
		"constraint narrowed":               {[]edit{{money, "Map[A, B any]", "Map[A any, B comparable]"}}, []string{"Map constraint narrowed error money/money.go:57"}},
		"constraint with a method":          {[]edit{{money, "Map[A, B any]", "Map[A interface{ Sum() int }, B any]"}}, []string{"Map constraint narrowed error money/money.go:57"}},
		"constraint with types":             {[]edit{{money, "Set[K comparable]", "Set[K ~string]"}, {money, "Map[A, B any]", "Map[A ~int | ~string, B any]"}}, []string{"Map constraint narrowed error money/money.go:57"}},
		"receiver made a pointer":           {[]edit{{money, "func (a Amount) String", "func (a *Amount) String"}}, []string{"Amount.String receiver made a pointer error money/money.go:25"}},
		"generic function":                  {[]edit{{money, "do func(A) B) []B", "do func(B) A) []B"}}, []string{"Map parameter retyped error money/money.go:57"}},
		"variable retyped":                  {[]edit{{money, "var Default Store", "var Default Kind"}}, []string{"Default variable retyped error money/money.go:59"}},
		"variable removed":                  {[]edit{{money, "var Default Store", ""}}, []string{"Default variable removed error money/money.go:59 left"}},
		"underlying type":                   {[]edit{{money, "type Amount int64", "type Amount float64"}}, []string{"Amount type changed error money/money.go:23 -> cart/cart.go:16 -> cart/cart.go:21"}},
		"made another kind of thing":        {[]edit{{money, "const Scale = 100", "var Scale = 100"}}, []string{"Scale constant changed to variable error money/money.go:11 -> cart/cart.go:21"}},
		"internal and used":                 {[]edit{{tax, "Rate() int", "Rate(year int) int"}}, []string{"Rate parameter added note internal/tax/tax.go:5 -> cart/cart.go:21"}},
		"type of another package":           {[]edit{{money, "with tax.Rates", "with *tax.Rates"}}, []string{"Taxed parameter retyped error money/money.go:61"}},
		"package removed":                   {[]edit{{path: cart}}, []string{"cart package removed error cart/cart.go:2 left"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			expect(t, shop, shop.edited(t, test.edits...), test.want...)
		})
	}
}

func TestGoCompatible(t *testing.T) {
	t.Parallel()
	for name, edits := range map[string][]edit{
		"function added":              {{money, "func digits", "func Zero() Amount { return 0 }\n\nfunc digits"}},
		"field added":                 {{money, "\tDays  int\n", "\tDays  int\n\tMore []string\n"}},
		"method added":                {{money, "type Store", "func (q Quote) Old() bool { return q.Days > 9 }\n\ntype Store"}},
		"alias added":                 {{money, "type Store", "type Sum = Amount\n\ntype Store"}},
		"body":                        {{money, "Amount(n * Scale), err", "Amount(Scale * n), err"}},
		"parameter renamed":           {{money, "ParseAmount(text string)", "ParseAmount(s string)"}},
		"same value":                  {{money, "Scale = 100", "Scale = 10 * 10"}},
		"results named":               {{money, "(Amount, error) {\n\tn, err :=", "(sum Amount, err error) {\n\tn, err :="}},
		"sealed interface":            {{money, "\tsealed()\n", "\tsealed()\n\tShort() string\n"}},
		"test":                        {{"money/money_test.go", "Fixture() string", "Fixture(int) string"}},
		"moved within the package":    {{money, parse, ""}, {"money/parse.go", "", "package money\n\n" + parse}},
		"moved to a platform":         {{money, parse, ""}, {"money/parse_windows.go", "", "package money\n\n" + parse}},
		"command":                     {{"cmd/shop/main.go", "addr string", "addr string, more ...string"}},
		"internal and used by nobody": {{tax, "Later() int", "Later(a int) int"}},
		"internal, use mended":        {{tax, "Rate() int", "Rate(year int) int"}, {cart, "tax.Rate()", "tax.Rate(1)"}},
		"unexported":                  {{money, "func digits(text string) (int, error)", "func digits(s string) (n int, e error)"}},
		"version":                     {{money, `"1.0"`, `"1.1"`}},
		"wider":                       {{money, "type Quote struct {\n\t*base", "type Quote struct {\n\tbase"}},
		"renamed hidden type":         {{money, "type base struct", "type basis struct"}, {money, "(*base) Notes", "(*basis) Notes"}, {money, "\t*base", "\t*basis"}},
		"moved behind an alias":       {{money, "type Quote struct {\n\t*base\n\tPrice string\n\tDays  int\n}\n", "type Quote = tax.Quote\n"}, {tax, "type Rates", "type Quote struct {\n\tNote, Price string\n\tDays  int\n}\n\nfunc (Quote) Notes() string { return \"\" }\n\ntype Rates"}},
		"may be promoted":             {{money, "func (Wire) Close() {}\n", ""}, {money, "\tSpeed int\n", ""}},
		"any":                         {{money, "Map[A, B any]", "Map[A, B interface{}]"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			expect(t, shop, shop.edited(t, edits...))
		})
	}
}

// TestEmbedded: what types have of others is told once, where it is declared.
func TestEmbedded(t *testing.T) {
	t.Parallel()
	const text = "package a\n\ntype Reader interface {\n\tRead() error\n}\n\ntype File interface {\n\tReader\n\tName() string\n}\n\ntype Base struct{ Size int }\n\ntype Whole struct{ Base }\n"
	was := files{"go.mod": "module example.com/a\n", "a.go": text}
	expect(t, was, was.edited(t, edit{"a.go", "Read() error", "Read() error\n\tSeek() error"}, edit{"a.go", "Size int", "Size int64"}),
		"Reader.Seek method added to interface error a.go:5", "Base.Size field retyped error a.go:13")
}

// TestGoManyMethods: nobody implements an interface of many methods by hand.
func TestGoManyMethods(t *testing.T) {
	t.Parallel()
	for many, severity := range map[int]string{manyMethods - 1: "error", manyMethods: "note"} {
		text := "package a\n\ntype I interface {\n"
		for i := range many {
			text += fmt.Sprintf("\tM%d()\n", i)
		}
		was := files{"go.mod": "module example.com/a\n", "a.go": text + "}\n"}
		expect(t, was, was.edited(t, edit{"a.go", "\tM3()\n", "\tM3()\n\tNew()\n"}), "I.New method added to interface "+severity+" a.go:8")
		expect(t, was, was.edited(t, edit{"a.go", "\tM3()\n", ""}), "I.M3 method removed from interface error a.go:7 left")
	}
}

// TestGoHandsOut: what a package returns and never takes is for nobody else to implement.
func TestGoHandsOut(t *testing.T) {
	t.Parallel()
	for more, severity := range map[string]string{
		"":                                    "error",
		"func Watch() Watcher { return nil }": "note",
		"func Watch() (list []Watcher, err error) { return nil, nil }":                                                       "note",
		"func Each(do func(Watcher) error) {}":                                                                               "note",
		"func Watch() Watcher { return nil }\n\nfunc Run(w Watcher) {}":                                                      "error",
		"func Watch() Watcher { return nil }\n\ntype Options struct{ By Watcher }":                                           "error",
		"func Watch() Watcher { return nil }\n\nvar Default Watcher":                                                         "error",
		"func Watch() Watcher { return nil }\n\ntype Hook func(Watcher)":                                                     "error",
		"type Whole interface {\n\tWatcher\n\tName() string\n}\n\nfunc Open() Whole { return nil }":                          "note",
		"func Open() interface{ Next() Watcher } { return nil }\n\ntype T struct{}\n\nfunc (T) Add(w map[string]Watcher) {}": "error",
	} {
		was := files{"go.mod": "module example.com/a\n", "a.go": "package a\n\ntype Watcher interface {\n\tStop()\n}\n\n" + more + "\n"}
		expect(t, was, was.edited(t, edit{"a.go", "\tStop()\n", "\tStop()\n\tErr() error\n"}), "Watcher.Err method added to interface "+severity+" a.go:5")
	}
	was := files{
		"go.mod": "module example.com/a\n", "a.go": "package a\n\ntype Watcher interface {\n\tStop()\n}\n\nfunc Watch() Watcher { return nil }\n",
		"b/b.go": "package b\n\nimport \"example.com/a\"\n\nfunc Run(w a.Watcher) {}\n",
	}
	alone := was.edited(t, edit{path: "b/b.go"})
	expect(t, alone, alone.edited(t, edit{"a.go", "Stop()", "Stop(by ...string)"}), "Watcher.Stop variadic parameter added note a.go:4")
	expect(t, alone, alone.edited(t, edit{"a.go", "Stop()", "Stop(by string)"}), "Watcher.Stop parameter added error a.go:4")
	expect(t, was, was.edited(t, edit{"a.go", "\tStop()\n", "\tStop()\n\tErr() error\n"}), "Watcher.Err method added to interface error a.go:5")
}

// TestGoConverts: what called a function of one argument may make a value of the type that it is now.
func TestGoConverts(t *testing.T) {
	t.Parallel()
	was := files{"go.mod": "module example.com/a\n", "a.go": "package a\n\ntype Option interface{ set() }\n\nfunc Handler(do func(error)) Option { return nil }\n\nfunc Size(n, m int) Option { return nil }\n"}
	expect(t, was, was.edited(t, edit{"a.go", "func Handler(do func(error)) Option { return nil }", "type Handler func(error)\n\nfunc (Handler) set() {}"}))
	expect(t, was, was.edited(t, edit{"a.go", "func Handler(do func(error)) Option { return nil }", "type Handler struct{}"}), "Handler function changed to type error a.go:5")
	expect(t, was, was.edited(t, edit{"a.go", "func Size(n, m int) Option { return nil }", "type Size int"}), "Size function changed to type error a.go:7")
}

// TestGoGrown: a struct without a name may have fields more, as those with one may.
func TestGoGrown(t *testing.T) {
	t.Parallel()
	was := files{"go.mod": "module example.com/a\n", "a.go": "package a\n\ntype T struct {\n\tSum struct{ A, B int }\n}\n"}
	expect(t, was, was.edited(t, edit{"a.go", "A, B int", "A, B, C int"}))
	expect(t, was, was.edited(t, edit{"a.go", "A, B int", "A, C int"}), "T.Sum field retyped error a.go:4")
}

// TestGoLoosened: a constant that loses its type is of the same one wherever none is asked for.
func TestGoLoosened(t *testing.T) {
	t.Parallel()
	was := files{"go.mod": "module example.com/a\n", "a.go": "package a\n\nconst Name string = \"a\"\n\nconst Size int64 = 1\n"}
	expect(t, was, was.edited(t, edit{"a.go", "Name string", "Name"}))
	expect(t, was, was.edited(t, edit{"a.go", "Size int64", "Size"}), "Size constant retyped error a.go:5")
}

// TestGoCalls: of a function that takes all that it did it is said that calls are right.
func TestGoCalls(t *testing.T) {
	t.Parallel()
	const fit = "calls still compile"
	was := files{"go.mod": "module example.com/a\n", "a.go": `package a

type T struct{}

func (T) M(a map[string]int, b int) error { return nil }

type I interface {
	M(a map[string]int, b int) error
}

var V func(a map[string]int, b int) error
`}
	for now, want := range map[string]bool{
		"M(a any, b int) error":                      true,
		"M(a map[string]int, b ...int) error":        true,
		"M(a map[string]int, b int, c ...int) error": true,
		"M(a any, b ...any) error":                   true,
		"M(a map[string]int, b int, c int) error":    false,
		"M(a map[string]int) error":                  false,
		"M(a map[string]string, b int) error":        false,
		"M(a error, b int) error":                    false,
		"M(a any, b int)":                            false,
	} {
		edits := []edit{{"a.go", "M(a map[string]int, b int) error { return nil }", now + " { panic(0) }"}, {"a.go", "\tM(a map[string]int, b int) error\n", "\t" + now + "\n"}}
		found, _ := breaks(t, was, was.edited(t, append(edits, edit{"a.go", "V func(a map[string]int, b int) error", "V func" + now[1:]})...))
		if len(found) != 3 {
			t.Fatalf("%s: %v", now, found)
		}
		for _, f := range found {
			if got := strings.Contains(f.Message, fit); got != (want && f.Symbol == "T.M") {
				t.Errorf("%s: %s", now, f.Message)
			}
		}
	}
}

// TestProvisional: what a comment calls experimental is told as a note, and so is what belongs to it.
func TestProvisional(t *testing.T) {
	t.Parallel()
	was := files{"go.mod": "module example.com/a\n", "a.go": `package a

type Body struct {
	// EXPERIMENTAL. Subject to change/removal.
	Wait int
	Size int
}

// Stream is experimental.
type Stream struct {
	Size int
}

// Read may change without notice.
func (Body) Read() {}

// Run runs an experimental trial.
func Run() {}

// Rows is for tests to stand in for.
//
// Methods will not be removed, but new
// methods may be added.
type Rows interface {
	Close()
}

// Bind binds. You should not need to call this directly.
func Bind() {}
`}
	expect(t, was, was.edited(t, edit{"a.go", "	Wait int\n	Size int\n", "	Size int64\n"}, edit{"a.go", "type Stream struct {\n	Size int\n", "type Stream struct {\n"}, edit{"a.go", "Read()", "Read(a int)"}, edit{"a.go", "Run()", "Run(a int)"},
		edit{"a.go", "	Close()\n", "	Close()\n	Next() bool\n"}, edit{"a.go", "Bind()", "Bind(a int)"}),
		"Body.Size field retyped error a.go:5", "Body.Wait field removed note a.go:5 left", "Stream.Size field removed note a.go:11 left",
		"Body.Read parameter added note a.go:13", "Run parameter added error a.go:16", "Rows.Next method added to interface note a.go:24",
		"Bind parameter added note a.go:28")
	expect(t, was, was.edited(t, edit{"a.go", "	Close()\n", "	Close() error\n"}), "Rows.Close result added error a.go:25")
}

// TestPromises: nobody was promised anything of the packages of a program, of what another program wrote, and of what is there for tests.
func TestPromises(t *testing.T) {
	t.Parallel()
	with := func(more files) files {
		out := files{}
		maps.Copy(out, shop)
		maps.Copy(out, more)
		return out
	}
	breaking := []edit{{money, "Amount(text string)", "Amount(text string, base int)"}}
	const hit = "ParseAmount parameter added note money/money.go:64 -> cart/cart.go:18"
	const told = "ParseAmount parameter added error money/money.go:64 -> cart/cart.go:18"
	for name, test := range map[string]struct {
		shop  files
		edits []edit
		want  []string
	}{
		"a program":                 {with(files{"Dockerfile": "FROM scratch\n"}), breaking, []string{hit}},
		"a program, used nowhere":   {with(files{".goreleaser.yml": "builds: []\n"}), []edit{{money, "Price string", "Price string\n"}, {money, "func Map[A, B any](from []A, do func(A) B) []B", "func Map[A, B any](from []A) []B"}}, nil},
		"a program and a library":   {with(files{"Dockerfile": "FROM scratch\n", "shop.go": "// Package shop is a library.\npackage shop\n"}), breaking, []string{told}},
		"nothing to run":            {with(files{"Dockerfile": "FROM scratch\n", "cmd/shop/main.go": "package shop\n"}), breaking, []string{told}},
		"an example to run":         {with(files{"Dockerfile": "FROM scratch\n", "cmd/shop/main.go": "package shop\n", "examples/a/main.go": "package main\n"}), breaking, []string{told}},
		"a module beside a program": {with(files{"go.mod": "", "money/go.mod": "module example.com/money\n", "Dockerfile": "FROM scratch\n", "go.work": ""}), []edit{{money, "Days  int", "Days  int64"}}, []string{"Quote.Days field retyped error money/money.go:34"}},
		"below a command":           {with(files{"cmd/shop/view/view.go": "package view\n\nfunc Show(a int) {}\n"}), []edit{{"cmd/shop/view/view.go", "a int", "a, b int"}}, nil},
		"beside a command":          {with(files{"cmd/view/view.go": "package view\n\nfunc Show(a int) {}\n"}), []edit{{"cmd/view/view.go", "a int", "a, b int"}}, []string{"Show parameter added error cmd/view/view.go:3"}},
		"generated":                 {with(files{"wire/wire.go": "// Code generated by wire. DO NOT EDIT.\n\npackage wire\n\nfunc Send(a int) {}\n\nfunc Drop() {}\n"}), []edit{{"wire/wire.go", "a int", "a, b int"}, {"wire/wire.go", "func Drop() {}\n", ""}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			expect(t, test.shop, test.shop.edited(t, test.edits...), test.want...)
		})
	}
}

// TestGoImplementers: a new or changed method affects the types that no longer implement the interface, and no user of it.
func TestGoImplementers(t *testing.T) {
	t.Parallel()
	was := files{
		"go.mod": "module example.com/x\n", "internal/model/db.go": "package model\n\ntype DB interface {\n\tGet(id int) string\n}\n",
		"internal/db/mem.go":  "package db\n\nimport \"example.com/x/internal/model\"\n\ntype Mem struct{}\n\nfunc (Mem) Get(id int) string { return \"\" }\n\nfunc Open() model.DB { return Mem{} }\n",
		"internal/web/web.go": "package web\n\nimport \"example.com/x/internal/model\"\n\nfunc Serve(d model.DB) string { return d.Get(1) }\n\nfunc Close(d model.DB) {}\n",
	}
	added := edit{"internal/model/db.go", "string\n}", "string\n\tPut(id int)\n}"}
	retyped := edit{"internal/model/db.go", "Get(id int)", "Get(id int64)"}
	for name, test := range map[string]struct {
		edits []edit
		want  []string
	}{
		"added":             {[]edit{added}, []string{"DB.Put method added to interface note internal/model/db.go:5 -> internal/db/mem.go:5"}},
		"added everywhere":  {[]edit{added, {"internal/db/put.go", "", "package db\n\nfunc (Mem) Put(id int) {}\n"}}, nil},
		"added with others": {[]edit{added, {"internal/db/put.go", "", "package db\n\nfunc (Mem) Put(id string) {}\n"}}, []string{"DB.Put method added to interface note internal/model/db.go:5 -> internal/db/mem.go:5"}},
		"retyped":           {[]edit{retyped}, []string{"DB.Get parameter retyped note internal/model/db.go:4 -> internal/db/mem.go:5"}},
		"retyped, called":   {[]edit{{"internal/model/db.go", "Get(id int)", "Get(id string)"}}, []string{"DB.Get parameter retyped note internal/model/db.go:4 -> internal/db/mem.go:5 -> internal/web/web.go:5"}},
		"retyped, adapted":  {[]edit{retyped, {"internal/db/mem.go", "Get(id int)", "Get(id int64)"}, {"internal/web/web.go", "d.Get(1)", "d.Get(int64(1))"}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			expect(t, was, was.edited(t, test.edits...), test.want...)
		})
	}
}

// TestGoInternal: a use of internal code is affected only if it certainly no longer compiles.
func TestGoInternal(t *testing.T) {
	t.Parallel()
	const path, user = "internal/m/m.go", "internal/web/web.go"
	was := files{
		"go.mod": "module example.com/x\n",
		path:     "package m\n\ntype DB interface{ Get() }\n\ntype Deps struct{ DB DB }\n\ntype ID int\n\ntype Account struct {\n\tID   int\n\tGone bool\n}\n\ntype Other struct{ Gone bool }\n\ntype Old struct{ Alone bool }\n\nfunc Run(d *Deps, n int) (int, error) { return 0, nil }\n",
		user:     "package web\n\nimport \"example.com/x/internal/m\"\n\ntype H struct{ Deps m.Deps }\n\nfunc (h H) Serve(o m.Other, a m.Account, old m.Old) m.Account {\n\th.Deps.DB.Get()\n\tn, err := m.Run(&h.Deps, 1)\n\t_ = o.Gone && old.Alone && err == nil\n\treturn m.Account{ID: 1}\n}\n\nvar D m.DB\n",
	}
	const run = "Run %s note internal/m/m.go:18 -> internal/web/web.go:9"
	for name, test := range map[string]struct {
		edits []edit
		want  string
	}{
		"a field of the name":     {[]edit{{path, "type DB interface{ Get() }\n\n", ""}, {path, "{ DB DB }", "{ DB interface{ Get() } }"}, {user, "var D m.DB\n", ""}}, ""},
		"the type itself":         {[]edit{{path, "type DB interface{ Get() }\n\n", ""}, {path, "{ DB DB }", "{ DB interface{ Get() } }"}}, "DB type removed note internal/m/m.go:3 left -> internal/web/web.go:14"},
		"a constant still fits":   {[]edit{{path, "\tID   int", "\tID   ID"}}, ""},
		"perhaps of another type": {[]edit{{path, "\tGone bool\n", ""}}, ""},
		"of this type":            {[]edit{{path, "{ Alone bool }", "{}"}}, "Old.Alone field removed note internal/m/m.go:16 left -> internal/web/web.go:10"},
		"an argument fits":        {[]edit{{path, "d *Deps, n int", "d any, n int64"}}, ""},
		"a literal":               {[]edit{{path, "n int", "n string"}}, fmt.Sprintf(run, "parameter retyped")},
		"too few arguments":       {[]edit{{path, "n int", "n, m int"}}, fmt.Sprintf(run, "parameter added")},
		"too many results":        {[]edit{{path, "(int, error)", "error"}}, fmt.Sprintf(run, "result removed")},
		"another result":          {[]edit{{path, "(int, error)", "(int64, error)"}}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var want []string
			if test.want != "" {
				want = []string{test.want}
			}
			expect(t, was, was.edited(t, test.edits...), want...)
		})
	}
}
