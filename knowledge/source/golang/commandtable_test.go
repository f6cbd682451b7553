package golang_test

import (
	"fmt"
	"strings"
	"testing"
)

func TestTablesOfFlags(t *testing.T) {
	t.Parallel()
	const head = "package main\nimport \"flag\"\n"
	for name, c := range map[string]struct{ src, want string }{
		"rows in the loop": {`func main() {
	for _, o := range []struct{ name, usage string; to *string }{{"a", "the first", &a}, {usage: "the second", name: "b"}} {
		flag.StringVar(o.to, o.name, "x", o.usage)
	}
}
`, `flag -a <* :string ~x ?the first
flag -b <* :string ~x ?the second
`},
		"maps, texts and places": {`var byName = map[string]*bool{"fast": &fast}
func main() {
	names := []string{"x", computed(), "y"}
	for name, to := range byName { flag.BoolVar(to, name, false, "") }
	for i := range names { flag.Bool(names[i], false, "") }
	for i, n := range names { f := n; flag.Int(f + "s", i, "") }
}
`, `flag -fast <*
flag -x <*
flag -xs <* :int
flag -y <*
flag -ys <* :int
`},
		"what conditions decide": {`type row struct { name, kind string; old bool; made func() }
var rows = []row{{name: "a", kind: text}, {name: "b", kind: number, made: func() {}}, {name: "c", old: true}, {name: "d", old: isOld}}
func main() {
	for _, r := range rows {
		if r.old { continue }
		if r.kind == text { flag.String(r.name, "", "") } else if r.kind == number { flag.Int(r.name, 0, "") }
		if r.made != nil { flag.Bool(r.name + "x", false, ""); flag.Bool("z", false, "") } else if debug { flag.Bool("y", false, "") }
	}
}
`, `flag -a <* :string
flag -b <* :int
flag -bx <*
flag -y <* !debug
flag -z <* !r.made != nil
`},
		"what is uncertain": {`type row struct { name string }
var rows = []row{{"a"}, {"b"}}
func main() {
	for _, r := range rows { r.name = strings.ToUpper(r.name); flag.Bool(r.name, false, "") }
	for _, r := range rows { if on(r) { flag.Bool(r.name, false, "") } }
	for _, r := range rows { r := change(r); flag.Bool(r.name, false, "") }
	for _, r := range rows { use(func(r row) { flag.Bool(r.name, false, "") }) }
	for _, r := range rows { switch { case r.name == "a": flag.Bool(r.name, false, ""); default: flag.Int(r.name, 0, "") } }
	for _, rows := range more { for _, r := range rows { flag.Uint(r.name, 0, "") } }
}
`, `join  =change() <change
`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := said(extract(t, "cmd/main.go", head+c.src)); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// TestHugeTables shows that no table takes more than its share: each call in the loop may name all of its rows.
func TestHugeTables(t *testing.T) {
	t.Parallel()
	var rows, calls strings.Builder
	for i := range 200 {
		fmt.Fprintf(&rows, "{%q}, ", fmt.Sprintf("n%d", i))
		calls.WriteString("flag.Bool(r.name, false, \"\")\n")
	}
	src := "package main\nimport \"flag\"\nvar rows = []struct{ name string }{" + rows.String() + "}\nfunc main() {\n\tfor _, r := range rows {\n" + calls.String() + "}\n}\n"
	if n := len(extract(t, "cmd/main.go", src).Facts); n > 2<<10 {
		t.Errorf("%d facts, which is more than tables may tell", n)
	}
}

// TestCyclicValues shows that values that contain each other end, and that constants are not computed for each use.
func TestCyclicValues(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("package main\nimport \"flag\"\nvar a = T{f: a.f.f.f.f}\nconst c0 = \"\" + \"\"\nconst x, y = y + x, x + y\n")
	for i := range 60 {
		fmt.Fprintf(&b, "const c%d = c%d + c%d\nconst n%d = n%d * n%d\n", i+1, i, i, i+1, i, i)
	}
	b.WriteString("func main() { flag.String(c60 + \"name\", a.f.f.f, c60); flag.String(\"x\" + x, y, x); flag.Int(\"number\", n60, \"\") }\n")
	if got, want := said(extract(t, "cmd/main.go", b.String())), "flag -name <* :string\nflag -number <* :int\n"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
