package source

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// declaredIn is a declaration with so many bytes of documentation.
func declaredIn(file, name string, kind Kind, bytes int) *Declared {
	return &Declared{Symbol: &Symbol{Kind: kind, Doc: strings.Repeat("x", bytes)}, Name: name, Path: "pkg/" + file}
}

func TestDivide(t *testing.T) {
	t.Parallel()
	many := func(file, prefix string, kind Kind, n, bytes int) (out []*Declared) {
		for i := range n {
			out = append(out, declaredIn(file, fmt.Sprintf("%s%02d", prefix, i), kind, bytes))
		}
		return out
	}
	for name, c := range map[string]struct {
		all  []*Declared
		want string
		// labels lists the labels other than the names.
		labels string
	}{
		"small":        {many("a.go", "F", Func, 10, 1000), "", ""},
		"by file":      {slices.Concat(many("a.go", "A", Func, 20, 1000), many("b.go", "B", Func, 20, 1000)), "a b", ""},
		"little files": {slices.Concat(many("a.go", "A", Func, 20, 1000), many("b.go", "B", Func, 4, 1000), many("c.go", "C", Func, 1, 1000), many("d.go", "D", Func, 20, 800)), "a d smaller-files(b.go,c.go)", "smaller files"},
		"little files by initial": {
			slices.Concat(many("a1.go", "A1", Func, 5, 1000), many("a2.go", "A2", Func, 4, 1000), many("A3.go", "A3", Func, 5, 1000), many("a4.go", "A4", Func, 5, 1000), many("b1.go", "B1", Func, 5, 1000), many("b2.go", "B2", Func, 5, 1000), many("c.go", "C", Func, 5, 1000), many("d.go", "D", Func, 5, 1000), many("d2.go", "D2", Func, 5, 1000), many("d3.go", "D3", Func, 5, 1000), many("d4.go", "D4", Func, 5, 1000), many("d5.go", "D5", Func, 5, 1000)),
			"smaller-files-A(A3.go,a1.go,a2.go,a4.go) smaller-files-B-C(b1.go,b2.go,c.go) smaller-files-D(d.go,d2.go,d3.go,d4.go,d5.go)", "smaller files, a1 to a4; smaller files, b1 to c; smaller files, d to d5",
		},
		"a single little file": {slices.Concat(many("a.go", "A", Func, 20, 1000), many("b.go", "B", Func, 4, 1000), many("d.go", "D", Func, 20, 800)), "a d b", ""},
		"by type": {slices.Concat(
			[]*Declared{declaredIn("a.py", "a.Big", Class, 100)}, many("a.py", "a.Big.m", Method, 20, 1000),
			[]*Declared{declaredIn("a.py", "a.Other", Class, 100)}, many("a.py", "a.Other.m", Method, 10, 1000), many("a.py", "a.f", Func, 5, 1000),
		), "a a.Big{a.Big} a.Other{a.Other}", ""},
		"one type of its file": {slices.Concat(
			[]*Declared{declaredIn("Assert.java", "Assert", Class, 100)}, many("Assert.java", "Assert.m", Method, 40, 1000),
		), "Assert{Assert} Assert-2{Assert}>Assert.m26", "Assert from m26"},
		"one type in many files": {slices.Concat(
			[]*Declared{declaredIn("z.go", "T", Struct, 7000)}, many("a.go", "T.m", Method, 20, 1000), many("b.go", "B", Func, 20, 1000),
		), "b z(a.go,z.go)", ""},
		"header and implementation": {slices.Concat(many("x.h", "A", Func, 20, 1000), many("x.c", "B", Func, 5, 1000), many("y.c", "C", Func, 20, 1000)), "x(x.c,x.h) y", ""},
		"one name in two endings":   {slices.Concat(many("x.ts", "A", Func, 20, 1000), many("x.js", "B", Func, 20, 1000)), "x x-2", "x.ts"},
	} {
		slices.SortStableFunc(c.all, func(a, b *Declared) int { return strings.Compare(a.Name, b.Name) })
		var got, labels []string
		index := NewPartIndex(Divide(c.all, nil))
		for i, p := range index.Parts {
			if l := index.Label(i); l != p.Name {
				labels = append(labels, l)
			}
			text := p.Name
			if len(p.Files) > 1 {
				text += "(" + strings.Join(p.Files, ",") + ")"
			}
			if p.Type != "" {
				text += "{" + p.Type + "}"
			}
			if p.From != "" {
				text += ">" + p.From
			}
			got = append(got, text)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
		if strings.Join(labels, "; ") != c.labels {
			t.Errorf("%s: labels %q, want %q", name, labels, c.labels)
		}
	}
}

// TestDivideAll: whatever a module declares, each of its outermost declarations is in one part, the parts have different names, and
// none but one of a single name is too large.
func TestDivideAll(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var all []*Declared
		for i := range rapid.IntRange(1, 60).Draw(t, "symbols") {
			file := rapid.SampledFrom([]string{"a.go", "b.go", "c.go", "a.py"}).Draw(t, "file")
			name := fmt.Sprintf("%s%d", rapid.SampledFrom([]string{"S", "T"}).Draw(t, "name"), i)
			all = append(all, declaredIn(file, name, Struct, rapid.IntRange(0, 9000).Draw(t, "bytes")))
			for j := range rapid.IntRange(0, 12).Draw(t, "members") {
				all = append(all, declaredIn(file, fmt.Sprintf("%s.m%d", name, j), Method, rapid.IntRange(0, 4000).Draw(t, "bytes")))
			}
		}
		slices.SortFunc(all, func(a, b *Declared) int { return strings.Compare(a.Name, b.Name) })
		parts := Divide(all, nil)
		if len(parts) == 0 {
			if Extent(all, nil) > undividedBytes {
				t.Fatal("it is not divided")
			}
			return
		}
		index := NewPartIndex(parts)
		names, sizes, counts := map[string]bool{}, make([]int, len(parts)), make([]int, len(parts))
		for _, p := range parts {
			if names[strings.ToLower(p.Name)] {
				t.Errorf("two parts are called %s", p.Name)
			}
			names[strings.ToLower(p.Name)] = true
		}
		for _, d := range all {
			i := index.Of(baseOf(d), d.Name)
			if i < 0 {
				t.Fatalf("%s is in no part", d.Name)
			}
			if want := partOf(parts, baseOf(d), d.Name); i != want {
				t.Errorf("%s is in part %d, want %d", d.Name, i, want)
			}
			sizes[i] += extentOf(d)
			if !strings.Contains(d.Name, ".") || parts[i].Type != "" {
				counts[i]++
			}
		}
		for i, n := range sizes {
			if n > partBytes && counts[i] > 1 {
				t.Errorf("part %+v has %d bytes of %d names", parts[i], n, counts[i])
			}
		}
	})
}

func baseOf(d *Declared) string { return strings.TrimPrefix(d.Path, "pkg/") }

// partOf looks at all parts, as PartIndex.Of is defined: an inner type goes before an outer one, and a later beginning before an earlier.
func partOf(parts []Part, file, name string) int {
	best := -1
	for i, p := range parts {
		if p.From > name || p.Type != "" && p.Type != name && !strings.HasPrefix(name, p.Type+".") || !slices.Contains(p.Files, file) {
			continue
		}
		if best < 0 || cmp.Or(strings.Compare(parts[best].Type, p.Type), strings.Compare(parts[best].From, p.From)) < 0 {
			best = i
		}
	}
	return best
}
