package golang_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/golang"
)

// registers are the registrations of a file, one a line: with what, of what, under which name.
func registers(f source.File) string {
	var lines []string
	for _, x := range f.Facts {
		switch x.Kind {
		case source.Register:
			lines = append(lines, fmt.Sprintf("%s(%q, %s)\n", x.Of, x.Name, x.ID))
		case source.Naming:
			lines = append(lines, fmt.Sprintf("%s is %q\n", x.ID, x.Name))
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "")
}

func TestRegistrations(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ src, want string }{
		"by the name that a method returns": {`package p
import "example.com/caddy"
func init() { caddy.RegisterModule(Files{}); caddy.RegisterModule(new(Match)); caddy.RegisterModule(&Both{}) }
func (Files) CaddyModule() caddy.ModuleInfo { return caddy.ModuleInfo{ID: "http.files", New: func() caddy.Module { return new(Files) }} }
func (*Match) Name() string { return prefix + "match" }
func (Both) Info() Info { return Info{ID: "a", Name: "b"} }
func (Files) String() string { return "files" }
func (Files) With(x int) Info { return Info{ID: "with"} }
const prefix = "http."
`, `Files is "http.files"
Match is "http.match"
caddy.RegisterModule("", Both)
caddy.RegisterModule("", Files)
caddy.RegisterModule("", Match)
`},
		"by a name": {`package p
import ("database/sql"; "image"; "example.com/inputs"; cmd "example.com/cmds")
const header = "\x89PNG"
func init() {
	sql.Register("mysql", &Driver{})
	image.RegisterFormat("png", header, Decode, DecodeConfig)
	inputs.Add("cpu", func() inputs.Input { return &CPU{} })
	inputs.Add("mem", newMem)
	name := "net"
	inputs.Add(name, newNet)
	cmd.RegisterCommand(cmd.Command{Name: "run", Func: run})
	register("own", other.Thing)
}
`, `cmd.RegisterCommand("run", )
image.RegisterFormat("png", Decode)
inputs.Add("cpu", CPU)
inputs.Add("mem", newMem)
inputs.Add("net", newNet)
register("own", )
sql.Register("mysql", Driver)
`},
		"several at once, in variables, and with a registry of a package": {`package p
import ("github.com/prometheus/client_golang/prometheus"; "encoding/gob")
var _ = gob.Register((*Message)(nil))
func init() {
	prometheus.MustRegister(requests, errors)
	prometheus.DefaultRegisterer.MustRegister(NewCollector())
	own.Register("x", handle[int])
}
`, `gob.Register("", Message)
own.Register("x", )
prometheus.DefaultRegisterer.MustRegister("", NewCollector)
prometheus.MustRegister("", errors)
prometheus.MustRegister("", requests)
`},
		"in what init and main call": {`package main
import "example.com/reg"
func init() { setup() }
func main() { s := serve(); if err := reg.Register("late", Late{}); err != nil { panic(err) }; reg.RegisterServer(s, &Server{}); reg.Add("x", Late{}) }
func setup() { setup(); reg.Register("one", One{}) }
func other() { reg.Register("never", Never{}) }
`, `reg.Register("late", Late)
reg.Register("one", One)
reg.RegisterServer("", Server)
`},
		"what is not certain": {`package p
import ("example.com/reg"; "example.com/other"; "github.com/prometheus/client_golang/prometheus"; "mime")
func init() {
	for _, m := range all { reg.Register(m) }
	if debug { reg.Register("debug", Debug{}) }
	reg.Registered("x", T{})
	reg := local()
	reg.Register(computed(), nil)
	reg.Register("y", T{})
	mime.AddExtensionType(".x", "text/x")
	later(func() { other.Register("z", T{}) })
	other.RegisterMetrics(prometheus.DefaultRegisterer)
}
`, ""},
	} {
		f := golang.Language{}.Extract(context.Background(), "p.go", []byte(c.src))
		if got := registers(f); got != c.want || f.Problem != "" {
			t.Errorf("%s: got\n%s\nwant\n%s%s", name, got, c.want, f.Problem)
		}
	}
}
